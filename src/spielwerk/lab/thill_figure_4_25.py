"""Thill 2012, figure 4.25: trainings of the basis configuration end alike.

The trainings are those of figure 4.14 with m = 4.
"""

import math
from collections.abc import Sequence

from spielwerk.arena.intervals import Z_95
from spielwerk.lab.figure import Point
from spielwerk.lab.thill_figure_4_14 import FOUR
from spielwerk.lab.thill_figure_4_14 import configs as both
from spielwerk.lab.thill_training import at_the_end, end_of, training_figure
from spielwerk.lab.verdicts import Measured
from spielwerk.learning.config import TdConfig


def configs() -> dict[str, TdConfig]:
    return {FOUR: both()[FOUR]}


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    """The error of a standard deviation is that of normal values."""
    deviation, seeds = end_of(points, FOUR).deviation, at_the_end(points, FOUR)[0].seeds
    half = Z_95 * deviation / math.sqrt(2 * max(1, seeds - 1))
    told = "single trainings of the basis configuration in the end: standard deviation, points"
    return {told: Measured(deviation, deviation - half, deviation + half, repeated=seeds > 1)}


FIGURE = training_figure("4.25", "how much trainings differ", configs, measure)
