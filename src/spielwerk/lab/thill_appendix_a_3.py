"""Thill 2012, appendix A.3: positions of Tic-Tac-Toe in which the game goes on, by stones.

He counts them as the ways to place so many stones, legal or not, less those with three in a row.
"""

from collections.abc import Sequence
from itertools import combinations

from spielwerk.games.catalogue import parse_game
from spielwerk.lab.figure import Figure, Point, Study, of_curve
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured, exact
from spielwerk.search.enumeration import positions

NAME = "thill-appendix-a-3"
GOING_ON, LEGAL = "positions that go on", "legal positions"
PLACEMENTS, IN_ROW = "placements of the stones", "placements with three in a row"
CELLS = range(9)
LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]


def placements(stones: int) -> tuple[int, int]:
    """How many ways there are to place so many stones, the first player's half or one more, and
    with how many of them somebody has three in a row."""
    every, in_row = 0, 0
    for first in combinations(CELLS, (stones + 1) // 2):
        for second in combinations(sorted({*CELLS} - {*first}), stones // 2):
            every += 1
            in_row += any(line <= {*first} or line <= {*second} for line in LINES)
    return every, in_row


def produce(study: Study) -> list[Point]:
    plies = list(positions(parse_game("tic-tac-toe")))
    placed = [placements(stones) for stones in CELLS]
    curves = {
        GOING_ON: [ply.number - ply.ended for ply in plies],
        LEGAL: [ply.number for ply in plies],
        PLACEMENTS: [every for every, _ in placed],
        IN_ROW: [in_row for _, in_row in placed],
    }
    return [
        Point(name, stones, count, count, count)
        for name, counts in curves.items()
        for stones, count in enumerate(counts)
    ]


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    going_on = of_curve(points, GOING_ON)
    found = {
        f"{curve} with {point.x:g} stones": exact(point.mean)
        for curve in (GOING_ON, PLACEMENTS, IN_ROW)
        for point in of_curve(points, curve)
    }
    found[f"{GOING_ON}, all"] = exact(sum(point.mean for point in going_on))
    found[LEGAL] = exact(sum(point.mean for point in of_curve(points, LEGAL)))
    return found


FIGURE = Figure(
    NAME,
    "Thill 2012, appendix A.3",
    "positions of Tic-Tac-Toe by stones",
    "stones",
    "positions",
    produce,
    measure,
    page_of(NAME),
    chance=False,
)
