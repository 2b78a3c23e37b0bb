"""Spielwerk: build, train, measure and play game-learning agents.

    >>> import spielwerk as sw
    >>> game = sw.parse_game("tic-tac-toe")
    >>> match = sw.play_match(game, [sw.parse_agent("alphabeta"), sw.parse_agent("random")], seed=1)
    >>> match.utilities
    (1.0, -1.0)

The names below are loaded when they are first used, so that `import spielwerk` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "Agent": "spielwerk.agents.agent",
    "Choice": "spielwerk.agents.agent",
    "Match": "spielwerk.arena.match",
    "Rng": "spielwerk.kernels.rng",
    "SpielwerkError": "spielwerk.errors",
    "parse_agent": "spielwerk.agents.catalogue",
    "parse_game": "spielwerk.games.catalogue",
    "parse_position": "spielwerk.games.notation",
    "play_match": "spielwerk.arena.match",
    "round_robin": "spielwerk.arena.tournament",
}

__all__ = ["__version__", *_HOME]

if TYPE_CHECKING:
    from spielwerk.agents.agent import Agent, Choice
    from spielwerk.agents.catalogue import parse_agent
    from spielwerk.arena.match import Match, play_match
    from spielwerk.arena.tournament import round_robin
    from spielwerk.errors import SpielwerkError
    from spielwerk.games.catalogue import parse_game
    from spielwerk.games.notation import parse_position
    from spielwerk.kernels.rng import Rng


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'spielwerk' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
