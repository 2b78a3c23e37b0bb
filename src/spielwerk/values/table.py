"""A table: one weight for each position of a small game."""

from typing import Annotated, NamedTuple

import numpy as np

from spielwerk.games.graph import game_graph
from spielwerk.games.rules import Game, State, pack, unpack
from spielwerk.games.symmetry import canonical
from spielwerk.kernels.dispatch import implement
from spielwerk.spec import Option
from spielwerk.values.features import Maker, active
from spielwerk.values.sparse import Sparse, append


class Table(NamedTuple):
    """One feature for each position in which the game goes on; all its images are one position.

    Of a position that the game does not have, or in which it is over, no feature is active.
    """

    words: np.ndarray  # canonical packed positions, ascending
    symmetric: bool

    @property
    def width(self) -> int:
        return len(self.words)

    @property
    def most_active(self) -> int:
        return 1


@implement(active, Table)
def _(features: Table, game: Game, state: State, into: Sparse) -> None:
    word = canonical(game, state) if features.symmetric else pack(game, state)
    place = int(np.searchsorted(features.words, word))
    if place < features.words.size and features.words[place] == word:
        append(into, place, 1.0)


def table(
    symmetric: Annotated[bool, Option("one entry for positions that are images")] = True,
) -> Maker:
    def make(game: Game) -> Table:
        graph = game_graph(game)
        words = graph.words[graph.running]
        if symmetric:
            words = np.unique([canonical(game, unpack(game, word)) for word in words])
        return Table(words.astype(np.uint64), symmetric)

    return make
