"""The generic `value`, and the simplest of all value functions.

A value function is a NamedTuple of its parameters; its type chooses the code (see
`spielwerk.kernels.dispatch`). A value is the expected outcome for the player *to move*, from −1
(lost) to 1 (won).
"""

from typing import Any, NamedTuple, TypeAlias

from spielwerk.games.rules import Game, State
from spielwerk.kernels.dispatch import generic, implement

ValueFunction: TypeAlias = Any
"""A NamedTuple of a type that `value` is registered for."""


@generic
def value(function: ValueFunction, game: Game, state: State) -> float:
    """The expected outcome of a running game for the player to move, between −1 and 1."""


class Even(NamedTuple):
    """Every position is worth the same: a search then knows only what it sees to the end."""

    level: float = 0.0


@implement(value, Even)
def _(function: Even, game: Game, state: State) -> float:
    return function.level
