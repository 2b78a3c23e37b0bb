"""Thill 2012, figure 4.15: with one table per tuple, four states of a cell do not help either."""

from collections.abc import Sequence

from spielwerk.lab.figure import Point
from spielwerk.lab.thill_training import basis, end_of, training_figure
from spielwerk.lab.verdicts import Measured, difference
from spielwerk.learning.config import TdConfig

THREE, FOUR = "one table, m = 3", "one table, m = 4"


def configs() -> dict[str, TdConfig]:
    return {
        THREE: basis(features="walk:count=70,length=8,m=3,seed=1,tables=1"),
        FOUR: basis(features="walk:count=70,length=8,seed=1,tables=1"),
    }


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    return {"one table: m = 4 less m = 3": difference(end_of(points, FOUR), end_of(points, THREE))}


FIGURE = training_figure("4.15", "three or four states of a cell, one table", configs, measure)
