"""Thill 2012, figure 4.28: without the mirror image of the board."""

from collections.abc import Sequence

from spielwerk.lab.figure import Point
from spielwerk.lab.thill_training import basis, end_of, training_figure
from spielwerk.lab.verdicts import Measured, difference
from spielwerk.learning.config import TdConfig

WITH, WITHOUT = "with mirror images", "without"


def configs() -> dict[str, TdConfig]:
    return {
        WITH: basis(features="walk:count=70,length=8,seed=1"),
        WITHOUT: basis(features="walk:count=70,length=8,seed=1,symmetric=no"),
    }


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    ends = {curve: end_of(points, curve) for curve in (WITH, WITHOUT)}
    return {**ends, f"{WITH} less {WITHOUT}": difference(ends[WITH], ends[WITHOUT])}


FIGURE = training_figure("4.28", "with and without the symmetry of the board", configs, measure)
