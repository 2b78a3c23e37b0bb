"""N-tuples: groups of cells, each with a look-up table over what they can hold (Thill 2012, §2.3).

Given by name, or drawn by chance from a seed: by a random walk from cell to neighbouring cell, or
as random points (§4.5.1). On boards where stones fall they become column tables (`column_tuples`).
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import numpy as np

from spielwerk.errors import SpecError
from spielwerk.games.connectx import ConnectX
from spielwerk.games.rules import Game, State, player
from spielwerk.games.symmetry import board_shape, cell_bits, cell_symmetries
from spielwerk.kernels.dispatch import implement
from spielwerk.kernels.rng import Rng
from spielwerk.spec import Option
from spielwerk.values.board_features import content
from spielwerk.values.column_tuples import column_tuples, padded
from spielwerk.values.features import Features, Maker, active
from spielwerk.values.sparse import Sparse, append
from spielwerk.values.tuple_files import read_tuples

LONGEST = 12
"""Cells of a tuple: a dense table has 3^12 = 531,441 entries."""

MOption = Annotated[
    Literal["3", "4"] | None,
    Option("states of a cell; 4 tells empty cells apart that can be reached (ConnectX: 4)"),
]
TablesOption = Annotated[
    int | None,
    Option("per tuple: 1, or one for each player to move (ConnectX: 2)", least=1, most=2),
]
SymmetricOption = Annotated[bool, Option("look all images of the board up as well")]
CountOption = Annotated[int, Option("how many tuples", least=1, most=10_000)]
LengthOption = Annotated[str, Option("cells of a tuple: 8, or 7-9 for a mixture")]
SeedOption = Annotated[int, Option("of the tuples, apart from that of the training", least=0)]


class Tuples(NamedTuple):
    """N-tuples with one table each: a feature for each content of its cells (Thill, eq. 2.6, 2.9).

    Every image of the board is looked up in the same tables, so an entry can be met twice.
    """

    cells: np.ndarray  # [tuples, longest] by rows from the top, −1 beyond the end
    bits: np.ndarray  # [tuples, images, longest] where in the state's words
    lengths: np.ndarray  # [tuples]
    first: np.ndarray  # [tuples + 1] where each table begins; at last, how many entries there are
    tables: int  # per tuple: 1, or 2, one for each player to move

    @property
    def width(self) -> int:
        return int(self.first[-1]) * self.tables

    @property
    def most_active(self) -> int:
        return self.bits.shape[0] * self.bits.shape[1]


@implement(active, Tuples)
def _(features: Tuples, game: Game, state: State, into: Sparse) -> None:
    table = player(game, state) * features.first[-1] if features.tables == 2 else 0
    for number in range(features.bits.shape[0]):
        for image in range(features.bits.shape[1]):
            index, power = table + features.first[number], 1
            for place in range(features.lengths[number]):
                index += power * content(game, state, features.bits[number, image, place])
                power *= 3
            append(into, index, 1.0)


def make_tuples(
    game: Game,
    chosen: Sequence[Sequence[int]],
    m: str | None,
    tables: int | None,
    symmetric: bool,
) -> Features:
    """Tuples of cells, numbered by rows from the top, as features of this game."""
    if isinstance(game, ConnectX):
        return column_tuples(game, chosen, int(m or 4), tables or 2, symmetric)
    if m == "4":
        raise SpecError(
            "m=4 is for boards on which stones fall: elsewhere every cell can be reached."
        )
    bits, images = cell_bits(game), cell_symmetries(game)
    lengths = np.array([len(one) for one in chosen])
    cells = padded(chosen)
    seen = images if symmetric else images[:1]
    # [images, tuples, longest] → [tuples, images, longest]
    where = bits[seen[:, np.maximum(cells, 0)]].transpose(1, 0, 2)
    first = np.concatenate([[0], np.cumsum(3**lengths)])
    return Tuples(cells, np.ascontiguousarray(where), lengths, first, tables or 1)


def tuples(
    cells: Annotated[
        str, Option("cells of each tuple, from 1: 123/159, 1-2-10/3-4", positional=True)
    ] = "",
    file: Annotated[str, Option("the same from a file: a tuple per line, or drawn")] = "",
    m: MOption = None,
    tables: TablesOption = None,
    symmetric: SymmetricOption = True,
) -> Maker:
    if bool(cells) == bool(file):
        raise SpecError("tuples needs cells, e.g. tuples:123/159, or a file, and not both.")
    given = cells or read_tuples(Path(file))

    def make(game: Game) -> Features:
        rows, cols = board_shape(game)
        chosen = [_read_tuple(_fitting(text, rows, cols), rows * cols) for text in given.split("/")]
        return make_tuples(game, chosen, m, tables, symmetric)

    return make


def random_walks(
    count: CountOption = 70,
    length: LengthOption = "8",
    m: MOption = None,
    tables: TablesOption = None,
    symmetric: SymmetricOption = True,
    seed: SeedOption = 1,
) -> Maker:
    return _drawn(random_walk, count, length, m, tables, symmetric, seed)


def random_point_sets(
    count: CountOption = 70,
    length: LengthOption = "8",
    m: MOption = None,
    tables: TablesOption = None,
    symmetric: SymmetricOption = True,
    seed: SeedOption = 1,
) -> Maker:
    return _drawn(random_points, count, length, m, tables, symmetric, seed)


def _drawn(
    draw: Callable[[int, int, int, Rng], list[int]],
    count: int,
    length: str,
    m: str | None,
    tables: int | None,
    symmetric: bool,
    seed: int,
) -> Maker:
    def make(game: Game) -> Features:
        rows, cols = board_shape(game)
        least, most = _read_length(length, rows * cols)
        rng = Rng(seed)
        lengths = [least + rng.below(most - least + 1) for _ in range(count)]
        chosen = [draw(rows, cols, n, rng) for n in lengths]
        return make_tuples(game, chosen, m, tables, symmetric)

    return make


def random_walk(rows: int, cols: int, length: int, rng: Rng) -> list[int]:
    """Cells met on a walk of king's moves from a random cell, until there are `length` of them."""
    row, col = rng.below(rows), rng.below(cols)
    cells = {row * cols + col}
    while len(cells) < length:
        down, right = rng.below(3) - 1, rng.below(3) - 1
        if 0 <= row + down < rows and 0 <= col + right < cols:
            row, col = row + down, col + right
            cells.add(row * cols + col)
    return sorted(cells)


