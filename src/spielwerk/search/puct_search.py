"""A search by PUCT of one position: budget, batches, and what was found."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from spielwerk.games.rules import Game, State, pack
from spielwerk.kernels import interrupt
from spielwerk.search.mcts.search import MEGABYTES, Evaluator, Finding, Findings
from spielwerk.search.puct import (
    Forest,
    Puct,
    Waiting,
    gather,
    make_forest,
    make_waiting,
    plant,
    settle,
)

NODE_BYTES, EDGE_BYTES = 22, 20
GROWTH = 16
"""A batch of leaves is at most this part of the simulations before it: where few are made, each
should know what the others have found."""


@dataclass(frozen=True)
class PuctSettings:
    """A search in full."""

    puct: Puct
    evaluator: Callable[[], Evaluator]
    iterations: int | None = None
    seconds: float | None = None
    batch: int = 16
    """Leaves that are valued at once; fewer in a small tree."""
    megabytes: float = MEGABYTES


@dataclass
class PuctSearch:
    """Searches positions of one game, one after the other; what its net has said is remembered."""

    game: Game
    settings: PuctSettings
    _forest: Forest = field(init=False, repr=False)
    _waiting: Waiting = field(init=False, repr=False)
    _evaluate: Evaluator = field(init=False, repr=False)

    def __post_init__(self) -> None:
        forest = make_forest(self.game, 1, 1)
        most = int(self.settings.megabytes * 2**20) // (
            NODE_BYTES + EDGE_BYTES * forest.child.shape[2]
        )
        wanted = self.settings.iterations or most
        self._forest = make_forest(self.game, 1, max(2, min(wanted + 1, most)))
        self._waiting = make_waiting(self.settings.batch)
        self._evaluate = self.settings.evaluator()
        self._compiled = False

    def think(self, state: State) -> Findings:
        """Search a position in which the game goes on. No chance is involved."""
        word = np.uint64(pack(self.game, state))
        if not self._compiled:  # the time that takes is not the player's
            self._run(word, 2, None)
            self._compiled = True
        began = time.perf_counter()
        seconds = self.settings.seconds
        done = self._run(
            word, self.settings.iterations, None if seconds is None else began + seconds
        )
        return self._findings(done, time.perf_counter() - began)

    def _run(self, word: np.uint64, iterations: int | None, until: float | None) -> int:
        done = 0

        def work(flag: np.ndarray) -> None:
            nonlocal done
            puct, forest, waiting = self.settings.puct, self._forest, self._waiting
            plant(self.game, forest, 0, word)
            while iterations is None or done < iterations:
                wanted = max(1, min(self.settings.batch, done // GROWTH))
                if iterations is not None:
                    wanted = min(wanted, iterations - done)
                late = until is not None and done > 0 and time.perf_counter() >= until
                if flag[0] or late:
                    break
                made, behind = gather(self.game, puct, forest, 0, 1, wanted, waiting, 0)
                done += made
                if made == 0:
                    break
                if behind:
                    settle(
                        puct, forest, waiting, 0, behind, self._evaluate(waiting.leaves[:behind])
                    )

        interrupt.run(work)
        return done

    def _findings(self, done: int, seconds: float) -> Findings:
        forest = self._forest
        moves = {}
        for edge in np.flatnonzero(forest.tried[0, 0]).tolist():
            child, visits = int(forest.child[0, 0, edge]), int(forest.tried[0, 0, edge])
            lower, upper = (-int(bound) for bound in forest.bounds[0, child, ::-1])
            mean = float(forest.reward[0, 0, edge]) / visits
            proven = self.settings.puct.solver and lower == upper
            moves[edge] = Finding(visits, float(lower) if proven else mean, lower, upper)
        return Findings(
            moves=moves,
            iterations=done,
            seconds=seconds,
            nodes=int(forest.size[0]),
            line=self._line(),
            lower=int(forest.bounds[0, 0, 0]),
            upper=int(forest.bounds[0, 0, 1]),
        )

    def _line(self) -> tuple[int, ...]:
        """The most visited moves one after the other, as far as there are any."""
        line, node = list[int](), 0
        while self._forest.tried[0, node].any():
            edge = int(self._forest.tried[0, node].argmax())
            line.append(edge)
            node = int(self._forest.child[0, node, edge])
        return tuple(line)
