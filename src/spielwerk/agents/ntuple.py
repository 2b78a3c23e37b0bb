"""N-tuple systems as players: greedy, with alpha-beta on top, with an exact endgame."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from spielwerk.agents.agent import Choice, best_moves
from spielwerk.agents.perfect import Perfect
from spielwerk.agents.td import Td
from spielwerk.errors import SpielwerkError
from spielwerk.games.connectx import ConnectX
from spielwerk.games.rules import Game, State
from spielwerk.kernels.rng import Rng
from spielwerk.search.solving import plies_left, shared_solver
from spielwerk.spec import Option
from spielwerk.values.column_tuples import ColumnTuples
from spielwerk.values.features import WithBias
from spielwerk.values.model import use_learned
from spielwerk.values.tuples import Tuples


@dataclass(frozen=True)
class NTuple:
    """A model made of n-tuples. With a depth of more than one it looks ahead (Thill 2012, §4.6.3).

    With an endgame it plays exactly as soon as no more cells than that are empty: there the search
    reaches every end of the game, and there is nothing left to estimate.
    """

    model: Annotated[
        str, Option("a file, the folder of a run, or one of `models`", positional=True)
    ] = "connect-four"
    depth: Annotated[int, Option("plies to look ahead", least=1, most=100)] = 1
    endgame: Annotated[
        int, Option("search to the end with so many empty cells (ConnectX)", least=0, most=64)
    ] = 0

    def check(self, game: Game) -> None:
        features = use_learned(self.model, game).features
        inner = features.others if isinstance(features, WithBias) else features
        if not isinstance(inner, ColumnTuples | Tuples):
            raise SpielwerkError(f"{self.model} has no tuples; play it as td:{self.model}.")
        if self.endgame and not isinstance(game, ConnectX):
            raise SpielwerkError("ntuple: endgame is for ConnectX.")

    def choose(self, game: Game, observation: State, rng: Rng) -> Choice:
        if self._is_endgame(game, observation):
            return Perfect().choose(game, observation, rng)
        return self._estimating.choose(game, observation, rng)

    def candidates(self, game: Game, state: State) -> list[int]:
        """The moves that it chooses between by chance: one, as a rule."""
        if self._is_endgame(game, state):
            return best_moves(shared_solver(game).score_moves(state))
        return self._estimating.candidates(game, state)

    def plays_exactly(self, game: Game, state: State) -> bool:
        """Whether it plays by proof from here on, and can give nothing away."""
        return self._is_endgame(game, state)

    def best_moves(self, game: Game, words: np.ndarray) -> np.ndarray | None:
        return None if self.endgame else self._estimating.best_moves(game, words)

    @property
    def _estimating(self) -> Td:
        return Td(self.model, self.depth)

    def _is_endgame(self, game: Game, state: State) -> bool:
        return self.endgame > 0 and plies_left(game, state) <= self.endgame
