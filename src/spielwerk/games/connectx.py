"""ConnectX: drop stones into columns; k in a row, column or diagonal win.

Every board with cols · (rows + 1) ≤ 64 fits into one word. Bit numbers for 6 × 7:

      .  .  .  .  .  .  .      one bit above each column stays empty, so that
      5 12 19 26 33 40 47      no line runs on from one column into the next
      4 11 18 25 32 39 46
      3 10 17 24 31 38 45      stride = rows + 1 = 7: to the right
      2  9 16 23 30 37 44      1: up, stride ± 1: the diagonals
      1  8 15 22 29 36 43
      0  7 14 21 28 35 42

A state holds the stones of the player *to move* and all stones; who that is follows from the
number of stones. Moves are columns, 0 from the left.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.errors import SpecError
from spielwerk.games.rules import DRAWN, RUNNING, WON, rule
from spielwerk.games.symmetry import board_shape, cell_bits, cell_symmetries
from spielwerk.kernels.bits import ONE, U64, ZERO, lowest_bit, multiply, popcount, signed
from spielwerk.kernels.jit import kernel


class ConnectX(NamedTuple):
    """The parameters, and what follows from them. Made by `connectx`."""

    rows: int
    cols: int
    k: int
    stride: np.uint64  # from a cell to its right neighbour
    bottom: np.uint64  # the lowest cell of every column
    board: np.uint64  # every cell
    columns: np.uint64  # one bit for each column, at its move number
    gather: np.uint64  # factor that collects the open columns, 0 where there is none
    quick: bool  # k = 4 on a board low enough for the short form of the test


class ConnectState(NamedTuple):
    mine: np.uint64  # stones of the player to move
    filled: np.uint64  # stones of both


def connectx(rows: int = 6, cols: int = 7, k: int = 4) -> ConnectX:
    """The game with k in a row on rows × cols. Connect Four is 6 × 7, 4.

    A k larger than the board is allowed, as at Kaggle: every game is then drawn.
    """
    for name, number in (("rows", rows), ("cols", cols), ("k", k)):
        if not 1 <= number <= 64:
            raise SpecError(f"{name} must be 1 to 64, not {number}.")
    if cols * (rows + 1) > 64:
        raise SpecError(
            f"A board of {rows} rows and {cols} columns needs {cols * (rows + 1)} bits; "
            "cols × (rows + 1) may be 64 at most."
        )
    stride = rows + 1
    bottom = sum(1 << (stride * col) for col in range(cols))
    return ConnectX(
        rows,
        cols,
        k,
        stride=U64(stride),
        bottom=U64(bottom),
        board=U64(bottom * ((1 << rows) - 1)),
        columns=U64((1 << cols) - 1),
        gather=U64(_gather_factor(cols, stride)),
        quick=k == 4 and rows <= 29,
    )


def _gather_factor(cols: int, stride: int) -> int:
    """The factor that moves bit stride·c of a word to bit (stride−1)·(cols−1) + c, for all columns.

    It shifts the word by (stride−1)·(cols−1−j) for every j and adds up; the summand j = c puts bit
    c in its place. That works as long as no two of the other bits meet, for a carry could then
    spill over. Returns 0 where they meet (boards much wider than high).
    """
    places = [stride * c + (stride - 1) * (cols - 1 - j) for c in range(cols) for j in range(cols)]
    if len(set(places)) < len(places):
        return 0
    return sum(1 << ((stride - 1) * (cols - 1 - j)) for j in range(cols))


@rule(ConnectX)
def initial(game: ConnectX) -> ConnectState:
    return ConnectState(ZERO, ZERO)


@rule(ConnectX)
def action_count(game: ConnectX) -> int:
    return game.cols


@rule(ConnectX)
def player(game: ConnectX, state: ConnectState) -> int:
    return signed(popcount(state.filled) & ONE)


@rule(ConnectX)
def actions(game: ConnectX, state: ConnectState) -> np.uint64:
    """The columns that are not full."""
    open_tops = (~state.filled >> U64(game.rows - 1)) & game.bottom
    if game.gather != ZERO:
        place = (game.stride - ONE) * U64(game.cols - 1)
        return (multiply(open_tops, game.gather) >> place) & game.columns
    columns = ZERO
    for column in range(game.cols):
        columns |= ((open_tops >> (U64(column) * game.stride)) & ONE) << U64(column)
    return columns


@rule(ConnectX)
def transition(game: ConnectX, state: ConnectState, move: int) -> ConnectState:
    """Adding a column's lowest bit to its filled cells carries into the first empty one."""
    floor = ONE << (U64(move) * game.stride)
    return ConnectState(state.mine ^ state.filled, state.filled | (state.filled + floor))


@rule(ConnectX)
def outcome(game: ConnectX, state: ConnectState) -> int:
    if has_line(game, state.mine ^ state.filled):
        return WON
    return DRAWN if state.filled == game.board else RUNNING


@rule(ConnectX)
def pack(game: ConnectX, state: ConnectState) -> np.uint64:
    """Per column: a guard bit on top of the stones, below it the stones of the player to move."""
    return state.mine + state.filled + game.bottom


