"""N-tuples on boards where stones fall: column tables that hold only what can happen.

A column of six cells has 127 contents. For a tuple T and a column c a table says which state each
of them gives T's cells in c, numbered among those that occur (Thill 2012, §4.4.2). These numbers
are the digits of a mixed radix, so the index of T is a sum of one entry per column, and its look-up
table has exactly L_T entries (eq. 4.7) instead of m^N.

The content of a column is coded as 2^height + the stones of the first player, lowest cell first.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spielwerk.errors import SpecError
from spielwerk.games.connectx import ConnectState, ConnectX
from spielwerk.games.rules import player
from spielwerk.kernels.bits import ONE, U64, signed
from spielwerk.kernels.dispatch import implement
from spielwerk.values.features import active
from spielwerk.values.sparse import Sparse, append

EMPTY, FIRST, SECOND, REACHABLE = 0, 1, 2, 3
"""States of a cell; with m = 3 every empty cell is EMPTY (§4.4.1)."""


HIGHEST = 12
"""Rows: a column has 2^(rows + 1) contents, each with an entry for each tuple."""


class ColumnTuples(NamedTuple):
    """A feature for each state of each tuple that can occur; apart by who is to move, if wanted."""

    cells: np.ndarray  # [tuples, longest] by rows from the top, −1 beyond the end
    m: int  # states of a cell
    partial: np.ndarray  # [cols, codes, tuples] int32: what a column adds to the index of a tuple
    first: np.ndarray  # [tuples + 1] int64: where the table of each tuple begins
    tables: int  # per tuple: 1, or 2, one for each player to move (§4.3.2)
    images: int  # 1, or 2: the mirrored board is looked up as well (eq. 2.9)

    @property
    def width(self) -> int:
        return int(self.first[-1]) * self.tables

    @property
    def most_active(self) -> int:
        return self.partial.shape[2] * self.images


def column_tuples(
    game: ConnectX, tuples: Sequence[Sequence[int]], m: int, tables: int, symmetric: bool
) -> ColumnTuples:
    """Tables for tuples of cells, which are numbered by rows from the top."""
    if game.rows > HIGHEST:
        raise SpecError(f"Tuples are for boards of {HIGHEST} rows at most, not {game.rows}.")
    contents = column_contents(game)
    partial = np.zeros((game.cols, 2 << game.rows, len(tuples)), np.int32)
    sizes = []
    for number, cells in enumerate(tuples):
        size = 1
        for col in range(game.cols):
            rows = sorted(
                game.rows - 1 - cell // game.cols for cell in cells if cell % game.cols == col
            )
            digits: dict[tuple[int, ...], int] = {}
            for code, column in contents.items():
                states = tuple(cell_state(column, row, m) for row in rows)
                digit = digits.setdefault(states, len(digits))
                partial[col, code, number] = digit * size
            size *= len(digits)
        sizes.append(size)
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return ColumnTuples(padded(tuples), m, partial, first, tables, 2 if symmetric else 1)


def padded(tuples: Sequence[Sequence[int]]) -> np.ndarray:
    """Tuples of different lengths as one array, −1 beyond their ends."""
    cells = np.full((len(tuples), max(map(len, tuples))), -1)
    for number, one in enumerate(tuples):
        cells[number, : len(one)] = one
    return cells


def column_contents(game: ConnectX) -> dict[int, list[int]]:
    """Every content of a column by its code: the stones from below, FIRST or SECOND."""
    found = {}
    for height in range(game.rows + 1):
        for stones in range(1 << height):
            column = [FIRST if stones >> row & 1 else SECOND for row in range(height)]
            found[(1 << height) + stones] = column
    return found


def cell_state(column: list[int], row: int, m: int) -> int:
    if row < len(column):
        return column[row]
    return REACHABLE if m == 4 and row == len(column) else EMPTY


@implement(active, ColumnTuples)
def _(features: ColumnTuples, game: ConnectX, state: ConnectState, into: Sparse) -> None:
    mover = player(game, state)
    white = state.mine if mover == 0 else state.mine ^ state.filled
    table = mover * features.first[-1] if features.tables == 2 else 0
    column = (ONE << U64(game.rows)) - ONE
    count, begin = features.partial.shape[2], into.size[0]
    for _ in range(features.images):
        for number in range(count):
            append(into, table + features.first[number], 1.0)
    # Column by column: the tuples lie side by side, so this is one run through memory for each.
    for col in range(game.cols):
        shift = U64(col) * game.stride
        filled = (state.filled >> shift) & column
        code = signed(filled + ONE + ((white >> shift) & column))
        for image in range(features.images):
            place = col if image == 0 else game.cols - 1 - col
            row = begin + image * count
            for number in range(count):
                into.indices[row + number] += features.partial[place, code, number]
