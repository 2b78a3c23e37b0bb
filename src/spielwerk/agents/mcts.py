"""Monte-Carlo tree search as a player, with every option of Göppert's thesis and some more."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Literal

from spielwerk.agents.agent import Choice
from spielwerk.agents.valuing import NAMES, NET_PREFIX, value_function
from spielwerk.errors import SpecError, SpielwerkError
from spielwerk.games.rules import Game, State, pack, player_count
from spielwerk.kernels.dispatch import implements
from spielwerk.kernels.rng import Rng
from spielwerk.search.mcts.amaf import AlphaAmaf, Amaf, LinearRave, NoAmaf, Rave
from spielwerk.search.mcts.batches import Awaited
from spielwerk.search.mcts.kernel import Parts
from spielwerk.search.mcts.policies import (
    Blend,
    Decisive,
    LastGoodReply,
    Leaf,
    PlayoutOnly,
    Policy,
    RandomPlayout,
)
from spielwerk.search.mcts.search import (
    MEGABYTES,
    Evaluator,
    Finding,
    Findings,
    Search,
    Settings,
)
from spielwerk.search.mcts.selection import Selection, Ucd, Uct, Uct1, Uct2, Uct3
from spielwerk.spec import Option
from spielwerk.values.net import use_net
from spielwerk.values.net_memory import NetMemory

ITERATIONS = 10_000
"""If no budget is given."""
USUAL_CP = {None: 0.8, "alpha": 0.4, "rave": 0.2, "linear": 0.2}
"""The thesis's best, by `amaf`."""


@dataclass(frozen=True)
class Mcts:
    """Tries moves out in many playouts, the better ones more often."""

    iterations: Annotated[
        int | None,
        Option(f"playouts per move ({ITERATIONS} without seconds)", least=1, most=10**9),
    ] = None
    seconds: Annotated[
        float | None,
        Option("time per move; with iterations, whichever ends first", least=0.001, most=86400),
    ] = None
    cp: Annotated[
        float | None,
        Option(
            "how much to explore (0.8; with amaf=alpha 0.4, rave and linear 0.2)",
            least=0,
            most=1000,
        ),
    ] = None
    select: Annotated[
        Literal["uct", "uct1", "uct2", "uct3", "ucd"],
        Option("a tree (uct), or a graph in which equal positions meet"),
    ] = "uct"
    symmetry: Annotated[bool | None, Option("graphs: mirrored positions meet as well (yes)")] = None
    d1: Annotated[int | None, Option("ucd: depth of the mean (1)", least=0, most=6)] = None
    d2: Annotated[int | None, Option("ucd: depth of the parent's visits (0)", least=0, most=6)] = (
        None
    )
    d3: Annotated[int | None, Option("ucd: depth of the visits (0)", least=0, most=6)] = None
    amaf: Annotated[
        Literal["alpha", "rave", "linear"] | None,
        Option("learn from moves made later: a fixed share, or one that fades"),
    ] = None
    alpha: Annotated[float | None, Option("amaf=alpha: the share (0.5)", least=0, most=1)] = None
    k: Annotated[
        float | None,
        Option("amaf=rave: visits at which it is one half (50); linear: none (200)", most=1e9),
    ] = None
    playout: Annotated[
        Literal["random", "lgr", "decisive"],
        Option("any move; last good replies; win or block at once"),
    ] = "random"
    keep: Annotated[bool | None, Option("lgr: keep replies between moves (yes)")] = None
    forget: Annotated[bool | None, Option("lgr: drop replies that lost (no)")] = None
    value: Annotated[str | None, Option(f"of leaves: {NAMES}, or net:NET")] = None
    weight: Annotated[
        float | None, Option("of the value; the rest is the playout's (0.5)", least=0, most=1)
    ] = None
    batch: Annotated[
        int | None, Option("value=net: leaves valued at once, at most (64)", least=1, most=4096)
    ] = None
    mirror: Annotated[
        bool | None, Option("value=net: the mean of a position and its mirror image (yes)")
    ] = None
    tree: Annotated[Literal["keep", "drop"], Option("between moves")] = "drop"
    solver: Annotated[bool, Option("back up proven wins, losses and draws")] = False
    choose_by: Annotated[
        Literal["value", "visits"], Option("play the best, or the most visited move", name="choose")
    ] = "value"
    threads: Annotated[int, Option("trees that grow at once", least=1, most=256)] = 1
    memory: Annotated[float, Option("megabytes for the tree", least=0.01, most=65536)] = MEGABYTES

    def __post_init__(self) -> None:
        self._demand("symmetry", "select=uct1, uct2, uct3 or ucd", self.select != "uct")
        for name in ("d1", "d2", "d3"):
            self._demand(name, "select=ucd", self.select == "ucd")
        self._demand("alpha", "amaf=alpha", self.amaf == "alpha")
        self._demand("k", "amaf=rave or linear", self.amaf in ("rave", "linear"))
        self._demand("keep", "playout=lgr", self.playout == "lgr")
        self._demand("forget", "playout=lgr", self.playout == "lgr")
        self._demand("weight", "value", self.value is not None)
        for name in ("batch", "mirror"):
            self._demand(name, "value=net:NET", self._net is not None)
        if self.k is not None and not self.k > 0:
            raise SpecError(f"mcts: k must be more than 0, not {self.k:g}.")
        if self.iterations is not None and self.iterations < self.threads:
            raise SpecError(f"mcts: {self.threads} threads need as many iterations at least.")

    def _demand(self, name: str, condition: str, holds: bool) -> None:
        if getattr(self, name) is not None and not holds:
            raise SpecError(f"mcts: {name} means nothing without {condition}.")

    def check(self, game: Game) -> None:
        if player_count(game) != 2 or not implements(pack, game):
            raise SpielwerkError(
                f"mcts plays games of two with nothing hidden, not {type(game).__name__}."
            )
        self.settings(game)

    def for_match(self) -> "MctsPlayer":
        """A player with a memory of its own, for one match."""
        return MctsPlayer(self)

    def choose(self, game: Game, observation: State, rng: Rng) -> Choice:
        return self.for_match().choose(game, observation, rng)

    def settings(self, game: Game) -> Settings:
        """The search that the options describe."""
        iterations = self.iterations
        if iterations is None and self.seconds is None:
            iterations = ITERATIONS
        parts = Parts(
            self._selection(), self._amaf(), self._policy(), self._leaf(game), self.solver
        )
        return Settings(
            parts=parts,
            iterations=iterations,
            seconds=self.seconds,
            symmetric=self.select != "uct" and self.symmetry is not False,
            keep_tree=self.tree == "keep",
            keep_replies=self.playout == "lgr" and self.keep is not False,
            megabytes=self.memory,
            threads=self.threads,
            batch=64 if self.batch is None else self.batch,
            evaluator=self._evaluator(game),
        )

    def _selection(self) -> Selection:
        cp = float(USUAL_CP[self.amaf] if self.cp is None else self.cp)
        if self.select == "ucd":
            depths = (self.d1 if self.d1 is not None else 1, self.d2 or 0, self.d3 or 0)
            return Ucd(cp, *depths)
        return {"uct": Uct, "uct1": Uct1, "uct2": Uct2, "uct3": Uct3}[self.select](cp)

    def _amaf(self) -> Amaf:
        if self.amaf == "alpha":
            return AlphaAmaf(0.5 if self.alpha is None else self.alpha)
        if self.amaf == "rave":
            return Rave(50.0 if self.k is None else self.k)
        if self.amaf == "linear":
            return LinearRave(200.0 if self.k is None else self.k)
        return NoAmaf()

    def _policy(self) -> Policy:
        if self.playout == "lgr":
            return LastGoodReply(bool(self.forget))
        return Decisive() if self.playout == "decisive" else RandomPlayout()

    def _leaf(self, game: Game) -> Leaf:
        if self.value is None:
            return PlayoutOnly()
        weight = 0.5 if self.weight is None else self.weight
        if self._net is not None:
            return Awaited(weight)
        return Blend(value_function(self.value, game), weight)

    @property
    def _net(self) -> str | None:
        """The net that values leaves, if one does."""
        if self.value is None or not self.value.startswith(NET_PREFIX):
            return None
        return self.value.removeprefix(NET_PREFIX)

    def _evaluator(self, game: Game) -> Callable[[], Evaluator] | None:
        if self._net is None:
            return None
        net, mirror = use_net(self._net, game), self.mirror is not False
        return lambda: NetMemory(net, mirror)


