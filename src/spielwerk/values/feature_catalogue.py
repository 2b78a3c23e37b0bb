"""The feature sets by name. A spec such as `divisibility:most=6` makes one for a game."""

from collections.abc import Callable

from spielwerk.games.rules import Game
from spielwerk.spec import Entry, parse_spec
from spielwerk.values.board_features import raw_board
from spielwerk.values.features import Features, Maker
from spielwerk.values.line_features import line_counts
from spielwerk.values.nim_features import divisibility
from spielwerk.values.table import table
from spielwerk.values.tuples import random_point_sets, random_walks, tuples
from spielwerk.values.windows import windows

FEATURES: dict[str, Entry[Maker]] = {}


def register_features(name: str, summary: str, build: Callable[..., Maker]) -> None:
    """Make a feature set known by name. `build(**options)` returns a function of the game."""
    FEATURES[name] = Entry(name, summary, build)


def parse_features(text: str, game: Game) -> Features:
    """The feature set that a spec names, for this game.

    >>> from spielwerk.games.nim import nim
    >>> parse_features("divisibility:most=6", nim()).width
    5
    """
    return parse_spec(text, "feature set", FEATURES)(game)


register_features("divisibility", "Nim: which numbers divide the stones left", divisibility)
register_features("raw", "boards: the cells as they are", raw_board)
register_features("lines", "Tic-Tac-Toe: open lines, crossings and directions", line_counts)
register_features("tuples", "boards: the contents of groups of cells", tuples)
register_features("walk", "boards: tuples drawn as random walks", random_walks)
register_features("points", "boards: tuples drawn as random points", random_point_sets)
register_features("windows", "boards: tuples of a shape in every place", windows)
register_features("table", "small games: one feature for each position", table)
