"""Thill 2012, figure 4.24: success by the number of 8-tuples, with the output scaled by 70/count.

Printed is a curve that rises and levels off. Agrees if 10 tuples end below 70, and 120 not below 70
by more than 5 %; new tuples in each run.
"""

from collections.abc import Sequence

import numpy as np

from spielwerk.lab.figure import Claim, Figure, Point, Study, claim
from spielwerk.lab.thill_training import (
    FULL_SEEDS,
    QUICK_SEEDS,
    SUCCESS,
    at_the_end,
    basis,
    scaled,
    training_curves,
)

COUNTS = (10, 40, 70, 120)
CURVE = "8-tuples, k = 70/count"


def produce(study: Study) -> list[Point]:
    configs = {
        str(count): basis(features=f"walk:count={count},length=8,seed=%d", function=scaled(count))
        for count in COUNTS
    }
    courses = training_curves(configs, study)
    points = []
    for count in COUNTS:
        last = at_the_end(courses, str(count))
        mean, low, high = (
            float(np.mean([getattr(point, name) for point in last]))
            for name in ("mean", "low", "high")
        )
        points.append(Point(CURVE, count, mean, low, high, study.seeds))
    return points


def claims(points: Sequence[Point]) -> list[Claim]:
    ends = {int(point.x): point.mean for point in points}
    found = ", ".join(f"{count}: {end:.1f} %" for count, end in ends.items())
    return [
        claim("few tuples are worse than 70", "rising", found, ends[10] < ends[70]),
        claim("120 are as good as 70 at least", "rising", found, ends[120] >= ends[70] - 5),
    ]


FIGURE = Figure(
    "thill-figure-4-24",
    "Thill 2012, figure 4.24",
    "success by the number of tuples",
    "number of tuples",
    SUCCESS,
    produce,
    claims,
    full_seeds=FULL_SEEDS,
    quick_seeds=QUICK_SEEDS,
)
