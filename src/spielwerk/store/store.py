"""Where games are kept. One file by default; safe with several processes at once."""

import json
import os
import secrets
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import platformdirs
from sqlalchemy import Connection, Engine, create_engine, event, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

import spielwerk
from spielwerk.arena.batch import Batch
from spielwerk.errors import SpielwerkError
from spielwerk.files import make_folder
from spielwerk.store.migrations import is_current, migrate
from spielwerk.store.rows import batch_of, rows_of
from spielwerk.store.schema import GAMES, MODELS, PLAYERS, RATINGS, RUNS

URL = "SPIELWERK_DATABASE_URL"
PATIENCE = 60.0
"""Seconds to wait while another process writes."""
RUNNING, STOPPED, FINISHED = "running", "stopped", "finished"


@dataclass(frozen=True)
class Run:
    """A tournament or a ladder, as the store knows it."""

    id: int
    kind: str
    name: str | None
    game: str
    settings: dict[str, Any]
    seed: int
    planned: int | None
    state: str
    begun: str
    ended: str | None
    program: str


@dataclass(frozen=True)
class KnownModel:
    """A model that a player plays by."""

    sha256: str
    name: str
    about: Mapping[str, Any]


class Store:
    """A database of games. Every method is one transaction: all of it happens, or nothing."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @classmethod
    def open(cls, url: str | None = None) -> "Store":
        """The database at `url`, else at SPIELWERK_DATABASE_URL, else a file of the user's.

        It is made, and brought up to date, if need be.
        """
        try:
            store = cls(_engine(url or os.environ.get(URL) or f"sqlite:///{default_path()}"))
            try:
                with store.engine.connect() as connection:
                    current = is_current(connection)
                if not current:
                    with store._transaction(writes=True) as connection:
                        migrate(connection)
            except BaseException:
                store.close()
                raise
        except (ArgumentError, NoSuchModuleError) as error:
            raise SpielwerkError(
                f"{URL} is no address of a database ({error}); e.g. sqlite:///games.sqlite or "
                "postgresql://user:password@host/database."
            ) from None
        except SQLAlchemyError as error:
            raise SpielwerkError(f"The store cannot be opened: {_reason(error)}.") from None
        return store

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that changes something."""
        try:
            with self._transaction(writes=True) as connection:
                yield connection
        except SQLAlchemyError as error:
            raise SpielwerkError(f"The store cannot be written: {_reason(error)}.") from None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        try:
            with self._transaction(writes=False) as connection:
                yield connection
        except SQLAlchemyError as error:
            raise SpielwerkError(f"The store cannot be read: {_reason(error)}.") from None

    @contextmanager
    def _transaction(self, writes: bool) -> Iterator[Connection]:
        """SQLite: whoever writes keeps other writers out until it is over."""
        with (
            self.engine.connect().execution_options(writes=writes) as connection,
            connection.begin(),
        ):
            yield connection

    def begin_run(
        self,
        kind: str,
        game: str,
        settings: Mapping[str, Any],
        seed: int,
        planned: int | None = None,
        name: str | None = None,
        players: Sequence[tuple[str, Sequence[KnownModel]]] = (),
    ) -> int:
        """Enter a run with its players (specs and models); returns its number."""
        with self.writing() as connection:
            added = connection.execute(
                insert(RUNS).values(
                    kind=kind,
                    name=name,
                    game=game,
                    settings=json.dumps(settings, sort_keys=True),
                    seed=str(seed),
                    planned=planned,
                    state=RUNNING,
                    begun=now(),
                    program=f"spielwerk {spielwerk.__version__}",
                )
            )
            assert added.inserted_primary_key is not None
            run = int(added.inserted_primary_key[0])
            for number, (spec, models) in enumerate(players):
                self.add_player(connection, run, number, spec, models)
            return run

    def add_player(
        self,
        connection: Connection,
        run: int,
        number: int,
        spec: str,
        models: Sequence[KnownModel] = (),
    ) -> None:
        """Enter a player, in a transaction of the caller's."""
        for model in models:
            connection.execute(
                self._insert(MODELS)
                .values(
                    sha256=model.sha256,
                    name=model.name,
                    about=json.dumps(dict(model.about), sort_keys=True),
                    seen=now(),
                )
                .on_conflict_do_nothing()
            )
        connection.execute(
            insert(PLAYERS).values(
                run=run,
                number=number,
                spec=spec,
                models=" ".join(model.sha256 for model in models),
            )
        )

    def set_state(self, run: int, state: str) -> None:
        with self.writing() as connection:
            ended = None if state == RUNNING else now()
            connection.execute(
                update(RUNS).where(RUNS.c.id == run).values(state=state, ended=ended)
            )

    def record(self, run: int, batch: Batch) -> None:
        """Enter games. One that is there already stays as it is."""
        with self.writing() as connection:
            connection.execute(
                self._insert(GAMES).on_conflict_do_nothing(), rows_of(run, batch, now())
            )

    def rate(self, run: int, ratings: Sequence[tuple[float, float, float, int]]) -> None:
        """Elo, its interval and the games, of all players in turn; replaces what was there."""
        with self.writing() as connection:
            connection.execute(RATINGS.delete().where(RATINGS.c.run == run))
            connection.execute(
                insert(RATINGS),
                [
                    {"run": run, "player": n, "elo": elo, "low": low, "high": high, "games": games}
                    for n, (elo, low, high, games) in enumerate(ratings)
                ],
            )

    def runs(self, **conditions: str) -> list[Run]:
        """All runs, the first begun first; e.g. only those with `kind="arena"`."""
        query = select(RUNS).order_by(RUNS.c.id)
        for name, value in conditions.items():
            query = query.where(RUNS.c[name] == value)
        with self.reading() as connection:
            return [_run(dict(row)) for row in connection.execute(query).mappings()]

    def run(self, number: int) -> Run:
        with self.reading() as connection:
            row = connection.execute(select(RUNS).where(RUNS.c.id == number)).mappings().first()
        if row is None:
            raise SpielwerkError(f"There is no run {number}; `spielwerk history` lists them.")
        return _run(dict(row))

    def specs(self, run: int) -> list[str]:
        """The players of a run."""
        query = select(PLAYERS.c.spec).where(PLAYERS.c.run == run).order_by(PLAYERS.c.number)
        with self.reading() as connection:
            return list(connection.execute(query).scalars())

    def models(self, run: int) -> list[str]:
        """The models of each player of a run, by their hash."""
        query = select(PLAYERS.c.models).where(PLAYERS.c.run == run).order_by(PLAYERS.c.number)
        with self.reading() as connection:
            return list(connection.execute(query).scalars())

    def ratings(self, run: int) -> list[dict[str, Any]]:
        query = select(RATINGS).where(RATINGS.c.run == run).order_by(RATINGS.c.player)
        with self.reading() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def game_count(self, run: int) -> int:
        query = select(func.count()).select_from(GAMES).where(GAMES.c.run == run)
        with self.reading() as connection:
            return connection.execute(query).scalar_one()

    def games(
        self, run: int, first: int = 0, most: int | None = None
    ) -> Iterator[Mapping[str, Any]]:
        """The games of a run in the order of their numbers, as rows of the table."""
        query = select(GAMES).where(GAMES.c.run == run, GAMES.c.number >= first)
        query = query.order_by(GAMES.c.number)
        if most is not None:
            query = query.limit(most)
        with self.reading() as connection:
            for row in connection.execution_options(yield_per=5000).execute(query).mappings():
                yield dict(row)

    def batches(self, run: int, size: int = 5000) -> Iterator[Batch]:
        """The games of a run as they were played."""
        rows: list[Mapping[str, Any]] = []
        for row in self.games(run):
            rows.append(row)
            if len(rows) == size:
                yield batch_of(rows)
                rows = []
        if rows:
            yield batch_of(rows)

    def _insert(self, table: Any) -> Any:
        """An INSERT that can pass over rows that are there already."""
        dialect: Any = postgresql if self.engine.dialect.name == "postgresql" else sqlite
        return dialect.insert(table)