@dataclass
class MctsPlayer:
    """One match's player: it may go on with the tree and the replies of its last move."""

    agent: Mcts
    _search: Search | None = field(default=None, repr=False)

    def choose(self, game: Game, observation: State, rng: Rng) -> Choice:
        if self._search is None or self._search.game != game:
            self._search = Search(game, self.agent.settings(game))
        found = self._search.think(observation, rng.bits())
        best = best_findings(found, self.agent.choose_by)
        return choice_of(found, best[rng.below(len(best))])


def choice_of(found: Findings, move: int) -> Choice:
    """A move, with everything that its search has found."""
    # The line follows the visits; a move that is chosen by proof may not be on it.
    line = list(found.line) if found.line[:1] == (move,) else [move]
    return Choice(
        move=move,
        values={move: finding.value for move, finding in found.moves.items()},
        notes={
            move: note
            for move, finding in found.moves.items()
            if (note := _in_words(finding)) is not None
        },
        statistics={
            "visits": {move: finding.visits for move, finding in found.moves.items()},
            "line": line,
            "iterations": found.iterations,
            "nodes": found.nodes,
            "proven": found.proven,
        },
        seconds=found.seconds,
    )


def best_findings(found: Findings, by: str) -> list[int]:
    """The moves to choose from: best by value or visits, none that gives away what is proven."""
    able = {
        move: finding
        for move, finding in found.moves.items()
        if finding.upper >= found.lower and (found.proven is None or finding.lower == found.lower)
    }
    winning = {move: finding for move, finding in able.items() if finding.lower == 1}
    able = winning or able
    scores = {move: f.value if by == "value" else float(f.visits) for move, f in able.items()}
    highest = max(scores.values())
    return [move for move, score in scores.items() if score == highest]


def _in_words(finding: Finding) -> str | None:
    if finding.lower != finding.upper:
        return None
    return {1: "proven win", 0: "proven draw", -1: "proven loss"}[finding.lower]
