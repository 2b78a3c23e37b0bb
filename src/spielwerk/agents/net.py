"""A neural net as a player: it makes the move that it holds for best, without any search."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from spielwerk.agents.agent import Choice, best_moves
from spielwerk.errors import SpielwerkError
from spielwerk.games.connectx import ConnectX
from spielwerk.games.rules import (
    DRAWN,
    RUNNING,
    Game,
    State,
    actions,
    outcome,
    pack,
    transition,
    unpack,
)
from spielwerk.kernels.bits import ONE, ZERO, bit_indices, lowest_bit, signed
from spielwerk.kernels.jit import kernel
from spielwerk.kernels.rng import Rng
from spielwerk.spec import Option
from spielwerk.values.net import Net, use_net

CHUNK = 4096
"""Positions that a net is asked for at once."""


@dataclass(frozen=True)
class NetAgent:
    """Looks one ply ahead by the value of what comes after each move, or takes the move that the
    policy likes best. A move that wins at once is made in any case."""

    net: Annotated[
        str, Option("a file, the folder of a run, or one of `nets`", positional=True)
    ] = "connect-four"
    by: Annotated[Literal["value", "policy"], Option("of after-states, or of moves")] = "value"
    mirror: Annotated[bool, Option("the mean of a position and its mirror image")] = True

    def check(self, game: Game) -> None:
        net = use_net(self.net, game)
        if self.by == "policy" and not net.header.policy:
            raise SpielwerkError(f"{self.net} has no policy: it values positions only.")

    def choose(self, game: Game, observation: State, rng: Rng) -> Choice:
        word = np.array([pack(game, observation)], np.uint64)
        scores = self._scores(game, word)[0]
        legal = list(bit_indices(actions(game, observation)))
        best = best_moves({move: float(scores[move]) for move in legal})
        values = {} if self.by == "policy" else {move: float(scores[move]) for move in legal}
        return Choice(move=best[rng.below(len(best))], values=values)

    def candidates(self, game: Game, state: State) -> list[int]:
        """The moves that it chooses between by chance: one, as a rule."""
        word = np.array([pack(game, state)], np.uint64)
        return list(bit_indices(self.best_moves(game, word)[0]))

    def best_moves(self, game: Game, words: np.ndarray) -> np.ndarray:
        """For packed positions the set of moves, as bits, that it chooses between."""
        best = best_by_policy if self.by == "policy" else best_by_value
        return best(use_net(self.net, game), words, self.mirror)

    def _scores(self, game: Game, words: np.ndarray) -> np.ndarray:
        score = policy_scores if self.by == "policy" else value_scores
        return score(use_net(self.net, game), words, self.mirror)


def best_by_value(net: Net, words: np.ndarray, symmetric: bool) -> np.ndarray:
    """For packed positions the set of moves, as bits, with the best position after them."""
    return _best(value_scores, net, words, symmetric)


def best_by_policy(net: Net, words: np.ndarray, symmetric: bool) -> np.ndarray:
    """The same for the moves that the policy likes best."""
    return _best(policy_scores, net, words, symmetric)


Scores = Callable[[Net, np.ndarray, bool], np.ndarray]


def _best(scores: Scores, net: Net, words: np.ndarray, symmetric: bool) -> np.ndarray:
    parts = [
        _highest(scores(net, words[begin : begin + CHUNK], symmetric))
        for begin in range(0, words.size, CHUNK)
    ]
    return np.concatenate(parts) if parts else np.zeros(0, np.uint64)


def value_scores(net: Net, words: np.ndarray, symmetric: bool) -> np.ndarray:
    """Of every move of every position minus the value of what comes after, which is the opponent's;
    −∞ where it is not legal."""
    ends, after = _looked_ahead(net, words)
    running = np.isnan(ends)
    if running.any():
        ends[running] = -net.evaluate(after[running], symmetric)[:, 0]
    return ends


def policy_scores(net: Net, words: np.ndarray, symmetric: bool) -> np.ndarray:
    """The logits; ∞ for a move that wins at once, −∞ for one that is not legal."""
    ends, _ = _looked_ahead(net, words)
    logits = net.evaluate(words, symmetric)[:, 1:].astype(np.float64)
    return np.where(np.isneginf(ends), -np.inf, np.where(ends > 0, np.inf, logits))


def _looked_ahead(net: Net, words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    ends = np.full((words.size, net.game.cols), -np.inf)
    after = np.zeros((words.size, net.game.cols), np.uint64)
    after_states(net.game, words, ends, after)
    return ends, after


def _highest(scores: np.ndarray) -> np.ndarray:
    """The columns with the highest score, as bits."""
    best = scores == scores.max(axis=1, keepdims=True)
    best &= ~np.isneginf(scores)
    bits: np.ndarray = (best * (1 << np.arange(scores.shape[1]))).sum(axis=1).astype(np.uint64)
    return bits


@kernel
def after_states(game: ConnectX, words: np.ndarray, ends: np.ndarray, after: np.ndarray) -> None:
    """Of every legal move what it ends the game with, for who makes it; NaN where the game goes on,
    and the packed position after it."""
    for number in range(words.size):
        state = unpack(game, words[number])
        if outcome(game, state) != RUNNING:
            continue
        rest = actions(game, state)
        while rest != ZERO:
            move = signed(lowest_bit(rest))
            rest &= rest - ONE
            follows = transition(game, state, move)
            end = outcome(game, follows)
            if end == RUNNING:
                ends[number, move] = np.nan
                after[number, move] = pack(game, follows)
            else:
                ends[number, move] = 0.0 if end == DRAWN else 1.0
