"""Hand-made features of Tic-Tac-Toe: how the open lines of both players lie.

In the vocabulary of Konen & Bartz-Beielstein (2008, 2009): a *singlet* is a line with one mark of a
player and nothing else, a *doublet* one with two; a *crosspoint* is an empty cell in which two
singlets meet, *diversity* the number of directions (rows, columns, diagonals) that have singlets.
The exact sets of those papers are not printed in the report; this one keeps the four counts of both
players, apart for positions left by White and by Black, with a constant for each.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.games.rules import Game, player
from spielwerk.games.tictactoe import LINES, TicTacToe, TicTacToeState
from spielwerk.kernels.bits import ONE, U64, ZERO, popcount
from spielwerk.kernels.dispatch import implement
from spielwerk.values.features import Maker, active
from spielwerk.values.sparse import Sparse, append

COUNTS = ("singlets", "doublets", "crosspoints", "diversity")
_LINES = np.array(LINES, np.uint64)
_DIRECTIONS = np.array([0, 0, 0, 1, 1, 1, 2, 3])  # of LINES: rows, columns, the two diagonals
_BLOCK = 2 * len(COUNTS) + 1


class LineCounts(NamedTuple):
    """For each player four counts, and a constant; apart by who has just moved."""

    width: int = 2 * _BLOCK
    most_active: int = _BLOCK

    def names(self) -> list[str]:
        return [
            f"after {mover}: {name}"
            for mover in "XO"
            for name in [*(f"{who}'s {count}" for who in "XO" for count in COUNTS), "constant"]
        ]


@implement(active, LineCounts)
def _(features: LineCounts, game: TicTacToe, state: TicTacToeState, into: Sparse) -> None:
    theirs = state.mine ^ state.filled
    white_to_move = player(game, state) == 0
    first = _BLOCK if white_to_move else 0
    for who in range(2):
        own = state.mine if (who == 0) == white_to_move else theirs
        other = own ^ state.filled
        singlets, doublets, diversity = 0, 0, 0
        once, twice, directions = ZERO, ZERO, ZERO
        for number in range(_LINES.size):
            line = _LINES[number]
            if line & other != ZERO:
                continue
            marks = popcount(line & own)
            if marks == U64(1):
                singlets += 1
                empty = line & ~own
                twice |= once & empty
                once |= empty
                direction = ONE << U64(_DIRECTIONS[number])
                if directions & direction == ZERO:
                    directions |= direction
                    diversity += 1
            elif marks == U64(2):
                doublets += 1
        place = first + who * 4
        append(into, place, float(singlets))
        append(into, place + 1, float(doublets))
        append(into, place + 2, float(popcount(twice)))
        append(into, place + 3, float(diversity))
    append(into, first + 8, 1.0)


def line_counts() -> Maker:
    def make(game: Game) -> LineCounts:
        if not isinstance(game, TicTacToe):
            raise SpielwerkError("The features `lines` are for Tic-Tac-Toe.")
        return LineCounts()

    return make
