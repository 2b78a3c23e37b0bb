"""Ladders that are kept: members join and leave, and it goes on where it stopped.

A round is stored as a whole, games and points in one transaction: a stop in the middle of a round
leaves the ladder as it was before it, and the same round is played again.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from sqlalchemy import Connection, func, insert, select, update

from spielwerk.agents.agent import Agent, check_agent, is_person
from spielwerk.agents.catalogue import agent_spec, parse_agent
from spielwerk.arena.batch import Batch, batches, joined, play_batch
from spielwerk.arena.ladder import BEGIN, Member, Round, move_points, pair
from spielwerk.arena.workers import Workers
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.rules import player_count
from spielwerk.store.models import models_of
from spielwerk.store.rows import rows_of
from spielwerk.store.schema import GAMES, MEMBERS, PLAYERS, RUNS
from spielwerk.store.store import RUNNING, STOPPED, KnownModel, Store, now

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

    def join(self, specs: Sequence[str]) -> None:
        """Somebody new has 600 points; who was here before comes back with the points it had.

        All of them, or, if there is anything wrong with one, nobody.
        """
        agents = {spec: _playing(spec, self.game) for spec in map(short_spec, specs)}
        models = {spec: models_of(agent) for spec, agent in agents.items()}
        with self.store.writing() as connection:
            self._lock(connection)
            rows = connection.execute(
                select(PLAYERS.c.number, PLAYERS.c.spec, PLAYERS.c.models).where(
                    PLAYERS.c.run == self.run
                )
            ).all()
            known = {spec: (number, hashes) for number, spec, hashes in rows}
            for spec in agents:
                if spec in known:
                    number, hashes = known[spec]
                    _demand_same(spec, models[spec], hashes)
                    self._set_left(connection, number, None)
                    continue
                player = len(known)
                known[spec] = (player, "")
                self.store.add_player(connection, self.run, player, spec, models[spec])
                connection.execute(
                    insert(MEMBERS).values(
                        run=self.run, player=player, points=BEGIN, games=0, joined=now()
                    )
                )

    def leave(self, specs: Sequence[str]) -> None:
        """Their games stay; their points wait for them. All of them, or nobody."""
        here = {member.spec: member.player for member in self.members()}
        for spec in map(short_spec, specs):
            if spec not in here:
                raise SpielwerkError(
                    f"{spec} is not on this ladder. On it: {', '.join(here) or 'nobody'}."
                )
        with self.store.writing() as connection:
            for spec in map(short_spec, specs):
                self._set_left(connection, here[spec], now())

    def _set_left(self, connection: Connection, player: int, when: str | None) -> None:
        connection.execute(
            update(MEMBERS)
            .where(MEMBERS.c.run == self.run, MEMBERS.c.player == player)
            .values(left=when)
        )

    def _lock(self, connection: Connection) -> None:
        """Nobody else changes this ladder until the transaction is over (SQLite: nobody at all)."""
        connection.execute(select(RUNS.c.id).where(RUNS.c.id == self.run).with_for_update())

    def _check_models(self, members: Sequence[Member]) -> None:
        hashes = self.store.models(self.run)
        for member in members:
            agent = _playing(member.spec, self.game)
            _demand_same(member.spec, models_of(agent), hashes[member.player])

    def play(
        self, games: int, workers: Workers, progress: Callable[[int], None] = lambda played: None
    ) -> int:
        """Whole rounds until there are so many new games; returns how many. Ctrl-C stops it."""
        seats, played = player_count(parse_game(self.game)), 0
        members = self.members()
        self._check_models(members)
        if len(members) < seats:
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
        this = Round(self.game, tuple(member.spec for member in members), fixtures)
        parts = list(workers.each(partial(play_batch, this), batches(this, this.numbers)))
        batch = joined(sorted(parts, key=lambda part: int(part.numbers[0])))
        numbers = np.array([member.player for member in members])
        batch = replace(batch, seats=numbers[batch.seats])
        points = {member.player: member.points for member in members}
        self._commit(batch, move_points(points, batch))
        return len(fixtures)

    def _commit(self, batch: Batch, after: dict[int, float]) -> None:
        """Games and points, all or nothing. Nobody else may have moved the points meanwhile."""
        who, many = np.unique(batch.seats, return_counts=True)
        with self.store.writing() as connection:
            self._lock(connection)
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


def find_ladder(store: Store, name: str, game: str) -> Ladder | None:
    """The ladder of this name, if there is one."""
    for run in store.runs(kind=KIND, name=name):
        if run.game != game:
            raise SpielwerkError(f'The ladder "{name}" is for {run.game}, not for {game}.')
        return Ladder(store, run.id, run.game, run.seed)
    return None


def open_ladder(store: Store, name: str, game: str, seed: int) -> Ladder:
    """The ladder of this name; a new one, if there is none."""
    found = find_ladder(store, name, game)
    if found is not None:
        return found
    try:
        number = store.begin_run(KIND, game, {"name": name}, seed, name=name)
    except SpielwerkError:  # somebody else was quicker
        found = find_ladder(store, name, game)
        if found is None:
            raise
        return found
    return Ladder(store, number, game, seed)


def short_spec(spec: str) -> str:
    """The one spec that names this player, however it was written."""
    return agent_spec(parse_agent(spec))


def _playing(spec: str, game: str) -> Agent:
    agent = parse_agent(spec)
    if is_person(agent):
        raise SpielwerkError("A person cannot stand on a ladder that plays by itself.")
    check_agent(agent, parse_game(game))
    return agent


def _demand_same(spec: str, models: Sequence[KnownModel], hashes: str) -> None:
    if [model.sha256 for model in models] != hashes.split():
        raise SpielwerkError(
            f"The model of {spec} is not the one it came onto the ladder with; another model needs "
            "a file of another name, and --join."
        )
