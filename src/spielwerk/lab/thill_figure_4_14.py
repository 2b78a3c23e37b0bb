"""Thill 2012, figure 4.14: telling cells that can be reached from others (m = 4) helps.

Agrees if m = 4 ends above m = 3, and both within 10 % of what is printed.
"""

from collections.abc import Sequence

from spielwerk.lab.figure import Claim, Point, claim
from spielwerk.lab.thill_training import basis, end_of, training_figure
from spielwerk.learning.config import TdConfig

THREE, FOUR = "m = 3", "m = 4"
PRINTED = {THREE: 81, FOUR: 91}


def configs() -> dict[str, TdConfig]:
    return {
        THREE: basis(features="walk:count=70,length=8,m=3,seed=1"),
        FOUR: basis(features="walk:count=70,length=8,seed=1"),
    }


def claims(points: Sequence[Point]) -> list[Claim]:
    ends = {curve: end_of(points, curve) for curve in PRINTED}
    found = [
        claim(curve, f"about {printed} %", f"{ends[curve]:.1f} %", abs(ends[curve] - printed) <= 10)
        for curve, printed in PRINTED.items()
    ]
    gain = ends[FOUR] - ends[THREE]
    return [*found, claim("m = 4 is better", "by about 10 %", f"by {gain:.1f} %", gain > 0)]


FIGURE = training_figure(
    "4.14", "three or four states of a cell, two tables per tuple", configs, claims
)
