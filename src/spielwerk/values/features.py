"""Feature vectors g(s): what a value function is told of a position (Konen 2015, §4.1.3).

A feature set is a NamedTuple of its parameters with two attributes, `width` (how many features
there are) and `most_active` (how many can be other than zero at once); `active` writes those that
are. All see the board as the first player's ("White"): the position after a move, and who made it.

Users bring their own in the same way:

    class Parity(NamedTuple):
        width: int = 1
        most_active: int = 1

    @implement(active, Parity)
    def _(features, game, state, into):
        append(into, 0, 1.0 if state.stones % 2 == 0 else -1.0)

    register_features("parity", "even or odd", lambda: lambda game: Parity())
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from spielwerk.games.rules import Game, State
from spielwerk.kernels.dispatch import generic, implement
from spielwerk.values.sparse import Sparse, append

Features: TypeAlias = Any
"""A NamedTuple with `width` and `most_active`, of a type that `active` knows."""

Maker: TypeAlias = Callable[[Game], Features]


@generic
def active(features: Features, game: Game, state: State, into: Sparse) -> None:
    """Append the features that are not zero. `into` is empty and has room for `most_active`."""


def feature_names(features: Features) -> list[str]:
    """A name for each feature: its number, unless the feature set has a method `names`."""
    names = getattr(features, "names", None)
    return [str(index) for index in range(features.width)] if names is None else names()


class WithBias(NamedTuple):
    """Other features, and one that is always 1: its weight is the bias."""

    others: Features
    place: int

    @property
    def width(self) -> int:
        return self.others.width + 1

    @property
    def most_active(self) -> int:
        return self.others.most_active + 1

    def names(self) -> list[str]:
        return [*feature_names(self.others), "bias"]


@implement(active, WithBias)
def _(features: WithBias, game: Game, state: State, into: Sparse) -> None:
    active(features.others, game, state, into)
    append(into, features.place, 1.0)


def with_bias(others: Features) -> WithBias:
    return WithBias(others, others.width)
