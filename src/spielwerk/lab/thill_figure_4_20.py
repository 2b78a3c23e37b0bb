"""Thill 2012, figure 4.20: random points fail where random walks succeed; new tuples in each run.

Printed are curves. Agrees if a hundred sets of points end at least 20 % below seventy walks.
"""

from collections.abc import Sequence

from spielwerk.lab.figure import Claim, Point, claim
from spielwerk.lab.thill_training import basis, end_of, training_figure
from spielwerk.learning.config import TdConfig

WALK, POINTS = "70 random walks", "100 sets of random points"


def configs() -> dict[str, TdConfig]:
    return {
        WALK: basis(features="walk:count=70,length=8,seed=%d"),
        POINTS: basis(features="points:count=100,length=8,seed=%d"),
    }


def claims(points: Sequence[Point]) -> list[Claim]:
    walk, scattered = end_of(points, WALK), end_of(points, POINTS)
    return [
        claim(
            "random points are not satisfactory",
            "no satisfactory results",
            f"{scattered:.1f} % where walks reach {walk:.1f} %",
            scattered <= walk - 20,
        )
    ]


FIGURE = training_figure(
    "4.20", "tuples drawn as random walks or as random points", configs, claims
)
