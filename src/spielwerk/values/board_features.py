"""Features of boards of cells: the cells themselves, and n-tuples of them."""

from typing import Annotated, NamedTuple

import numpy as np

from spielwerk.errors import SpecError
from spielwerk.games.rules import Game, State, player
from spielwerk.games.symmetry import cell_bits, cell_symmetries
from spielwerk.kernels.bits import ONE, U64, ZERO
from spielwerk.kernels.dispatch import implement
from spielwerk.kernels.jit import inlined
from spielwerk.spec import Option
from spielwerk.values.features import Maker, active
from spielwerk.values.sparse import Sparse, append

LONGEST = 12
"""Cells of a tuple: its table has 3^12 = 531,441 entries."""


@inlined
def content(game: Game, state: State, bit: int) -> int:
    """What lies in a cell: 0 nothing, 1 White's mark, 2 Black's."""
    place = ONE << U64(bit)
    if state.filled & place == ZERO:
        return 0
    white_to_move = player(game, state) == 0
    return 1 if (state.mine & place != ZERO) == white_to_move else 2


class RawBoard(NamedTuple):
    """The cells themselves: 1 for White's mark, −1 for Black's, 0 where there is none."""

    bits: np.ndarray  # [cells] where in the state's words

    @property
    def width(self) -> int:
        return len(self.bits)

    @property
    def most_active(self) -> int:
        return self.width

    def names(self) -> list[str]:
        return [f"cell {cell + 1}" for cell in range(self.width)]


@implement(active, RawBoard)
def _(features: RawBoard, game: Game, state: State, into: Sparse) -> None:
    for cell in range(features.bits.size):
        mark = content(game, state, features.bits[cell])
        if mark != 0:
            append(into, cell, 1.0 if mark == 1 else -1.0)


def raw_board() -> Maker:
    return lambda game: RawBoard(cell_bits(game))


class Tuples(NamedTuple):
    """N-tuples with one table each: a feature for each content of its cells (Thill, eq. 2.6, 2.9).

    Every image of the board is looked up in the same tables, so an entry can be met twice.
    """

    bits: np.ndarray  # [tuples, images, longest] where in the state's words
    lengths: np.ndarray  # [tuples]
    first: np.ndarray  # [tuples + 1] where each table begins; at last, how many entries there are

    @property
    def width(self) -> int:
        return int(self.first[-1])

    @property
    def most_active(self) -> int:
        return self.bits.shape[0] * self.bits.shape[1]


@implement(active, Tuples)
def _(features: Tuples, game: Game, state: State, into: Sparse) -> None:
    for number in range(features.bits.shape[0]):
        for image in range(features.bits.shape[1]):
            index, power = features.first[number], 1
            for place in range(features.lengths[number]):
                index += power * content(game, state, features.bits[number, image, place])
                power *= 3
            append(into, index, 1.0)


def tuples(
    cells: Annotated[
        str, Option("cells of each tuple, from 1: 123/159, 1-2-10/3-4", positional=True)
    ],
    symmetric: Annotated[bool, Option("look all images of the board up as well")] = True,
) -> Maker:
    def make(game: Game) -> Tuples:
        bits, images = cell_bits(game), cell_symmetries(game)
        chosen = [_read_tuple(text, len(bits)) for text in cells.split("/")]
        lengths = np.array([len(one) for one in chosen])
        padded = np.zeros((len(chosen), lengths.max()), np.int64)
        for number, one in enumerate(chosen):
            padded[number, : len(one)] = one
        seen = images if symmetric else images[:1]
        # [images, tuples, longest] → [tuples, images, longest]
        where = bits[seen[:, padded]].transpose(1, 0, 2)
        first = np.concatenate([[0], np.cumsum(3**lengths)])
        return Tuples(np.ascontiguousarray(where), lengths, first)

    return make


def _read_tuple(text: str, cells: int) -> list[int]:
    names = text.split("-") if "-" in text else list(text)
    if not names or not all(name.isdecimal() and 1 <= int(name) <= cells for name in names):
        raise SpecError(f'"{text}" is no tuple of cells 1 to {cells}, like 123 or 1-2-10.')
    if len(set(names)) < len(names):
        raise SpecError(f'The tuple "{text}" names a cell twice.')
    if len(names) > LONGEST:
        raise SpecError(f'The tuple "{text}" has more than {LONGEST} cells.')
    return [int(name) - 1 for name in names]
