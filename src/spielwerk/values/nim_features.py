"""Features for Nim (Konen 2015, eq. 4 and 5)."""

from typing import Annotated, NamedTuple

from spielwerk.errors import SpielwerkError
from spielwerk.games.nim import Nim, NimState
from spielwerk.games.rules import Game, player
from spielwerk.kernels.bits import signed
from spielwerk.kernels.dispatch import implement
from spielwerk.spec import Option
from spielwerk.values.features import Maker, active
from spielwerk.values.sparse import Sparse, append


class Divisibility(NamedTuple):
    """Eq. 5: g_k = 1 if White left a multiple of k stones, k = 2 … most; after Black, 1 − g_k."""

    most: int

    @property
    def width(self) -> int:
        return self.most - 1

    @property
    def most_active(self) -> int:
        return self.width

    def names(self) -> list[str]:
        return [f"g_{k}" for k in range(2, self.most + 1)]


@implement(active, Divisibility)
def _(features: Divisibility, game: Nim, state: NimState, into: Sparse) -> None:
    stones, white_moved = signed(state.stones), player(game, state) == 1
    for k in range(2, features.most + 1):
        if (stones % k == 0) == white_moved:
            append(into, k - 2, 1.0)


def divisibility(
    most: Annotated[int, Option("the largest divisor", least=2, most=1000)] = 10,
) -> Maker:
    def make(game: Game) -> Divisibility:
        if not isinstance(game, Nim):
            raise SpielwerkError("divisibility is for Nim, where stones are counted.")
        return Divisibility(most)

    return make
