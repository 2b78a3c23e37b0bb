"""In which order the solver tries moves: only how long it takes depends on it.

By default threats count, then the distance from the centre. Near the root a learned value function
may decide instead (Thill 2012, §4.6.4).
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from spielwerk.games.connectx import ConnectState, ConnectX
from spielwerk.games.rules import player
from spielwerk.kernels.dispatch import generic, implement
from spielwerk.values.learned import Learned, white_value
from spielwerk.values.sparse import Sparse, make_sparse

MoveOrder: TypeAlias = Any

_STEPS = 1 << 16
"""Values are told apart in so many steps."""


class ByThreats(NamedTuple):
    """Nothing else: nobody is asked."""

    stones: int = 0
    seats: int = 0


class ByValue(NamedTuple):
    """The value of the position after the move, with fewer than `stones` stones on the board.

    Thill's helped where the first player moves, and only there: `seats` says who, as bits. The
    search looks at both itself: handing the model over at every node took half of its time.
    """

    learned: Learned
    inputs: Sparse  # scratch: for one thread
    stones: int
    seats: int


def by_value(learned: Learned, stones: int = 10, seats: int = 1) -> ByValue:
    return ByValue(learned, make_sparse(learned.room), stones, seats)


@generic
def rank_of(
    order: MoveOrder, game: ConnectX, mine: np.uint64, filled: np.uint64, move: np.uint64
) -> int:
    """The higher, the earlier. `move` is the bit of a cell."""


@implement(rank_of, ByThreats)
def _(order: ByThreats, game: ConnectX, mine: np.uint64, filled: np.uint64, move: np.uint64) -> int:
    return 0


@implement(rank_of, ByValue)
def _(order: ByValue, game: ConnectX, mine: np.uint64, filled: np.uint64, move: np.uint64) -> int:
    after = ConnectState(mine ^ filled, filled | move)
    value = white_value(order.learned, game, after, order.inputs)
    if player(game, ConnectState(mine, filled)) == 1:
        value = -value
    return int((value + 1.0) * _STEPS) + _STEPS
