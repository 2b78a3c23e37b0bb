"""Thill 2012, appendix A.2: the realisable states of one tuple, column by column."""

from collections.abc import Sequence
from itertools import chain

from spielwerk.games.catalogue import parse_game
from spielwerk.lab.figure import Figure, Point, Study
from spielwerk.lab.printed import page_of
from spielwerk.lab.thill_states import tuple_states
from spielwerk.lab.verdicts import Measured, exact

NAME = "thill-appendix-a-2"
COLUMNS = {"a": (0,), "b": (0, 1), "c": (0, 1, 2), "d": (1, 3)}
"""The rows of its cells from below."""
PARTS = (*(f"column {name}" for name in COLUMNS), "the tuple")


def produce(study: Study) -> list[Point]:
    """By column, a first; the last is the tuple as a whole."""
    game = parse_game("connect-four")
    own = [
        [(game.rows - 1 - row) * game.cols + col for row in rows]
        for col, rows in enumerate(COLUMNS.values())
    ]
    points = []
    for m in (3, 4):
        for place, cells in enumerate([*own, list(chain(*own))]):
            states = tuple_states(game, cells, m)
            points.append(Point(f"m = {m}", place, states, states, states))
    return points


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    return {
        f"states of {PARTS[int(point.x)]}, {point.curve}": exact(point.mean) for point in points
    }


FIGURE = Figure(
    NAME,
    "Thill 2012, appendix A.2",
    "realisable states of a tuple",
    "column a, b, c, d; the tuple",
    "states",
    produce,
    measure,
    page_of(NAME),
    stems=True,
    logarithmic=True,
    names=dict(enumerate(PARTS)),
    marks={
        f"states of {part}, m = {m}": (f"m = {m}", place)
        for m in (3, 4)
        for place, part in enumerate(PARTS)
    },
    chance=False,
)
