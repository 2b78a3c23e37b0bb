"""Thill 2012, figure 4.5: one 9-tuple learns Tic-Tac-Toe.

His curves of ε and α are drawn, not told; ours are those of the preset `nine-tuple`.
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

NINE, POSITIONS = "9-tuple", "table of positions"


def produce(study: Study) -> list[Point]:
    configs = {
        NINE: preset_config("tic-tac-toe", "nine-tuple"),
        POSITIONS: preset_config("tic-tac-toe", "table"),
    }
    return success_curves("tic-tac-toe", configs, study)


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    weights = weights_of(preset_config("tic-tac-toe", "nine-tuple"))
    return {**perfect_runs(points, NINE, 2500), "weights of the 9-tuple": weights}


FIGURE = Figure(
    "thill-figure-4-5",
    "Thill 2012, figure 4.5",
    "Tic-Tac-Toe learned with one 9-tuple",
    "games of self-play",
    "success against perfect play; runs; %",
    produce,
    measure,
    page_of("thill-figure-4-5"),
    full_seeds=100,
    quick_seeds=3,
)