def _reason(error: SQLAlchemyError) -> str:
    """What the database said, in one line."""
    return str(getattr(error, "orig", None) or error).strip().split("\n")[0]


def default_path() -> Path:
    """The user's own store."""
    folder = Path(platformdirs.user_data_dir("spielwerk", appauthor=False))
    make_folder(folder)
    return folder / "store.sqlite"


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _engine(address: str) -> Engine:
    url = make_url(address)
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername == "postgresql+psycopg":
        try:
            import psycopg  # noqa: F401
        except ImportError:
            raise SpielwerkError(
                "PostgreSQL needs psycopg; `pip install 'spielwerk[postgresql]'` installs it."
            ) from None
        return create_engine(url)
    if not url.drivername.startswith("sqlite"):
        raise SpielwerkError(
            f"Spielwerk keeps games in SQLite or PostgreSQL, not {url.drivername}."
        )
    engine = create_engine(url, connect_args={"timeout": PATIENCE})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _: Any) -> None:
    """Readers do not wait for writers (WAL); transactions begin where we say so."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for attempt in range(100):  # turning it on is the one thing that does not wait for others
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            break
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or attempt == 99:
                raise
            time.sleep(0.01 + secrets.randbelow(100) / 1000)
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """Whoever means to write says so at once: to find out later would be to fail."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _run(row: dict[str, Any]) -> Run:
    return Run(**{**row, "settings": json.loads(row["settings"]), "seed": int(row["seed"])})
