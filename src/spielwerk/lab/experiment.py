"""A published table of win rates: its cells, running them, and comparing with what was printed.

Results lie in one folder per table: `cells.csv`, a row per cell, written after each cell, so that a
run that was stopped goes on where it was; and the plot, which is drawn from that file alone.
"""

import csv
import io
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from spielwerk.arena.plan import Plan
from spielwerk.arena.score import Score
from spielwerk.arena.tournament import Tournament, play_tournament
from spielwerk.arena.workers import Workers
from spielwerk.errors import SpielwerkError
from spielwerk.files import make_folder, write_whole
from spielwerk.kernels.rng import derive_seed
from spielwerk.lab.about import write_about
from spielwerk.lab.alone import alone_in
from spielwerk.lab.printed import Page, cell_name
from spielwerk.lab.rows import damaged, read_rows
from spielwerk.lab.verdicts import Measured

CELLS = "cells.csv"


@dataclass(frozen=True)
class Cell:
    """One number of a table: how `spec` does against `opponent`, in percent of the points.

    In Skip-Bo `opponent` may name several players, with spaces, as they follow each other.
    """

    row: str
    column: str
    spec: str
    opponent: str

    @property
    def name(self) -> str:
        """What the printed number is called."""
        return cell_name(self.row, self.column)


@dataclass(frozen=True)
class Table:
    """A published table; `page` has the printed numbers, by the names of the cells.

    `prepare` turns the cells into those that are played, where they depend on this machine (equal
    time instead of equal iterations). `claims` takes from all cells, by name, what the work says of
    several of them together.
    """

    name: str
    source: str
    shows: str
    game: str
    row_label: str
    column_label: str
    cells: tuple[Cell, ...]
    page: Page
    full_games: int = 1000
    quick_games: int = 40
    prepare: Callable[[Sequence[Cell]], list[Cell]] | None = None
    share_label: str = "points won, %"
    claims: Callable[[Mapping[str, Measured]], Mapping[str, Measured]] | None = None

    @property
    def even(self) -> float | None:
        """The share of equal players, in percent, if the file of the work says it."""
        return next((one.even for one in self.page.numbers.values() if one.even is not None), None)


@dataclass(frozen=True)
class Result:
    """A cell as it came out. Shares are percentages."""

    row: str
    column: str
    spec: str
    opponent: str
    games: int
    wins: int
    draws: int
    losses: int
    share: float
    low: float
    high: float
    seed: int

    @property
    def name(self) -> str:
        return cell_name(self.row, self.column)

    @property
    def measured(self) -> Measured:
        return Measured(self.share, self.low, self.high)


def run_table(
    table: Table,
    folder: Path,
    games: int,
    seed: int,
    workers: Workers,
    progress: Callable[[int, int, int], None],
) -> list[Result]:
    """Play what is missing. `progress(cell, cells, games)` is called as it goes.

    Cells of another seed, or with more games, are not replaced: a SpielwerkError.
    """
    make_folder(folder)
    with alone_in(folder):
        return _run(table, folder, games, seed, workers, progress)


def _run(
    table: Table,
    folder: Path,
    games: int,
    seed: int,
    workers: Workers,
    progress: Callable[[int, int, int], None],
) -> list[Result]:
    done = {(result.row, result.column): result for result in read_results(folder)}
    todo = [
        (number, cell)
        for number, cell in enumerate(table.cells)
        if not _is_done(table, cell, done.get((cell.row, cell.column)), games, seed)
    ]
    held = [done[key] for key in _keys(table) if key in done]
    other = next((result.seed for result in held if result.seed != seed), seed)
    if other != seed:
        raise SpielwerkError(
            f"{folder} holds games with seed {other}; "
            f"seed {seed} belongs into another folder: give one with --out."
        )
    if todo and any(result.games > games for result in held):
        raise SpielwerkError(
            f"{folder} holds more games per cell with seed {seed}; "
            "give another folder with --out, so that they are not lost."
        )
    cells = [cell for _, cell in todo]
    if cells and table.prepare is not None:
        cells = table.prepare(cells)
    for (number, _), cell in zip(todo, cells, strict=True):
        begun = time.perf_counter()
        score = _play(table, cell, games, derive_seed(seed, number), workers, number, progress)
        low, high = score.interval
        done[cell.row, cell.column] = Result(
            cell.row,
            cell.column,
            cell.spec,
            cell.opponent,
            score.games,
            score.wins,
            score.draws,
            score.losses,
            share=round(100 * score.share, 2),
            low=round(100 * low, 2),
            high=round(100 * high, 2),
            seed=seed,
        )
        _write(folder, [done[key] for key in _keys(table) if key in done])
        seconds = time.perf_counter() - begun
        write_about(table, folder, f"--games {games} --seed {seed}", seconds, len(done) > 1)
    return [done[key] for key in _keys(table)]


def _is_done(table: Table, cell: Cell, result: Result | None, games: int, seed: int) -> bool:
    if result is None or result.games < games or result.seed != seed:
        return False
    # What is prepared for this machine is not called as in the table.
    return table.prepare is not None or (cell.spec, cell.opponent) == (result.spec, result.opponent)


def _play(
    table: Table,
    cell: Cell,
    games: int,
    seed: int,
    workers: Workers,
    number: int,
    progress: Callable[[int, int, int], None],
) -> Score:
    """What the first of the players scores. At a table of three or more a drawn game is lost."""

    def show(tournament: Tournament) -> None:
        progress(number, len(table.cells), tournament.played)

    specs = (cell.spec, *cell.opponent.split())
    tournament = play_tournament(Plan(table.game, specs, games, seed), workers, show)
    if not tournament.complete:
        raise KeyboardInterrupt
    total = tournament.total(0)
    if len(specs) == 2:
        return total
    return Score(total.wins, 0, total.losses + total.draws)


def _keys(table: Table) -> Iterator[tuple[str, str]]:
    return ((cell.row, cell.column) for cell in table.cells)


def read_results(folder: Path) -> list[Result]:
    path = folder / CELLS
    if not path.exists():
        return []
    rows = read_rows(path, [field.name for field in fields(Result)])
    try:
        return [_read_result(row) for row in rows]
    except ValueError as error:
        raise damaged(path, str(error)) from None


def _read_result(row: Mapping[str, str]) -> Result:
    kinds = {field.name: field.type for field in fields(Result)}
    result = Result(**{name: kind(row[name]) for name, kind in kinds.items()})  # type: ignore
    if not all(map(math.isfinite, (result.share, result.low, result.high))):
        raise ValueError(f"{result.name} has a number that is not finite")
    if result.wins + result.draws + result.losses != result.games:
        told = f"{result.wins} won, {result.draws} drawn, {result.losses} lost"
        raise ValueError(f"{told} are not {result.games} games")
    return result


def _write(folder: Path, results: Sequence[Result]) -> None:
    """All or nothing: a stop in the middle leaves the old file."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, [field.name for field in fields(Result)])
    writer.writeheader()
    writer.writerows(asdict(result) for result in results)
    write_whole(folder / CELLS, text.getvalue())
