"""From one version of the schema to the next. A new database takes the same way as an old one.

A step is never changed once it is released; what is to be different is a step of its own, and the
older steps then get tables of their own to create (a test holds them to what they have made so
far).
"""

from collections.abc import Callable

from sqlalchemy import Connection, insert, inspect, select, text, update

from spielwerk.errors import SpielwerkError
from spielwerk.store.schema import (
    FINDINGS,
    GAMES,
    MATCH_MOVES,
    MATCH_SEATS,
    MATCHES,
    MEMBERS,
    METADATA,
    MODELS,
    PLAYERS,
    POINTS,
    RATINGS,
    RUNS,
    VERSION,
)

Step = Callable[[Connection], None]
LOCK = 0x5349
"""The number under which PostgreSQL knows that somebody is changing the schema."""


def _tournaments(connection: Connection) -> None:
    METADATA.create_all(connection, [RUNS, MODELS, PLAYERS, GAMES, RATINGS])


def _ladders(connection: Connection) -> None:
    METADATA.create_all(connection, [MEMBERS])


def _matches(connection: Connection) -> None:
    METADATA.create_all(connection, [MATCHES, MATCH_SEATS, MATCH_MOVES])


def _reproductions(connection: Connection) -> None:
    METADATA.create_all(connection, [FINDINGS, POINTS])


STEPS: tuple[Step, ...] = (_tournaments, _ladders, _matches, _reproductions)


def is_current(connection: Connection) -> bool:
    """Whether nothing is to be done, or refused; finding out changes nothing."""
    if not inspect(connection).has_table(VERSION.name):
        return False
    return connection.execute(select(VERSION.c.number)).scalar_one_or_none() == len(STEPS)


def migrate(connection: Connection, steps: tuple[Step, ...] = STEPS) -> int:
    """Take the steps that are missing, all or none; returns the version before.

    The caller's transaction must keep others out (SQLite: BEGIN IMMEDIATE).
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
    if not inspect(connection).has_table(VERSION.name):
        VERSION.create(connection)
        connection.execute(insert(VERSION).values(number=0))
    version: int = connection.execute(select(VERSION.c.number)).scalar_one()
    if version > len(steps):
        raise SpielwerkError(
            f"The store was written by a newer Spielwerk (schema {version}, this one knows "
            f"{len(steps)}); update Spielwerk, or name another store."
        )
    for step in steps[version:]:
        step(connection)
    connection.execute(update(VERSION).values(number=len(steps)))
    return version
