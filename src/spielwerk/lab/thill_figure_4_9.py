"""Thill 2012, figure 4.9: the same openings with thirty shorter tuples and an earlier fall of ε.

His settings are in an appendix that we do not have; ours are α = 0.01 → 0.001 and ε falling at a
tenth of the training. Agrees if the opening of 6 plies ends at 95 % at least, and all at 80 %.
"""

from collections.abc import Callable, Sequence

from spielwerk.lab.figure import Claim, Figure, Point, claim
from spielwerk.lab.thill_openings import GAMES, last, opening, opening_curves
from spielwerk.lab.thill_training import FULL_SEEDS, OF_SELF_PLAY, QUICK_SEEDS, SUCCESS

LENGTHS = {6: 5, 8: 6, 10: 7, 12: 7}


def produce(seeds: int, seed: int, progress: Callable[[int, int], None]) -> list[Point]:
    configs = {
        plies: opening(
            plies,
            features=f"walk:count=30,length={LENGTHS[plies]},m=3,tables=1,seed=1",
            epsilon="sigmoid:0.95,end=0.1,at=0.1",
        )
        for plies in GAMES
    }
    return opening_curves(configs, seeds, seed, progress)


def claims(points: Sequence[Point]) -> list[Claim]:
    ends = {plies: last(points, plies).mean for plies in GAMES}
    return [
        claim(
            "shorter tuples learn openings well",
            "clearly better results",
            ", ".join(f"{plies} plies: {end:.1f} %" for plies, end in ends.items()),
            ends[6] >= 95 and min(ends.values()) >= 80,
        )
    ]


FIGURE = Figure(
    "thill-figure-4-9",
    "Thill 2012, figure 4.9",
    "openings of 6, 8, 10 and 12 plies, thirty tuples of 5 to 7 cells",
    OF_SELF_PLAY,
    SUCCESS,
    produce,
    claims,
    full_seeds=FULL_SEEDS,
    quick_seeds=QUICK_SEEDS,
)
