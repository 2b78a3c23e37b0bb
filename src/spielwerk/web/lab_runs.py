"""The API of training runs: begin, watch, stop, go on."""

import csv
import json
import math
import re
import secrets
import shlex
import shutil
import tomllib
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, Field

from spielwerk.agents.catalogue import agent_spec
from spielwerk.arena.trainings import (
    agent_name,
    begin_run,
    kinds_of,
    known_presets,
    measure_of,
    run_name,
    settings_of,
)
from spielwerk.errors import SpielwerkError
from spielwerk.files import make_folder
from spielwerk.games.catalogue import parse_game
from spielwerk.games.connectx import ConnectX
from spielwerk.games.nim import Nim
from spielwerk.games.rules import Game
from spielwerk.games.skipbo import SkipBo
from spielwerk.games.tictactoe import TicTacToe
from spielwerk.learning.config import TdConfig
from spielwerk.learning.runs import CHECKPOINT, CONFIG, CURVE, begin_folder, sole_owner
from spielwerk.learning.skipbo_config import SELF, SkipBoConfig
from spielwerk.values.function_catalogue import parse_shape
from spielwerk.values.model import HEADER, MODEL, make_features, shipped_models
from spielwerk.web.failures import INPUT, Failure
from spielwerk.web.lab_names import Name, check_name, find_folder, folders_in
from spielwerk.web.lab_processes import (
    OUTPUT,
    PROGRESS,
    RunState,
    Trainings,
    last_lines,
    number_in,
)
from spielwerk.web.players import game_of, player_of
from spielwerk.web.settings import Settings

SEEDS = 2**53
MOST_GAMES = 1_000_000_000
MOST_MEASURED = 100_000
MOST_TUPLES = 1000
MOST_WEIGHTS = 50_000_000
POINTS = 2000
"""Rows of a curve that are sent at once."""

Value = str | int | float | bool


class PresetInfo(BaseModel):
    name: str
    remark: str
    games: int
    settings: dict[str, Value]


class KindInfo(BaseModel):
    """What can learn a game, and settings that have a name."""

    kind: str
    presets: list[PresetInfo]


class Order(BaseModel):
    """A training that is to begin."""

    game: str = Field("tic-tac-toe", max_length=300, examples=["tic-tac-toe", "connect-four"])
    kind: str = Field("td", max_length=20, examples=["td", "ntuple"])
    preset: str | None = Field(None, max_length=60)
    changes: list[Annotated[str, Field(max_length=10_000)]] = Field(
        [], max_length=40, examples=[["games=2000", "alpha=0.05"]]
    )
    seed: int | None = Field(None, ge=0, lt=SEEDS)
    name: str | None = Field(None, max_length=200, description="Of its folder.")


class RunRow(BaseModel):
    """A run in a list."""

    name: str
    state: RunState
    game: str
    features: str
    games: int = Field(description="Wanted.")
    done: int = Field(description="Played, as far as is known.")
    success: float | None = Field(description="When it was last measured, 0 to 1.")
    seed: int
    begun: float = Field(description="Seconds since 1970.")
    play: str | None = Field(description="The page on which one plays against it.")


class CurveRow(BaseModel):
    """What was measured after so many games."""

    games: int
    success: float
    mistakes: float | None = None
    epsilon: float | None = None
    epsilon_first: float | None = Field(None, description="The first player's, if it has its own.")
    alpha: float | None = None
    error: float | None = Field(None, description="Root mean square of the error signal.")
    plies: float | None = Field(None, description="Of a game, on the average.")
    turns: float | None = Field(None, description="Skip-Bo: of a game.")


class RunInfo(RunRow):
    """A run, with the rows of its curve that are new to who asks."""

    agent: str
    opponent: str
    settings: dict[str, Value]
    command: str
    rows: list[CurveRow]
    whole: bool = Field(description="The rows are the whole curve: forget the ones before.")
    output: list[str]


