"""Random playouts: one game after another, each move drawn evenly from the legal ones."""

import numpy as np

from spielwerk.games.rules import (
    DRAWN,
    RUNNING,
    Game,
    State,
    actions,
    outcome,
    player,
    transition,
    utility,
)
from spielwerk.kernels.bits import nth_bit, popcount, signed
from spielwerk.kernels.jit import kernel
from spielwerk.kernels.rng import below, derive, next_random


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


@kernel
def random_matches(
    game: Game,
    start: State,
    openings: np.ndarray,
    seeds: np.ndarray,
    moves: np.ndarray,
    made: np.ndarray,
    utilities: np.ndarray,
    stop: np.ndarray,
) -> int:
    """Matches of two random players as `play_match` plays them with these seeds.

    Match i begins after `openings[i]`, which ends at the first −1. The first moves are recorded, as
    many as there is room for; `made` says how many each player made. Returns how many matches
    were played.
    """
    streams = np.zeros(2, np.uint64)
    for number in range(seeds.size):
        if stop[0]:
            return number
        state = start
        for place in range(openings.shape[1]):
            if openings[number, place] < 0:
                break
            state = transition(game, state, openings[number, place])
        streams[0], streams[1] = derive(seeds[number], 0), derive(seeds[number], 1)
        count = 0
        while outcome(game, state) == RUNNING:
            who = player(game, state)
            bits, streams[who] = next_random(streams[who])
            move = random_move(game, state, bits)
            if count < moves.shape[1]:
                moves[number, count] = move
            count += 1
            made[number, who] += 1
            state = transition(game, state, move)
        for who in range(2):
            utilities[number, who] = utility(game, state, who)
    return seeds.size
