"""Thill 2012, figure 4.22: more tuples, worse results, if the output is not scaled.

Printed are curves; new tuples in each run.
"""

from collections.abc import Sequence

from spielwerk.lab.figure import Point
from spielwerk.lab.thill_training import (
    FINAL,
    basis,
    deviation_at_the_end,
    end_of,
    training_figure,
)
from spielwerk.lab.verdicts import Measured, difference
from spielwerk.learning.config import TdConfig

FEW, MANY = "70 tuples", "120 tuples"


def configs() -> dict[str, TdConfig]:
    return {
        FEW: basis(features="walk:count=70,length=8,seed=%d"),
        MANY: basis(features="walk:count=120,length=8,seed=%d"),
    }


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    found = {
        f"{MANY} less {FEW}": difference(end_of(points, MANY), end_of(points, FEW)),
        "standard deviation of single trainings with new tuples each, points, in the end": (
            deviation_at_the_end(points, FEW, FINAL)
        ),
    }
    return {name: ours for name, ours in found.items() if ours is not None}


FIGURE = training_figure("4.22", "70 and 120 8-tuples, output not scaled", configs, measure)
