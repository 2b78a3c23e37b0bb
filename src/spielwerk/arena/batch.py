"""Some games of a plan, played: the unit of work that is handed to threads or machines.

Games of players that kernels know (random ones; Skip-Bo's policies) are played in one kernel, with
the same moves as `play_match`, which plays all others.
"""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import chain
from typing import Any

import numpy as np

from spielwerk.agents.agent import Agent
from spielwerk.agents.random_agent import RandomAgent
from spielwerk.agents.skipbo import ByPolicy
from spielwerk.arena.match import Match, play_match
from spielwerk.arena.openings import after
from spielwerk.arena.plan import Fixture, Fixtures, Table
from spielwerk.games.skipbo import SEAT, SEATS, STOCK, SkipBo, turns_of
from spielwerk.kernels import interrupt
from spielwerk.search.playout import random_matches
from spielwerk.search.skipbo_policies import RANDOM, Policy, series

_log = logging.getLogger(__name__)

IN_A_KERNEL = 250
"""Games of one batch, where a kernel plays them."""
RECORDED = 4096
"""Moves for which kernels have room. A longer game is played again, move by move."""


@dataclass(frozen=True)
class Batch:
    """Games and how they ended, a row for each."""

    numbers: np.ndarray  # [games] int64
    seats: np.ndarray  # [games, seats] int64: which player sat where
    utilities: np.ndarray  # [games, seats] float64
    plies: np.ndarray  # [games] int64
    made: np.ndarray  # [games, seats] int64: moves of each
    seconds: np.ndarray  # [games, seats] float64
    seeds: tuple[int, ...]
    openings: tuple[bytes, ...]
    moves: tuple[bytes, ...]
    left: np.ndarray | None = None  # [games, seats] int64: Skip-Bo's cards left
    turns: np.ndarray | None = None  # [games] int64: Skip-Bo's turns

    def __len__(self) -> int:
        return len(self.numbers)


def batches(plan: Fixtures, numbers: Sequence[int], slow: int = 1) -> list[tuple[int, ...]]:
    """The games to play, parted into batches: large ones for kernels, else of `slow` games."""
    size = IN_A_KERNEL if kernels_know(plan.table) else slow
    return [tuple(numbers[i : i + size]) for i in range(0, len(numbers), size)]


def joined(parts: Sequence[Batch]) -> Batch:
    """Batches of the same players as one."""
    found: dict[str, Any] = {}
    for entry in fields(Batch):
        values = [getattr(part, entry.name) for part in parts]
        if values[0] is None:
            found[entry.name] = None
        elif isinstance(values[0], tuple):
            found[entry.name] = tuple(chain.from_iterable(values))
        else:
            found[entry.name] = np.concatenate(values)
    return Batch(**found)


def kernels_know(table: Table) -> bool:
    """Whether no player needs Python to choose a move."""
    if isinstance(table.game, SkipBo):
        return all(policy_of(agent) is not None for agent in table.agents)
    random = all(type(agent) is RandomAgent for agent in table.agents)
    return random and table.seats == 2 and not table.deals


def play_batch(plan: Fixtures, numbers: Sequence[int]) -> Batch:
    """Play the games of these numbers."""
    fixtures = [plan.fixture(number) for number in numbers]
    if not kernels_know(plan.table):
        return one_by_one(plan.table, fixtures)
    if isinstance(plan.table.game, SkipBo):
        return _at_card_tables(plan.table, fixtures)
    return _by_chance(plan.table, fixtures)


def match_of(table: Table, fixture: Fixture) -> Match:
    """One game, move by move."""
    start = None
    if table.start is not None:
        start = after(table.game, table.start, fixture.opening)
    agents = [table.agents[who] for who in fixture.seats]
    match = play_match(table.game, agents, fixture.seed, start)
    if match.reason:
        _log.warning("Game %d is lost without being played out: %s", fixture.number, match.reason)
    return match


