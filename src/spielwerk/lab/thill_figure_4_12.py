"""Thill 2012, figure 4.12: one table per tuple fails, one for each player to move succeeds."""

from collections.abc import Sequence

from spielwerk.lab.figure import Point
from spielwerk.lab.thill_training import basis, end_of, spread_less, training_figure
from spielwerk.lab.verdicts import Measured
from spielwerk.learning.config import TdConfig

ONE, TWO = "one table", "two tables"
FEATURES = "walk:count=70,length=8,m=3,seed=1"


def configs() -> dict[str, TdConfig]:
    return {
        ONE: basis(features=f"{FEATURES},tables=1"),
        TWO: basis(features=FEATURES),
    }


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    ends = {curve: end_of(points, curve) for curve in (ONE, TWO)}
    return {**ends, **spread_less(points, TWO, ONE)}


FIGURE = training_figure(
    "4.12", "one or two tables per tuple, three states of a cell", configs, measure
)
