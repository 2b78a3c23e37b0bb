"""Thill 2012, figure 4.28: without the mirror image of the board.

Agrees if it costs 10 % at least (printed: about 70 % instead of about 90 %).
"""

from collections.abc import Callable, Sequence

from spielwerk.lab.figure import Claim, Figure, Point, claim
from spielwerk.lab.thill_training import (
    FULL_SEEDS,
    OF_SELF_PLAY,
    QUICK_SEEDS,
    SUCCESS,
    basis,
    end_of,
    training_curves,
)

WITH, WITHOUT = "with mirror images", "without"


def produce(seeds: int, seed: int, progress: Callable[[int, int], None]) -> list[Point]:
    configs = {
        WITH: basis(features="walk:count=70,length=8,seed=1"),
        WITHOUT: basis(features="walk:count=70,length=8,seed=1,symmetric=no"),
    }
    return training_curves(configs, seeds, seed, progress)


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


FIGURE = Figure(
    "thill-figure-4-28",
    "Thill 2012, figure 4.28",
    "with and without the symmetry of the board",
    OF_SELF_PLAY,
    SUCCESS,
    produce,
    claims,
    full_seeds=FULL_SEEDS,
    quick_seeds=QUICK_SEEDS,
)
