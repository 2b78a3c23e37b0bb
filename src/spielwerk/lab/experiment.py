"""A published table of win rates: its cells, running them, and comparing with what was printed.

Results lie in one folder per table: `cells.csv`, a row per cell, written after each cell, so that a
run that was stopped goes on where it was; and the plot, which is drawn from that file alone.
"""

import csv
import io
import math
import platform
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import date
from pathlib import Path
from typing import Protocol

import numba

import spielwerk
from spielwerk.arena.plan import Plan
from spielwerk.arena.score import Score
from spielwerk.arena.tournament import Tournament, play_tournament
from spielwerk.arena.workers import Workers
from spielwerk.errors import SpielwerkError
from spielwerk.files import write_whole
from spielwerk.kernels.rng import derive_seed

CELLS = "cells.csv"
ABOUT = "about.txt"


@dataclass(frozen=True)
class Cell:
    """One printed number: how `spec` did against `opponent`, in percent of the points.

    In Skip-Bo `opponent` may name several players, with spaces, as they follow each other.
    """

    row: str
    column: str
    spec: str
    opponent: str
    printed: float


@dataclass(frozen=True)
class Table:
    """A published table.

    `prepare` turns the cells into those that are played, where they depend on this machine (equal
    time instead of equal iterations).
    """

    name: str
    source: str
    shows: str
    game: str
    row_label: str
    column_label: str
    cells: tuple[Cell, ...]
    printed_games: int  # per cell, for the error of the printed values
    full_games: int = 1000
    quick_games: int = 40
    prepare: Callable[[Sequence[Cell]], list[Cell]] | None = None
    tolerance: float = 0.0
    """Percent by which repetitions differed, where the work says so."""


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
    printed: float
    verdict: str
    seed: int


def verdict(score: Score, printed: float, printed_games: int, tolerance: float = 0.0) -> str:
    """`agrees` if the difference lies within the 95 % error of ours and of the printed value.

    The printed value's error follows from its number of games; draws, which would make it smaller,
    are not printed. Where the work itself states how far repetitions differed, it is that.
    """
    low, high = score.interval
    ours = (high - low) / 2
    theirs = 1.96 * math.sqrt(max(printed * (100 - printed), 1.0) / printed_games) / 100
    theirs = max(theirs, tolerance / 100)
    difference = abs(score.share - printed / 100)
    return "agrees" if difference <= math.hypot(ours, theirs) else "differs"


def run_table(
    table: Table,
    folder: Path,
    games: int,
    seed: int,
    workers: Workers,
    progress: Callable[[int, int, int], None],
) -> list[Result]:
    """Play what is missing. `progress(cell, cells, games)` is called as it goes."""
    folder.mkdir(parents=True, exist_ok=True)
    done = {(result.row, result.column): result for result in read_results(folder)}
    todo = [
        (number, cell)
        for number, cell in enumerate(table.cells)
        if not _is_done(table, cell, done.get((cell.row, cell.column)), games, seed)
    ]
    richer = [done[key] for _, cell in todo if (key := (cell.row, cell.column)) in done]
    if any(result.games > games for result in richer):
        raise SpielwerkError(
            f"{folder} holds more games per cell with seed {richer[0].seed}; "
            "give another folder with --out, so that they are not lost."
        )
    if todo:
        write_about(table, folder, f"--games {games} --seed {seed}")
    cells = [cell for _, cell in todo]
    if cells and table.prepare is not None:
        cells = table.prepare(cells)
    for (number, _), cell in zip(todo, cells, strict=True):
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
            printed=cell.printed,
            verdict=verdict(score, cell.printed, table.printed_games, table.tolerance),
            seed=seed,
        )
        _write(folder, [done[key] for key in _keys(table) if key in done])
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
    kinds = {field.name: field.type for field in fields(Result)}
    with path.open(newline="") as file:
        try:
            return [
                Result(**{name: kinds[name](value) for name, value in row.items()})  # type: ignore
                for row in csv.DictReader(file)
            ]
        except (KeyError, TypeError, ValueError) as error:
            raise SpielwerkError(f"{path} is damaged ({error}); delete it to begin anew.") from None


def _write(folder: Path, results: Sequence[Result]) -> None:
    """All or nothing: a stop in the middle leaves the old file."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, [field.name for field in fields(Result)])
    writer.writeheader()
    writer.writerows(asdict(result) for result in results)
    write_whole(folder / CELLS, text.getvalue())


class Named(Protocol):
    """What tables and figures have in common."""

    @property
    def name(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def shows(self) -> str: ...


def write_about(entry: Named, folder: Path, options: str) -> None:
    """What was run, with what, where and when."""
    (folder / ABOUT).write_text(
        f"{entry.source}: {entry.shows}\n"
        f"command: spielwerk reproduce {entry.name} {options}\n"
        f"spielwerk {spielwerk.__version__}, numba {numba.__version__}, "
        f"Python {platform.python_version()}, {platform.machine()}\n"
        f"date: {date.today().isoformat()}\n"
    )
