"""Thill 2012, figures 4.27 and 4.29: the tuned configuration; looking one ply further ahead.

The deeper look takes the general learner, so both play a twentieth of the games of the other
figures; only their difference is comparable with the thesis. Printed: about 1 % better. Agrees if
the difference is less than 15 % either way.
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

ONE, TWO = "one ply", "two plies"
SHORT = {"games": 50_000, "evaluate_every": 10_000}


def produce(seeds: int, seed: int, progress: Callable[[int, int], None]) -> list[Point]:
    configs = {
        ONE: basis("tuned", **SHORT),
        TWO: basis("tuned", **SHORT, depth=2),
    }
    return training_curves(configs, seeds, seed, progress)


def claims(points: Sequence[Point]) -> list[Claim]:
    one, two = end_of(points, ONE), end_of(points, TWO)
    return [
        claim(
            "a second ply while training changes little",
            "about 1 % better",
            f"{two:.1f} %, with one ply {one:.1f} %",
            abs(two - one) < 15,
        )
    ]


FIGURE = Figure(
    "thill-figure-4-29",
    "Thill 2012, figure 4.29",
    "greedy moves that look one or two plies ahead in training",
    OF_SELF_PLAY,
    SUCCESS,
    produce,
    claims,
    full_seeds=FULL_SEEDS,
    quick_seeds=QUICK_SEEDS,
)
