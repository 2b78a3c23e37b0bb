"""Policies as agents, and agents as policies.

A policy is a function of what an environment shows: PettingZoo's learners make such functions.
"""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from spielwerk.adapters.pettingzoo.encodings import Observation, encoding_limits, observe
from spielwerk.agents.agent import (
    Agent,
    Choice,
    best_moves,
    check_agent,
    for_match,
)
from spielwerk.agents.catalogue import agent_spec, parse_agent
from spielwerk.errors import IllegalMoveError, SpielwerkError
from spielwerk.games.catalogue import game_spec, parse_game
from spielwerk.games.notation import check_move
from spielwerk.games.rules import (
    RUNNING,
    Game,
    State,
    action_count,
    deal,
    legal_moves,
    observation,
    outcome,
    player,
)
from spielwerk.kernels.dispatch import implements
from spielwerk.kernels.rng import Rng, seat_seed

Policy: TypeAlias = Callable[[Observation], Any]
"""Returns an action, or a number for every action: a score or a probability."""

TOLERANCE = 0.01
"""By how much probabilities may miss 1: some are computed with half precision."""


@dataclass(frozen=True)
class PolicyAgent:
    """Plays by a policy, which sees what the environment of the game would show it.

    Of an array of scores or probabilities the highest legal one is taken, equal ones by chance;
    with `sample` a legal action is drawn by its probability. What is not legal counts for nothing.
    """

    policy: Policy
    sample: bool = False
    game: str = ""
    """The spec of the game it was trained for; it refuses others. Empty: plays what it is given."""

    def __post_init__(self) -> None:
        if not callable(self.policy):
            raise SpielwerkError(f"A policy is a function of an observation, not {self.policy!r}.")

    def check(self, game: Game) -> None:
        encoding_limits(game)
        if self.game and game_spec(parse_game(self.game)) != game_spec(game):
            raise SpielwerkError(f"This policy is for {self.game}, not for {game_spec(game)}.")

    def choose(self, game: Game, observation: State, rng: Rng) -> Choice:
        answer = self.policy(observe(game, observation, player(game, observation)))
        if np.ndim(answer) > 0:
            scores = _as_scores(answer, action_count(game))
            legal = {move: float(scores[move]) for move in legal_moves(game, observation)}
            return Choice(self._pick(scores, legal, rng))
        move = _as_action(answer)
        if self.sample:
            raise SpielwerkError(
                "To sample, a policy must return a probability for every action; this one "
                f"returned the action {move}."
            )
        try:
            check_move(game, observation, move)
        except IllegalMoveError as error:
            raise IllegalMoveError(
                f"The policy chose action {move}, which is illegal. {error}"
            ) from None
        return Choice(move)

    def _pick(self, scores: np.ndarray, legal: dict[int, float], rng: Rng) -> int:
        if any(np.isnan(score) for score in legal.values()):
            raise SpielwerkError("The policy returned NaN for a legal action.")
        if not self.sample:
            best = best_moves(legal)
            return best[rng.below(len(best))]
        if np.any(scores < 0) or not abs(scores.sum() - 1) < TOLERANCE:
            raise SpielwerkError(
                "To sample, a policy must return probabilities, none negative, which add up to 1; "
                f"these go from {scores.min():g} to {scores.max():g} and add up to "
                f"{scores.sum():g}. Take the softmax of logits."
            )
        total = sum(legal.values())
        if total <= 0:
            raise SpielwerkError(
                "The policy gives all probability to illegal actions: nothing is left to sample."
            )
        rest = rng.unit() * total
        possible = [move for move in legal if legal[move] > 0]
        for move in possible:
            rest -= legal[move]
            if rest < 0:
                return move
        return possible[-1]  # rounding left a little


class AgentPolicy:
    """One of our agents, by its spec, in a loop over an environment: called, it returns an action.

    It plays for whoever is to move. All its chance comes from the seed of the environment, as in
    `play_match`: a loop in which agents choose every action is the match with that seed.
    """

    def __init__(self, env: Any, agent: Agent | str) -> None:
        from spielwerk.adapters.pettingzoo.environment import SpielwerkEnv

        raw = getattr(env, "unwrapped", env)
        if not isinstance(raw, SpielwerkEnv):
            raise SpielwerkError(f"An environment of Spielwerk's is needed, not {env!r}.")
        self._env = raw
        self._agent = parse_agent(agent) if isinstance(agent, str) else agent
        check_agent(self._agent, self._env.game)
        self._episode = 0
        self._seats: dict[int, tuple[Agent, Rng]] = {}

    def __call__(self) -> int:
        """The action of the agent whose turn it is."""
        env = self._env
        env.check_begun()
        if outcome(env.game, env.position) != RUNNING:
            raise SpielwerkError("The game is over: the action of every agent is None.")
        if env.episode != self._episode:
            self._episode, self._seats = env.episode, {}
        seat = player(env.game, env.position)
        if seat not in self._seats:
            assert env.match_seed is not None
            seed = seat_seed(env.match_seed, seat, implements(deal, env.game))
            self._seats[seat] = for_match(self._agent), Rng(seed)
        chooser, rng = self._seats[seat]
        decision = chooser.choose(env.game, observation(env.game, env.position), rng)
        if not isinstance(decision, Choice):
            raise SpielwerkError(
                f"{agent_spec(self._agent)} returned {decision!r} where a Choice was expected."
            )
        return int(decision.move)


def _as_action(answer: object) -> int:
    try:
        return operator.index(answer)  # type: ignore[arg-type]
    except TypeError:
        raise SpielwerkError(
            f"A policy returns an action or a number for every action, not {answer!r}."
        ) from None


def _as_scores(answer: object, count: int) -> np.ndarray:
    try:
        scores = np.asarray(answer, np.float64)
    except (RuntimeError, TypeError, ValueError) as error:
        raise SpielwerkError(
            f"What the policy returned, {type(answer).__name__}, is no array of numbers: {error}."
        ) from None
    if scores.shape != (count,):
        raise SpielwerkError(
            f"A policy returns an action or an array of shape ({count},), a number for every "
            f"action; this one returned {type(answer).__name__} of shape {scores.shape}."
        )
    return scores
