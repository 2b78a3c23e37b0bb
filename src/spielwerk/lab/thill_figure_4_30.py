"""Thill 2012, figure 4.30: success of trained systems by the depth of an alpha-beta search on top.

Printed: 70 7-tuples from 72 % to 92 % at six plies; 70 9-tuples almost 99 % at eight. Agrees if the
7-tuples gain 5 % at least (or have less than that to gain), and the 9-tuples end at 97 %.
"""

from collections.abc import Sequence
from statistics import mean

from spielwerk.lab.figure import Claim, Figure, Point, Study, claim
from spielwerk.lab.thill_search import curve, measure, points_of
from spielwerk.lab.thill_training import FULL_SEEDS, QUICK_SEEDS, SUCCESS


def produce(study: Study) -> list[Point]:
    found = measure(study)
    return points_of(found, "success", mean, study.seeds)


def claims(points: Sequence[Point]) -> list[Claim]:
    at = {(point.curve, point.x): point.mean for point in points}
    before, after = at[curve(7), 0], at[curve(7), 6]
    nine = at[curve(9), 8]
    return [
        claim(
            "70 7-tuples gain by six plies",
            "from 72 to 92 %",
            f"from {before:.1f} to {after:.1f} %",
            after >= min(before + 5, 97),
        ),
        claim("70 9-tuples with eight plies", "almost 99 %", f"{nine:.1f} %", nine >= 97),
    ]


FIGURE = Figure(
    "thill-figure-4-30",
    "Thill 2012, figure 4.30",
    "alpha-beta on top of trained systems",
    "plies beyond the move (our depth − 1)",
    SUCCESS,
    produce,
    claims,
    full_seeds=FULL_SEEDS,
    quick_seeds=QUICK_SEEDS,
)
