"""Thill 2012, figure 4.8: openings of 6, 8, 10 and 12 plies, ε falling too late.

Printed: first success after about 400,000 of a million games, and 100 % in no case. Agrees if no
opening has a mean success above 50 % in the first fifth of its training, and none ends at 100 %.
"""

from collections.abc import Sequence

from spielwerk.lab.figure import Claim, Point, claim
from spielwerk.lab.thill_openings import GAMES, curve, first_success, last, opening
from spielwerk.lab.thill_training import training_figure
from spielwerk.learning.config import TdConfig


def configs() -> dict[str, TdConfig]:
    return {curve(plies): opening(plies) for plies in GAMES}


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


FIGURE = training_figure("4.8", "openings of 6, 8, 10 and 12 plies", configs, claims)
