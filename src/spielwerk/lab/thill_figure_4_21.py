"""Thill 2012, figure 4.21: how often random walks of eight cells visit each cell of the board.

He drew a million walks; ours are twenty thousand for each seed.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from spielwerk.games.catalogue import parse_game
from spielwerk.kernels.rng import Rng, derive_seed
from spielwerk.lab.figure import Figure, Point, Study, mean_at, point_of
from spielwerk.lab.printed import cell_name, page_of
from spielwerk.lab.verdicts import Measured
from spielwerk.values.tuples import random_walk

NAME = "thill-figure-4-21"
WALKS, LENGTH = 20_000, 8


def visits(seed: int) -> list[float]:
    """How often each cell is visited, in permille of all visits; by rows from the top."""
    game, rng = parse_game("connect-four"), Rng(seed)
    counts: Counter[int] = Counter()
    for _ in range(WALKS):
        counts.update(random_walk(game.rows, game.cols, LENGTH, rng))
    return [1000 * counts[cell] / (WALKS * LENGTH) for cell in range(game.rows * game.cols)]


def produce(study: Study) -> list[Point]:
    """A curve for each row of the board, from the top, over its columns."""
    first, page = study.seed, page_of(NAME)

    def find(repetition: int) -> list[float]:
        return visits(derive_seed(first, repetition))

    def key(repetition: int) -> list[object]:
        return ["visits of walks", WALKS, LENGTH, derive_seed(first, repetition)]

    found = study.found_for(range(study.seeds), find, key)
    every = np.array([found[n] for n in range(study.seeds)])
    points = []
    for cell, own in enumerate(every.T):
        row, col = divmod(cell, len(page.columns))
        points.append(point_of(f"row {page.rows[row]}", col + 1, own))
    return points


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    columns = page_of(NAME).columns
    return {
        cell_name(point.curve.removeprefix("row "), columns[int(point.x) - 1]): mean_at(point)
        for point in points
    }


FIGURE = Figure(
    NAME,
    "Thill 2012, figure 4.21",
    "how often random walks visit each cell",
    "column",
    "visits, ‰ of all",
    produce,
    measure,
    page_of(NAME),
    full_seeds=10,
    quick_seeds=2,
    stems=True,
    names={place: f"column {name}" for place, name in enumerate(page_of(NAME).columns, start=1)},
    marks={
        cell_name(row, column): (f"row {row}", place)
        for row in page_of(NAME).rows
        for place, column in enumerate(page_of(NAME).columns, start=1)
    },
)
