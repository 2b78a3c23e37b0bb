"""Thill 2012, figures 4.6 and 4.7: four 3-tuples, 108 weights, learn Tic-Tac-Toe.

Which tuples they are is drawn, not told. Of the sixteen 3-tuples up to symmetry we take the three
lines (edge, middle, diagonal) and the one that did best as the fourth: corner, edge, centre.
"""

from collections.abc import Sequence

from spielwerk.lab.figure import Figure, Point, Study
from spielwerk.lab.learning_curves import (
    perfect_runs,
    preset_config,
    success_curves,
    weights_of,
)
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured

FOUR = "four 3-tuples"


def produce(study: Study) -> list[Point]:
    configs = {FOUR: preset_config("tic-tac-toe", "four-tuples")}
    return success_curves("tic-tac-toe", configs, study)


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    weights = weights_of(preset_config("tic-tac-toe", "four-tuples"))
    return {**perfect_runs(points, FOUR, 4000), "weights of four 3-tuples": weights}


FIGURE = Figure(
    "thill-figure-4-7",
    "Thill 2012, figure 4.7",
    "Tic-Tac-Toe learned with four 3-tuples",
    "games of self-play",
    "success against perfect play; runs; %",
    produce,
    measure,
    page_of("thill-figure-4-7"),
    full_seeds=100,
    quick_seeds=3,
)
