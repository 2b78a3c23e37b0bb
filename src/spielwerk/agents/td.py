"""A learned value function as a player: it makes the move to the best after-state."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from spielwerk.agents.agent import Choice, best_moves
from spielwerk.agents.alphabeta import AlphaBeta
from spielwerk.games.rules import (
    RUNNING,
    Game,
    State,
    action_count,
    legal_moves,
    outcome,
    pack,
    player,
    transition,
)
from spielwerk.kernels.bits import bit_indices
from spielwerk.kernels.rng import Rng
from spielwerk.spec import Option
from spielwerk.values.learned import (
    Learned,
    after_state_values,
    best_moves_of,
    outcome_for_white,
)
from spielwerk.values.model import use_learned


@dataclass(frozen=True)
class Greedy:
    """Compares positions after its own move by r + γV; equally good ones by chance."""

    learned: Learned

    def choose(self, game: Game, observation: State, rng: Rng) -> Choice:
        white = np.full(action_count(game), np.nan)
        after_state_values(self.learned, game, observation, white)
        sign = 1 if player(game, observation) == 0 else -1
        moves = legal_moves(game, observation)
        best = best_moves({move: sign * float(white[move]) for move in moves})
        return Choice(
            move=best[rng.below(len(best))],
            values={move: sign * outcome_for_white(self.learned, white[move]) for move in moves},
            notes={
                move: "ends the game"
                for move in moves
                if outcome(game, transition(game, observation, move)) != RUNNING
            },
        )

    def candidates(self, game: Game, state: State) -> list[int]:
        """The moves that it chooses between by chance: one, as a rule."""
        word = np.array([pack(game, state)], np.uint64)
        return list(bit_indices(self.best_moves(game, word)[0]))

    def best_moves(self, game: Game, words: np.ndarray) -> np.ndarray:
        """For packed positions the set of moves, as bits, that it chooses between."""
        return best_moves_of(self.learned, game, words)


@dataclass(frozen=True)
class Td:
    """A model as a player: greedy, or with a depth of more than one looking ahead, with V at the
    horizon."""

    model: Annotated[
        str, Option("a file, the folder of a run, or one of `models`", positional=True)
    ]
    depth: Annotated[int, Option("plies to look ahead", least=1, most=100)] = 1

    def check(self, game: Game) -> None:
        use_learned(self.model, game)

    def choose(self, game: Game, observation: State, rng: Rng) -> Choice:
        if self.depth > 1:
            return AlphaBeta(self.depth, self.model).choose(game, observation, rng)
        return self._greedy(game).choose(game, observation, rng)

    def candidates(self, game: Game, state: State) -> list[int]:
        if self.depth > 1:
            return AlphaBeta(self.depth, self.model).candidates(game, state)
        return self._greedy(game).candidates(game, state)

    def best_moves(self, game: Game, words: np.ndarray) -> np.ndarray | None:
        """What a greedy player chooses between; None if that would take a search for each."""
        return None if self.depth > 1 else self._greedy(game).best_moves(game, words)

    def _greedy(self, game: Game) -> Greedy:
        return Greedy(use_learned(self.model, game))
