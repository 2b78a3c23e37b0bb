"""N-tuple systems as players: greedy, with alpha-beta on top, with an exact endgame."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from spielwerk.agents.agent import Choice
from spielwerk.agents.perfect import Perfect
from spielwerk.agents.td import Td
from spielwerk.errors import SpielwerkError
from spielwerk.games.connectx import ConnectX
from spielwerk.games.rules import Game, State, transition
from spielwerk.kernels.rng import Rng
from spielwerk.search.solving import plies_left, shared_solver
from spielwerk.spec import Option
from spielwerk.values.column_tuples import ColumnTuples
from spielwerk.values.features import WithBias
from spielwerk.values.model import use_learned
from spielwerk.values.tuples import Tuples

EXACT = 22
"""With so many empty cells the scores of all moves take milliseconds."""
PROVEN = {1: "won", 0: "drawn", -1: "lost"}


@dataclass(frozen=True)
class NTuple:
    """A model made of n-tuples. With a depth of more than one it looks ahead (Thill 2012, §4.6.3).

    With an endgame it plays by proof as soon as no more cells than that are empty: its favourite
    among the moves that give nothing away, and near the end the quickest win.
    """

    model: Annotated[
        str, Option("a file, the folder of a run, or one of `models`", positional=True)
    ] = "connect-four"
    depth: Annotated[int, Option("plies to look ahead", least=1, most=100)] = 1
    endgame: Annotated[
        int, Option("play by proof with so many empty cells (ConnectX)", least=0, most=64)
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
            if plies_left(game, observation) <= EXACT:
                return Perfect().choose(game, observation, rng)
            return self._by_proof(game, observation)
        return self._estimating.choose(game, observation, rng)

    def candidates(self, game: Game, state: State) -> list[int]:
        """The moves that it chooses between by chance: one, as a rule."""
        if self._is_endgame(game, state):
            if plies_left(game, state) <= EXACT:
                return list(shared_solver(game).best_moves(state))
            return [self._by_proof(game, state).move]
        return self._estimating.candidates(game, state)

    def plays_exactly(self, game: Game, state: State) -> bool:
        """Whether it plays by proof from here on, and can give nothing away."""
        return self._is_endgame(game, state)

    def best_moves(self, game: Game, words: np.ndarray) -> np.ndarray | None:
        return None if self.endgame else self._estimating.best_moves(game, words)

    def _by_proof(self, game: Game, state: State) -> Choice:
        """The move that the model likes best of those that keep what the position is worth.

        One such move is proven, not the scores of all: a fraction of the work of `perfect`.
        """
        solver, values = shared_solver(game), Td(self.model).choose(game, state, Rng(0)).values
        worth = solver.sign(state)
        for move in sorted(values, key=lambda move: (-values[move], move)):
            if -solver.sign(transition(game, state, move)) == worth:
                return Choice(move, {move: float(worth)}, {move: PROVEN[worth]})
        raise AssertionError("Some move keeps what a position is worth.")

    @property
    def _estimating(self) -> Td:
        return Td(self.model, self.depth)

    def _is_endgame(self, game: Game, state: State) -> bool:
        return self.endgame > 0 and plies_left(game, state) <= self.endgame
