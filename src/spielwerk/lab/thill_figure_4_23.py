"""Thill 2012, figure 4.23: with the output scaled by k = 70/120, 120 tuples pass 70.

Printed are curves. Agrees if scaled ones end above both the others; new tuples in each run.
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

FEW, MANY, SCALED = "70 tuples", "120 tuples", "120 tuples, k = 0.58"


def produce(seeds: int, seed: int, progress: Callable[[int, int], None]) -> list[Point]:
    configs = {
        FEW: basis(features="walk:count=70,length=8,seed=%d"),
        MANY: basis(features="walk:count=120,length=8,seed=%d"),
        SCALED: basis(features="walk:count=120,length=8,seed=%d", function="tanh:slope=0.583"),
    }
    return training_curves(configs, seeds, seed, progress)


def claims(points: Sequence[Point]) -> list[Claim]:
    few, many, scaled = (end_of(points, curve) for curve in (FEW, MANY, SCALED))
    found = f"{scaled:.1f} %, without {many:.1f} %, 70 tuples {few:.1f} %"
    return [
        claim("scaling helps 120 tuples", "clearly", found, scaled > many),
        claim("120 scaled tuples pass 70", "higher", found, scaled > few),
    ]


FIGURE = Figure(
    "thill-figure-4-23",
    "Thill 2012, figure 4.23",
    "120 8-tuples with the output scaled by k",
    OF_SELF_PLAY,
    SUCCESS,
    produce,
    claims,
    full_seeds=FULL_SEEDS,
    quick_seeds=QUICK_SEEDS,
)
