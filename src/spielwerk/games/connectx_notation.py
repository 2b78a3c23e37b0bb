"""ConnectX on paper: drawings, Kaggle's flat list, and which positions can arise."""

from collections.abc import Sequence
from functools import cache

from spielwerk.errors import ImpossiblePositionError
from spielwerk.games.boards import check_cells, check_counts, draw_board, read_board
from spielwerk.games.connectx import ConnectState, ConnectX, has_line, player
from spielwerk.games.notation import (
    draw,
    move_name,
    move_noun,
    parse_board,
    player_names,
    why_illegal,
)
from spielwerk.kernels.bits import U64


@draw.register
def _(game: ConnectX, state: ConnectState) -> str:
    return draw_board(to_kaggle(game, state), game.cols, header=True)


@move_noun.register
def _(game: ConnectX) -> str:
    return "column"


@player_names.register
def _(game: ConnectX) -> tuple[str, str]:
    return ("yellow", "red")


@why_illegal.register
def _(game: ConnectX, state: ConnectState, move: int) -> str:
    return f"Column {move_name(move)} is full"


@parse_board.register
def _(game: ConnectX, text: str) -> ConnectState:
    return from_kaggle(game, read_board(text, game.rows, game.cols))


def to_kaggle(game: ConnectX, state: ConnectState) -> list[int]:
    """The flat list that Kaggle's environment shows: row by row from the top, 0, 1 or 2."""
    mine, filled = int(state.mine), int(state.filled)
    to_move = player(game, state) + 1
    board = []
    for row in reversed(range(game.rows)):
        for col in range(game.cols):
            cell = 1 << (col * (game.rows + 1) + row)
            board.append(0 if not filled & cell else to_move if mine & cell else 3 - to_move)
    return board


def from_kaggle(game: ConnectX, board: Sequence[int]) -> ConnectState:
    """The state with these cells; refused with the reason if no game leads to it."""
    check_cells(board, game.rows, game.cols)
    stones = [0, 0, 0]
    for index, value in enumerate(board):
        row, col = game.rows - 1 - index // game.cols, index % game.cols
        stones[value] |= 1 << (col * (game.rows + 1) + row)
    _check_gravity(game, stones[0])
    check_counts(board, "stone")
    first, second = stones[1], stones[2]
    to_move = (first | second).bit_count() % 2
    mine, theirs = (first, second) if to_move == 0 else (second, first)
    _check_end(game, mine, theirs)
    _check_order(game, mine, theirs)
    return ConnectState(U64(mine), U64(mine | theirs))


def _check_gravity(game: ConnectX, empty: int) -> None:
    for col in range(game.cols):
        column = empty >> (col * (game.rows + 1)) & ((1 << game.rows) - 1)
        # Seen from below a column is stones, then nothing: no empty cell under a stone.
        lowest_empty = (column & -column).bit_length()
        if column and column >> (lowest_empty - 1) != (1 << (game.rows - lowest_empty + 1)) - 1:
            raise ImpossiblePositionError(
                f"In column {move_name(col)} a stone floats above an empty cell."
            )


def _check_end(game: ConnectX, mine: int, theirs: int) -> None:
    """Play stops at the first line: only the player who has just moved has one, by one stone."""
    names = ("X", "O") if (mine | theirs).bit_count() % 2 == 0 else ("O", "X")
    if has_line(game, U64(mine)):
        raise ImpossiblePositionError(
            f"{names[0]} already has {game.k} in a row, and yet {names[1]} has moved after that."
        )
    if has_line(game, U64(theirs)) and not any(
        not has_line(game, U64(theirs ^ top)) for top in _tops(game, mine | theirs) if theirs & top
    ):
        raise ImpossiblePositionError(
            f"{names[1]} has more lines of {game.k} than one last stone can make: "
            "the game was over before."
        )


def _tops(game: ConnectX, filled: int) -> list[int]:
    """The highest stone of every column that has one."""
    columns = [(col * (game.rows + 1), (1 << game.rows) - 1) for col in range(game.cols)]
    heights = [(base, (filled >> base & mask).bit_count()) for base, mask in columns]
    return [1 << (base + height - 1) for base, height in heights if height]


def _check_order(game: ConnectX, mine: int, theirs: int) -> None:
    """Some order of play must lead here: take stones back, in turn, from the tops of columns.

    Columns with the same contents are interchangeable, and what was tried in vain is not tried
    again. Once the stone that made a line is gone no line is left (`_check_end`), and taking stones
    back makes none, so from there on only the order is in question.
    """

    @cache
    def empties(columns: tuple[str, ...], last: str, other: str) -> bool:
        if not columns:
            return True
        return any(
            empties(_without_top(columns, column), other, last)
            for column in set(columns)
            if column[-1] == last
        )

    if not mine | theirs:
        return
    first = (mine, theirs)[(mine | theirs).bit_count() % 2]
    last_stones = [top for top in _tops(game, mine | theirs) if theirs & top]
    starts = [top for top in last_stones if not has_line(game, U64(theirs ^ top))]
    # The very first stone lies on the ground: without one, there is no need to search.
    if not first & int(game.bottom) or not any(
        empties(_columns(game, mine, theirs ^ top), "m", "t") for top in starts
    ):
        raise ImpossiblePositionError(
            "No order of play leads to this position: X and O cannot have taken turns in it."
        )


def _columns(game: ConnectX, mine: int, theirs: int) -> tuple[str, ...]:
    """The contents of the columns that have stones, from the bottom, sorted: "m" and "t"."""
    stride = game.rows + 1
    texts = (
        "".join(
            "m" if mine >> cell & 1 else "t"
            for cell in range(col * stride, col * stride + game.rows)
            if (mine | theirs) >> cell & 1
        )
        for col in range(game.cols)
    )
    return tuple(sorted(filter(None, texts)))


def _without_top(columns: tuple[str, ...], column: str) -> tuple[str, ...]:
    rest = list(columns)
    rest.remove(column)
    return tuple(sorted([*rest, column[:-1]] if len(column) > 1 else rest))
