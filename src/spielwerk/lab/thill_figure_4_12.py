"""Thill 2012, figure 4.12: one table per tuple fails, one for each player to move succeeds.

Agrees if one table stays below 50 % and two end at 70 % at least (printed: 25 and over 80 %).
"""

from collections.abc import Sequence

from spielwerk.lab.figure import Claim, Point, claim
from spielwerk.lab.thill_training import basis, end_of, training_figure
from spielwerk.learning.config import TdConfig

ONE, TWO = "one table", "two tables"
FEATURES = "walk:count=70,length=8,m=3,seed=1"


def configs() -> dict[str, TdConfig]:
    return {
        ONE: basis(features=f"{FEATURES},tables=1"),
        TWO: basis(features=FEATURES),
    }


def claims(points: Sequence[Point]) -> list[Claim]:
    one, two = end_of(points, ONE), end_of(points, TWO)
    return [
        claim("one table per tuple fails", "about 25 %", f"{one:.1f} %", one < 50),
        claim("two tables succeed", "over 80 %", f"{two:.1f} %", two >= 70),
        claim("two tables are better", "by over 55 %", f"by {two - one:.1f} %", two - one > 25),
    ]


FIGURE = training_figure(
    "4.12", "one or two tables per tuple, three states of a cell", configs, claims
)
