"""The API of models: how they came about, their tuples, their tables, what they say of a position.

What is computed is what `spielwerk inspect` shows (`learning.inspection`).
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Query, Request
from fastapi import Path as InPath
from pydantic import BaseModel, Field

from spielwerk.arena.trainings import agent_name
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.connectx import ConnectX
from spielwerk.games.rules import Game
from spielwerk.games.skipbo import SkipBo
from spielwerk.games.symmetry import board_shape
from spielwerk.learning.inspection import (
    System,
    check_running,
    check_tuple,
    describe_system,
    feature_contributions,
    feature_weights,
    table_entries,
    tuple_contributions,
    tuples_of,
)
from spielwerk.search.skipbo_policies import skipbo_names
from spielwerk.values.column_tuples import ColumnTuples
from spielwerk.values.features import feature_names
from spielwerk.values.learned import Learned
from spielwerk.values.model import MODEL, Model, shipped_models, use_learned, use_model
from spielwerk.values.tuple_patterns import TupleFeatures, nearest_pattern, tuple_cells
from spielwerk.web.failures import INPUT, Failure
from spielwerk.web.lab_names import Name, folder_of, folders_in
from spielwerk.web.lab_runs import Value, play_page
from spielwerk.web.positions import LONGEST, Place, Position, find, show
from spielwerk.web.settings import Settings
from spielwerk.web.thinking import Thinkers

MOST = 200
"""Weights or entries that are sent at once."""
KEPT = 16
"""Systems whose numbers are remembered."""

Sign = Literal[".", "X", "O", "+"]
Result = TypeVar("Result")


class ModelRow(BaseModel):
    """A model in a list."""

    name: str
    source: Literal["shipped", "run"]
    game: str
    features: str
    function: str
    weights: int
    games: int
    seed: int | None
    agent: str
    play: str | None


class TupleRow(BaseModel):
    """A tuple of a system."""

    cells: list[int] = Field(description="By rows from the top, from 0.")
    states: int = Field(description="That can occur (Thill 2012, eq. 4.7).")
    possible: int = Field(description="m^N: entries of a full table.")
    used: float = Field(description="Share of its weights that training has changed.")
    size: float = Field(description="Mean of |w| over those.")


class SystemInfo(BaseModel):
    """An n-tuple system."""

    rows: int
    cols: int
    m: int
    tables: int
    images: int
    weights: int
    dense: int
    used: float
    tuples: list[TupleRow]


class Weight(BaseModel):
    name: str
    weight: float


class ModelInfo(ModelRow):
    """A model, how it came about, and what it holds."""

    command: str
    bias: bool
    gamma: float
    rewards: list[float]
    settings: dict[str, Value]
    net: bool = Field(description="The weights shown are Σ|v·w| over its hidden units.")
    system: SystemInfo | None
    largest: list[Weight] = Field(description="Weights of a model that is no n-tuple system.")


class TableEntry(BaseModel):
    pattern: str
    weights: list[float] = Field(description="One, or by who is to move: first, second.")


class TupleInfo(BaseModel):
    """A tuple's look-up table."""

    number: int
    cells: list[int]
    choices: list[str] = Field(description="Signs that each cell can have.")
    entry: TableEntry = Field(description="For the pattern that was asked for.")
    largest: list[TableEntry]


class Contribution(BaseModel):
    tuple: int | None = Field(description="From 1; null for the bias and for other features.")
    name: str = Field(description="The pattern, or the feature.")
    weight: float


class ContributionsInfo(BaseModel):
    """What is added up in a position. V is the reward that the first player can expect."""

    position: Position
    value: float
    sum: float
    function: str
    contributions: list[Contribution]


