"""Cells and symmetries as data for learners; one word for all states that are the same.

Boards whose states are two words, the marks of the player to move and those of both, can say where
their cells are; learners then see any of them the same way.
"""

from functools import singledispatch

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.games.rules import Game, State, image, pack, symmetry_count
from spielwerk.kernels.jit import kernel


@singledispatch
def cell_symmetries(game: Game) -> np.ndarray:
    """Entry [s, c]: where symmetry s takes cell c. Cells by rows from the top; s = 0: identity."""
    raise SpielwerkError(f"{type(game).__name__} has no board of cells.")


@singledispatch
def cell_bits(game: Game) -> np.ndarray:
    """Entry [c]: which bit of the state's words is cell c. Cells by rows from the top."""
    raise SpielwerkError(f"{type(game).__name__} has no board of cells.")


@singledispatch
def board_shape(game: Game) -> tuple[int, int]:
    """How many rows and columns the board has."""
    raise SpielwerkError(f"{type(game).__name__} has no board of cells.")


@kernel
def canonical(game: Game, state: State) -> np.uint64:
    """The smallest packed form among the images of a state: the same for all of them."""
    smallest = pack(game, state)
    for symmetry in range(1, symmetry_count(game)):
        smallest = min(smallest, pack(game, image(game, state, symmetry)))
    return smallest
