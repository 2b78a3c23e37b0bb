"""Thill 2012, figure 4.25: trainings of the basis configuration end alike.

He sees larger differences up to about four million games only, and no grave ones in the strength
that results. The trainings are those of figure 4.14 with m = 4; the first report that we have of
them is that after six million games, the final strength (`FINAL`) that after eight and ten.
"""

from collections.abc import Sequence

from spielwerk.lab.figure import Point
from spielwerk.lab.thill_figure_4_14 import FOUR
from spielwerk.lab.thill_figure_4_14 import configs as both
from spielwerk.lab.thill_training import (
    FINAL,
    at_the_end,
    deviation_at_the_end,
    training_figure,
)
from spielwerk.lab.verdicts import Measured, deviation_of
from spielwerk.learning.config import TdConfig

DEVIATION = "standard deviation of single trainings of the basis configuration, points,"


def configs() -> dict[str, TdConfig]:
    return {FOUR: both()[FOUR]}


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    first = at_the_end(points, FOUR)[0]
    found = {
        f"{DEVIATION} in the end": deviation_at_the_end(points, FOUR, FINAL),
        f"{DEVIATION} after six million games": deviation_of(first.deviation, first.seeds),
    }
    return {name: ours for name, ours in found.items() if ours is not None}


FIGURE = training_figure("4.25", "how much trainings differ", configs, measure)