class Models:
    """Shipped models and those of the server's runs, by name."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._systems: OrderedDict[tuple[Path, int], System] = OrderedDict()
        self._lock = threading.Lock()

    def path_of(self, name: str) -> tuple[Path, Literal["shipped", "run"]]:
        """Where a model lies. A run may have the name of a shipped one; that one is meant then."""
        shipped = shipped_models().get(name)
        if shipped is not None:
            return shipped, "shipped"
        folder = folder_of(self.settings.runs, name)
        if folder is None or not (folder / MODEL).is_file():
            raise Failure(404, "not-found", "There is no model of that name.")
        return folder / MODEL, "run"

    def rows(self) -> list[ModelRow]:
        """All that can be read."""
        names = list(shipped_models())
        names += [
            folder.name
            for folder in folders_in(self.settings.runs)
            if (folder / MODEL).is_file() and folder.name not in names
        ]
        found = []
        for name in names:
            try:
                found.append(self.row(name))
            except SpielwerkError:  # damaged, or of another Spielwerk
                continue
        return found

    def row(self, name: str) -> ModelRow:
        path, source = self.path_of(name)
        model = use_model(str(path))
        return ModelRow(
            name=name,
            source=source,
            game=model.game,
            features=model.features,
            function=model.function,
            weights=model.weights.size,
            games=_number(model.origin.get("games")) or 0,
            seed=_number(model.origin.get("seed")),
            agent=agent_name(model.features),
            play=play_page(model.game, f"{agent_name(model.features)}:{name}"),
        )

    def info(self, name: str) -> ModelInfo:
        path, _ = self.path_of(name)
        model = use_model(str(path))
        game = parse_game(model.game)
        system, largest, net = None, list[Weight](), model.function.startswith("net")
        if isinstance(game, SkipBo):
            largest = _largest(skipbo_names(model.features), model.weights)
        else:
            learned = use_learned(str(path), game)
            tuples = tuples_of(learned)
            if tuples is None:
                largest = _largest(feature_names(learned.features), feature_weights(learned))
            else:
                system = _system_info(game, tuples, self._system(path, model, learned, tuples))
        config = model.origin.get("config")
        return ModelInfo(
            **self.row(name).model_dump(),
            command=str(model.origin.get("command", "")),
            bias=model.bias,
            gamma=model.gamma,
            rewards=list(model.rewards),
            settings=config if isinstance(config, dict) else {},
            net=net,
            system=system,
            largest=largest,
        )

    def _system(self, path: Path, model: Model, learned: Learned, tuples: TupleFeatures) -> System:
        """Found once: the weights before the training have to be made for it."""
        key = (path, path.stat().st_mtime_ns)
        with self._lock:
            if key in self._systems:
                return self._systems[key]
        found = describe_system(model, learned, tuples)
        with self._lock:
            self._systems[key] = found
            while len(self._systems) > KEPT:
                self._systems.popitem(last=False)
        return found

    def _tuples(self, name: str) -> tuple[Game, Learned, TupleFeatures]:
        path, _ = self.path_of(name)
        game = parse_game(use_model(str(path)).game)
        learned = None if isinstance(game, SkipBo) else use_learned(str(path), game)
        tuples = None if learned is None else tuples_of(learned)
        if learned is None or tuples is None:
            raise Failure(422, "wrong-input", "This model is no n-tuple system.")
        return game, learned, tuples

    def table(self, name: str, number: int, pattern: str, place: int | None, top: int) -> TupleInfo:
        """A tuple's entries. With a `place`, other cells of its column give way to that sign."""
        game, learned, tuples = self._tuples(name)
        check_tuple(game, tuples, number, None)
        cells = tuple_cells(tuples, number - 1)
        pattern = pattern or empty_pattern(game, tuples, cells)
        if place is not None and place < len(cells) == len(pattern):
            pattern = nearest_pattern(tuples, game, number - 1, pattern, place)
        asked = table_entries(game, learned, tuples, number, pattern, 1)[0]
        largest = table_entries(game, learned, tuples, number, None, top)
        return TupleInfo(
            number=number,
            cells=cells,
            choices=[_signs(game, tuples, cell) for cell in cells],
            entry=TableEntry(pattern=asked.pattern, weights=asked.weights),
            largest=[TableEntry(pattern=one.pattern, weights=one.weights) for one in largest],
        )

    def contributions(self, name: str, start: str, moves: str) -> ContributionsInfo:
        path, _ = self.path_of(name)
        model = use_model(str(path))
        here = find(Place(game=model.game, start=start, moves=moves))
        learned = use_learned(str(path), here.game)
        check_running(learned, here.game, here.state)
        tuples = tuples_of(learned)
        if tuples is not None:
            found = tuple_contributions(here.game, learned, tuples, here.state)
            value = found.value
            parts = [
                Contribution(
                    tuple=None if part.number is None else part.number + 1,
                    name=part.pattern,
                    weight=part.weight,
                )
                for part in found.parts
            ]
        else:
            names = feature_names(learned.features)
            by_feature, value = feature_contributions(learned, here.game, here.state)
            parts = [
                Contribution(tuple=None, name=names[i], weight=weight)
                for i, weight in by_feature.items()
            ]
        return ContributionsInfo(
            position=show(here),
            value=value,
            sum=sum(part.weight for part in parts),
            function=model.function,
            contributions=parts,
        )


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) else None


