"""The API of tuples that people draw: are they any, how large are their tables, what are they
called."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from spielwerk.errors import SpielwerkError
from spielwerk.games.symmetry import board_shape
from spielwerk.kernels.rng import Rng
from spielwerk.values.column_tuples import ColumnTuples
from spielwerk.values.feature_catalogue import parse_features
from spielwerk.values.tuple_patterns import tuple_cells
from spielwerk.values.tuples import LONGEST as LONGEST_TUPLE
from spielwerk.values.tuples import random_walk
from spielwerk.web.failures import INPUT
from spielwerk.web.players import game_of

SEEDS = 2**53
MOST_TUPLES = 200


class DrawnTuple(BaseModel):
    cells: list[int] = Field(description="By rows from the top, from 0.")
    states: int = Field(description="That can occur (Thill 2012, eq. 4.7).")
    possible: int = Field(description="m^N.")


class Drawn(BaseModel):
    """Tuples on a board."""

    game: str
    rows: int
    cols: int
    longest: int
    features: str = Field(description="For the setting `features` of a training.")
    weights: int
    tuples: list[DrawnTuple]


class Walk(BaseModel):
    cells: list[int]


def lab_tuples() -> APIRouter:
    router = APIRouter(prefix="/api/lab/tuples", tags=["lab: models"], responses=INPUT)

    @router.get("", summary="Tuples on a board, checked")
    def drawn(
        game: Annotated[str, Query(max_length=300)] = "connect-four",
        cells: Annotated[str, Query(max_length=8000, examples=["36-37-38-39/4-11-18"])] = "",
    ) -> Drawn:
        return describe(game, cells)

    @router.get("/walk", summary="A tuple by a random walk")
    def walk(
        game: Annotated[str, Query(max_length=300)] = "connect-four",
        length: Annotated[int, Query(ge=1, le=LONGEST_TUPLE)] = 8,
        seed: Annotated[int, Query(ge=0, lt=SEEDS)] = 1,
    ) -> Walk:
        rows, cols = _board(game)
        if length > rows * cols:
            raise SpielwerkError(f"A tuple on this board has {rows * cols} cells at most.")
        return Walk(cells=random_walk(rows, cols, length, Rng(seed)))

    return router


def _board(game: str) -> tuple[int, int]:
    return board_shape(game_of(game))


def describe(game: str, cells: str) -> Drawn:
    """The tuples that a text names; a SpielwerkError says what is wrong with them."""
    found, (rows, cols) = game_of(game), _board(game)
    features, tuples = f"tuples:{cells}", list[DrawnTuple]()
    weights = 0
    if cells.count("/") >= MOST_TUPLES:
        raise SpielwerkError(f"Here a system may have {MOST_TUPLES} tuples at most.")
    if cells:
        if set(cells) - set("0123456789-/x:"):
            raise SpielwerkError("Tuples are numbers of cells, such as 1-2-10/3-4.")
        made = parse_features(features, found)
        m = made.m if isinstance(made, ColumnTuples) else 3
        weights = made.width
        for number in range(len(made.cells)):
            own = tuple_cells(made, number)
            states = int(made.first[number + 1] - made.first[number])
            tuples.append(DrawnTuple(cells=own, states=states, possible=m ** len(own)))
    return Drawn(
        game=game,
        rows=rows,
        cols=cols,
        longest=min(LONGEST_TUPLE, rows * cols),
        features=features if cells else "",
        weights=weights,
        tuples=tuples,
    )
