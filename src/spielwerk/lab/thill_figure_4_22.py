"""Thill 2012, figure 4.22: more tuples, worse results, if the output is not scaled.

Printed are curves. Agrees if 120 tuples end below 70; new tuples in each run.
"""

from collections.abc import Sequence

from spielwerk.lab.figure import Claim, Point, claim
from spielwerk.lab.thill_training import basis, end_of, training_figure
from spielwerk.learning.config import TdConfig

FEW, MANY = "70 tuples", "120 tuples"


def configs() -> dict[str, TdConfig]:
    return {
        FEW: basis(features="walk:count=70,length=8,seed=%d"),
        MANY: basis(features="walk:count=120,length=8,seed=%d"),
    }


def claims(points: Sequence[Point]) -> list[Claim]:
    few, many = end_of(points, FEW), end_of(points, MANY)
    return [
        claim(
            "120 tuples without scaling are worse than 70",
            "worse",
            f"{many:.1f} % and {few:.1f} %",
            many < few,
        )
    ]


FIGURE = training_figure("4.22", "70 and 120 8-tuples, output not scaled", configs, claims)
