"""Thill 2012, figure 4.20: random points fail where walks succeed; new tuples in each run."""

from collections.abc import Sequence

from spielwerk.lab.figure import Point
from spielwerk.lab.thill_training import basis, end_of, training_figure
from spielwerk.lab.verdicts import Measured, difference
from spielwerk.learning.config import TdConfig

WALK, POINTS = "70 random walks", "100 sets of random points"


def configs() -> dict[str, TdConfig]:
    return {
        WALK: basis(features="walk:count=70,length=8,seed=%d"),
        POINTS: basis(features="points:count=100,length=8,seed=%d"),
    }


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    less = difference(end_of(points, POINTS), end_of(points, WALK))
    return {f"{POINTS} less {WALK}": less}


FIGURE = training_figure(
    "4.20", "tuples drawn as random walks or as random points", configs, measure
)