def one_by_one(table: Table, fixtures: Sequence[Fixture]) -> Batch:
    table.warm_up()
    matches = [match_of(table, fixture) for fixture in fixtures]
    left = turns = None
    if isinstance(table.game, SkipBo):
        ends = [np.frombuffer(match.final.open, np.uint8) for match in matches]
        seats = range(table.seats)
        left = np.array([[int(end[SEATS + seat * SEAT + STOCK]) for seat in seats] for end in ends])
        turns = np.array([int(turns_of(end)) for end in ends])
    return Batch(
        *_rows(fixtures),
        np.array([match.utilities for match in matches]),
        np.array([len(match.moves) for match in matches]),
        np.array([match.made for match in matches]),
        np.array([match.seconds for match in matches]),
        *_words(fixtures),
        tuple(bytes(match.moves) for match in matches),
        left,
        turns,
    )


def _by_chance(table: Table, fixtures: Sequence[Fixture]) -> Batch:
    many, longest = len(fixtures), max(len(fixture.opening) for fixture in fixtures)
    openings = np.full((many, longest), -1, np.int64)
    for row, fixture in enumerate(fixtures):
        openings[row, : len(fixture.opening)] = fixture.opening
    moves = np.zeros((many, 128), np.uint8)
    made, utilities = np.zeros((many, 2), np.int64), np.zeros((many, 2))
    seeds = np.array([fixture.seed for fixture in fixtures], np.uint64)
    rest = (moves, made, utilities)
    interrupt.run(random_matches, table.game, table.start, openings, seeds[:0], *rest)  # compiled
    clock = time.perf_counter()
    interrupt.run(random_matches, table.game, table.start, openings, seeds, *rest)
    plies = made.sum(axis=1)
    return Batch(
        *_rows(fixtures),
        utilities,
        plies,
        made,
        _shared(table, time.perf_counter() - clock, made),
        *_words(fixtures),
        _recorded(table, fixtures, moves, plies),
    )


def _at_card_tables(table: Table, fixtures: Sequence[Fixture]) -> Batch:
    seeds = np.array([fixture.seed for fixture in fixtures], np.uint64)
    numbers, seats = _rows(fixtures)
    policies = [policy_of(agent) for agent in table.agents]
    known = [policy for policy in policies if policy is not None]
    series(table.game, known, seats[:0], seeds[:0])  # compiled, and not timed
    clock = time.perf_counter()
    ended = series(table.game, known, seats, seeds, RECORDED)
    utilities = np.where(ended.winners[:, None] < 0, 0.0, -1.0) * np.ones(table.seats)
    won = ended.winners >= 0
    utilities[won, ended.winners[won]] = 1.0
    made = np.repeat(ended.plies[:, None] / table.seats, table.seats, axis=1)
    return Batch(
        numbers,
        seats,
        utilities,
        ended.plies,
        made,
        _shared(table, time.perf_counter() - clock, made),
        *_words(fixtures),
        _recorded(table, fixtures, ended.moves, ended.plies),
        ended.left,
        ended.turns,
    )


def _rows(fixtures: Sequence[Fixture]) -> tuple[np.ndarray, np.ndarray]:
    return (
        np.array([fixture.number for fixture in fixtures], np.int64),
        np.array([fixture.seats for fixture in fixtures], np.int64),
    )


def _words(fixtures: Sequence[Fixture]) -> tuple[tuple[int, ...], tuple[bytes, ...]]:
    return (
        tuple(fixture.seed for fixture in fixtures),
        tuple(bytes(fixture.opening) for fixture in fixtures),
    )


def _shared(table: Table, seconds: float, made: np.ndarray) -> np.ndarray:
    """The time of a kernel, shared among all moves. It does not tell players apart: if they are not
    the same, nothing is known of anyone's."""
    known = seconds if len(set(table.specs)) == 1 else 0.0
    return made * (known / max(made.sum(), 1))


def _recorded(
    table: Table, fixtures: Sequence[Fixture], moves: np.ndarray, plies: np.ndarray
) -> tuple[bytes, ...]:
    room = moves.shape[1]
    return tuple(
        row[:count].tobytes() if count <= room else bytes(match_of(table, fixture).moves)
        for fixture, row, count in zip(fixtures, moves, plies.tolist(), strict=True)
    )


def policy_of(agent: Agent) -> Policy | None:
    """What decides for a Skip-Bo player in a kernel, if anything does."""
    if type(agent) is RandomAgent:
        return Policy(RANDOM)
    known = isinstance(agent, ByPolicy) and type(agent).choose is ByPolicy.choose
    return agent.policy if known else None  # type: ignore[attr-defined]
