"""The API of reproduced tables and figures: what was printed, what came out."""

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
from spielwerk.lab.experiment import Result, Table, read_results
from spielwerk.lab.figure import CURVES, Figure, Point, read_points
from spielwerk.lab.printed import is_published
from spielwerk.lab.saved import DAMAGED, NOT_RUN, Saved, not_run, read_saved
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
    done: bool = Field(description="There are results, and they can be read.")
    state: str = Field(
        description="How far it is: not run, quick, part, full or damaged. Empty of what is not in "
        "the catalogue: nobody knows how much would be all of it."
    )
    sample: str = Field(description="How large it is, in words.")
    damage: str = Field(description="What is wrong with its files, in a sentence.")
    published: bool = Field(description="A work prints it; it is no aim of this project.")
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


class PrintedRow(BaseModel):
    """What is printed, where nothing of ours stands beside it."""

    statement: str
    printed: str


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
    printed: list[PrintedRow] = Field([], description="Of what has no results that can be read.")
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
        return _row(name, entry, _saved(entry, folder), _about(folder))

    def info(self, name: str) -> ResultInfo:
        entry = known().get(name)
        if entry is None:
            find_folder(self.folder, name)
        folder = folder_of(self.folder, name)
        saved, about = _saved(entry, folder), _about(folder)
        row = _row(name, entry, saved, about)
        found = ResultInfo(
            **row.model_dump(),
            command=_line(about, "command: ") or f"spielwerk reproduce {name}",
            about=about,
            plots=[],
        )
        if row.done and folder is not None:
            # Nothing of what is damaged is drawn: the plot might show other numbers.
            found.plots = [kind for kind in PLOTS if (folder / f"plot.{kind}").is_file()]
            results, points = _numbers(entry, folder)
            compared = _compared(saved)
            found.cells, found.points = _cells(results, compared), points[:POINTS]
            shown = {cell.name for cell in entry.cells} if isinstance(entry, Table) else set()
            found.claims = [_claim(one) for one in compared if one.name not in shown]
        else:
            found.printed = [
                PrintedRow(statement=one.name, printed=one.printed.text)
                for one in saved.comparisons
            ]
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


def _row(name: str, entry: Experiment | None, saved: Saved, about: list[str]) -> ResultRow:
    if entry is not None:
        source, shows = entry.source, entry.shows
    else:
        source, _, shows = (about[0] if about else name).partition(": ")
    verdicts = [one.verdict for one in _compared(saved)]
    return ResultRow(
        name=name,
        kind=_kind(entry),
        source=source,
        shows=shows,
        done=saved.state not in (NOT_RUN, DAMAGED),
        state=saved.state,
        sample=saved.sample,
        damage=saved.damage,
        published=is_published(name),
        agree=verdicts.count(AGREES),
        same=verdicts.count(SAME),
        count=len(verdicts),
        wanted=len(entry.cells) if isinstance(entry, Table) else None,
        date=_line(about, "date: "),
    )


def _saved(entry: Experiment | None, folder: Path | None) -> Saved:
    """What a folder holds. Of what is not in the catalogue only damage is known."""
    if entry is not None:
        return not_run(entry) if folder is None else read_saved(entry, folder)
    damage = ""
    try:
        if folder is not None:
            _numbers(None, folder)
    except SpielwerkError as error:
        damage = str(error)
    return Saved(DAMAGED if damage else "", "", [], {}, damage=damage)


def _numbers(entry: Experiment | None, folder: Path) -> tuple[list[Result], list[Point]]:
    """The cells and the points; of what is in the catalogue, those that it is made of."""
    results = [] if isinstance(entry, Figure) else read_results(folder)
    points = not isinstance(entry, Table) and (folder / CURVES).is_file()
    return results, read_points(folder) if points else []


def _compared(saved: Saved) -> list[Comparison]:
    """Our numbers beside the printed ones; none of a table that is not in the catalogue."""
    return [one for one in saved.comparisons if one.measured is not None]


def _cells(results: list[Result], compared: list[Comparison]) -> list[CellRow]:
    by_name = {one.name: one for one in compared}
    rows = []
    for result in results:
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
