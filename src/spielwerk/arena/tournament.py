"""A tournament: a plan, and what has come of it so far."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations

import numpy as np

from spielwerk.arena.batch import Batch, batches, play_batch
from spielwerk.arena.certainty import Certainty
from spielwerk.arena.intervals import wilson
from spielwerk.arena.plan import Plan
from spielwerk.arena.score import Score
from spielwerk.arena.workers import Threads, Workers
from spielwerk.games.catalogue import game_spec
from spielwerk.games.rules import Game

FOR_WINNING, FOR_A_CARD = 25, 5
"""Skip-Bo's points (the rules in the box): for the winner, and for each card in others' stocks."""
FIRST_LOOK, FURTHER = 10, 1.25
"""Rounds before the first look at whether the order is certain, and how much later the next is."""


@dataclass
class Tournament:
    """All that is counted. Everything follows from the games, in whatever order they come."""

    plan: Plan
    done: np.ndarray = field(init=False)  # [planned] bool
    wins: np.ndarray = field(init=False)  # [players, players]: row against column
    draws: np.ndarray = field(init=False)
    by_seat: np.ndarray = field(init=False)  # [seats, 3]: won, drawn, lost
    won: np.ndarray = field(init=False)  # [players] games
    drawn: np.ndarray = field(init=False)
    sat: np.ndarray = field(init=False)
    rounds: np.ndarray = field(init=False)  # [rounds, players]: points in each
    plies: np.ndarray = field(init=False)  # [planned]: how long games lasted
    seconds: np.ndarray = field(init=False)  # [players]
    made: np.ndarray = field(init=False)  # [players]: moves
    left: np.ndarray = field(init=False)  # [players]: Skip-Bo's cards, all games together
    points: np.ndarray = field(init=False)  # [players]: Skip-Bo's
    turns: int = 0
    winners: Counter[tuple[tuple[int, ...], int]] = field(default_factory=Counter)
    """(who sat together, who won) → how often, at tables of three and more."""
    different: set[int] = field(default_factory=set)
    """Hashes of the games, seats and openings included: how many different ones there are."""
    certain: bool = False
    """Whether it was ended early because the order is certain."""

    def __post_init__(self) -> None:
        players, seats = len(self.plan.specs), self.plan.table.seats
        self.done = np.zeros(self.plan.planned, np.bool_)
        self.wins, self.draws = np.zeros((2, players, players), np.int64)
        self.by_seat = np.zeros((seats, 3), np.int64)
        self.won, self.drawn, self.sat = np.zeros((3, players), np.int64)
        self.rounds = np.zeros((self.plan.rounds, players))
        self.plies = np.zeros(self.plan.planned, np.int32)
        self.seconds, self.made = np.zeros((2, players))
        self.left, self.points = np.zeros((2, players), np.int64)

    @property
    def specs(self) -> tuple[str, ...]:
        return self.plan.specs

    @property
    def game(self) -> Game:
        return self.plan.table.game

    @property
    def planned(self) -> int:
        return self.plan.planned

    @property
    def played(self) -> int:
        return int(self.done.sum())

    @property
    def complete(self) -> bool:
        return self.certain or bool(self.done.all())

    def missing(self, rounds: int) -> list[int]:
        """Games of the first rounds that have not been played."""
        return np.flatnonzero(~self.done[: rounds * len(self.plan.groups)]).tolist()

    def add(self, batch: Batch) -> None:
        """Enter games that have not been entered before."""
        self.done[batch.numbers] = True
        whole = zip(batch.seats.tolist(), batch.openings, batch.moves, strict=True)
        self.different.update(hash((*seats, opening, moves)) for seats, opening, moves in whole)
        self.plies[batch.numbers] = batch.plies
        turn = batch.numbers // len(self.plan.groups)
        seats = range(self.plan.table.seats)
        best = batch.utilities.max(axis=1) > 0
        many = len(seats)
        for seat in seats:
            who, utility = batch.seats[:, seat], batch.utilities[:, seat]
            won, drawn = utility > 0, utility == 0
            np.add.at(self.sat, who, 1)
            np.add.at(self.won, who, won)
            np.add.at(self.drawn, who, drawn)
            share = np.where(won, 1.0, np.where(best, 0.0, 1 / many))
            np.add.at(self.rounds, (turn, who), share)
            np.add.at(self.seconds, who, batch.seconds[:, seat])
            np.add.at(self.made, who, batch.made[:, seat])
            self.by_seat[seat] += [won.sum(), drawn.sum(), (~won & ~drawn).sum()]
            if batch.left is not None:
                np.add.at(self.left, who, batch.left[:, seat])
                worth = FOR_WINNING + FOR_A_CARD * batch.left.sum(axis=1)
                np.add.at(self.points, who, np.where(won, worth, 0))
        for one, other in combinations(seats, 2):
            pair = batch.seats[:, one], batch.seats[:, other]
            gap = batch.utilities[:, one] - batch.utilities[:, other]
            np.add.at(self.wins, pair, gap > 0)
            np.add.at(self.wins, pair[::-1], gap < 0)
            np.add.at(self.draws, pair, gap == 0)
            np.add.at(self.draws, pair[::-1], gap == 0)
        if batch.turns is not None:
            self.turns += int(batch.turns.sum())
        if many > 2:
            winners = np.take_along_axis(batch.seats, batch.utilities.argmax(axis=1)[:, None], 1)
            for row, winner in zip(batch.seats[best], winners[best, 0], strict=True):
                self.winners[tuple(sorted(row.tolist())), int(winner)] += 1

    def blocks(self, rounds: int) -> np.ndarray:
        """Shares of points in blocks of games in which everybody had every seat."""
        seats, players = self.plan.table.seats, len(self.specs)
        games = math.comb(players - 1, seats - 1) * seats
        whole = self.rounds[: rounds // seats * seats].reshape(-1, seats, players)
        return whole.sum(axis=1) / games

    def is_certain(self, rounds: int) -> bool:
        """Whether the order is certain after so many rounds, if that is asked for.

        Never by games that are the same over and over: they say nothing new.
        """
        until = self.plan.until
        enough = len(self.different) >= FIRST_LOOK * len(self.plan.groups)
        self.certain = until > 0 and enough and Certainty(until).ordered(self.blocks(rounds))
        return self.certain

    def settle(self) -> None:
        """Find out, from games played before, whether it was ended early."""
        for rounds in looks(self.plan):
            if self.missing(rounds) or self.is_certain(rounds):
                break

    def against(self, one: int, other: int) -> Score:
        """What a player scored against another."""
        wins, draws = int(self.wins[one, other]), int(self.draws[one, other])
        return Score(wins, draws, int(self.wins[other, one]))

    def total(self, index: int) -> Score:
        """Games won, drawn and lost."""
        won, drawn = int(self.won[index]), int(self.drawn[index])
        return Score(won, drawn, int(self.sat[index]) - won - drawn)

    def share(self, index: int) -> float:
        """Games won, and an equal part of those that were drawn."""
        many, total = self.plan.table.seats, self.total(index)
        if total.games == 0:
            return 1 / many
        return (total.wins + total.draws / many) / total.games

    def interval(self, index: int) -> tuple[float, float]:
        """The 95 % interval of the share."""
        games = self.total(index).games
        return wilson(self.share(index) * games, games)

    def first_player(self) -> Score:
        """What whoever began has scored."""
        return Score(*self.by_seat[0].tolist())

    def ranking(self) -> list[int]:
        """Players from the best share of points to the worst."""
        return sorted(range(len(self.specs)), key=lambda index: -self.share(index))


def play_tournament(
    plan: Plan,
    workers: Workers | None = None,
    progress: Callable[[Tournament], None] = lambda tournament: None,
    played: Sequence[Batch] = (),
    record: Callable[[Batch], None] = lambda batch: None,
) -> Tournament:
    """Play what is missing. The result depends on the plan alone, not on the workers.

    `played` are games of an earlier attempt; `record` is called with all that are new. Ctrl-C stops
    it; what has been played until then is returned.
    """
    workers = workers or Threads(1)
    plan.check()
    tournament = Tournament(plan)
    for batch in played:
        tournament.add(batch)
    with suppress(KeyboardInterrupt):
        for rounds in looks(plan):
            todo = batches(plan, tournament.missing(rounds), workers.slow_batch)
            for batch in workers.each(partial(play_batch, plan), todo):
                record(batch)
                tournament.add(batch)
                progress(tournament)
            if tournament.is_certain(rounds):
                break
    return tournament


def looks(plan: Plan) -> list[int]:
    """Numbers of rounds after which to see whether the order is certain; the last is all of them.

    Always whole cycles, in which everybody has had every seat and every opening.
    """
    found, rounds = list[int](), float(FIRST_LOOK)
    while plan.until and rounds < plan.rounds:
        whole = -(-int(rounds) // plan.cycle) * plan.cycle
        if whole < plan.rounds and whole not in found:
            found.append(whole)
        rounds = max(rounds * FURTHER, rounds + 1)
    return [*found, plan.rounds]


def round_robin(
    game: Game,
    specs: Sequence[str],
    games: int,
    seed: int,
    threads: int = 1,
    progress: Callable[[Tournament], None] = lambda tournament: None,
    **further: str,
) -> Tournament:
    """`games` games between every two players, or at every table of Skip-Bo.

    `further` goes to the plan: `start`, `openings`.
    """
    plan = Plan(game_spec(game), tuple(specs), games, seed, **further)  # type: ignore[arg-type]
    return play_tournament(plan, Threads(threads), progress)
