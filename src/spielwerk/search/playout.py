"""Random playouts: one game after another, each move drawn evenly from the legal ones."""

import numpy as np

from spielwerk.games.rules import DRAWN, RUNNING, Game, State, actions, outcome, player, transition
from spielwerk.kernels.bits import nth_bit, popcount, signed
from spielwerk.kernels.jit import kernel
from spielwerk.kernels.rng import below, next_random


@kernel
def random_move(game: Game, state: State, bits: np.uint64) -> int:
    """A legal move chosen by 64 random bits."""
    moves = actions(game, state)
    return signed(nth_bit(moves, below(bits, popcount(moves))))


@kernel
def playout(game: Game, state: State, seed: np.uint64) -> tuple[State, np.uint64]:
    """Play to the end: the final state, and the seed to go on with."""
    while outcome(game, state) == RUNNING:
        bits, seed = next_random(seed)
        state = transition(game, state, random_move(game, state, bits))
    return state, seed


@kernel
def playouts(game: Game, state: State, seed: np.uint64, count: int) -> np.ndarray:
    """Results of `count` playouts from `state`: won by player 0, won by player 1, drawn."""
    results = np.zeros(3, np.int64)
    for _ in range(count):
        final, seed = playout(game, state, seed)
        if outcome(game, final) == DRAWN:
            results[2] += 1
        else:
            results[1 - player(game, final)] += 1
    return results