@rule(ConnectX)
def unpack(game: ConnectX, word: np.uint64) -> ConnectState:
    """The filled cells are those below the highest bit of each column, which is the guard."""
    below = word
    for _ in range(game.rows):
        below |= (below >> ONE) & game.board
    filled = (below >> ONE) & game.board
    return ConnectState(word & filled, filled)


@rule(ConnectX)
def symmetry_count(game: ConnectX) -> int:
    return 2


@rule(ConnectX)
def image(game: ConnectX, state: ConnectState, symmetry: int) -> ConnectState:
    if symmetry == 0:
        return state
    # Python gets plain numbers from a kernel: make them words again.
    return ConnectState(U64(mirror(game, state.mine)), U64(mirror(game, state.filled)))


@rule(ConnectX)
def move_image(game: ConnectX, move: int, symmetry: int) -> int:
    return move if symmetry == 0 else game.cols - 1 - move


@rule(ConnectX)
def cell(game: ConnectX, state: ConnectState, move: int) -> int:
    """The bit of the lowest empty cell of the column."""
    floor = ONE << (U64(move) * game.stride)
    return signed(lowest_bit((state.filled + floor) & ~state.filled))


@rule(ConnectX)
def cell_image(game: ConnectX, place: int, symmetry: int) -> int:
    stride = game.rows + 1
    return place if symmetry == 0 else (game.cols - 1 - place // stride) * stride + place % stride


@cell_symmetries.register
def _(game: ConnectX) -> np.ndarray:
    cells = np.arange(game.rows * game.cols).reshape(game.rows, game.cols)
    return np.array([cells.ravel(), cells[:, ::-1].ravel()])


@board_shape.register
def _(game: ConnectX) -> tuple[int, int]:
    return game.rows, game.cols


@cell_bits.register
def _(game: ConnectX) -> np.ndarray:
    rows, cols = np.divmod(np.arange(game.rows * game.cols), game.cols)
    return cols * (game.rows + 1) + game.rows - 1 - rows


@kernel
def has_line(game: ConnectX, stones: np.uint64) -> bool:
    """Whether `stones` hold k in a row, in any of the four directions."""
    lines = _runs(game, stones, ONE)
    lines |= _runs(game, stones, game.stride - ONE)
    lines |= _runs(game, stones, game.stride)
    lines |= _runs(game, stones, game.stride + ONE)
    return lines != ZERO


@kernel
def _runs(game: ConnectX, stones: np.uint64, step: np.uint64) -> np.uint64:
    """The cells at which k stones in a row begin, in the direction `step`.

    After each `&` a bit stands for twice as many stones, at last for k. A shift of 64 or more is
    undefined on the machine: it would leave the board, where there are no stones.
    """
    if game.quick:
        pairs = stones & (stones >> step)
        return pairs & (pairs >> (step + step))
    length = 1
    while length < game.k:
        more = min(length, game.k - length)
        shift = step * U64(more)
        if shift > U64(63):
            return ZERO
        stones &= stones >> shift
        length += more
    return stones


@kernel
def mirror(game: ConnectX, stones: np.uint64) -> np.uint64:
    """The stones with left and right exchanged."""
    column = (ONE << U64(game.rows)) - ONE
    mirrored = ZERO
    for col in range(game.cols):
        contents = (stones >> (U64(col) * game.stride)) & column
        mirrored |= contents << (U64(game.cols - 1 - col) * game.stride)
    return mirrored


@kernel
def winning_cells(game: ConnectX, stones: np.uint64) -> np.uint64:
    """The cells that would complete k in a row for the owner of `stones`, reachable or not.

    Stones lie on each other: upright, only the cell on top of the others counts. A cell that
    already holds a stone may be among them.
    """
    if game.quick:
        above = (stones << ONE) & (stones << U64(2)) & (stones << U64(3))
        cells = above | _fourth_cells(stones, game.stride - ONE)
        cells |= _fourth_cells(stones, game.stride) | _fourth_cells(stones, game.stride + ONE)
        return cells & game.board
    cells = _last_cells(game, stones, ONE) | _last_cells(game, stones, game.stride - ONE)
    cells |= _last_cells(game, stones, game.stride)
    return cells | _last_cells(game, stones, game.stride + ONE)


@kernel
def _fourth_cells(stones: np.uint64, step: np.uint64) -> np.uint64:
    """Cells with three stones beside them in the direction `step`: 3 + 0, 2 + 1, 1 + 2 or 0 + 3."""
    two_before = (stones << step) & (stones << (step + step))
    two_behind = (stones >> step) & (stones >> (step + step))
    return (two_before & ((stones << (step + step + step)) | (stones >> step))) | (
        two_behind & ((stones >> (step + step + step)) | (stones << step))
    )


@kernel
def _last_cells(game: ConnectX, stones: np.uint64, step: np.uint64) -> np.uint64:
    """The same for any k: `before` stones on one side of the cell, the rest on the other."""
    cells = ZERO
    for before in range(game.k):
        completed = game.board
        for distance in range(1, game.k):
            shift = step * U64(distance if distance <= before else distance - before)
            if shift > U64(63):
                completed = ZERO
            elif distance <= before:
                completed &= stones << shift
            else:
                completed &= stones >> shift
        cells |= completed
    return cells
