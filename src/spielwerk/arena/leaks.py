"""The exhaustive check: a proof instead of a sample.

Somebody who says which moves he chooses between meets every reply of the opponent, or every best
one. Each position in which one of his moves gives something away is a *leak*. No leak among all
replies means that nobody, whatever he plays, gets more than the game is worth.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, Literal, NamedTuple

import numpy as np

from spielwerk.agents.agent import Agent
from spielwerk.arena.evaluation import check_program
from spielwerk.errors import SpielwerkError
from spielwerk.games.rules import (
    RUNNING,
    Game,
    State,
    initial,
    legal_moves,
    outcome,
    pack,
    player,
    transition,
)
from spielwerk.kernels.bits import bit_indices
from spielwerk.kernels.interrupt import stoppable
from spielwerk.search.solving import Solver, shared_solver

CHUNK = 64
"""Positions between two reports of progress."""


@dataclass(frozen=True)
class Leak:
    """A position, by moves that lead there, and a move that gives something away in it."""

    moves: tuple[int, ...]
    move: int
    before: int
    """What the position was worth: 1 a win, 0 a draw."""
    after: int
    chance: float = 0.0
    """How likely a game is to come to this move; see `LeakReport.kept`."""


@dataclass
class LeakReport:
    replies: str
    seat: int
    positions: int = 0
    """Different positions in which the agent had to move."""
    proven: int = 0
    """Positions from which on the agent plays by proof: lines end there."""
    by_stones: dict[int, int] = field(default_factory=dict)
    """How many of them after how many moves."""
    leaks: list[Leak] = field(default_factory=list)
    complete: bool = True
    """Whether all lines were followed to their end."""
    plies: int = 0
    """How far all of them were followed."""

    @property
    def kept(self) -> float:
        """How likely it is that nothing is given away, as far as lines were followed, if the
        opponent draws one of its replies each time, and the agent one of its moves."""
        return max(0.0, 1.0 - sum(leak.chance for leak in self.leaks))


class Line(NamedTuple):
    """A position that is met: moves that lead there, and how likely it is (by any moves)."""

    state: State
    moves: tuple[int, ...]
    chance: float


class _Pool:
    """Threads whose kernels Ctrl-C stops."""

    def __init__(self, threads: int, flag: np.ndarray) -> None:
        self.pool, self.flag = ThreadPoolExecutor(threads), flag

    def __enter__(self) -> "_Pool":
        return self

    def __exit__(self, *_: object) -> None:
        self.pool.shutdown(cancel_futures=True)

    def each(self, function: Callable[..., Any], *arguments: Iterable[Any]) -> list[Any]:
        """`function` of every set of arguments; KeyboardInterrupt as soon as kernels allow."""

        def work(*some: Any) -> Any:
            with stoppable(self.flag):
                return function(*some)

        try:
            return list(self.pool.map(work, *arguments))
        except KeyboardInterrupt:
            self.flag[0] = 1
            raise


def find_leaks(
    game: Game,
    agent: Agent,
    replies: Literal["best", "all"] = "best",
    seat: int = 0,
    plies: int | None = None,
    threads: int = 1,
    progress: Callable[[LeakReport, int], None] = lambda report, waiting: None,
) -> LeakReport:
    """Walk every line in which the agent in `seat` meets the opponent's replies.

    `best`: those that are best for the opponent, all equally good ones; in a lost position the most
    stubborn ones. `all`: every legal one. After `plies` moves lines are given up. Lines end at a
    leak, and where the agent says that it `plays_exactly`. Mirror images are walked as well: the
    agent need not see that they are the same. Ctrl-C gives what was found until then. `progress` is
    told how many positions of the same length wait.
    """
    check_program(agent, game)
    if not hasattr(agent, "candidates"):
        raise SpielwerkError(
            f"{type(agent).__name__} does not say which moves it chooses between; "
            "ntuple, td and alphabeta do."
        )
    report = LeakReport(replies, seat)
    flag = np.zeros(1, np.uint8)
    try:
        _walk(game, agent, shared_solver(game), plies, threads, report, progress, flag)
    except KeyboardInterrupt:
        report.complete = False
    return report


def _walk(
    game: Game,
    agent: Agent,
    solver: Solver,
    plies: int | None,
    threads: int,
    report: LeakReport,
    progress: Callable[[LeakReport, int], None],
    flag: np.ndarray,
) -> None:
    """Breadth first: all positions with as many stones together."""
    level: dict[int, Line] = {0: Line(initial(game), (), 1.0)}  # by position
    with _Pool(threads, flag) as pool:
        while level:
            if plies is not None and report.plies >= plies:
                report.complete = False
                return
            items, level = list(level.values()), {}
            mine = player(game, items[0].state) == report.seat
            if mine:
                items = _unproven(game, agent, items, report)
                report.by_stones[report.plies] = len(items)
            for begin in range(0, len(items), CHUNK):
                some = items[begin : begin + CHUNK]
                if mine:
                    moves = _own_moves(game, agent, solver, some, pool, report)
                else:
                    states, replies = [line.state for line in some], repeat(report.replies)
                    found = pool.each(_replies, repeat(game), repeat(solver), states, replies)
                    moves = [(own, len(own)) for own in found]
                for line, (played, choices) in zip(some, moves, strict=True):
                    for move in played:
                        after = transition(game, line.state, move)
                        if outcome(game, after) == RUNNING:
                            chance, word = line.chance / choices, int(pack(game, after))
                            new = Line(after, (*line.moves, move), 0.0)
                            known = level.get(word, new)
                            level[word] = known._replace(chance=known.chance + chance)
                progress(report, len(items) - begin - len(some))
            report.plies += 1


def _unproven(game: Game, agent: Agent, items: list[Line], report: LeakReport) -> list[Line]:
    """Without those from which on the agent plays by proof."""
    is_exact = getattr(agent, "plays_exactly", None)
    if is_exact is None:
        return items
    rest = [line for line in items if not is_exact(game, line.state)]
    report.proven += len(items) - len(rest)
    return rest


def _own_moves(
    game: Game,
    agent: Agent,
    solver: Solver,
    some: Sequence[Line],
    pool: _Pool,
    report: LeakReport,
) -> list[tuple[list[int], int]]:
    """The agent's moves that keep the value, and between how many it chooses; the others are
    entered as leaks."""
    states = [line.state for line in some]
    chosen = _choices(game, agent, states, pool)
    kept: list[tuple[list[int], int]] = []
    signs = pool.each(solver.sign_moves, states)
    for line, candidates, values in zip(some, chosen, signs, strict=True):
        best, count = max(values.values()), len(candidates)
        kept.append(([move for move in candidates if values[move] == best], count))
        report.leaks += [
            Leak(line.moves, move, best, values[move], line.chance / count)
            for move in candidates
            if values[move] < best
        ]
    report.positions += len(some)
    return kept


def _choices(game: Game, agent: Agent, states: Sequence[State], pool: _Pool) -> list[list[int]]:
    """The moves that the agent chooses between in each position; all at once where it can."""
    tell = getattr(agent, "best_moves", None)
    words = np.array([pack(game, state) for state in states], np.uint64)
    sets = None if tell is None else tell(game, words)
    if sets is not None:
        return [list(bit_indices(word)) for word in sets]
    return pool.each(agent.candidates, repeat(game), states)  # type: ignore[attr-defined]


def _replies(game: Game, solver: Solver, state: State, replies: str) -> list[int]:
    if replies == "all":
        return list(legal_moves(game, state))
    return list(solver.best_moves(state))
