"""The API of reproduced tables and figures: what was printed, what came out."""

import csv
from functools import cache
from pathlib import Path
from typing import Literal

from fastapi import APIRouter
from fastapi.responses import FileResponse
from pydantic import BaseModel, Field

from spielwerk.errors import SpielwerkError
from spielwerk.lab.catalogue import entries
from spielwerk.lab.experiment import ABOUT, Result, Table, read_results
from spielwerk.lab.figure import CURVES, Claim, Figure, Point, read_claims, read_points
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
    count: int = Field(description="Cells or claims there are results for.")
    wanted: int | None = Field(None, description="Cells of the table.")
    date: str | None = None


class ResultInfo(ResultRow):
    command: str
    about: list[str]
    plots: list[str]
    row_label: str = ""
    column_label: str = ""
    x_label: str = ""
    y_label: str = ""
    cells: list[Result] = []
    claims: list[Claim] = []
    points: list[Point] = []


@cache
def known() -> dict[str, Table | Figure]:
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
        verdicts = [] if folder is None else _verdicts(folder)
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
            agree=verdicts.count("agrees"),
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
            found.cells = read_results(folder)
            found.claims = read_claims(folder)
            if (folder / CURVES).is_file():
                found.points = _points(folder)[:POINTS]
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


def _kind(entry: Table | Figure | None) -> Literal["table", "figure", "other"]:
    if entry is None:
        return "other"
    return "table" if isinstance(entry, Table) else "figure"


def _points(folder: Path) -> list[Point]:
    try:
        return read_points(folder)
    except (OSError, ValueError, KeyError, TypeError, csv.Error) as error:
        raise SpielwerkError(f"{CURVES} of {folder.name} cannot be read ({error}).") from None


def _verdicts(folder: Path) -> list[str]:
    return [one.verdict for one in read_results(folder)] + [
        one.verdict for one in read_claims(folder)
    ]


def _about(folder: Path | None) -> list[str]:
    """What was run, with what and when."""
    try:
        return [] if folder is None else (folder / ABOUT).read_text().splitlines()
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


def matrix(info: ResultInfo) -> tuple[list[str], list[str], dict[tuple[str, str], Result]]:
    """The cells of a table by row and column, in the order in which they were printed."""
    rows = list(dict.fromkeys(cell.row for cell in info.cells))
    columns = list(dict.fromkeys(cell.column for cell in info.cells))
    return rows, columns, {(cell.row, cell.column): cell for cell in info.cells}


def curves(info: ResultInfo) -> dict[str, list[Point]]:
    found: dict[str, list[Point]] = {}
    for point in info.points:
        found.setdefault(point.curve, []).append(point)
    return found
