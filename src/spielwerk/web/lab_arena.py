"""The API of tournaments and ladders: those in the store, and small ones begun from the page."""

import os
import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import urlencode

import numpy as np
from fastapi import APIRouter, Query
from fastapi import Path as InPath
from pydantic import BaseModel, Field
from sqlalchemy import select

from spielwerk.agents.catalogue import agent_spec
from spielwerk.arena.plan import Plan
from spielwerk.arena.report import summary_of
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import game_spec, parse_game_for
from spielwerk.kernels.interrupt import stoppable
from spielwerk.store.ladders import KIND as LADDER
from spielwerk.store.ladders import Ladder
from spielwerk.store.schema import MEMBERS
from spielwerk.store.store import RUNNING, Run, Store
from spielwerk.store.tournaments import KIND as ARENA
from spielwerk.store.tournaments import Kept, begin, tournament_of
from spielwerk.threads import each_as_done
from spielwerk.web.failures import INPUT, Failure
from spielwerk.web.lab_runs import board_page, changes_nothing_in_public
from spielwerk.web.players import LONGEST, player_of
from spielwerk.web.settings import Settings

MOST_GAMES = 2000
MOST_PLAYERS = 8
MOST_AT_ONCE = 1
LISTED = 200
"""Runs in the list, and games at once."""
KEPT = 16
"""Tournaments whose tables are remembered."""
SEEDS = 2**53
OPENINGS = re.compile(r"|[1-4]-ply|random:\d{1,2}|moves:[0-9A-Za-z,]*")
"""Those that name no file and take no time to find."""

Item = TypeVar("Item")
Result = TypeVar("Result")


