"""What an agent is: something with a `choose`. What it returns: a move, and what it thought."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from spielwerk.games.rules import Game, State
from spielwerk.kernels.rng import Rng


@dataclass(frozen=True)
class Choice:
    """A move together with what the agent thought of the legal ones."""

    move: int
    values: Mapping[int, float] = field(default_factory=dict)
    """Expected outcome per move for the player to move, −1 … 1. Empty without an opinion."""
    notes: Mapping[int, str] = field(default_factory=dict)
    """In words, for some moves: "wins in 5 plies"."""
    statistics: Mapping[str, Any] = field(default_factory=dict)
    """Of the search: nodes, depth, …"""
    seconds: float | None = field(default=None, compare=False)
    """How long a search took, without compiling; not compared."""


@dataclass(frozen=True)
class Resign:
    """Given instead of a move: the player gives up, of its own will or for the reason given."""

    reason: str = ""


@dataclass(frozen=True)
class TakeBack:
    """Given instead of a move: back to the last position in which a person was to move."""


Decision: TypeAlias = Choice | Resign | TakeBack


class Agent(Protocol):
    """Having the method is enough.

    An agent may also have `check(game)`, which raises a SpielwerkError if it cannot play that game,
    `for_match()`, which returns the player of a single match, if it remembers something from move
    to move, an attribute `is_person`, true for those who may take moves back, and `analyse`, like
    `choose`, if telling what it thinks of every move takes longer than choosing one.
    """

    def choose(self, game: Game, observation: State, rng: Rng) -> Decision:
        """Decide on a move for the player to move. All chance comes from `rng`."""
        ...


def check_agent(agent: Agent, game: Game) -> None:
    """Raise a SpielwerkError if the agent says that it cannot play this game."""
    check = getattr(agent, "check", None)
    if check is not None:
        check(game)


def for_match(agent: Agent) -> Agent:
    """Who plays for the agent in one match: itself, unless it has a memory."""
    make = getattr(agent, "for_match", None)
    return agent if make is None else make()


def analyse(agent: Agent, game: Game, observation: State, rng: Rng) -> Decision:
    """The agent's choice with an opinion of every move, as far as it has one."""
    return getattr(agent, "analyse", agent.choose)(game, observation, rng)


def is_person(agent: Agent) -> bool:
    return bool(getattr(agent, "is_person", False))


def describe_end(won: bool, plies: int) -> str:
    """A decided game in words, for the player to move: "wins in 5 plies"."""
    return f"{'wins' if won else 'loses'} in {plies} {'ply' if plies == 1 else 'plies'}"


def best_moves(scores: Mapping[int, float]) -> list[int]:
    """The moves with the highest score, in ascending order."""
    highest = max(scores.values())
    return [move for move in sorted(scores) if scores[move] == highest]
