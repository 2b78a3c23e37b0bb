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
OF_FIRST, OF_SECOND, OF_BOTH = (
    f"{IN_ROW} of {whom}" for whom in ("the first player", "the second player", "both")
)
CELLS = range(9)
LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]


def placements(stones: int) -> dict[str, int]:
    """How many ways there are to place so many stones, the first player's half or one more, and
    with how many of them somebody has three in a row."""
    found = dict.fromkeys((PLACEMENTS, IN_ROW, OF_FIRST, OF_SECOND, OF_BOTH), 0)
    for first in combinations(CELLS, (stones + 1) // 2):
        for second in combinations(sorted({*CELLS} - {*first}), stones // 2):
            white, black = (any(line <= {*own} for line in LINES) for own in (first, second))
            found[PLACEMENTS] += 1
            found[IN_ROW] += white or black
            found[OF_FIRST] += white
            found[OF_SECOND] += black
            found[OF_BOTH] += white and black
    return found


def produce(study: Study) -> list[Point]:
    plies = list(positions(parse_game("tic-tac-toe")))
    placed = [placements(stones) for stones in CELLS]
    curves = {
        GOING_ON: [ply.number - ply.ended for ply in plies],
        LEGAL: [ply.number for ply in plies],
        **{name: [counts[name] for counts in placed] for name in placed[0]},
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
        for curve in (GOING_ON, PLACEMENTS, IN_ROW, OF_FIRST, OF_SECOND, OF_BOTH)
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
    since="2026-11-19",
)
