"""Symmetries: as data for learners, and one word for all states that are the same for searchers."""

from functools import singledispatch

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.games.rules import Game, State, image, pack, symmetry_count
from spielwerk.kernels.jit import kernel


@singledispatch
def cell_symmetries(game: Game) -> np.ndarray:
    """Entry [s, c]: where symmetry s takes cell c. Cells by rows from the top; s = 0: identity."""
    raise SpielwerkError(f"{type(game).__name__} has no board of cells.")


@kernel
def canonical(game: Game, state: State) -> np.uint64:
    """The smallest packed form among the images of a state: the same for all of them."""
    smallest = pack(game, state)
    for symmetry in range(1, symmetry_count(game)):
        smallest = min(smallest, pack(game, image(game, state, symmetry)))
    return smallest
