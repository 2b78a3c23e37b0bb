"""Thill 2012, figure 4.8: openings of 6, 8, 10 and 12 plies, ε falling too late.

Printed: first success after about 400,000 of a million games, and 100 % in no case. Agrees if no
opening has a mean success above 50 % in the first fifth of its training, and none ends at 100 %.
"""

from collections.abc import Callable, Sequence

from spielwerk.lab.figure import Claim, Figure, Point, claim
from spielwerk.lab.thill_openings import GAMES, first_success, last, opening, opening_curves
from spielwerk.lab.thill_training import FULL_SEEDS, OF_SELF_PLAY, QUICK_SEEDS, SUCCESS


def produce(seeds: int, seed: int, progress: Callable[[int, int], None]) -> list[Point]:
    return opening_curves({plies: opening(plies) for plies in GAMES}, seeds, seed, progress)


def claims(points: Sequence[Point]) -> list[Claim]:
    begins = {plies: first_success(points, plies) for plies in GAMES}
    ends = {plies: last(points, plies).mean for plies in GAMES}
    return [
        claim(
            "learning begins late",
            "after 40 % of the games",
            ", ".join(f"{plies} plies: {share:.0f} %" for plies, share in begins.items()),
            min(begins.values()) >= 20,
        ),
        claim(
            "100 % is not reached",
            "in no case",
            ", ".join(f"{plies} plies: {end:.1f} %" for plies, end in ends.items()),
            max(ends.values()) < 100,
        ),
    ]


FIGURE = Figure(
    "thill-figure-4-8",
    "Thill 2012, figure 4.8",
    "openings of 6, 8, 10 and 12 plies",
    OF_SELF_PLAY,
    SUCCESS,
    produce,
    claims,
    full_seeds=FULL_SEEDS,
    quick_seeds=QUICK_SEEDS,
)
