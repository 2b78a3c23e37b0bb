"""Thill 2012, figure 4.21: how often random walks of eight cells visit each cell of the board.

Not every walk counts: his program draws again if it has the same cells as one before, as it does
for the tuples of one system. He tells of that, and of how a walk goes, with the program, at
github.com/MarkusThill/Connect-Four. He does not tell how many distinct ones his picture has: ours
is a number that was chosen because it fits (see the explanation of the figure).
"""

from collections.abc import Sequence

import numpy as np

from spielwerk.games.catalogue import parse_game
from spielwerk.kernels.bits import ONE, U64, ZERO, signed
from spielwerk.kernels.jit import kernel
from spielwerk.kernels.rng import below, derive_seed, next_random
from spielwerk.lab.figure import Figure, Point, Study, mean_at, point_of
from spielwerk.lab.printed import cell_name, page_of
from spielwerk.lab.verdicts import Measured

NAME = "thill-figure-4-21"
WALKS, LENGTH = 100_000, 8
DIRECTIONS, TRIES = 9, 20
BATCH = 10_000


@kernel
def draw_walks(
    rows: int, cols: int, length: int, count: int, seed: np.uint64
) -> tuple[np.ndarray, np.uint64]:
    """The cells of so many walks of king's moves, as words, and the next seed.

    A walk begins anywhere and tries to go on in directions drawn from nine, staying among them,
    until one leads to a cell of the board where it has not been. If twenty in a row do not, it is
    thrown away.
    """
    found = np.empty(count, np.uint64)
    near = np.empty(8, np.int64)
    size = 0
    while size < count:
        bits, seed = next_random(seed)
        at = signed(below(bits, U64(rows * cols)))
        cells = ONE << U64(at)
        for step in range(1, length + 1):
            if step == length:
                found[size] = cells
                size += 1
                break
            row, col, free = at // cols, at % cols, 0
            for to_row in range(max(row - 1, 0), min(row + 2, rows)):
                for to_col in range(max(col - 1, 0), min(col + 2, cols)):
                    place = to_row * cols + to_col
                    if cells & (ONE << U64(place)) == ZERO:
                        near[free] = place
                        free += 1
            way = DIRECTIONS
            for _ in range(TRIES):
                bits, seed = next_random(seed)
                way = signed(below(bits, U64(DIRECTIONS)))
                if way < free:
                    break
            if way >= free:
                break
            at = near[way]
            cells |= ONE << U64(at)
    return found, seed


def distinct_walks(rows: int, cols: int, length: int, count: int, seed: int) -> np.ndarray:
    """The first so many that differ from all before."""
    every, word = np.empty(0, np.uint64), np.uint64(seed)
    while every.size < count:
        more, word = draw_walks(rows, cols, length, BATCH, np.uint64(word))
        every = np.concatenate([every, more])
        _, first = np.unique(every, return_index=True)
        every = every[np.sort(first)]
    return every[:count]


def visits(seed: int) -> list[float]:
    """How often each cell is visited, in permille of all visits; by rows from the top."""
    game = parse_game("connect-four")
    walks = distinct_walks(game.rows, game.cols, LENGTH, WALKS, seed)
    counts = [np.count_nonzero(walks >> U64(n) & ONE) for n in range(game.rows * game.cols)]
    return [1000 * count / (WALKS * LENGTH) for count in counts]


def produce(study: Study) -> list[Point]:
    """A curve for each row of the board, from the top, over its columns."""
    first, page = study.seed, page_of(NAME)

    def find(repetition: int) -> list[float]:
        return visits(derive_seed(first, repetition))

    def key(repetition: int) -> list[object]:
        return ["visits of distinct walks", WALKS, LENGTH, derive_seed(first, repetition)]

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
    "how often distinct random walks visit each cell, as many as fit best",
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
