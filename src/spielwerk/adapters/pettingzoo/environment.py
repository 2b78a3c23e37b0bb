"""One environment for all games, in PettingZoo's terms (AEC: agents act in turn)."""

import operator
import secrets
import sys
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from spielwerk.adapters.pettingzoo.encodings import (
    Observation,
    encoding_limits,
    is_cut_short,
    observe,
    view,
)
from spielwerk.adapters.pettingzoo.pictures import picture
from spielwerk.errors import SpielwerkError, unknown_name
from spielwerk.games.catalogue import game_spec, parse_game
from spielwerk.games.notation import check_move, draw
from spielwerk.games.rules import (
    RUNNING,
    Game,
    State,
    action_count,
    deal,
    initial,
    observation,
    outcome,
    player,
    player_count,
    transition,
    utility,
)
from spielwerk.kernels.bits import WORD
from spielwerk.kernels.dispatch import implements
from spielwerk.kernels.rng import derive_seed

RENDER_MODES = ["human", "ansi", "rgb_array"]
_NEXT_MATCH = 1 << 20
"""Told apart from the numbers of seats in derived seeds."""


class SpielwerkEnv(AECEnv):
    """Matches of one game, one after the other; `player_0` begins.

    Rewards come at the end and are the `utility` of the game. The match of a seed has the cards
    that `play_match` deals with it; a reset without a seed goes on from the seed before, or takes
    one by chance if there was none.
    """

    def __init__(self, game: Game | str, render_mode: str | None = None) -> None:
        super().__init__()
        self.game: Game = parse_game(game) if isinstance(game, str) else game
        if not implements(initial, self.game):
            raise SpielwerkError(
                f'A game or its spec is needed, e.g. "connect-four", not {game!r}.'
            )
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise SpielwerkError(unknown_name("render mode", str(render_mode), RENDER_MODES))
        self.render_mode = render_mode
        self.metadata = {
            "name": game_spec(self.game),
            "render_modes": RENDER_MODES,
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(player_count(self.game))]
        limits, count = encoding_limits(self.game), action_count(self.game)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(np.zeros_like(limits), limits, dtype=limits.dtype),
                    "action_mask": spaces.Box(0, 1, (count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        self.episode = 0
        """How many matches have begun."""
        self.match_seed: int | None = None
        """Of the match at hand."""
        self.position: State = None
        """The state of the match, with all that is hidden."""

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match. No options are known; PettingZoo wants them to be accepted."""
        self.match_seed = self._next_seed() if seed is None else _checked_seed(seed)
        self.position = deal(self.game, derive_seed(self.match_seed, player_count(self.game)))
        self.episode += 1
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def step(self, action: int | None) -> None:
        """Make the action of the agent whose turn it is; None once the game is over for it."""
        self.check_begun()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        move = _checked_action(action)
        check_move(self.game, self.position, move)
        self._cumulative_rewards[agent] = 0.0
        self.position = transition(self.game, self.position, move)
        if outcome(self.game, self.position) != RUNNING:
            for seat, name in enumerate(self.possible_agents):
                self.rewards[name] = float(utility(self.game, self.position, seat))
            cut_short = is_cut_short(self.game, self.position)
            self.terminations = dict.fromkeys(self.agents, not cut_short)
            self.truncations = dict.fromkeys(self.agents, cut_short)
        self._accumulate_rewards()
        self._go_on()

    def observe(self, agent: str) -> Observation:
        """What the agent may know. Its mask is empty unless it is its turn."""
        self.check_begun()
        if agent not in self.possible_agents:
            raise SpielwerkError(unknown_name("agent", str(agent), self.possible_agents))
        seat = self.possible_agents.index(agent)
        return observe(self.game, view(self.game, self.position, seat), seat)

    def render(self) -> str | np.ndarray | None:
        """The table as the player to move sees it: printed, as text, or as a picture."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render() shows nothing without a render mode: "
                'make the environment with render_mode="ansi", "rgb_array" or "human".'
            )
            return None
        self.check_begun()
        seen = observation(self.game, self.position)
        if self.render_mode == "rgb_array":
            return picture(self.game, seen)
        text = draw(self.game, seen)
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(f"{text}\n\n")
        return None

    def close(self) -> None:
        """There is nothing to release."""

    def check_begun(self) -> None:
        """Raise a SpielwerkError if there is no match yet."""
        if self.match_seed is None:
            raise SpielwerkError("No match has begun: call reset() first.")

    def _go_on(self) -> None:
        self.agent_selection = self.possible_agents[player(self.game, self.position)]
        if self.render_mode == "human":
            self.render()

    def _next_seed(self) -> int:
        if self.match_seed is None:
            return secrets.randbits(64)
        return derive_seed(self.match_seed, _NEXT_MATCH)


def _checked_action(action: object) -> int:
    try:
        return operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        raise SpielwerkError(f"An action is a whole number, not {action!r}.") from None


def _checked_seed(seed: object) -> int:
    try:
        number = operator.index(seed)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if not 0 <= number <= WORD:
        raise SpielwerkError(f"A seed is a whole number from 0 to 2^64 − 1, not {seed!r}.")
    return number
