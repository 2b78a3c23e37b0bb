"""Thill 2012, figure 4.23: with the output scaled by k = 70/120, 120 tuples pass 70.

Printed are curves. Agrees if scaled ones end above both the others; new tuples in each run.
"""

from collections.abc import Sequence

from spielwerk.lab.figure import Claim, Point, claim
from spielwerk.lab.thill_training import basis, end_of, scaled, training_figure
from spielwerk.learning.config import TdConfig

FEW, MANY, SCALED = "70 tuples", "120 tuples", "120 tuples, k = 0.58"


def configs() -> dict[str, TdConfig]:
    return {
        FEW: basis(features="walk:count=70,length=8,seed=%d"),
        MANY: basis(features="walk:count=120,length=8,seed=%d"),
        SCALED: basis(features="walk:count=120,length=8,seed=%d", function=scaled(120)),
    }


def claims(points: Sequence[Point]) -> list[Claim]:
    few, many, scaled = (end_of(points, curve) for curve in (FEW, MANY, SCALED))
    found = f"{scaled:.1f} %, without {many:.1f} %, 70 tuples {few:.1f} %"
    return [
        claim("scaling helps 120 tuples", "clearly", found, scaled > many),
        claim("120 scaled tuples pass 70", "higher", found, scaled > few),
    ]


FIGURE = training_figure("4.23", "120 8-tuples with the output scaled by k", configs, claims)
