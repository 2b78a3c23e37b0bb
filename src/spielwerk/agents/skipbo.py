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
    ACTIONS,
    BASIC,
    BASIC_MINUS,
    MATURE,
    STATES,
    TURNS,
    WEIGHTS,
    Policy,
    decide,
    make_policies,
    make_thought,
)
from spielwerk.spec import Option
from spielwerk.values.model import use_model


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


ModelOption = Annotated[
    str, Option("a file, the folder of a run, or one of `models`", positional=True)
]


def _learned(model: str, kind: int, features: str) -> Policy:
    """A player with the weights of a model, which must be one for its features."""
    found = use_model(model)
    if found.features != features or found.weights.size != WEIGHTS[kind]:
        raise SpielwerkError(
            f"{model} is a model over {found.features} for {found.game}; {features} needs one of "
            f"its own: `spielwerk train skip-bo {features.removeprefix('skipbo-')}`."
        )
    return Policy(kind, weights=tuple(found.weights.tolist()))


class Learned(ByPolicy):
    """Somebody who plays by the weights of a model."""

    def check(self, game: Game) -> None:
        super().check(game)
        self.policy  # noqa: B018  read here, so that a wrong file is noticed before the game


@dataclass(frozen=True)
class SkipBoTd(Learned):
    """A^TD (§4.4.1): the move after which the table looks best, by fourteen features."""

    model: ModelOption = "skip-bo-td"

    @property
    def policy(self) -> Policy:
        return _learned(self.model, STATES, "skipbo-td")


@dataclass(frozen=True)
class SkipBoLea(Learned):
    """A^Lea (§4.4.2): the best move, by thirty-three features of the move itself."""

    model: ModelOption = "skip-bo-lea"

    @property
    def policy(self) -> Policy:
        return _learned(self.model, ACTIONS, "skipbo-lea")


@dataclass(frozen=True)
class SkipBoSearch(Learned):
    """Ours: searches all ways to play a turn, and has learned what their ends are worth."""

    model: ModelOption = "skip-bo-search"

    @property
    def policy(self) -> Policy:
        return _learned(self.model, TURNS, "skipbo-search")
