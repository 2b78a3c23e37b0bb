"""Thill 2012, table 4.1: positions of Connect Four by ply in which the game goes on.

The quick run stops after nine plies.
"""

from collections.abc import Sequence
from itertools import accumulate

from spielwerk.games.catalogue import parse_game
from spielwerk.lab.figure import Figure, Point, Study
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured, exact
from spielwerk.search.enumeration import positions

NAME = "thill-table-4-1"
PLIES, QUICK_PLIES = 12, 9
POSITIONS, SUM, ALL = "positions", "sum", "with those in which it is over"


def produce(study: Study) -> list[Point]:
    last = QUICK_PLIES if study.quick else PLIES
    found = []
    for ply in positions(parse_game("connect-four"), last):
        found.append(ply)
        study.progress(ply.ply, last)
    going_on = [ply.number - ply.ended for ply in found]
    curves = {
        POSITIONS: going_on,
        SUM: list(accumulate(going_on)),
        ALL: [ply.number for ply in found],
    }
    return [
        Point(name, ply, count, count, count)
        for name, counts in curves.items()
        for ply, count in enumerate(counts)
    ]


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    words = {POSITIONS: "positions after", SUM: "sum up to"}
    return {
        f"{words[point.curve]} {point.x:g} plies": exact(point.mean)
        for point in points
        if point.curve in words
    }


FIGURE = Figure(
    NAME,
    "Thill 2012, table 4.1",
    "positions of Connect Four by ply",
    "plies",
    "positions",
    produce,
    measure,
    page_of(NAME),
    quick_seeds=0,
    logarithmic=True,
    chance=False,
)
