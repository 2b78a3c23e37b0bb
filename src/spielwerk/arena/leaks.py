"""The exhaustive check: a proof instead of a sample.

Somebody who says which moves he chooses between meets every reply of the opponent, or every best
one. Each position in which one of his moves gives something away is a *leak*. No leak among all
replies means that nobody, whatever he plays, gets more than the game is worth.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, Literal

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
    # Position → one line of moves that leads there.
    level: dict[int, tuple[State, tuple[int, ...]]] = {0: (initial(game), ())}
    with _Pool(threads, flag) as pool:
        while level:
            if plies is not None and report.plies >= plies:
                report.complete = False
                return
            items, level = list(level.values()), {}
            mine = player(game, items[0][0]) == report.seat
            if mine:
                items = _unproven(game, agent, items, report)
                report.by_stones[report.plies] = len(items)
            for begin in range(0, len(items), CHUNK):
                some = items[begin : begin + CHUNK]
                states = [state for state, _ in some]
                if mine:
                    moves = _own_moves(game, agent, solver, some, pool, report)
                else:
                    replies = repeat(report.replies)
                    moves = pool.each(_replies, repeat(game), repeat(solver), states, replies)
                for (state, line), played in zip(some, moves, strict=True):
                    for move in played:
                        after = transition(game, state, move)
                        if outcome(game, after) == RUNNING:
                            level.setdefault(int(pack(game, after)), (after, (*line, move)))
                progress(report, len(items) - begin - len(some))
            report.plies += 1


def _unproven(
    game: Game, agent: Agent, items: list[tuple[State, tuple[int, ...]]], report: LeakReport
) -> list[tuple[State, tuple[int, ...]]]:
    """Without those from which on the agent plays by proof."""
    is_exact = getattr(agent, "plays_exactly", None)
    if is_exact is None:
        return items
    rest = [item for item in items if not is_exact(game, item[0])]
    report.proven += len(items) - len(rest)
    return rest


def _own_moves(
    game: Game,
    agent: Agent,
    solver: Solver,
    some: Sequence[tuple[State, tuple[int, ...]]],
    pool: _Pool,
    report: LeakReport,
) -> list[list[int]]:
    """The agent's moves that keep the value; the others are entered as leaks."""
    states = [state for state, _ in some]
    chosen = _choices(game, agent, states, pool)
    kept: list[list[int]] = []
    signs = pool.each(solver.sign_moves, states)
    for (_, line), candidates, values in zip(some, chosen, signs, strict=True):
        best = max(values.values())
        kept.append([move for move in candidates if values[move] == best])
        report.leaks += [
            Leak(line, move, best, values[move]) for move in candidates if values[move] < best
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