class Lab:
    """Where the runs are, and who is running."""

    def __init__(self, settings: Settings) -> None:
        self.settings, self.trainings = settings, Trainings()

    def row(self, folder: Path) -> RunRow | None:
        """A run as it stands; None if the folder holds none."""
        known = _config(folder)
        if known is None:
            return None
        rows = read_curve(folder)
        last = rows[-1] if rows else None
        state = self.trainings.state_of(folder)
        done = max(number_in(folder / PROGRESS) or 0, last.games if last else 0)
        if state == "finished":
            done = last.games if last else known["games"]
        game, features = str(known["game"]), _features(known)
        return RunRow(
            name=folder.name,
            state=state,
            game=game,
            features=features,
            games=known["games"],
            done=min(done, known["games"]),
            success=last.success if last else None,
            seed=known["seed"],
            begun=(folder / CONFIG).stat().st_mtime,
            play=play_page(game, f"{agent_name(features)}:{folder.name}")
            if (folder / MODEL).exists()
            else None,
        )

    def rows(self) -> list[RunRow]:
        """All runs, the latest first."""
        found = [self.row(folder) for folder in folders_in(self.settings.runs)]
        return sorted((row for row in found if row), key=lambda row: -row.begun)

    def info(self, folder: Path, after: int = -1) -> RunInfo:
        row, known = self.row(folder), _config(folder)
        if row is None or known is None:
            raise Failure(404, "not-found", "There is no run of that name.")
        rows = read_curve(folder)
        whole = after < 0 or not rows or rows[-1].games < after
        fresh = rows if whole else [one for one in rows if one.games > after]
        return RunInfo(
            **row.model_dump(),
            agent=agent_name(row.features),
            opponent=str(known.get("opponent", "perfect")),
            settings={name: known[name] for name in known if name not in ("game", "seed")},
            command=_command_of(folder),
            rows=_thinned(fresh),
            whole=whole,
            output=last_lines(folder / OUTPUT),
        )

    def begin(self, order: Order) -> Path:
        """Make the folder of a new run, once everything about it has been found right."""
        make_folder(self.settings.runs)
        seed = secrets.randbits(32) if order.seed is None else order.seed
        name = order.name or _tame(run_name(order.game, order.kind, seed))
        check_name(name)
        game = game_of(order.game)
        changes = [change for change in order.changes if change.strip()]
        _check_files(changes)
        config, _ = settings_of(order.game, order.kind, order.preset, None, changes)
        config = self._checked(config, game)
        folder = self.settings.runs / name
        if folder.exists() or folder.is_symlink():
            raise Failure(409, "name-taken", f"There is a run {name} already.")
        if name in shipped_models():
            raise Failure(409, "name-taken", f"{name} is a model that comes with Spielwerk.")
        self.trainings.check_room()
        try:
            run = begin_run(order.game, config, seed, _command_line(order, changes, seed, folder))
            measure_of(run)
        except (MemoryError, OverflowError) as error:
            raise SpielwerkError(f"These settings are too large ({error}).") from None
        try:
            folder.mkdir()
        except FileExistsError:
            raise Failure(409, "name-taken", f"There is a run {name} already.") from None
        except OSError as error:
            raise SpielwerkError(f"{folder} cannot be made: {error.strerror}.") from None
        with sole_owner(folder):
            begin_folder(run, folder)
        return folder

    def _checked(self, config: Any, game: Game) -> Any:
        """The settings, if they keep to what a server can bear; opponents as players see them."""
        for name, value in config.to_dict().items():
            most = MOST_MEASURED if name == "evaluation_games" else MOST_GAMES
            if isinstance(value, int) and value > most:
                raise SpielwerkError(f"Here {name} may be {most:,} at most.")
        if isinstance(config, SkipBoConfig):
            config = replace(config, opponent=self._named(config.opponent, game))
            if config.against != SELF:
                config = replace(config, against=self._named(config.against, game))
            return config
        if config.opponent != "perfect":
            config = replace(config, opponent=self._named(config.opponent, game))
        _check_size(config, game)
        return config

    def _named(self, spec: str, game: Game) -> str:
        """A program as the training will find it: models of runs by their folder."""
        return agent_spec(player_of(spec, game, self.settings))


def _check_files(changes: list[str]) -> None:
    for change in changes:
        if re.search(r"\bfile\s*=", change.partition("=")[2]):
            raise SpielwerkError("Files of tuples are for the command line; write the cells here.")


def _check_size(config: TdConfig, game: Game) -> None:
    counts = [int(number) for number in re.findall(r"\bcount\s*=\s*(\d{1,9})", config.features)]
    if max([*counts, config.features.count("/") + 1]) > MOST_TUPLES:
        raise SpielwerkError(f"Here a system may have {MOST_TUPLES:,} tuples at most.")
    width = make_features(config.features, config.bias, game).width
    if parse_shape(config.function).weight_count(width) > MOST_WEIGHTS:
        raise SpielwerkError(f"Here a model may have {MOST_WEIGHTS:,} weights at most.")


def _tame(name: str) -> str:
    """A name made of a spec, without what names may not have."""
    return re.sub(r"[^A-Za-z0-9_-]", "-", name)[-60:]


def _command_line(order: Order, changes: list[str], seed: int, folder: Path) -> str:
    words = ["spielwerk", "train", order.game, order.kind]
    words += ["--preset", order.preset] if order.preset else []
    words += ["--set", *changes] if changes else []
    return shlex.join([*words, "--seed", str(seed), "--out", str(folder)])


def _config(folder: Path) -> dict[str, Any] | None:
    """What is trained in a folder."""
    try:
        found = tomllib.loads((folder / CONFIG).read_text())
        if isinstance(found["games"], int) and isinstance(found["seed"], int):
            parse_game(str(found["game"]))
            return found
    except (OSError, ValueError, KeyError):
        pass
    return None


