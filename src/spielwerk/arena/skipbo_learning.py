"""Whom a learning Skip-Bo player plays with, and how good it is."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from spielwerk.agents.agent import check_agent
from spielwerk.agents.catalogue import parse_agent
from spielwerk.arena.batch import policy_of
from spielwerk.arena.plan import seating
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.skipbo import SkipBo
from spielwerk.kernels.rng import derive_seed
from spielwerk.learning.skipbo_config import SELF, SkipBoConfig, skipbo_config_from
from spielwerk.learning.skipbo_training import SkipBoRun, make_skipbo_run
from spielwerk.search.skipbo_policies import Policy, series


def begin_skipbo_run(
    game_spec: str, config: SkipBoConfig, seed: int, command: str = ""
) -> SkipBoRun:
    """A run that has not begun, with whoever it is to learn from."""
    game = parse_game(game_spec)
    rival = None if config.against == SELF else policy_called(config.against, game)
    policy_called(config.opponent, game)
    return make_skipbo_run(game_spec, config, seed, command, rival)


def remake_skipbo_run(
    game_spec: str, settings: Mapping[str, Any], seed: int, command: str
) -> SkipBoRun:
    """A run by the settings that a checkpoint names."""
    return begin_skipbo_run(game_spec, skipbo_config_from(settings), seed, command)


def policy_called(spec: str, game: Any) -> Policy:
    """What decides for the agent of this name."""
    agent = parse_agent(spec)
    check_agent(agent, game)
    policy = policy_of(agent)
    if policy is None:
        raise SpielwerkError(f"{spec} cannot sit at a table at which somebody learns.")
    return policy


def skipbo_measure(
    game: SkipBo, config: SkipBoConfig, seed: int
) -> Callable[[Policy], dict[str, float]]:
    """Games won against the opponent, in all other seats, and cards left; always the same deals.

    Drawn games are shared.
    """
    opponent = policy_called(config.opponent, game)
    seeds = np.array([derive_seed(seed, n) for n in range(config.evaluation_games)], np.uint64)
    seats = np.array([seating(n, game.players) for n in range(seeds.size)], np.int64)
    own = np.argmin(seats, axis=1)  # player 0 sits there

    def measure(learned: Policy) -> dict[str, float]:
        ended = series(game, [learned] + [opponent] * (game.players - 1), seats, seeds)
        won = np.where(ended.winners < 0, 1 / game.players, ended.winners == own)
        left = ended.left[np.arange(seeds.size), own]
        return {"success": float(won.mean()), "cards": float(left.mean())}

    return measure
