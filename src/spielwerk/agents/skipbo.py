"""The Skip-Bo players. They all decide in a kernel, by a `Policy`."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, Literal

from spielwerk.agents.agent import Choice
from spielwerk.errors import SpielwerkError
from spielwerk.games.rules import Game, State
from spielwerk.games.skipbo import SkipBo, read_table
from spielwerk.kernels.rng import Rng
from spielwerk.search.skipbo_policies import (
    BASIC,
    BASIC_MINUS,
    MATURE,
    Policy,
    decide,
    make_policies,
    make_thought,
)
from spielwerk.spec import Option


class ByPolicy(ABC):
    """Somebody whose moves a policy decides."""

    @property
    @abstractmethod
    def policy(self) -> Policy: ...

    def check(self, game: Game) -> None:
        if not isinstance(game, SkipBo):
            raise SpielwerkError("This player knows Skip-Bo only.")

    def choose(self, game: Game, observation: State, rng: Rng) -> Choice:
        table = read_table(observation)
        policies, thought = make_policies([self.policy]), make_thought(game)
        move, _ = decide(game, policies, 0, table, thought, rng.word())
        return Choice(int(move))


@dataclass(frozen=True)
class SkipBoBasic(ByPolicy):
    """A^B (Jahnke 2007, §3.1): lays whatever fits, the stock first; discards with a plan."""

    @property
    def policy(self) -> Policy:
        return Policy(BASIC)


@dataclass(frozen=True)
class SkipBoBasicMinus(ByPolicy):
    """A^B−: the same with random discards."""

    @property
    def policy(self) -> Policy:
        return Policy(BASIC_MINUS)


@dataclass(frozen=True)
class SkipBoMature(ByPolicy):
    """A^M (§3.2): prefers the best pile, and keeps what would help the next player."""

    block: Annotated[
        Literal["always", "newly"],
        Option("whether a card is kept also if the next player could lay its stock anyway"),
    ] = "newly"
    cover: Annotated[
        Literal["naturals", "wilds"], Option("what counts as a card to lay over it")
    ] = "wilds"

    @property
    def policy(self) -> Policy:
        return Policy(MATURE, self.block == "newly", self.cover == "wilds")
