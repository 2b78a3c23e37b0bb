"""Thill 2012, figure 4.20: random points fail where random walks succeed; new tuples in each run.

Printed are curves. Agrees if a hundred sets of points end at least 20 % below seventy walks.
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

WALK, POINTS = "70 random walks", "100 sets of random points"


def produce(seeds: int, seed: int, progress: Callable[[int, int], None]) -> list[Point]:
    configs = {
        WALK: basis(features="walk:count=70,length=8,seed=%d"),
        POINTS: basis(features="points:count=100,length=8,seed=%d"),
    }
    return training_curves(configs, seeds, seed, progress)


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


FIGURE = Figure(
    "thill-figure-4-20",
    "Thill 2012, figure 4.20",
    "tuples drawn as random walks or as random points",
    OF_SELF_PLAY,
    SUCCESS,
    produce,
    claims,
    full_seeds=FULL_SEEDS,
    quick_seeds=QUICK_SEEDS,
)
