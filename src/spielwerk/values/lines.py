"""Open lines: the classic hand-made value of a board on which k in a row win.

A line of k cells that holds stones of one player only is a chance for that player, the more so the
more stones it holds. The value is the difference of the two players' chances, squeezed into −1 … 1.
It is meant as a measure of sense, not of strength: learned values should beat it.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.games.connectx import ConnectX
from spielwerk.games.rules import Game, State
from spielwerk.games.tictactoe import LINES, TicTacToe
from spielwerk.kernels.bits import ZERO, popcount
from spielwerk.kernels.dispatch import implement
from spielwerk.values.value import value

GROWTH = 3.0
"""A line with one more stone is worth so many times as much."""


class OpenLines(NamedTuple):
    masks: np.ndarray  # the cells of each line, as a word
    worth: np.ndarray  # of a line, by the number of its stones
    scale: float  # a difference of this size is valued 1/2


def open_lines(game: Game) -> OpenLines:
    """The value function for the lines of this board."""
    if isinstance(game, ConnectX):
        masks, k = _connectx_lines(game), game.k
    elif isinstance(game, TicTacToe):
        masks, k = list(LINES), 3
    else:
        raise SpielwerkError(f"{type(game).__name__} has no lines to count; use value=even.")
    worth = np.array([0.0] + [GROWTH**stones for stones in range(k)])
    return OpenLines(np.array(masks, np.uint64), worth, scale=GROWTH ** (k - 1))


def _connectx_lines(game: ConnectX) -> list[int]:
    stride = game.rows + 1
    lines = []
    for col in range(game.cols):
        for row in range(game.rows):
            for right, up in ((0, 1), (1, -1), (1, 0), (1, 1)):
                last_col, last_row = col + right * (game.k - 1), row + up * (game.k - 1)
                if last_col < game.cols and 0 <= last_row < game.rows:
                    first, step = col * stride + row, right * stride + up
                    lines.append(sum(1 << (first + step * i) for i in range(game.k)))
    return lines


@implement(value, OpenLines)
def _(function: OpenLines, game: Game, state: State) -> float:
    mine, theirs = state.mine, state.mine ^ state.filled
    difference = 0.0
    for mask in function.masks:
        if theirs & mask == ZERO:
            difference += function.worth[popcount(mine & mask)]
        elif mine & mask == ZERO:
            difference -= function.worth[popcount(theirs & mask)]
    return difference / (abs(difference) + function.scale)
