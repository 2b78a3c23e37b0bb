"""Thill 2012, figure 4.14: telling cells that can be reached from others (m = 4) helps."""

from collections.abc import Sequence

from spielwerk.lab.figure import Point
from spielwerk.lab.thill_training import basis, end_of, spread_less, training_figure
from spielwerk.lab.verdicts import Measured
from spielwerk.learning.config import TdConfig

THREE, FOUR = "m = 3", "m = 4"


def configs() -> dict[str, TdConfig]:
    return {
        THREE: basis(features="walk:count=70,length=8,m=3,seed=1"),
        FOUR: basis(features="walk:count=70,length=8,seed=1"),
    }


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    ends = {curve: end_of(points, curve) for curve in (THREE, FOUR)}
    return {**ends, **spread_less(points, FOUR, THREE)}


FIGURE = training_figure(
    "4.14", "three or four states of a cell, two tables per tuple", configs, measure
)
