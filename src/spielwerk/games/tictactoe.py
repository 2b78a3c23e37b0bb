"""Tic-Tac-Toe. Cells and moves are numbered by rows from the top left, as bits of a word:

     0 1 2
     3 4 5
     6 7 8

The eight symmetries are data: `SYMMETRIES[s, c]` is where symmetry s takes cell c.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spielwerk.errors import ImpossiblePositionError
from spielwerk.games.boards import check_cells, check_counts, draw_board, read_board
from spielwerk.games.notation import (
    draw,
    move_name,
    move_noun,
    parse_board,
    player_names,
    why_illegal,
)
from spielwerk.games.rules import DRAWN, RUNNING, WON, rule
from spielwerk.games.symmetry import board_shape, cell_bits, cell_symmetries
from spielwerk.kernels.bits import ONE, U64, ZERO, popcount, signed
from spielwerk.kernels.jit import kernel


class TicTacToe(NamedTuple):
    """The game has one size; the field says so."""

    size: int = 3


class TicTacToeState(NamedTuple):
    mine: np.uint64  # marks of the player to move
    filled: np.uint64  # marks of both


BOARD = np.uint64(0b111_111_111)

LINES = tuple(
    sum(1 << cell for cell in line)
    for line in (
        (0, 1, 2),
        (3, 4, 5),
        (6, 7, 8),
        (0, 3, 6),
        (1, 4, 7),
        (2, 5, 8),
        (0, 4, 8),
        (2, 4, 6),
    )
)

HAS_LINE = np.array([any(word & line == line for line in LINES) for word in range(512)])
"""For each set of marks, whether it holds three in a row."""


def _symmetries() -> np.ndarray:
    """The four rotations, each also mirrored. Row 0 is the identity."""
    cells = np.arange(9).reshape(3, 3)
    boards = [np.rot90(side, turns) for side in (cells, cells.T) for turns in range(4)]
    # In a turned board, the cell with number c lies where c is taken to.
    return np.array([np.argsort(board, axis=None) for board in boards], dtype=np.int64)


SYMMETRIES = _symmetries()


@rule(TicTacToe)
def initial(game: TicTacToe) -> TicTacToeState:
    return TicTacToeState(ZERO, ZERO)


@rule(TicTacToe)
def action_count(game: TicTacToe) -> int:
    return 9


@rule(TicTacToe)
def player(game: TicTacToe, state: TicTacToeState) -> int:
    return signed(popcount(state.filled) & ONE)


@rule(TicTacToe)
def actions(game: TicTacToe, state: TicTacToeState) -> np.uint64:
    return state.filled ^ BOARD


@rule(TicTacToe)
def transition(game: TicTacToe, state: TicTacToeState, move: int) -> TicTacToeState:
    return TicTacToeState(state.mine ^ state.filled, state.filled | (ONE << U64(move)))


@rule(TicTacToe)
def outcome(game: TicTacToe, state: TicTacToeState) -> int:
    if HAS_LINE[state.mine ^ state.filled]:
        return WON
    return DRAWN if state.filled == BOARD else RUNNING


@rule(TicTacToe)
def pack(game: TicTacToe, state: TicTacToeState) -> np.uint64:
    return state.mine | (state.filled << U64(9))


@rule(TicTacToe)
def unpack(game: TicTacToe, word: np.uint64) -> TicTacToeState:
    return TicTacToeState(word & BOARD, word >> U64(9))


@rule(TicTacToe)
def symmetry_count(game: TicTacToe) -> int:
    return 8


@rule(TicTacToe)
def image(game: TicTacToe, state: TicTacToeState, symmetry: int) -> TicTacToeState:
    # Python gets plain numbers from a kernel: make them words again.
    return TicTacToeState(
        U64(_permute(state.mine, symmetry)), U64(_permute(state.filled, symmetry))
    )


@rule(TicTacToe)
def move_image(game: TicTacToe, move: int, symmetry: int) -> int:
    return int(SYMMETRIES[symmetry, move])


@kernel
def _permute(marks: np.uint64, symmetry: int) -> np.uint64:
    permuted = ZERO
    for cell in range(9):
        permuted |= ((marks >> U64(cell)) & ONE) << U64(SYMMETRIES[symmetry, cell])
    return permuted


@cell_symmetries.register
def _(game: TicTacToe) -> np.ndarray:
    return SYMMETRIES


@board_shape.register
def _(game: TicTacToe) -> tuple[int, int]:
    return 3, 3


@cell_bits.register
def _(game: TicTacToe) -> np.ndarray:
    return np.arange(9)


@draw.register
def _(game: TicTacToe, state: TicTacToeState) -> str:
    return draw_board(to_list(game, state), 3, header=False)


@move_noun.register
def _(game: TicTacToe) -> str:
    return "cell"


@player_names.register
def _(game: TicTacToe) -> tuple[str, str]:
    return ("X", "O")


@why_illegal.register
def _(game: TicTacToe, state: TicTacToeState, move: int) -> str:
    return f"Cell {move_name(move)} is taken"


@parse_board.register
def _(game: TicTacToe, text: str) -> TicTacToeState:
    return from_list(game, read_board(text, 3, 3))


def to_list(game: TicTacToe, state: TicTacToeState) -> list[int]:
    """The nine cells: 0 empty, 1 the player who began, 2 the other."""
    mine, filled, to_move = int(state.mine), int(state.filled), player(game, state) + 1
    return [
        0 if not filled >> cell & 1 else to_move if mine >> cell & 1 else 3 - to_move
        for cell in range(9)
    ]


def from_list(game: TicTacToe, board: Sequence[int]) -> TicTacToeState:
    """The state with these cells; refused with the reason if no game leads to it."""
    check_cells(board, 3, 3)
    check_counts(board, "mark")
    marks = [sum(1 << cell for cell in range(9) if board[cell] == who) for who in (1, 2)]
    to_move = (marks[0] | marks[1]).bit_count() % 2
    mine, theirs = marks[to_move], marks[1 - to_move]
    names = player_names(game)
    if HAS_LINE[mine]:
        raise ImpossiblePositionError(
            f"{names[to_move]} already has three in a row, "
            f"and yet {names[1 - to_move]} has moved after that."
        )
    # Marks can be made in any order, so any of the last player's may be the last. Two lines can
    # be made at once where they cross; in nine cells no other excess is left to refuse.
    return TicTacToeState(U64(mine), U64(mine | theirs))
