"""Learning from games of some time ago once more (experience replay, Lin 1992).

After each game, so many remembered ones are gone through again, with the values of today: what was
greedy then need not be so now. Each position is pulled towards the best of the positions after it,
whatever was played; so it does not matter that the moves are those of a weaker self.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.rules import Game, State, pack
from spielwerk.kernels.jit import inlined


class Replay(NamedTuple):
    """Games remembered, the oldest forgotten first. Only the arrays inside change."""

    again: int  # games learned from again after each new one
    moves: np.ndarray  # [games, plies] uint8
    begins: np.ndarray  # [games] uint64: packed positions
    entered: np.ndarray  # [1] int64: games put in so far, also those that are forgotten


def make_replay(again: int, games: int, plies: int) -> Replay:
    room = games if again else 1
    return Replay(
        again, np.zeros((room, plies), np.uint8), np.zeros(room, np.uint64), np.zeros(1, np.int64)
    )


@inlined
def begin_record(replay: Replay, game: Game, state: State) -> int:
    """The row in which a new game is to be written down."""
    row = replay.entered[0] % replay.begins.size
    replay.begins[row] = pack(game, state)
    return row


@inlined
def remembered(replay: Replay) -> int:
    """How many games there are to choose from."""
    return min(replay.entered[0], replay.begins.size)
