"""Our games as PettingZoo environments, and policies that were trained there as our agents.

`env` and `raw_env` need PettingZoo (extra `pettingzoo`); a `PolicyAgent` plays without it.
"""

from typing import TYPE_CHECKING, Any

from spielwerk.adapters.pettingzoo.encodings import encode, encoding_limits, is_cut_short, view
from spielwerk.adapters.pettingzoo.pictures import picture
from spielwerk.adapters.pettingzoo.policies import AgentPolicy, PolicyAgent
from spielwerk.errors import SpielwerkError
from spielwerk.games.rules import Game

if TYPE_CHECKING:
    from spielwerk.adapters.pettingzoo.environment import SpielwerkEnv

__all__ = [
    "AgentPolicy",
    "PolicyAgent",
    "encode",
    "encoding_limits",
    "env",
    "is_cut_short",
    "picture",
    "raw_env",
    "view",
]


def env(game: Game | str, render_mode: str | None = None) -> Any:
    """The environment of a game, e.g. "connectx:5x4,k=3", wrapped as PettingZoo's classics are.

    An illegal action ends the game: −1 for who made it, 0 for all others. One that does not exist,
    and calls in the wrong order, are errors.
    """
    raw = raw_env(game, render_mode)
    from pettingzoo.utils import wrappers

    wrapped = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


def raw_env(game: Game | str, render_mode: str | None = None) -> "SpielwerkEnv":
    """The same without wrappers: an illegal action is an IllegalMoveError, and nothing happens."""
    try:
        import pettingzoo  # noqa: F401
    except ImportError:
        raise SpielwerkError(
            "PettingZoo is not installed; `pip install 'spielwerk[pettingzoo]'` installs it."
        ) from None
    from spielwerk.adapters.pettingzoo.environment import SpielwerkEnv

    return SpielwerkEnv(game, render_mode)
