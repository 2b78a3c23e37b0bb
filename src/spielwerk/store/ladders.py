"""Ladders that are kept: members join and leave, and it goes on where it stopped.

A round is stored as a whole, games and points in one transaction: a stop in the middle of a round
leaves the ladder as it was before it, and the same round is played again.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np
from sqlalchemy import func, insert, select, update

from spielwerk.agents.agent import check_agent, is_person
from spielwerk.agents.catalogue import parse_agent
from spielwerk.arena.batch import Batch, batches, joined, play_batch
from spielwerk.arena.ladder import BEGIN, Member, Round, move_points, pair
from spielwerk.arena.workers import Workers
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.rules import player_count
from spielwerk.store.models import models_of
from spielwerk.store.rows import rows_of
from spielwerk.store.schema import GAMES, MEMBERS, PLAYERS
from spielwerk.store.store import RUNNING, STOPPED, Store, now

KIND = "ladder"


@dataclass(frozen=True)
class Ladder:
    """A ladder in the store."""

    store: Store
    run: int
    game: str
    seed: int

    def members(self) -> list[Member]:
        """Those who are on it now, most points first."""
        query = (
            select(PLAYERS.c.spec, MEMBERS)
            .join(
                MEMBERS, (MEMBERS.c.run == PLAYERS.c.run) & (MEMBERS.c.player == PLAYERS.c.number)
            )
            .where(PLAYERS.c.run == self.run, MEMBERS.c.left.is_(None))
            .order_by(MEMBERS.c.points.desc(), MEMBERS.c.player)
        )
        with self.store.reading() as connection:
            return [
                Member(row["player"], row["spec"], row["points"], row["games"])
                for row in connection.execute(query).mappings()
            ]

    def join(self, spec: str) -> None:
        """Somebody new, with 600 points; who was here before comes back with the points it had."""
        agent, game = parse_agent(spec), parse_game(self.game)
        if is_person(agent):
            raise SpielwerkError("A person cannot stand on a ladder that plays by itself.")
        check_agent(agent, game)
        known = self.store.specs(self.run)
        if spec in known:
            self._set_left(known.index(spec), None)
            return
        player = len(known)
        self.store.add_player(self.run, player, spec, models_of(agent))
        with self.store.writing() as connection:
            connection.execute(
                insert(MEMBERS).values(
                    run=self.run, player=player, points=BEGIN, games=0, joined=now()
                )
            )

    def leave(self, spec: str) -> None:
        """Its games stay; its points wait for it."""
        here = {member.spec: member.player for member in self.members()}
        if spec not in here:
            raise SpielwerkError(
                f"{spec} is not on this ladder. On it: {', '.join(here) or 'nobody'}."
            )
        self._set_left(here[spec], now())

    def _set_left(self, player: int, when: str | None) -> None:
        with self.store.writing() as connection:
            connection.execute(
                update(MEMBERS)
                .where(MEMBERS.c.run == self.run, MEMBERS.c.player == player)
                .values(left=when)
            )

    def play(
        self, games: int, workers: Workers, progress: Callable[[int], None] = lambda played: None
    ) -> int:
        """Whole rounds until there are so many new games; returns how many. Ctrl-C stops it."""
        seats, played = player_count(parse_game(self.game)), 0
        if len(self.members()) < seats:
            raise SpielwerkError(
                f"This ladder needs {seats} members at least to play; --join lets them on."
            )
        self.store.set_state(self.run, RUNNING)
        try:
            with suppress(KeyboardInterrupt):
                while played < games:
                    played += self._round(seats, workers)
                    progress(min(played, games))
        finally:
            self.store.set_state(self.run, STOPPED)
        return played

    def _round(self, seats: int, workers: Workers) -> int:
        members = self.members()
        first = self.store.game_count(self.run)
        fixtures = pair(members, seats, self.seed, first)
        this = Round(self.game, tuple(self.store.specs(self.run)), fixtures)
        parts = list(workers.each(partial(play_batch, this), batches(this, this.numbers)))
        batch = joined(sorted(parts, key=lambda part: int(part.numbers[0])))
        points = {member.player: member.points for member in members}
        self._commit(batch, move_points(points, batch))
        return len(fixtures)

    def _commit(self, batch: Batch, after: dict[int, float]) -> None:
        """Games and points, all or nothing. Nobody else may have moved the points meanwhile."""
        who, many = np.unique(batch.seats, return_counts=True)
        with self.store.writing() as connection:
            there = connection.execute(
                select(func.count()).select_from(GAMES).where(GAMES.c.run == self.run)
            ).scalar_one()
            if there != int(batch.numbers[0]):
                raise SpielwerkError(
                    "This ladder is being played somewhere else; its next round is not stored."
                )
            connection.execute(insert(GAMES), rows_of(self.run, batch, now()))
            for player, games in zip(who.tolist(), many.tolist(), strict=True):
                connection.execute(
                    update(MEMBERS)
                    .where(MEMBERS.c.run == self.run, MEMBERS.c.player == player)
                    .values(points=after[player], games=MEMBERS.c.games + games)
                )


def open_ladder(store: Store, name: str, game: str, seed: int) -> Ladder:
    """The ladder of this name; a new one, if there is none."""
    for run in store.runs(kind=KIND, name=name):
        if run.game != game:
            raise SpielwerkError(f'The ladder "{name}" is for {run.game}, not for {game}.')
        return Ladder(store, run.id, run.game, run.seed)
    number = store.begin_run(KIND, game, {"name": name}, seed, name=name)
    return Ladder(store, number, game, seed)
