"""Thill 2012, figure 4.29: looking one ply further ahead, with the tuned configuration.

Looking ahead takes several times as long, so both play a twentieth of the games of the thesis;
only their difference is comparable with the thesis. (With a fortieth of the games both stay below
15 %: nothing can be told from that.)
"""

from collections.abc import Sequence

from spielwerk.lab.figure import Point
from spielwerk.lab.thill_training import basis, end_of, training_figure
from spielwerk.lab.verdicts import Measured, difference
from spielwerk.learning.config import TdConfig

ONE, TWO = "one ply", "two plies"
SHORTEST = 500_000


def configs() -> dict[str, TdConfig]:
    return {
        ONE: basis("tuned", SHORTEST),
        TWO: basis("tuned", SHORTEST, depth=2),
    }


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    return {f"{TWO} less {ONE}": difference(end_of(points, TWO), end_of(points, ONE))}


FIGURE = training_figure(
    "4.29", "greedy moves that look one or two plies ahead in training", configs, measure, since=""
)
