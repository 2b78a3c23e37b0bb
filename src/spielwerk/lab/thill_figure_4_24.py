"""Thill 2012, figure 4.24: success by the number of 8-tuples, with the output scaled by 70/count.

Printed is a picture of the mean from seven to ten million games, and that strength rises with the
number; ours is the mean of eight and ten million. New tuples in each run.
"""

from collections.abc import Sequence

from spielwerk.lab.figure import Figure, Point, Study, mean_at, of_curve, point_of
from spielwerk.lab.learning_curves import courses
from spielwerk.lab.printed import page_of
from spielwerk.lab.thill_training import (
    FULL_SEEDS,
    GAME,
    QUICK_SEEDS,
    SINCE,
    SUCCESS,
    basis,
    final_success,
    quickly,
    scaled_output,
)
from spielwerk.lab.verdicts import Measured, difference

COUNTS = (10, 40, 70, 120)
CURVE = "8-tuples, k = 70/count"


def produce(study: Study) -> list[Point]:
    configs = {
        str(count): basis(
            features=f"walk:count={count},length=8,seed=%d", function=scaled_output(count)
        )
        for count in COUNTS
    }
    found = courses(GAME, *quickly(configs, study), from_zero=False)
    return [
        point_of(CURVE, count, [final_success(rows) for rows in found[str(count)]])
        for count in COUNTS
    ]


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
    since=SINCE,
)
