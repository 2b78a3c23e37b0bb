"""A policy-value net with a search: PUCT, as in AlphaZero."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from spielwerk.agents.agent import Choice
from spielwerk.agents.mcts import best_findings, choice_of
from spielwerk.errors import SpecError, SpielwerkError
from spielwerk.games.rules import Game, State
from spielwerk.kernels.rng import Rng
from spielwerk.search.mcts.search import MEGABYTES
from spielwerk.search.puct import Puct
from spielwerk.search.puct_search import PuctSearch, PuctSettings
from spielwerk.spec import Option
from spielwerk.values.net import use_net
from spielwerk.values.net_memory import NetMemory

ITERATIONS = 800
"""If no budget is given."""


@dataclass(frozen=True)
class PuctAgent:
    """Looks where its policy points, and asks its value instead of playing out."""

    net: Annotated[
        str, Option("a file, the folder of a run, or one of `nets`", positional=True)
    ] = "connect-four"
    iterations: Annotated[
        int | None,
        Option(f"per move ({ITERATIONS} without seconds)", least=2, most=10**8),
    ] = None
    seconds: Annotated[
        float | None,
        Option("time per move; with iterations, whichever ends first", least=0.001, most=86400),
    ] = None
    cp: Annotated[float, Option("how much to explore", least=0, most=1000)] = 1.5
    fpu: Annotated[
        float, Option("so much worse than its position is a move never tried", least=0, most=2)
    ] = 0.2
    batch: Annotated[int, Option("leaves valued at once, at most", least=1, most=4096)] = 16
    mirror: Annotated[bool, Option("the mean of a position and its mirror image")] = True
    solver: Annotated[bool, Option("back up proven wins, losses and draws")] = True
    choose_by: Annotated[
        Literal["visits", "value"], Option("play the most visited, or the best move", name="choose")
    ] = "visits"
    memory: Annotated[float, Option("megabytes for the tree", least=0.01, most=65536)] = MEGABYTES

    def __post_init__(self) -> None:
        if self.cp == 0 and self.fpu == 0:
            raise SpecError("puct: with cp=0 and fpu=0 it would never look at a second move.")

    def check(self, game: Game) -> None:
        if not use_net(self.net, game).header.policy:
            raise SpielwerkError(
                f"{self.net} has no policy to search by; use it as mcts:value=net:{self.net}."
            )

    def for_match(self) -> "PuctPlayer":
        """A player with a memory of its own, for one match."""
        return PuctPlayer(self)

    def choose(self, game: Game, observation: State, rng: Rng) -> Choice:
        return self.for_match().choose(game, observation, rng)

    def settings(self, game: Game) -> PuctSettings:
        iterations = self.iterations
        if iterations is None and self.seconds is None:
            iterations = ITERATIONS
        net = use_net(self.net, game)
        return PuctSettings(
            puct=Puct(self.cp, self.fpu, self.solver),
            evaluator=lambda: NetMemory(net, self.mirror),
            iterations=iterations,
            seconds=self.seconds,
            batch=self.batch,
            megabytes=self.memory,
        )


@dataclass
class PuctPlayer:
    """One match's player: it remembers what its net has said."""

    agent: PuctAgent
    _search: PuctSearch | None = field(default=None, repr=False)

    def choose(self, game: Game, observation: State, rng: Rng) -> Choice:
        if self._search is None or self._search.game != game:
            self._search = PuctSearch(game, self.agent.settings(game))
        found = self._search.think(observation)
        best = best_findings(found, self.agent.choose_by)
        return choice_of(found, best[rng.below(len(best))])
