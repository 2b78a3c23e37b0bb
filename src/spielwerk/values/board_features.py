"""Features of boards of cells: the cells themselves."""

from typing import NamedTuple

import numpy as np

from spielwerk.games.rules import Game, State, player
from spielwerk.games.symmetry import cell_bits
from spielwerk.kernels.bits import ONE, U64, ZERO
from spielwerk.kernels.dispatch import implement
from spielwerk.kernels.jit import inlined
from spielwerk.values.features import Maker, active
from spielwerk.values.sparse import Sparse, append


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
