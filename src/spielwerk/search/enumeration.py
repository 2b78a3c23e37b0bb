"""Counting: move sequences (perft), and distinct positions ply by ply.

Both count what the rules allow, so published numbers check the rules.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.games.rules import (
    RUNNING,
    Game,
    State,
    action_count,
    actions,
    deal,
    initial,
    outcome,
    pack,
    transition,
    unpack,
)
from spielwerk.games.symmetry import canonical
from spielwerk.kernels import interrupt
from spielwerk.kernels.bits import ONE, ZERO, lowest_bit, signed
from spielwerk.kernels.dispatch import implements, missing
from spielwerk.kernels.jit import kernel

BATCH = 1 << 15
"""Positions expanded by one call of the kernel: small enough to stop between two calls."""


class Ply(NamedTuple):
    """What there is after a number of moves."""

    ply: int
    number: int  # of sequences, or of positions
    ended: int  # of these, where the game is over


def _check_open(game: Game) -> None:
    if implements(deal, game):
        raise SpielwerkError("A game that begins with a deal cannot be counted.")


@kernel
def count_sequences(game: Game, state: State, depth: int, stop: np.ndarray) -> tuple[int, int]:
    """Move sequences of exactly `depth` moves from here, and how many of them end the game.

    If `stop` is raised, the result means nothing.
    """
    if depth == 0:
        return 1, 1 if outcome(game, state) != RUNNING else 0
    if outcome(game, state) != RUNNING or stop[0]:
        return 0, 0
    count, ended = 0, 0
    moves = actions(game, state)
    while moves != ZERO:
        move = signed(lowest_bit(moves))
        moves &= moves - ONE
        more, more_ended = count_sequences(game, transition(game, state, move), depth - 1, stop)
        count += more
        ended += more_ended
    return count, ended


@kernel
def expand(game: Game, words: np.ndarray, symmetric: bool) -> tuple[np.ndarray, int]:
    """The successors of packed positions, packed (repetitions included), and how many are over."""
    successors = np.empty(words.size * action_count(game), np.uint64)
    size, ended = 0, 0
    for word in words:
        state = unpack(game, word)
        if outcome(game, state) != RUNNING:
            ended += 1
            continue
        moves = actions(game, state)
        while moves != ZERO:
            move = signed(lowest_bit(moves))
            moves &= moves - ONE
            after = transition(game, state, move)
            successors[size] = canonical(game, after) if symmetric else pack(game, after)
            size += 1
    return successors[:size], ended


def perft(game: Game, depth: int | None = None, start: State | None = None) -> Iterator[Ply]:
    """Move sequences of 0, 1, … `depth` moves (None: until none is left)."""
    _check_open(game)
    state = initial(game) if start is None else start
    ply = 0
    while depth is None or ply <= depth:
        count, ended = interrupt.run(count_sequences, game, state, ply)
        if count == 0:
            return
        yield Ply(ply, int(count), int(ended))
        ply += 1


def positions(
    game: Game, depth: int | None = None, start: State | None = None, symmetric: bool = False
) -> Iterator[Ply]:
    """Distinct positions after 0, 1, … `depth` moves (None: until none is left).

    With `symmetric`, positions that are images of each other count once.
    """
    _check_open(game)
    if not implements(pack, game):
        raise missing("pack", type(game))
    state = initial(game) if start is None else start
    first = canonical(game, state) if symmetric else pack(game, state)
    yield from ply_by_ply(lambda words: expand(game, words, symmetric), first, depth)


def ply_by_ply(
    follow: Callable[[np.ndarray], tuple[np.ndarray, int]],
    first: np.uint64,
    depth: int | None = None,
) -> Iterator[Ply]:
    """Distinct words that are reached from `first` in 0, 1, … `depth` steps (None: until none is
    left). `follow` gives those that follow some words, repetitions included, and how many of the
    words have ended."""
    layer, ply = np.array([first], np.uint64), 0
    while layer.size and (depth is None or ply <= depth):
        parts, ended = [np.empty(0, np.uint64)], 0
        for begin in range(0, layer.size, BATCH):
            successors, over = follow(layer[begin : begin + BATCH])
            parts.append(np.unique(successors))
            ended += int(over)
        yield Ply(ply, int(layer.size), ended)
        layer = np.unique(np.concatenate(parts))
        ply += 1
