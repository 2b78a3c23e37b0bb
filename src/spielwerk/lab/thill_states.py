"""Realisable states of tuples of cells (Thill 2012, §4.4.2 and appendix A.2)."""

from functools import cache

from spielwerk.games.connectx import ConnectX
from spielwerk.values.column_tuples import cell_state, column_contents


@cache
def column_states(game: ConnectX, rows: tuple[int, ...], m: int) -> int:
    """How many different things can stand in these rows, from below, of one column (eq. 4.8)."""
    contents = column_contents(game).values()
    return len({tuple(cell_state(column, row, m) for row in rows) for column in contents})


def tuple_states(game: ConnectX, cells: list[int], m: int) -> int:
    """… in these cells, which are numbered by rows from the top (eq. 4.7); games that are over are
    not left out, there as here."""
    product = 1
    for col in range(game.cols):
        rows = sorted(
            game.rows - 1 - cell // game.cols for cell in cells if cell % game.cols == col
        )
        product *= column_states(game, tuple(rows), m)
    return product
