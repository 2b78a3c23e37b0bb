"""What the entries of an n-tuple's table stand for: patterns of its cells.

A pattern is written with a sign for each cell of the tuple, in the order of its cells: `X` a stone
of the first player, `O` of the second, `.` empty, `+` empty and within reach (m = 4).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.games.connectx import ConnectX
from spielwerk.games.rules import Game
from spielwerk.games.symmetry import board_shape
from spielwerk.values.column_tuples import ColumnTuples, cell_state, column_contents
from spielwerk.values.tuples import Tuples

SIGNS = ".XO+"
"""By the state of a cell."""

TupleFeatures = ColumnTuples | Tuples


class TupleFacts(NamedTuple):
    """One tuple of a system."""

    cells: list[int]  # by rows from the top
    entries: int  # of one table: the states that can occur, L_T (Thill 2012, eq. 4.7)
    possible: int  # m^N
    used: float  # the share of weights that training has changed, over all tables
    size: float  # mean of |w| over those


def tuple_cells(features: TupleFeatures, number: int) -> list[int]:
    return [int(cell) for cell in features.cells[number] if cell >= 0]


def tuple_facts(
    features: TupleFeatures, weights: np.ndarray, initial: np.ndarray, number: int
) -> TupleFacts:
    """`initial` are the weights before the training: those that have not changed were not met."""
    cells = tuple_cells(features, number)
    first, last = int(features.first[number]), int(features.first[number + 1])
    tables, before = (
        one[: features.width].reshape(features.tables, -1)[:, first:last]
        for one in (weights, initial)
    )
    changed = tables[tables != before]
    m = features.m if isinstance(features, ColumnTuples) else 3
    return TupleFacts(
        cells,
        last - first,
        m ** len(cells),
        changed.size / tables.size,
        float(np.abs(changed).mean()) if changed.size else 0.0,
    )


def pattern_of(features: TupleFeatures, game: Game, number: int, entry: int) -> str:
    """The pattern that an entry of a tuple's table stands for."""
    cells = tuple_cells(features, number)
    if isinstance(features, Tuples):
        return "".join(SIGNS[entry // 3**place % 3] for place in range(len(cells)))
    assert isinstance(game, ConnectX)
    states: dict[int, int] = {}
    for col in reversed(range(game.cols)):
        partial = features.partial[col, :, number]
        code = max(
            (code for code in column_contents(game) if partial[code] <= entry),
            key=lambda code: (partial[code], -code),
        )
        entry -= int(partial[code])
        for cell, row in _rows_of(game, cells, col):
            states[cell] = cell_state(column_contents(game)[code], row, features.m)
    return "".join(SIGNS[states[cell]] for cell in cells)


def entry_of(features: TupleFeatures, game: Game, number: int, pattern: str) -> int:
    """The entry of a tuple's table for a pattern; a SpielwerkError if the pattern cannot occur."""
    cells = tuple_cells(features, number)
    if len(pattern) != len(cells) or set(pattern) - set(SIGNS):
        raise SpielwerkError(
            f'"{pattern}" is no pattern of tuple {number + 1}: it needs {len(cells)} signs, '
            "X, O, . or + (empty and within reach), one for each of its cells in their order."
        )
    states = dict(zip(cells, (SIGNS.index(sign) for sign in pattern), strict=True))
    if isinstance(features, Tuples):
        if "+" in pattern:
            raise SpielwerkError("+ is for boards on which stones fall.")
        return sum(states[cell] * 3**place for place, cell in enumerate(cells))
    assert isinstance(game, ConnectX)
    entry = 0
    for col in range(game.cols):
        rows = _rows_of(game, cells, col)
        for code, column in column_contents(game).items():
            if all(cell_state(column, row, features.m) == states[cell] for cell, row in rows):
                entry += int(features.partial[col, code, number])
                break
        else:
            raise SpielwerkError(
                f'The pattern "{pattern}" cannot occur: in column {col + 1} stones would hang in '
                "the air, or a cell would be called empty that can (or cannot) be reached."
            )
    return entry


def nearest_pattern(
    features: TupleFeatures, game: Game, number: int, pattern: str, place: int
) -> str:
    """The pattern nearest to a wanted one that can occur; the sign at `place` stays.

    Only cells above and below it change, as few of them as possible. The other columns must be
    possible already.
    """
    cells = tuple_cells(features, number)
    if isinstance(features, Tuples):
        return pattern
    assert isinstance(game, ConnectX)
    rows = _rows_of(game, cells, cells[place] % game.cols)
    wanted = dict(zip(cells, pattern, strict=True))
    best: dict[int, str] = {}
    for column in column_contents(game).values():
        found = {cell: SIGNS[cell_state(column, row, features.m)] for cell, row in rows}
        if found[cells[place]] != wanted[cells[place]]:
            continue
        if not best or _differences(found, wanted) < _differences(best, wanted):
            best = found
    return "".join(best.get(cell, sign) for cell, sign in wanted.items())


def _differences(found: dict[int, str], wanted: dict[int, str]) -> int:
    return sum(sign != wanted[cell] for cell, sign in found.items())


def _rows_of(game: ConnectX, cells: Sequence[int], col: int) -> list[tuple[int, int]]:
    """The cells of a tuple in a column, each with its row from below."""
    return [(cell, game.rows - 1 - cell // game.cols) for cell in cells if cell % game.cols == col]


def draw_tuple(game: Game, cells: Sequence[int]) -> str:
    """The cells on the board, named a, b, c, … in their order."""
    rows, cols = board_shape(game)
    signs = ["."] * (rows * cols)
    for place, cell in enumerate(cells):
        signs[cell] = chr(ord("a") + place)
    return "\n".join(" ".join(signs[row * cols : (row + 1) * cols]) for row in range(rows))


def place_of(features: TupleFeatures, index: int) -> tuple[int, int, int]:
    """Which tuple, whose table (0 or 1) and which entry of it a weight belongs to."""
    per_table = int(features.first[-1])
    table, rest = divmod(index, per_table)
    number = int(np.searchsorted(features.first, rest, side="right")) - 1
    return number, table, rest - int(features.first[number])
