"""The player that every other one should beat."""

from dataclasses import dataclass

from spielwerk.agents.agent import Choice
from spielwerk.games.rules import Game, State, actions
from spielwerk.kernels.bits import bit_indices
from spielwerk.kernels.rng import Rng


@dataclass(frozen=True)
class RandomAgent:
    """Every legal move is equally likely."""

    def choose(self, game: Game, observation: State, rng: Rng) -> Choice:
        moves = list(bit_indices(actions(game, observation)))
        return Choice(moves[rng.below(len(moves))])
