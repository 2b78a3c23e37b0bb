"""Tuples as slots: the indices of a position, moved by one look-up per stone.

A *slot* is a tuple on the board or on its mirror image. A move changes one column, so what it adds
to the index of a slot depends on the content of that column alone: a row of a table, for all slots
side by side. Slots are sorted by the columns they cover, so those that a move touches lie in a
range; the sum of an after-state's weights is that of the range plus those before and behind it,
which are summed once for all moves.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.connectx import ConnectState, ConnectX
from spielwerk.games.rules import actions
from spielwerk.kernels.bits import ONE, U64, ZERO, lowest_bit, popcount, signed
from spielwerk.kernels.jit import inlined, kernel
from spielwerk.values.column_tuples import ColumnTuples

BLOCK = 4
"""Slots are summed four at a time: additions that need not wait for each other."""


class Slots(NamedTuple):
    """Every tuple on every image of the board, by the columns it covers."""

    begin: np.ndarray  # [slots] int32: indices of the empty board
    steps: np.ndarray  # int32, flat [cols, 2 players, codes, slots]: what a stone adds to indices
    first: np.ndarray  # [cols] int64: the range of slots that a column can touch, in whole blocks
    last: np.ndarray  # [cols] int64
    codes: int
    table: int  # entries of one player's tables; 0 if there is one for both


class Scratch(NamedTuple):
    """Rows to work in."""

    tried: np.ndarray  # [slots] int32: indices after a move
    before: np.ndarray  # [blocks + 1] float32: sums of the weights before each block
    sums: np.ndarray  # [cols] float64


def make_scratch(game: ConnectX, slots: Slots) -> Scratch:
    count = slots.begin.size
    return Scratch(
        np.zeros(count, np.int32),
        np.zeros(-(-count // BLOCK) + 1, np.float32),
        np.zeros(game.cols),
    )


def make_slots(game: ConnectX, tuples: ColumnTuples) -> Slots:
    cols, codes = tuples.partial.shape[:2]
    columns = np.arange(cols)
    seen = [columns, columns[::-1]][: tuples.images]
    # [cols, codes, slots]: what the content of a column adds to the index of a slot
    adds = np.concatenate([tuples.partial[where] for where in seen], axis=2).astype(np.int64)
    touches = adds.max(axis=1) > 0
    leftmost = np.where(touches, columns[:, None], cols).min(axis=0)
    rightmost = np.where(touches, columns[:, None], -1).max(axis=0)
    order = np.argsort(leftmost + rightmost, kind="stable")
    adds, touches = adds[:, :, order], touches[:, order]
    begin = np.tile(tuples.first[:-1], tuples.images)[order] + adds[:, 1].sum(axis=0)
    steps = np.zeros((cols, 2, codes // 2, adds.shape[2]), np.int64)
    for code in range(1, codes // 2):
        stone = 1 << (code.bit_length() - 1)
        for mover in range(2):
            after = code + stone + (stone if mover == 0 else 0)
            steps[:, mover, code] = adds[:, after] - adds[:, code]
    slots = len(order)
    places = [np.flatnonzero(touches[col]) for col in range(cols)]
    first = [int(place.min()) // BLOCK * BLOCK if place.size else 0 for place in places]
    last = [
        min(slots, -(-int(place.max() + 1) // BLOCK) * BLOCK) if place.size else 0
        for place in places
    ]
    return Slots(
        begin.astype(np.int32),
        steps.astype(np.int32).ravel(),
        np.array(first),
        np.array(last),
        codes // 2,
        int(tuples.first[-1]) if tuples.tables == 2 else 0,
    )


@inlined
def sum_of(
    weights: np.ndarray, table: np.uint64, indices: np.ndarray, first: int, last: int
) -> np.float32:
    """Σ weights[table + indices[s]] over a range of slots."""
    whole = first + (last - first) // BLOCK * BLOCK
    a, b, c, d = np.float32(0), np.float32(0), np.float32(0), np.float32(0)
    for s in range(U64(first), U64(whole), U64(BLOCK)):
        a += weights[table + U64(indices[s])]
        b += weights[table + U64(indices[s + ONE])]
        c += weights[table + U64(indices[s + U64(2)])]
        d += weights[table + U64(indices[s + U64(3)])]
    for s in range(U64(whole), U64(last)):
        a += weights[table + U64(indices[s])]
    return (a + b) + (c + d)


@inlined
def sum_blocks(
    weights: np.ndarray, table: np.uint64, indices: np.ndarray, before: np.ndarray
) -> None:
    """before[i] ← the sum over the first i blocks of slots."""
    total = np.float32(0)
    before[0] = total
    blocks = indices.size // BLOCK
    for block in range(blocks):
        s = U64(block * BLOCK)
        a = weights[table + U64(indices[s])] + weights[table + U64(indices[s + ONE])]
        b = weights[table + U64(indices[s + U64(2)])] + weights[table + U64(indices[s + U64(3)])]
        total += a + b
        before[block + 1] = total
    if blocks * BLOCK < indices.size:
        total += sum_of(weights, table, indices, blocks * BLOCK, indices.size)
        before[blocks + 1] = total


@inlined
def step_row(
    slots: Slots, game: ConnectX, state: ConnectState, white: np.uint64, mover: int, move: int
) -> np.uint64:
    """Where in `slots.steps` the row for this move begins."""
    shift = U64(move) * game.stride
    column = (ONE << U64(game.rows)) - ONE
    code = ((state.filled >> shift) & column) + ONE + ((white >> shift) & column)
    return U64(((move * 2 + mover) * slots.codes + signed(code)) * slots.begin.size)


@inlined
def move_indices(
    slots: Slots, row: np.uint64, move: int, indices: np.ndarray, into: np.ndarray
) -> None:
    """Indices after a move, in the range of slots that it touches."""
    for s in range(U64(slots.first[move]), U64(slots.last[move])):
        into[s] = indices[s] + slots.steps[row + s]


@inlined
def table_of(slots: Slots, mover: int) -> np.uint64:
    """Where the tables of the player to move begin."""
    return U64(mover * slots.table)


@inlined
def sum_moves(
    slots: Slots,
    weights: np.ndarray,
    game: ConnectX,
    state: ConnectState,
    mover: int,
    indices: np.ndarray,
    scratch: Scratch,
    into: np.ndarray,
) -> None:
    """into[move] ← the sum of weights of the position after each legal move."""
    white = state.mine if mover == 0 else state.mine ^ state.filled
    table = table_of(slots, 1 - mover)
    tried, before = scratch.tried, scratch.before
    sum_blocks(weights, table, indices, before)
    total = before[before.size - 1]
    rest = actions(game, state)
    while rest != ZERO:
        move = signed(lowest_bit(rest))
        rest &= rest - ONE
        move_indices(slots, step_row(slots, game, state, white, mover, move), move, indices, tried)
        first, last = slots.first[move], slots.last[move]
        outside = before[first // BLOCK] + (total - before[(last + BLOCK - 1) // BLOCK])
        into[move] = float(sum_of(weights, table, tried, first, last) + outside)


@kernel
def set_indices(slots: Slots, game: ConnectX, state: ConnectState, into: np.ndarray) -> None:
    """The indices of a position, stone by stone from below."""
    into[:] = slots.begin
    column = (ONE << U64(game.rows)) - ONE
    mover = signed(popcount(state.filled) & ONE)
    white = state.mine if mover == 0 else state.mine ^ state.filled
    for move in range(game.cols):
        shift = U64(move) * game.stride
        filled, stones = (state.filled >> shift) & column, (white >> shift) & column
        code = 1
        for height in range(signed(popcount(filled))):
            owner = 1 - signed((stones >> U64(height)) & ONE)
            row = U64(((move * 2 + owner) * slots.codes + code) * slots.begin.size)
            move_indices(slots, row, move, into, into)
            code += (1 << height) * (2 - owner)
