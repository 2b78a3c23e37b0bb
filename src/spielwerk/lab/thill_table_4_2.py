"""Thill 2012, table 4.2: seconds for fifty games against the perfect player, by depth.

Printed are 37 to 50 s up to depth 8, most of which his perfect player took; ours are the seconds of
the system and its search alone, for what the perfect player takes depends on what it remembers.
Agrees if ours take less at every depth.
"""

from collections.abc import Sequence
from statistics import median

from spielwerk.lab.figure import Claim, Figure, Point, Study, claim
from spielwerk.lab.thill_search import DEPTHS, LENGTHS, curve, measure, points_of
from spielwerk.lab.thill_training import FULL_SEEDS, QUICK_SEEDS

PRINTED = {7: (50, 46, 41, 42, 44), 8: (48, 44, 44, 37, 38), 9: (41, 42, 39, 38, 39)}


def produce(study: Study) -> list[Point]:
    found = measure(study)
    return points_of(found, "seconds", median, study.seeds)


def claims(points: Sequence[Point]) -> list[Claim]:
    at = {(point.curve, point.x): point.mean for point in points}
    return [
        claim(
            f"{curve(length)}: seconds for 50 games at depths {', '.join(map(str, DEPTHS))}",
            ", ".join(map(str, PRINTED[length])),
            ", ".join(f"{at[curve(length), depth]:.1f}" for depth in DEPTHS),
            all(
                at[curve(length), depth] < printed
                for depth, printed in zip(DEPTHS, PRINTED[length], strict=True)
            ),
        )
        for length in LENGTHS
    ]


FIGURE = Figure(
    "thill-table-4-2",
    "Thill 2012, table 4.2",
    "seconds of the learned player in fifty games against the perfect one",
    "plies beyond the move (our depth − 1)",
    "seconds (median)",
    produce,
    claims,
    full_seeds=FULL_SEEDS,
    quick_seeds=QUICK_SEEDS,
)
