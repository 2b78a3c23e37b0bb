"""Alpha-beta with an n-tuple system at the horizon (Thill 2012, §4.6.3), arranged for speed.

The scores are those of `alphabeta.score_moves` with the same value function. What is different: the
values of all positions after a move are found together (`values.column_slots`), which gives the
last ply at the price of one position, and a good order of moves everywhere else; a threat leaves no
choice.

A position with so many stones is always as far from the horizon, so what the table knows of it is
exact for this search.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.connectx import ConnectState, ConnectX, winning_cells
from spielwerk.games.rules import actions, pack, transition
from spielwerk.kernels.bits import ONE, U64, ZERO, lowest_bit, popcount, signed
from spielwerk.kernels.jit import kernel
from spielwerk.kernels.rng import scramble
from spielwerk.search.alphabeta import UNIT, WIN
from spielwerk.values.approximators import squashed
from spielwerk.values.column_slots import (
    Scratch,
    Slots,
    make_scratch,
    move_indices,
    set_indices,
    step_row,
    sum_moves,
)
from spielwerk.values.learned import Learned, outcome_for_white

_EXACT, _AT_LEAST, _AT_MOST = 1, 2, 3
_OFFSET = 2 * WIN


class TupleSearch(NamedTuple):
    """A value function made of column tuples, and memory for one search from one position."""

    learned: Learned
    slots: Slots
    scratch: Scratch
    indices: np.ndarray  # [plies + 1, slots] int32: a row per ply below the root
    sums: np.ndarray  # [plies + 1, cols] float64
    names: np.ndarray  # uint64 [size], size a power of two
    entries: np.ndarray  # int64 [size]: score and kind of bound
    nodes: np.ndarray  # int64 [1]


def make_tuple_search(
    game: ConnectX, learned: Learned, slots: Slots, megabytes: float
) -> TupleSearch:
    cells = game.rows * game.cols
    size = 1 << max(10, int(np.log2(max(1.0, megabytes * 2**20 / 16))))
    return TupleSearch(
        learned,
        slots,
        make_scratch(game, slots),
        np.zeros((cells + 1, slots.begin.size), np.int32),
        np.zeros((cells + 1, game.cols)),
        np.zeros(size, np.uint64),
        np.zeros(size, np.int64),
        np.zeros(1, np.int64),
    )


@kernel
def score_of_sum(learned: Learned, total: float, mover: int) -> int:
    """The score, for the player who moved, of a position whose weights add up to `total`."""
    white = outcome_for_white(learned, squashed(learned.function, total))
    return int(UNIT * (white if mover == 0 else -white))


@kernel
def negamax_tuples(
    search: TupleSearch,
    game: ConnectX,
    state: ConnectState,
    depth: int,
    ply: int,
    alpha: int,
    beta: int,
    stop: np.ndarray,
) -> int:
    """As `alphabeta.negamax`, for a running position, `depth` ≥ 1, indices in row `ply`."""
    search.nodes[0] += 1
    stones = signed(popcount(state.filled))
    mover = stones & 1
    floor = (state.filled + game.bottom) & game.board
    if winning_cells(game, state.mine) & floor != ZERO:
        return WIN - ply - 1
    if stones + 1 == game.rows * game.cols or stop[0]:
        return 0
    moves = actions(game, state)
    if depth > 1:
        threats = winning_cells(game, state.mine ^ state.filled) & floor
        if threats & (threats - ONE) != ZERO:
            return ply + 2 - WIN
        if threats != ZERO:
            moves = ONE << U64(signed(lowest_bit(threats)) // (game.rows + 1))
    slot = U64(0)
    if depth > 2:
        slot = scramble(pack(game, state)) & U64(search.names.size - 1)
        if search.names[slot] == pack(game, state):
            score, bound = (search.entries[slot] >> 2) - _OFFSET, search.entries[slot] & 3
            if (
                bound == _EXACT
                or (bound == _AT_LEAST and score >= beta)
                or (bound == _AT_MOST and score <= alpha)
            ):
                return score
    indices, sums = search.indices[ply], search.sums[ply]
    weights = search.learned.function.weights
    sign = 1.0 - 2.0 * mover
    if depth == 1 or moves & (moves - ONE) != ZERO:
        sum_moves(search.slots, weights, game, state, mover, indices, search.scratch, sums)
    best, floor_score = -2 * WIN, alpha
    while moves != ZERO:
        chosen, highest = signed(lowest_bit(moves)), -np.inf
        rest = moves
        while rest != ZERO:
            move = signed(lowest_bit(rest))
            rest &= rest - ONE
            if sign * sums[move] > highest:
                chosen, highest = move, sign * sums[move]
        moves &= ~(ONE << U64(chosen))
        if depth == 1:
            return score_of_sum(search.learned, sums[chosen], mover)
        following = search.indices[ply + 1]
        following[:] = indices
        white = state.mine if mover == 0 else state.mine ^ state.filled
        row = step_row(search.slots, game, state, white, mover, chosen)
        move_indices(search.slots, row, chosen, following, following)
        after = transition(game, state, chosen)
        score = -negamax_tuples(search, game, after, depth - 1, ply + 1, -beta, -floor_score, stop)
        if score > best:
            best = score
            floor_score = max(floor_score, score)
            if score >= beta:
                break
    if depth > 2 and not stop[0]:
        bound = _AT_LEAST if best >= beta else _EXACT if best > alpha else _AT_MOST
        search.names[slot] = pack(game, state)
        search.entries[slot] = ((best + _OFFSET) << 2) | bound
    return best


@kernel
def score_moves_by_tuples(
    search: TupleSearch, game: ConnectX, state: ConnectState, depth: int, stop: np.ndarray
) -> np.ndarray:
    """The exact score of every legal move, looking `depth` plies ahead; −2·WIN for the others."""
    scores = np.full(64, -2 * WIN, np.int64)
    set_indices(search.slots, game, state, search.indices[0])
    search_root(search, game, state, depth, scores, stop)
    return scores


@kernel
def search_root(
    search: TupleSearch,
    game: ConnectX,
    state: ConnectState,
    depth: int,
    scores: np.ndarray,
    stop: np.ndarray,
) -> None:
    """The same for a search whose first row holds the indices of the position."""
    stones = signed(popcount(state.filled))
    mover = stones & 1
    weights, sums = search.learned.function.weights, search.sums[0]
    sum_moves(search.slots, weights, game, state, mover, search.indices[0], search.scratch, sums)
    floor = (state.filled + game.bottom) & game.board
    wins = winning_cells(game, state.mine) & floor
    moves = actions(game, state)
    while moves != ZERO:
        move = signed(lowest_bit(moves))
        moves &= moves - ONE
        column = ((ONE << game.stride) - ONE) << (U64(move) * game.stride)
        if wins & column != ZERO:
            scores[move] = WIN - 1
        elif stones + 1 == game.rows * game.cols:
            scores[move] = 0
        elif depth == 1:
            scores[move] = score_of_sum(search.learned, sums[move], mover)
        else:
            following = search.indices[1]
            following[:] = search.indices[0]
            white = state.mine if mover == 0 else state.mine ^ state.filled
            row = step_row(search.slots, game, state, white, mover, move)
            move_indices(search.slots, row, move, following, following)
            scores[move] = -negamax_tuples(
                search, game, transition(game, state, move), depth - 1, 1, -2 * WIN, 2 * WIN, stop
            )
