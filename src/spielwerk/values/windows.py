"""Tuples that are not drawn by chance: windows of a shape, in every place of the board.

Random walks (Thill 2012, §4.5.1) leave gaps, and trainings with an unlucky set fail. Windows leave
none, and those of several rows have small tables where stones fall: a column of three cells has 15
states, not 64, so 3x4 cells have 50,625 at the bottom of the board.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from spielwerk.errors import SpecError
from spielwerk.games.rules import Game
from spielwerk.games.symmetry import board_shape, cell_symmetries
from spielwerk.spec import Option
from spielwerk.values.features import Features, Maker
from spielwerk.values.tuples import (
    LONGEST,
    MOption,
    SymmetricOption,
    TablesOption,
    make_tuples,
)

DIAGONAL = "diagonal"
Cell = tuple[int, int]


def windows(
    shapes: Annotated[
        str,
        Option(
            "rows x columns, or diagonal: four in a diagonal, with those below them",
            positional=True,
        ),
    ] = "2x4/4x2/3x3",
    m: MOption = None,
    tables: TablesOption = None,
    symmetric: SymmetricOption = True,
) -> Maker:
    def make(game: Game) -> Features:
        rows, cols = board_shape(game)
        images = cell_symmetries(game)
        chosen = all_windows(shapes, rows, cols, images if symmetric else images[:1])
        return make_tuples(game, chosen, m, tables, symmetric)

    return make


def all_windows(shapes: str, rows: int, cols: int, images: np.ndarray) -> list[list[int]]:
    """The cells of every window, numbered by rows from the top; of those that are images of each
    other, one."""
    chosen: dict[tuple[int, ...], list[int]] = {}
    for name in shapes.split("/"):
        placed = [
            cells for shape in _read_shape(name) for cells in _in_every_place(shape, rows, cols)
        ]
        if not placed:
            raise SpecError(f"The window {name} does not fit on a board of {rows}x{cols} cells.")
        for cells in placed:
            same = min(tuple(sorted(image[cells].tolist())) for image in images)
            chosen.setdefault(same, cells)
    return list(chosen.values())


def _read_shape(name: str) -> list[Sequence[Cell]]:
    """A shape as cells of a board; a diagonal rises or falls."""
    if name == DIAGONAL:
        falling = [(step + below, step) for step in range(4) for below in (0, 1)]
        return [falling, [(row, 3 - col) for row, col in falling]]
    high, _, wide = name.partition("x")
    if not (high.isdecimal() and wide.isdecimal() and int(high) and int(wide)):
        raise SpecError(f'"{name}" is no window; say rows x columns, like 2x4, or {DIAGONAL}.')
    if int(high) * int(wide) > LONGEST:
        raise SpecError(f"The window {name} has more than {LONGEST} cells.")
    return [[(row, col) for row in range(int(high)) for col in range(int(wide))]]


def _in_every_place(shape: Sequence[Cell], rows: int, cols: int) -> list[list[int]]:
    high, wide = (1 + max(cell[axis] for cell in shape) for axis in (0, 1))
    return [
        sorted((row + top) * cols + col + left for row, col in shape)
        for top in range(rows - high + 1)
        for left in range(cols - wide + 1)
    ]
