"""Matches of the web table that are kept: who sits where, and every move, stored as it is made.

A match is its deal and its moves. Names of matches, invitations and tokens come in as hashes: who
reads the database cannot take part in anything.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from spielwerk.errors import SpielwerkError
from spielwerk.store.schema import MATCH_MOVES, MATCH_SEATS, MATCHES
from spielwerk.store.store import FINISHED, RUNNING, Store, now

ABANDONED = "abandoned"
COUNTED = {"preserve_rowcount": True}
"""PostgreSQL's driver does not say how many rows an INSERT has added unless it is asked to."""


class ConflictError(SpielwerkError):
    """Somebody else was faster: the match is not what it was taken for."""


@dataclass(frozen=True)
class Seat:
    """A place at the table. A program plays if there is a `spec`, else a person."""

    name: str = ""
    spec: str | None = None
    invitation: str | None = None
    token: str | None = None
    left: str | None = None

    @property
    def is_taken(self) -> bool:
        return self.spec is not None or self.token is not None


@dataclass(frozen=True)
class End:
    """Why a match is over, and who has won, if anybody."""

    reason: str
    winner: int | None = None


@dataclass(frozen=True)
class KeptMatch:
    """A match as the store knows it."""

    id: str
    game: str
    seed: int
    pause: float
    seats: tuple[Seat, ...]
    moves: tuple[int, ...] = ()
    end: End | None = None


class Matches:
    """The matches of a store. Every method is one transaction."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._lock = threading.Lock()

    def add(self, match: KeptMatch) -> None:
        """Enter a match that has not begun; a ConflictError if there is one of that name."""
        at = now()
        with self._writing() as connection:
            added = connection.execute(
                self.store._insert(MATCHES)
                .values(
                    id=match.id,
                    game=match.game,
                    seed=str(match.seed),
                    pause=match.pause,
                    state=RUNNING,
                    begun=at,
                    touched=at,
                )
                .on_conflict_do_nothing(),
                execution_options=COUNTED,
            )
            if added.rowcount != 1:
                raise ConflictError("There is a match of that name already.")
            connection.execute(
                insert(MATCH_SEATS),
                [
                    {
                        "match": match.id,
                        "seat": number,
                        "name": seat.name,
                        "spec": seat.spec,
                        "invitation": seat.invitation,
                        "token": seat.token,
                        "left": seat.left,
                    }
                    for number, seat in enumerate(match.seats)
                ],
            )

    def exists(self, match: str) -> bool:
        with self.store.reading() as connection:
            query = select(MATCHES.c.id).where(MATCHES.c.id == match)
            return connection.execute(query).first() is not None

    def find(self, match: str) -> KeptMatch | None:
        """The match with all its seats and moves."""
        seats = select(MATCH_SEATS).where(MATCH_SEATS.c.match == match).order_by("seat")
        moves = select(MATCH_MOVES.c.move).where(MATCH_MOVES.c.match == match).order_by("number")
        with self.store.reading() as connection:
            row = connection.execute(select(MATCHES).where(MATCHES.c.id == match)).mappings()
            found = row.first()
            if found is None:
                return None
            return KeptMatch(
                id=match,
                game=found["game"],
                seed=int(found["seed"]),
                pause=found["pause"],
                seats=tuple(_seat(dict(one)) for one in connection.execute(seats).mappings()),
                moves=tuple(connection.execute(moves).scalars()),
                end=None if found["reason"] is None else End(found["reason"], found["winner"]),
            )

    def record(self, match: str, number: int, seat: int, move: int, end: End | None = None) -> None:
        """Enter a move. A ConflictError if there is one of that number, or the match is over."""
        with self._writing() as connection:
            self._touch(connection, match, end)
            added = connection.execute(
                self.store._insert(MATCH_MOVES)
                .values(match=match, number=number, seat=seat, move=move, made=now())
                .on_conflict_do_nothing(),
                execution_options=COUNTED,
            )
            if added.rowcount != 1:
                raise ConflictError(f"Move {number} has been made by somebody else.")

    def take_seat(self, match: str, seat: int, token: str, name: str) -> None:
        """Somebody sits down. A ConflictError if the seat is taken."""
        with self._writing() as connection:
            self._touch(connection, match)
            taken = connection.execute(
                update(MATCH_SEATS)
                .where(
                    MATCH_SEATS.c.match == match,
                    MATCH_SEATS.c.seat == seat,
                    MATCH_SEATS.c.token.is_(None),
                    MATCH_SEATS.c.spec.is_(None),
                )
                .values(token=token, name=name)
            )
            if taken.rowcount != 1:
                raise ConflictError("Somebody else has taken this seat.")

    def hand_over(self, match: str, seat: int, spec: str) -> None:
        """A program plays on for a person. A ConflictError if one does already."""
        with self._writing() as connection:
            self._touch(connection, match)
            changed = connection.execute(
                update(MATCH_SEATS)
                .where(
                    MATCH_SEATS.c.match == match,
                    MATCH_SEATS.c.seat == seat,
                    MATCH_SEATS.c.spec.is_(None),
                )
                .values(spec=spec, left=now())
            )
            if changed.rowcount != 1:
                raise ConflictError("A program plays here already.")

    def finish(self, match: str, end: End) -> None:
        """The match is over without another move. A ConflictError if it was before."""
        with self._writing() as connection:
            self._touch(connection, match, end)

    def running(self) -> int:
        """How many matches are not over."""
        query = select(func.count()).select_from(MATCHES).where(MATCHES.c.state == RUNNING)
        with self.store.reading() as connection:
            return connection.execute(query).scalar_one()

    def abandon(self, before: str, unbegun_before: str | None = None) -> list[str]:
        """End the matches in which nothing has happened since then; returns which.

        Of those without a single move, all since `unbegun_before`.
        """
        idle = MATCHES.c.touched < before
        if unbegun_before is not None:
            played = select(MATCH_MOVES.c.match).where(MATCH_MOVES.c.match == MATCHES.c.id)
            idle |= (MATCHES.c.touched < unbegun_before) & ~played.exists()
        stale = (MATCHES.c.state == RUNNING) & idle
        with self._writing() as connection:
            found: Sequence[str] = (
                connection.execute(select(MATCHES.c.id).where(stale)).scalars().all()
            )
            connection.execute(
                update(MATCHES).where(stale).values(state=FINISHED, reason=ABANDONED)
            )
        return list(found)

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """One thread after the other: SQLite lets whoever comes second sleep for too long."""
        with self._lock, self.store.writing() as connection:
            yield connection

    def _touch(self, connection: Connection, match: str, end: End | None = None) -> None:
        """Something happens in a match that is not over, or it ends by it."""
        values: dict[str, Any] = {"touched": now()}
        if end is not None:
            values |= {"state": FINISHED, "reason": end.reason, "winner": end.winner}
        changed = connection.execute(
            update(MATCHES)
            .where(MATCHES.c.id == match, MATCHES.c.state == RUNNING)
            .values(**values)
        )
        if changed.rowcount != 1:
            raise ConflictError("The match is over.")


def _seat(row: dict[str, Any]) -> Seat:
    return Seat(row["name"], row["spec"], row["invitation"], row["token"], row["left"])
