"""Thill 2012, figure 4.22: more tuples, worse results, if the output is not scaled.

Printed are curves. Agrees if 120 tuples end below 70; new tuples in each run.
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

FEW, MANY = "70 tuples", "120 tuples"


def produce(seeds: int, seed: int, progress: Callable[[int, int], None]) -> list[Point]:
    configs = {
        FEW: basis(features="walk:count=70,length=8,seed=%d"),
        MANY: basis(features="walk:count=120,length=8,seed=%d"),
    }
    return training_curves(configs, seeds, seed, progress)


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


FIGURE = Figure(
    "thill-figure-4-22",
    "Thill 2012, figure 4.22",
    "70 and 120 8-tuples, output not scaled",
    OF_SELF_PLAY,
    SUCCESS,
    produce,
    claims,
    full_seeds=FULL_SEEDS,
    quick_seeds=QUICK_SEEDS,
)