def random_points(rows: int, cols: int, length: int, rng: Rng) -> list[int]:
    """`length` different cells anywhere."""
    left = list(range(rows * cols))
    return sorted(left.pop(rng.below(len(left))) for _ in range(length))


def _read_length(text: str, cells: int) -> tuple[int, int]:
    least, _, most = text.partition("-")
    if not (least.isdecimal() and (most or least).isdecimal()):
        raise SpecError(f'length must be a number of cells or a range like 7-9, not "{text}".')
    low, high = int(least), int(most or least)
    if not 1 <= low <= high <= min(cells, LONGEST):
        raise SpecError(f"length must be 1 to {min(cells, LONGEST)} cells, not {text}.")
    return low, high


def _fitting(text: str, rows: int, cols: int) -> str:
    """The cells of a tuple, which may say for which board it was drawn: `6x7:24-25`."""
    board, colon, cells = text.partition(":")
    if colon and board != f"{rows}x{cols}":
        raise SpecError(
            f"A tuple was drawn on a board of {board} cells; this one is {rows}x{cols}."
        )
    return cells if colon else text


def _read_tuple(text: str, cells: int) -> list[int]:
    names = text.split("-") if "-" in text else list(text)
    if not names or not all(name.isdecimal() and 1 <= int(name) <= cells for name in names):
        raise SpecError(f'"{text}" is no tuple of cells 1 to {cells}, like 123 or 1-2-10.')
    if len({int(name) for name in names}) < len(names):
        raise SpecError(f'The tuple "{text}" names a cell twice.')
    if len(names) > LONGEST:
        raise SpecError(f'The tuple "{text}" has more than {LONGEST} cells.')
    return [int(name) - 1 for name in names]