def _largest(names: Any, weights: Any) -> list[Weight]:
    order = sorted(range(len(names)), key=lambda i: -abs(weights[i]))
    return [Weight(name=str(names[i]), weight=float(weights[i])) for i in order[:MOST]]


def _system_info(game: Game, tuples: TupleFeatures, system: System) -> SystemInfo:
    rows, cols = board_shape(game)
    if isinstance(tuples, ColumnTuples):
        m, images = tuples.m, tuples.images
    else:
        m, images = 3, tuples.bits.shape[1]
    return SystemInfo(
        rows=rows,
        cols=cols,
        m=m,
        tables=system.tables,
        images=images,
        weights=system.weights,
        dense=system.dense,
        used=system.used,
        tuples=[
            TupleRow(
                cells=fact.cells,
                states=fact.entries,
                possible=fact.possible,
                used=fact.used,
                size=fact.size,
            )
            for fact in system.tuples
        ],
    )


def _signs(game: Game, tuples: TupleFeatures, cell: int) -> str:
    """What a cell can hold: an empty one at the bottom is always within reach."""
    if not isinstance(tuples, ColumnTuples) or tuples.m == 3:
        return ".XO"
    assert isinstance(game, ConnectX)
    return "+XO" if cell // game.cols == game.rows - 1 else ".XO+"


def empty_pattern(game: Game, tuples: TupleFeatures, cells: list[int]) -> str:
    """The pattern of the empty board."""
    return "".join(_signs(game, tuples, cell)[0] for cell in cells)


def lab_models(models: Models, thinkers: Thinkers) -> APIRouter:
    router = APIRouter(prefix="/api/lab/models", tags=["lab: models"], responses=INPUT)

    async def found(work: Callable[[], Result], request: Request) -> Result:
        return await thinkers.think(work, request.is_disconnected)

    @router.get("", summary="Models that can be played and looked into")
    def rows() -> list[ModelRow]:
        return models.rows()

    @router.get("/{name}", summary="A model")
    async def info(name: Name, request: Request) -> ModelInfo:
        return await found(lambda: models.info(name), request)

    @router.get("/{name}/tuples/{number}", summary="A tuple's look-up table")
    async def table(
        request: Request,
        name: Name,
        number: Annotated[int, InPath(ge=1, le=100_000)],
        pattern: Annotated[
            str, Query(max_length=64, examples=["XXO+...."], description="Of the tuple's cells.")
        ] = "",
        place: Annotated[
            int | None, Query(ge=0, lt=64, description="The cell whose sign stays, from 0.")
        ] = None,
        top: Annotated[int, Query(ge=0, le=MOST, description="Largest entries to send.")] = 20,
    ) -> TupleInfo:
        return await found(lambda: models.table(name, number, pattern, place, top), request)

    @router.get("/{name}/contributions", summary="What every tuple adds in a position")
    async def contributions(
        request: Request,
        name: Name,
        moves: Annotated[str, Query(max_length=LONGEST)] = "",
        start: Annotated[str, Query(max_length=LONGEST)] = "",
    ) -> ContributionsInfo:
        return await found(lambda: models.contributions(name, start, moves), request)

    return router
