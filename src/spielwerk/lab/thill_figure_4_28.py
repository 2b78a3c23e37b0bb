"""Thill 2012, figure 4.28: without the mirror image of the board.

Agrees if it costs 10 % at least (printed: about 70 % instead of about 90 %).
"""

from collections.abc import Sequence

from spielwerk.lab.figure import Claim, Point, claim
from spielwerk.lab.thill_training import basis, end_of, training_figure
from spielwerk.learning.config import TdConfig

WITH, WITHOUT = "with mirror images", "without"


def configs() -> dict[str, TdConfig]:
    return {
        WITH: basis(features="walk:count=70,length=8,seed=1"),
        WITHOUT: basis(features="walk:count=70,length=8,seed=1,symmetric=no"),
    }


def claims(points: Sequence[Point]) -> list[Claim]:
    both, one = end_of(points, WITH), end_of(points, WITHOUT)
    return [
        claim(
            "symmetry matters",
            "about 70 instead of 90 %",
            f"{one:.1f} instead of {both:.1f} %",
            one <= both - 10,
        )
    ]


FIGURE = training_figure("4.28", "with and without the symmetry of the board", configs, claims)
