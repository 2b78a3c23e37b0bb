"""Alpha-beta for any two-player game: negamax with a transposition table and history ordering.

Scores are whole numbers for the player to move. A game won after n plies from the root scores
WIN − n, lost −(WIN − n): sooner wins and later losses are better. Values at the horizon lie far
below, at `UNIT` times the value function.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.rules import (
    RUNNING,
    WON,
    Game,
    State,
    actions,
    outcome,
    pack,
    transition,
)
from spielwerk.kernels.bits import ONE, U64, ZERO, lowest_bit, signed
from spielwerk.kernels.jit import kernel
from spielwerk.kernels.rng import scramble
from spielwerk.values.value import ValueFunction, value

WIN = 1 << 24
UNIT = 1 << 20
DECIDED = WIN - (1 << 16)
"""Scores beyond ± this are won or lost for certain."""

_EXACT, _AT_LEAST, _AT_MOST = 1, 2, 3
_NO_MOVE = 63


class Table(NamedTuple):
    """What is known of positions seen before: a word that names the position, a word that tells.

    The second word holds, from the top: whether no line was cut off by the horizon (1 bit), score +
    2·WIN (39), depth (16), kind of bound (2), best move (6). A new entry replaces the old one.
    `history` counts, for each move, how often it was good enough to cut a search short, weighted by
    depth.
    """

    names: np.ndarray  # uint64 [size], size a power of two
    entries: np.ndarray  # uint64 [size]
    history: np.ndarray  # int64 [2, 64]
    counts: np.ndarray  # int64 [2]: positions visited; lines cut off by the horizon


def make_table(megabytes: float) -> Table:
    """An empty table of at most this size, at least 1024 entries."""
    size = 1 << max(10, int(np.log2(max(1.0, megabytes * 2**20 / 16))))
    return Table(
        np.zeros(size, np.uint64),
        np.zeros(size, np.uint64),
        np.zeros((2, 64), np.int64),
        np.zeros(2, np.int64),
    )


@kernel
def negamax(
    game: Game,
    function: ValueFunction,
    state: State,
    depth: int,
    ply: int,
    alpha: int,
    beta: int,
    table: Table,
    stop: np.ndarray,
) -> int:
    """The score of a state, `ply` moves below the root, looking `depth` moves further.

    With s the score of plain minimax to the same depth, the result r satisfies
    r = s if alpha < s < beta; s ≤ r ≤ alpha if s ≤ alpha; beta ≤ r ≤ s if s ≥ beta.
    (A table entry from a deeper look may stand in for a look to this depth.) If `stop` is raised,
    the result means nothing.
    """
    table.counts[0] += 1
    # Step 1. The end of the game, or of the horizon.
    end = outcome(game, state)
    if end == WON:
        return ply - WIN
    if end != RUNNING:
        return 0
    if depth == 0:
        table.counts[1] += 1
        return int(UNIT * value(function, game, state))
    if stop[0]:
        return 0

    # Step 2. What the table knows.
    name = pack(game, state) + ONE  # so that an empty slot names no position
    slot = scramble(name) & U64(table.names.size - 1)
    best_move = _NO_MOVE
    if table.names[slot] == name:
        entry = table.entries[slot]
        best_move = signed(entry & U64(63))
        complete = entry >> U64(63) == ONE
        if complete or signed((entry >> U64(8)) & U64(0xFFFF)) >= depth:
            score = _from_table(signed((entry << ONE) >> U64(25)) - 2 * WIN, ply)
            bound = signed((entry >> U64(6)) & U64(3))
            if (
                bound == _EXACT
                or (bound == _AT_LEAST and score >= beta)
                or (bound == _AT_MOST and score <= alpha)
            ):
                if not complete:
                    table.counts[1] += 1
                return score

    # Step 3. Each move, the most promising first.
    moves = actions(game, state)
    best, floor, cut_off = -2 * WIN, alpha, table.counts[1]
    while moves != ZERO:
        move = _next_move(
            moves, best_move if best == -2 * WIN else _NO_MOVE, table.history[ply & 1]
        )
        moves &= ~(ONE << U64(move))
        after = transition(game, state, move)
        score = -negamax(game, function, after, depth - 1, ply + 1, -beta, -floor, table, stop)
        if score > best:
            best, best_move = score, move
            if score > floor:
                floor = score
            if score >= beta:
                table.history[ply & 1, move] += depth * depth
                break

    # Step 4. Remember.
    if not stop[0]:
        bound = _AT_LEAST if best >= beta else _EXACT if best > alpha else _AT_MOST
        table.names[slot] = name
        table.entries[slot] = (
            (U64(table.counts[1] == cut_off) << U64(63))
            | (U64(_to_table(best, ply) + 2 * WIN) << U64(24))
            | (U64(min(depth, 0xFFFF)) << U64(8))
            | (U64(bound) << U64(6))
            | U64(best_move)
        )
    return best


@kernel
def _next_move(moves: np.uint64, preferred: int, history: np.ndarray) -> int:
    """The preferred move if it is among `moves`, else the one with the best history."""
    if preferred != _NO_MOVE and (moves >> U64(preferred)) & ONE:
        return preferred
    chosen, most = 0, -1
    while moves != ZERO:
        move = signed(lowest_bit(moves))
        moves &= moves - ONE
        if history[move] > most:
            chosen, most = move, history[move]
    return chosen


@kernel
def _to_table(score: int, ply: int) -> int:
    """Decided scores count plies from the root; in the table, from the position itself."""
    if score > DECIDED:
        return score + ply
    return score - ply if score < -DECIDED else score


@kernel
def _from_table(score: int, ply: int) -> int:
    if score > DECIDED:
        return score - ply
    return score + ply if score < -DECIDED else score


@kernel
def score_moves(
    game: Game, function: ValueFunction, state: State, depth: int, table: Table, stop: np.ndarray
) -> np.ndarray:
    """The exact score of every legal move, looking `depth` plies ahead; −2·WIN for the others.

    Looking 1, 2, … plies ahead first fills the table with good first moves for the next round. It
    ends early when the horizon no longer cuts off anything.
    """
    scores = np.full(64, -2 * WIN, np.int64)
    for reach in range(1, depth + 1):
        moves = actions(game, state)
        cut_off = table.counts[1]
        while moves != ZERO:
            move = signed(lowest_bit(moves))
            moves &= moves - ONE
            after = transition(game, state, move)
            score = -negamax(game, function, after, reach - 1, 1, -2 * WIN, 2 * WIN, table, stop)
            if stop[0]:
                return scores
            scores[move] = score
        if table.counts[1] == cut_off:
            break
    return scores


def outcome_of(score: int) -> float:
    """The score as an expected outcome between −1 and 1."""
    return float(np.sign(score)) if abs(score) > DECIDED else score / UNIT


def plies_to_end(score: int) -> int | None:
    """How many plies from the root until a decided game ends with best play, else None."""
    return WIN - abs(score) if abs(score) > DECIDED else None