def _features(known: dict[str, Any]) -> str:
    learner = known.get("learner")
    return f"skipbo-{learner}" if learner else str(known.get("features", ""))


def _command_of(folder: Path) -> str:
    """The command that a run was begun with; the checkpoint knows it."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(folder / CHECKPOINT, framework="numpy") as file:
            return str(json.loads((file.metadata() or {})[HEADER])["command"])
    except (OSError, SafetensorError, KeyError, ValueError):
        return ""


def read_curve(folder: Path) -> list[CurveRow]:
    """The rows of a curve; none if there is no whole one."""
    try:
        changed = (folder / CURVE).stat().st_mtime_ns
    except OSError:
        return []
    return list(_read_curve(folder / CURVE, changed))


@lru_cache(maxsize=256)
def _read_curve(path: Path, changed: int) -> tuple[CurveRow, ...]:
    """Read once: lists of runs are asked for again and again."""
    try:
        with path.open(newline="") as file:
            return tuple(_curve_row(row) for row in csv.DictReader(file))
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def _curve_row(row: dict[str, str]) -> CurveRow:
    known = {name: float(row[name]) for name in CurveRow.model_fields if row.get(name)}
    finite = {name: value for name, value in known.items() if math.isfinite(value)}
    return CurveRow(**finite | {"games": int(known["games"])})  # type: ignore[arg-type]


def _thinned(rows: list[CurveRow]) -> list[CurveRow]:
    """At most so many, the first and the last among them."""
    if len(rows) <= POINTS:
        return rows
    return [rows[place * (len(rows) - 1) // (POINTS - 1)] for place in range(POINTS)]


def play_page(game: str, spec: str) -> str | None:
    """The page on which a person plays against a program; None if there is no such page."""
    page = board_page(game)
    if page is None:
        page = ("/skip-bo", {}) if isinstance(parse_game(game), SkipBo) else None
    if page is None:
        return None
    path, query = page
    return f"{path}?{urlencode(query | {'p2': spec})}"


def board_page(game: str) -> tuple[str, dict[str, str]] | None:
    """The page of a game, and what must be said to it beside the players."""
    found = parse_game(game)
    if isinstance(found, ConnectX):
        if (found.rows, found.cols, found.k) == (6, 7, 4):
            return "/connect-four", {}
        return "/connectx", {"game": game}
    if isinstance(found, TicTacToe):
        return "/tic-tac-toe", {}
    if isinstance(found, Nim):
        return "/nim", {"game": game}
    return None


def changes_nothing_in_public(settings: Settings) -> Any:
    """For `dependencies=`: refuse on a server for strangers."""

    def check() -> None:
        if settings.public:
            raise Failure(403, "forbidden", "On a public server the lab only shows.")

    return Depends(check)


def lab_runs(lab: Lab) -> APIRouter:
    router = APIRouter(prefix="/api/lab", tags=["lab: trainings"], responses=INPUT)
    settings = lab.settings
    ours = [changes_nothing_in_public(settings)]

    @router.get("/kinds", summary="What can learn a game, and presets")
    def kinds(game: Annotated[str, Query(max_length=300)] = "tic-tac-toe") -> list[KindInfo]:
        game_of(game)
        return [
            KindInfo(
                kind=kind,
                presets=[
                    PresetInfo(
                        name=one.name,
                        remark=one.remark,
                        games=one.games,
                        settings=settings_of(game, kind, one.name, None, [])[0].to_dict(),
                    )
                    for one in known_presets(game, kind)
                ],
            )
            for kind in kinds_of(game)
        ]

    @router.get("/runs", summary="All training runs")
    def runs() -> list[RunRow]:
        return lab.rows()

    @router.post("/runs", summary="Begin a training", dependencies=ours)
    def begin(order: Order) -> RunInfo:
        folder = lab.begin(order)  # to its end, once it is begun: nothing is left half made
        try:
            lab.trainings.start(folder)
        except Failure:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return lab.info(folder)

    @router.get("/runs/{name}", summary="A training run and its curve")
    def run(
        name: Name,
        after: Annotated[
            int, Query(ge=-1, lt=SEEDS, description="Only rows of more games than these.")
        ] = -1,
    ) -> RunInfo:
        return lab.info(find_folder(settings.runs, name), after)

    @router.post("/runs/{name}/stop", summary="Stop a training", dependencies=ours)
    def stop(name: Name) -> RunInfo:
        folder = find_folder(settings.runs, name)
        lab.trainings.stop(folder)
        return lab.info(folder)

    @router.post("/runs/{name}/resume", summary="Go on with a training", dependencies=ours)
    def resume(name: Name) -> RunInfo:
        folder = find_folder(settings.runs, name)
        if (folder / MODEL).exists():
            raise Failure(409, "finished", "This training has come to its end.")
        if not (folder / CHECKPOINT).exists():
            raise Failure(409, "not-running", "There is no checkpoint to go on from.")
        lab.trainings.start(folder)
        return lab.info(folder)

    return router