class Stoppable:
    """Threads that stop when they are told to, also in the middle of a long move."""

    slow_batch = 1

    def __init__(self, threads: int) -> None:
        self.threads, self.flag = threads, np.zeros(1, np.uint8)

    def stop(self) -> None:
        self.flag[0] = 1

    def each(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        def stoppably(item: Item) -> Result:
            if self.flag[0]:
                raise KeyboardInterrupt
            with stoppable(self.flag):
                return work(item)

        return each_as_done(stoppably, items, self.threads)


class Invitation(BaseModel):
    """A tournament that is to begin."""

    game: str = Field("tic-tac-toe", max_length=LONGEST)
    players: list[Annotated[str, Field(min_length=1, max_length=LONGEST)]] = Field(
        ["alphabeta", "random"], min_length=2, max_length=MOST_PLAYERS
    )
    games: int = Field(100, ge=1, le=MOST_GAMES, description="For every two players.")
    openings: str = Field("", max_length=LONGEST, examples=["2-ply", "random:4"])
    seed: int | None = Field(None, ge=0, lt=SEEDS)


class ArenaRow(BaseModel):
    """A tournament or a ladder in a list."""

    id: int
    kind: Literal["arena", "ladder"]
    name: str | None
    game: str
    players: list[str]
    games: int
    planned: int | None
    state: Literal["running", "unfinished", "stopped", "finished"] = Field(
        description="unfinished: another process plays it, or was killed. The command that began "
        "it goes on with --resume."
    )
    ours: bool = Field(description="It is being played by this server.")
    begun: str
    seed: str


class ScoreInfo(BaseModel):
    """Points and their 95 % interval, as shares of the games."""

    score: float
    low: float
    high: float
    games: int
    wins: int
    draws: int
    losses: int


class PlayerScore(ScoreInfo):
    spec: str
    elo: float
    elo_low: float
    elo_high: float
    points: int | None = Field(None, description="Skip-Bo's, by the rules in the box.")
    cards_left: float | None = None
    moves_per_second: float | None


class PairScore(ScoreInfo):
    player: str
    opponent: str


class Lengths(BaseModel):
    mean: float
    least: int
    most: int


class TournamentInfo(BaseModel):
    """What `spielwerk arena --json` tells."""

    complete: bool
    certain: bool
    different_games: int
    start: str
    openings: str
    plies: Lengths
    lengths: dict[int, int] = Field(description="How many games had so many plies.")
    players: list[PlayerScore]
    pairs: list[PairScore] = []
    first_player: ScoreInfo | None = None
    seats: list[int] | None = Field(None, description="Skip-Bo: games won by seat.")
    draws: int | None = None
    turns: float | None = None


class LadderMember(BaseModel):
    spec: str
    points: float
    games: int
    left: bool


class ArenaInfo(ArenaRow):
    tournament: TournamentInfo | None = None
    members: list[LadderMember] = []
    problem: str | None = Field(None, description="Why this server could not go on with it.")


class GameRow(BaseModel):
    """A game. `result` has the outcome for each seat: 1 won, 0 drawn, −1 lost."""

    number: int
    players: list[str]
    result: list[float]
    opening: str
    moves: str
    plies: int
    open: str | None = Field(description="The page that shows it.")


class Arena:
    """The store, opened when it is first asked for, and what is being played."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._store: Store | None = None
        self._lock = threading.Lock()
        self._beginning = threading.Lock()
        self._problems: dict[int, str] = {}
        self._playing: dict[int, tuple[Stoppable, threading.Thread]] = {}
        self._known: OrderedDict[tuple[int, int, str], TournamentInfo] = OrderedDict()

    @property
    def store(self) -> Store:
        with self._lock:
            if self._store is None:
                self._store = Store.open(self.settings.store)
            return self._store

    def is_ours(self, run: int) -> bool:
        return run in self._playing and self._playing[run][1].is_alive()

    def rows(self, most: int = LISTED) -> list[ArenaRow]:
        """The latest first."""
        runs = [run for run in self.store.runs() if run.kind in (ARENA, LADDER)]
        return [self.row(run) for run in reversed(runs[-most:])]

    def row(self, run: Run) -> ArenaRow:
        ours = self.is_ours(run.id)
        return ArenaRow(
            id=run.id,
            kind=run.kind,  # type: ignore[arg-type]
            name=run.name,
            game=run.game,
            players=self._specs(run.id),
            games=self.store.game_count(run.id),
            planned=run.planned,
            state="unfinished" if run.state == RUNNING and not ours else run.state,  # type: ignore[arg-type]
            ours=ours,
            begun=run.begun,
            seed=str(run.seed),
        )

    def _specs(self, run: int) -> list[str]:
        return [self._short(spec) for spec in self.store.specs(run)]

    def _short(self, spec: str) -> str:
        """A spec as people here write it: models of runs by their name alone."""
        return spec.replace(f"{self.settings.runs}/", "")

    def find(self, number: int) -> Run:
        try:
            run = self.store.run(number)
        except SpielwerkError:
            run = None
        if run is None or run.kind not in (ARENA, LADDER):
            raise Failure(404, "not-found", f"There is no tournament {number}.")
        return run

    def info(self, number: int) -> ArenaInfo:
        run = self.find(number)
        row = self.row(run)
        if run.kind == LADDER:
            return ArenaInfo(**row.model_dump(), members=self._members(run))
        tournament = self._tournament(number, row.games, row.state) if row.games else None
        return ArenaInfo(
            **row.model_dump(), tournament=tournament, problem=self._problems.get(number)
        )

    def _tournament(self, number: int, games: int, state: str) -> TournamentInfo:
        key = (number, games, state)
        with self._lock:
            if key in self._known:
                return self._known[key]
        tournament = tournament_of(self.store, number)
        plies, many = np.unique(tournament.plies[tournament.done], return_counts=True)
        lengths = dict(zip(plies.tolist(), many.tolist(), strict=True))
        summary = summary_of(tournament)
        for row in (*summary["players"], *summary.get("pairs", ())):
            for name in {"spec", "player", "opponent"} & set(row):
                row[name] = self._short(row[name])
        found = TournamentInfo(**summary, lengths=lengths)
        with self._lock:
            self._known[key] = found
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
        return found

    def _members(self, run: Run) -> list[LadderMember]:
        here = Ladder(self.store, run.id, run.game, run.seed).members()
        found = [
            LadderMember(spec=self._short(one.spec), points=one.points, games=one.games, left=False)
            for one in here
        ]
        specs = self._specs(run.id)
        query = select(MEMBERS).where(MEMBERS.c.run == run.id, MEMBERS.c.left.is_not(None))
        with self.store.reading() as connection:
            gone = connection.execute(query.order_by(MEMBERS.c.points.desc())).mappings().all()
        return found + [
            LadderMember(
                spec=specs[row["player"]], points=row["points"], games=row["games"], left=True
            )
            for row in gone
        ]

    def games(self, number: int, first: int, most: int) -> list[GameRow]:
        run, specs = self.find(number), self._specs(number)
        return [_game(run, specs, row) for row in self.store.games(number, first, most)]

    def begin(self, wanted: Invitation) -> int:
        """Enter a tournament and play it in the background; returns its number."""
        with self._beginning:
            self._check_room()
            kept = begin(self.store, self._plan(wanted))
            workers = Stoppable(max(1, (os.cpu_count() or 2) // 2))
            thread = threading.Thread(target=self._play, args=(kept, workers), daemon=True)
            self._playing[kept.run] = (workers, thread)
            thread.start()
            return kept.run

    def _plan(self, wanted: Invitation) -> Plan:
        game = parse_game_for(wanted.game, len(wanted.players))
        specs = [agent_spec(player_of(spec, game, self.settings)) for spec in wanted.players]
        if len(set(specs)) < len(specs):
            raise SpielwerkError("Every player can take part once.")
        if not OPENINGS.fullmatch(wanted.openings):
            raise SpielwerkError(
                f'"{wanted.openings}" are no openings for this page; examples: 2-ply, random:4, '
                "moves:44,4453."
            )
        seed = secrets.randbits(32) if wanted.seed is None else wanted.seed
        plan = Plan(
            game_spec(game), tuple(specs), wanted.games, seed, openings=wanted.openings
        ).balanced()
        if plan.games > 2 * MOST_GAMES:
            raise SpielwerkError(
                f"These openings need {plan.games:,} games for every two players; here it may be "
                f"{2 * MOST_GAMES:,} at most."
            )
        return plan

    def _play(self, kept: Kept, workers: Stoppable) -> None:
        try:
            kept.play(workers)
        except SpielwerkError as error:  # its games are in the store, and it is marked as stopped
            self._problems[kept.run] = str(error)

    def _check_room(self) -> None:
        if sum(thread.is_alive() for _, thread in self._playing.values()) >= MOST_AT_ONCE:
            raise Failure(429, "too-many", "A tournament is being played; stop it, or wait for it.")

    def stop(self, number: int) -> None:
        self.find(number)
        if not self.is_ours(number):
            raise Failure(409, "not-running", "This server is not playing that tournament.")
        workers, thread = self._playing[number]
        workers.stop()
        thread.join(10)

    def close(self) -> None:
        """Stop what is being played: its games are in the store."""
        for workers, _ in self._playing.values():
            workers.stop()
        for _, thread in self._playing.values():
            thread.join(5)
        if self._store is not None:
            self._store.close()


def _game(run: Run, specs: list[str], row: Mapping[str, Any]) -> GameRow:
    return GameRow(
        number=row["number"],
        players=[specs[int(who)] for who in row["seats"].split()],
        result=[float(one) for one in row["utilities"].split()],
        opening=row["opening"],
        moves=row["moves"],
        plies=row["plies"],
        open=_page(run, row["opening"] + row["moves"]),
    )


def _page(run: Run, moves: str) -> str | None:
    page = board_page(run.game)
    if page is None:
        return None
    path, query = page
    start = str(run.settings.get("start", ""))
    query = query | ({"start": start} if start else {}) | {"moves": moves}
    return f"{path}?{urlencode(query)}"


Number = Annotated[int, InPath(ge=0, lt=2**31)]


def lab_arena(arena: Arena) -> APIRouter:
    router = APIRouter(prefix="/api/lab/arena", tags=["lab: arena"], responses=INPUT)
    ours = [changes_nothing_in_public(arena.settings)]

    @router.get("", summary="Tournaments and ladders in the store")
    def rows() -> list[ArenaRow]:
        return arena.rows()

    @router.post("", summary="Begin a tournament", dependencies=ours)
    def begin_one(wanted: Invitation) -> ArenaInfo:
        return arena.info(arena.begin(wanted))

    @router.get("/{number}", summary="A tournament or ladder")
    def info(number: Number) -> ArenaInfo:
        return arena.info(number)

    @router.get("/{number}/games", summary="Its games")
    def games(
        number: Number,
        first: Annotated[int, Query(ge=0, lt=SEEDS)] = 0,
        most: Annotated[int, Query(ge=1, le=LISTED)] = 50,
    ) -> list[GameRow]:
        return arena.games(number, first, most)

    @router.post("/{number}/stop", summary="Stop a tournament", dependencies=ours)
    def stop(number: Number) -> ArenaInfo:
        arena.stop(number)
        return arena.info(number)

    return router
