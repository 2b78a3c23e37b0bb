"""Thill 2012, figure 4.10: with one table per tuple, hardly a game is won.

The trainings are those of figure 4.12.
"""

from collections.abc import Sequence

from spielwerk.lab.figure import Point
from spielwerk.lab.thill_figure_4_12 import ONE
from spielwerk.lab.thill_figure_4_12 import configs as both
from spielwerk.lab.thill_training import end_of, training_figure
from spielwerk.lab.verdicts import Measured
from spielwerk.learning.config import TdConfig


def configs() -> dict[str, TdConfig]:
    return {ONE: both()[ONE]}


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    return {ONE: end_of(points, ONE)}


FIGURE = training_figure("4.10", "one table per tuple, three states of a cell", configs, measure)
