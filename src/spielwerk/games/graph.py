"""A small game as a whole: every position that can be reached, numbered, and what follows it."""

import functools
from typing import NamedTuple

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.games.rules import (
    RUNNING,
    Game,
    action_count,
    actions,
    initial,
    outcome,
    pack,
    player,
    transition,
    unpack,
)
from spielwerk.kernels.bits import ONE, ZERO, lowest_bit, signed
from spielwerk.kernels.dispatch import implements
from spielwerk.kernels.jit import kernel

MOST_POSITIONS = 1_000_000

NONE = -1


class Graph(NamedTuple):
    words: np.ndarray  # [n] packed positions, ascending
    children: np.ndarray  # [n, moves] the number of the position after a move; NONE if illegal
    running: np.ndarray  # [n] whether the game goes on
    players: np.ndarray  # [n] who is to move
    order: np.ndarray  # [n] all numbers, each position before those that follow it
    root: int  # the initial position


def game_graph(game: Game) -> Graph:
    """All positions of the game; a SpielwerkError if it has more than a million."""
    if not implements(pack, game):
        raise SpielwerkError(f"The positions of {type(game).__name__} cannot be listed.")
    graph = _graph(game)
    if graph is None:
        raise SpielwerkError(
            f"The game has more than {MOST_POSITIONS:,} positions, too many to list them all."
        )
    return graph


@functools.lru_cache(maxsize=32)
def _graph(game: Game) -> Graph | None:
    """None if it is too large: that takes seconds to find out, and is remembered as well."""
    first = pack(game, initial(game))
    known = fresh = np.array([first], np.uint64)
    while fresh.size:
        following, legal, _, _ = successors(game, fresh)
        fresh = np.setdiff1d(following[legal], known)
        if known.size + fresh.size > MOST_POSITIONS:
            return None
        known = np.union1d(known, fresh)
    following, legal, running, players = successors(game, known)
    children = np.where(legal, np.searchsorted(known, following), NONE)
    order = _topological(children)
    return Graph(known, children, running, players, order, int(np.searchsorted(known, first)))


@kernel
def successors(
    game: Game, words: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """For packed positions: those that follow by move, which of these are legal, and the state."""
    following = np.zeros((words.size, action_count(game)), np.uint64)
    legal = np.zeros(following.shape, np.bool_)
    running = np.zeros(words.size, np.bool_)
    players = np.zeros(words.size, np.int64)
    for number in range(words.size):
        state = unpack(game, words[number])
        players[number] = player(game, state)
        running[number] = outcome(game, state) == RUNNING
        moves = actions(game, state) if running[number] else ZERO
        while moves != ZERO:
            move = signed(lowest_bit(moves))
            moves &= moves - ONE
            following[number, move] = pack(game, transition(game, state, move))
            legal[number, move] = True
    return following, legal, running, players


def _topological(children: np.ndarray) -> np.ndarray:
    """Numbers in an order in which nothing comes before what leads to it (Kahn 1962)."""
    parents = np.bincount(children[children != NONE], minlength=len(children))
    ready = np.flatnonzero(parents == 0)
    order = []
    while ready.size:
        order.append(ready)
        reached = children[ready]
        np.subtract.at(parents, reached[reached != NONE], 1)
        candidates = np.unique(reached[reached != NONE])
        ready = candidates[parents[candidates] == 0]
    return np.concatenate(order)
