"""The API of reproduced tables and figures: what was printed, what came out."""

import csv
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Literal

from fastapi import APIRouter
from fastapi.responses import FileResponse
from pydantic import BaseModel, Field

from spielwerk.errors import SpielwerkError
from spielwerk.lab.about import ABOUT
from spielwerk.lab.catalogue import Experiment, entries
from spielwerk.lab.experiment import Table, read_results
from spielwerk.lab.figure import CURVES, Point, read_points
from spielwerk.lab.saved import read_saved
from spielwerk.lab.verdicts import AGREES, NOT_MEASURED, SAME, Comparison
from spielwerk.web.failures import INPUT, Failure
from spielwerk.web.lab_names import Name, find_folder, folder_of, folders_in
from spielwerk.web.settings import Settings

PLOTS = {"svg": "image/svg+xml", "png": "image/png"}
POINTS = 3000
"""Points of a figure that are sent."""


class ResultRow(BaseModel):
    """A table or figure in a list."""

    name: str
    kind: Literal["table", "figure", "other"]
    source: str
    shows: str
    done: bool = Field(description="There are results.")
    agree: int = Field(description="Cells or claims that agree with what was printed.")
    same: int = Field(description="Others that come to the same conclusion.")
    count: int = Field(description="Cells or claims there are results for.")
    wanted: int | None = Field(None, description="Cells of the table.")
    date: str | None = None


class CellRow(BaseModel):
    """A cell of a table: ours in percent with its 95 % interval, and what was printed."""

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
    printed: float | None = Field(None, description="None if nothing is printed there.")
    verdict: str = NOT_MEASURED


class ClaimRow(BaseModel):
    """A number of a figure, or what is said in words or of several cells, beside ours."""

    statement: str
    printed: str
    found: str
    verdict: str


class ResultInfo(ResultRow):
    command: str
    about: list[str]
    plots: list[str]
    row_label: str = ""
    column_label: str = ""
    x_label: str = ""
    y_label: str = ""
    note: str = Field("", description="Misprints, and whatever else is to be known of the print.")
    explanation: str = Field("", description="Why numbers differ, as far as was found.")
    cells: list[CellRow] = []
    claims: list[ClaimRow] = []
    points: list[Point] = []


@cache
def known() -> dict[str, Experiment]:
    return entries()


class Results:
    """All tables and figures that we know, and every folder of results."""

    def __init__(self, settings: Settings) -> None:
        self.folder = settings.results

    def rows(self) -> list[ResultRow]:
        others = [path.name for path in folders_in(self.folder) if path.name not in known()]
        return [self.row(name) for name in [*known(), *others]]

    def row(self, name: str) -> ResultRow:
        entry, folder = known().get(name), folder_of(self.folder, name)
        verdicts = [one.verdict for one in _compared(entry, folder)]
        about = _about(folder)
        if entry is not None:
            source, shows = entry.source, entry.shows
        else:
            source, _, shows = (about[0] if about else name).partition(": ")
        wanted = len(entry.cells) if isinstance(entry, Table) else None
        return ResultRow(
            name=name,
            kind=_kind(entry),
            source=source,
            shows=shows,
            done=folder is not None,
            agree=verdicts.count(AGREES),
            same=verdicts.count(SAME),
            count=len(verdicts),
            wanted=wanted,
            date=_line(about, "date: "),
        )

    def info(self, name: str) -> ResultInfo:
        entry = known().get(name)
        if entry is None:
            find_folder(self.folder, name)
        folder = folder_of(self.folder, name)
        about = _about(folder)
        found = ResultInfo(
            **self.row(name).model_dump(),
            command=_line(about, "command: ") or f"spielwerk reproduce {name}",
            about=about,
            plots=[kind for kind in PLOTS if folder and (folder / f"plot.{kind}").is_file()],
        )
        if folder is not None:
            compared = _compared(entry, folder)
            found.cells = _cells(folder, compared)
            shown = {cell.name for cell in entry.cells} if isinstance(entry, Table) else set()
            found.claims = [_claim(one) for one in compared if one.name not in shown]
            if (folder / CURVES).is_file():
                found.points = _points(folder)[:POINTS]
        if entry is not None:
            found.note, found.explanation = entry.page.note, entry.page.explanation
        if isinstance(entry, Table):
            found.row_label, found.column_label = entry.row_label, entry.column_label
        elif entry is not None:
            found.x_label, found.y_label = entry.x_label, entry.y_label
        return found

    def plot(self, name: str, kind: str) -> FileResponse:
        path = find_folder(self.folder, name) / f"plot.{kind}"
        if kind not in PLOTS or not path.is_file() or path.is_symlink():
            raise Failure(404, "not-found", "There is no such plot.")
        return FileResponse(path, media_type=PLOTS[kind], headers={"Cache-Control": "no-cache"})


def _kind(entry: Experiment | None) -> Literal["table", "figure", "other"]:
    if entry is None:
        return "other"
    return "table" if isinstance(entry, Table) else "figure"


def _points(folder: Path) -> list[Point]:
    try:
        return read_points(folder)
    except (OSError, ValueError, KeyError, TypeError, csv.Error) as error:
        raise SpielwerkError(f"{CURVES} of {folder.name} cannot be read ({error}).") from None


def _compared(entry: Experiment | None, folder: Path | None) -> list[Comparison]:
    """Our numbers beside the printed ones; none of a table that is not in the catalogue."""
    if entry is None or folder is None:
        return []
    return [one for one in read_saved(entry, folder).comparisons if one.measured is not None]


def _cells(folder: Path, compared: list[Comparison]) -> list[CellRow]:
    by_name = {one.name: one for one in compared}
    rows = []
    for result in read_results(folder):
        row = CellRow(**asdict(result))
        one = by_name.get(result.name)
        if one is not None:
            row.printed, row.verdict = one.printed.middle, one.verdict
        rows.append(row)
    return rows


def _claim(one: Comparison) -> ClaimRow:
    found = one.measured.text if one.measured is not None else ""
    return ClaimRow(statement=one.name, printed=one.printed.text, found=found, verdict=one.verdict)


def _about(folder: Path | None) -> list[str]:
    """What was run, with what and when."""
    try:
        if folder is None:
            return []
        return (folder / ABOUT).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def _line(about: list[str], start: str) -> str | None:
    return next((line.removeprefix(start) for line in about if line.startswith(start)), None)


def lab_results(results: Results) -> APIRouter:
    router = APIRouter(prefix="/api/lab/results", tags=["lab: results"], responses=INPUT)

    @router.get("", summary="Reproduced tables and figures")
    def rows() -> list[ResultRow]:
        return results.rows()

    @router.get("/{name}", summary="A reproduced table or figure")
    def info(name: Name) -> ResultInfo:
        return results.info(name)

    return router


def matrix(info: ResultInfo) -> tuple[list[str], list[str], dict[tuple[str, str], CellRow]]:
    """The cells of a table by row and column, in the order in which they were printed."""
    rows = list(dict.fromkeys(cell.row for cell in info.cells))
    columns = list(dict.fromkeys(cell.column for cell in info.cells))
    return rows, columns, {(cell.row, cell.column): cell for cell in info.cells}


def curves(info: ResultInfo) -> dict[str, list[Point]]:
    found: dict[str, list[Point]] = {}
    for point in info.points:
        found.setdefault(point.curve, []).append(point)
    return found
