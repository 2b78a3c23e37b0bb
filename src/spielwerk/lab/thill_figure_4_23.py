"""Thill 2012, figure 4.23: with the output scaled by k = 70/120, 120 tuples pass 70.

Printed are curves; new tuples in each run.
"""

from collections.abc import Sequence

from spielwerk.lab.figure import Point
from spielwerk.lab.thill_training import basis, end_of, scaled_output, training_figure
from spielwerk.lab.verdicts import Measured, difference
from spielwerk.learning.config import TdConfig

FEW, MANY, SCALED = "70 tuples", "120 tuples", "120 tuples, k = 0.58"


def configs() -> dict[str, TdConfig]:
    return {
        FEW: basis(features="walk:count=70,length=8,seed=%d"),
        MANY: basis(features="walk:count=120,length=8,seed=%d"),
        SCALED: basis(features="walk:count=120,length=8,seed=%d", function=scaled_output(120)),
    }


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    best = end_of(points, SCALED)
    return {
        f"120 scaled tuples less {other}": difference(best, end_of(points, other))
        for other in (MANY, FEW)
    }


FIGURE = training_figure("4.23", "120 8-tuples with the output scaled by k", configs, measure)
