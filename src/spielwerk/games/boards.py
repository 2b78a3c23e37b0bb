"""Boards of two kinds of stones as text and as flat lists, for the games that have one.

A board is a flat list, row by row from the top: 0 empty, 1 the player who began, 2 the other. That
is Kaggle's form. A drawing shows them as `.`, `X`, `O`.
"""

import json
from collections.abc import Sequence

from spielwerk.errors import ImpossiblePositionError, SpielwerkError
from spielwerk.games.notation import MOVE_NAMES

_SYMBOLS = ".XO"
_READ = {".": 0, "-": 0, "_": 0, "0": 0, "x": 1, "X": 1, "1": 1, "o": 2, "O": 2, "2": 2}


def draw_board(board: Sequence[int], cols: int, header: bool) -> str:
    """One line per row; with `header`, the names of the columns below."""
    rows = [board[start : start + cols] for start in range(0, len(board), cols)]
    lines = [" ".join(_SYMBOLS[cell] for cell in row) for row in rows]
    if header:
        lines.append(" ".join(MOVE_NAMES[:cols]))
    return "\n".join(lines)


def read_board(text: str, rows: int, cols: int) -> list[int]:
    """The flat list in a drawing or in Kaggle's JSON, of exactly rows × cols cells."""
    if text.lstrip().startswith("["):
        return _read_list(text, rows, cols)
    lines = [
        line.replace("|", "").replace(" ", "") for line in text.replace("/", "\n").splitlines()
    ]
    lines = [line for line in lines if line and set(line) - set("+-")] if "+" in text else lines
    lines = [line for line in lines if line]
    if len(lines) == rows + 1 and lines[-1] == MOVE_NAMES[:cols]:
        lines.pop()
    if len(lines) != rows or any(len(line) != cols for line in lines):
        sizes = ", ".join(sorted({str(len(line)) for line in lines})) or "no"
        raise SpielwerkError(
            f"The drawing has {len(lines)} rows of {sizes} cells; "
            f"this board has {rows} rows of {cols}."
        )
    strange = sorted({symbol for line in lines for symbol in line if symbol not in _READ})
    if strange:
        raise SpielwerkError(
            f'"{strange[0]}" means nothing in a drawing. '
            "Use X for who began, O for the other, . for empty."
        )
    return [_READ[symbol] for line in lines for symbol in line]


def _read_list(text: str, rows: int, cols: int) -> list[int]:
    try:
        cells = json.loads(text)
    except json.JSONDecodeError as error:
        raise SpielwerkError(f"The list of cells cannot be read: {error}.") from None
    check_cells(cells, rows, cols)
    return list(cells)


def check_cells(cells: object, rows: int, cols: int) -> None:
    """A flat list has a 0, 1 or 2 for every cell of the board."""
    if not isinstance(cells, list | tuple) or any(
        type(cell) is not int or not 0 <= cell <= 2 for cell in cells
    ):
        raise SpielwerkError("A list of cells holds 0 (empty), 1 and 2 (the stones), nothing else.")
    if len(cells) != rows * cols:
        raise SpielwerkError(
            f"The list has {len(cells)} cells; this board has {rows} × {cols} = {rows * cols}."
        )


def check_counts(board: Sequence[int], noun: str) -> None:
    """The player who began has as many stones as the other, or one more."""
    first, second = board.count(1), board.count(2)
    if first - second not in (0, 1):
        raise ImpossiblePositionError(
            f"X has {first} {noun}s and O has {second}: players take turns and X begins, "
            "so X has as many as O or one more."
        )
