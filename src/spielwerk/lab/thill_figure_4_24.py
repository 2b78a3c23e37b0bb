"""Thill 2012, figure 4.24: success by the number of 8-tuples, with the output scaled by 70/count.

Printed is a curve that rises and levels off; new tuples in each run.
"""

from collections.abc import Sequence

import numpy as np

from spielwerk.lab.figure import Figure, Point, Study, mean_at, of_curve
from spielwerk.lab.printed import page_of
from spielwerk.lab.thill_training import (
    FULL_SEEDS,
    QUICK_SEEDS,
    SUCCESS,
    at_the_end,
    basis,
    scaled,
    training_curves,
)
from spielwerk.lab.verdicts import Measured, difference

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
        points.append(Point(CURVE, count, mean, low, high, max(1, study.seeds)))
    return points


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    ends = {int(point.x): mean_at(point) for point in of_curve(points, CURVE)}
    return {
        f"{count} tuples less 70 tuples": difference(ends[count], ends[70]) for count in (10, 120)
    }


FIGURE = Figure(
    "thill-figure-4-24",
    "Thill 2012, figure 4.24",
    "success by the number of tuples",
    "number of tuples",
    SUCCESS,
    produce,
    measure,
    page_of("thill-figure-4-24"),
    full_seeds=FULL_SEEDS,
    quick_seeds=QUICK_SEEDS,
)
