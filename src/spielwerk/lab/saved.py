"""Results on disk: what was measured, how it compares, how far it is. Nothing is run here."""

from dataclasses import dataclass
from pathlib import Path

from spielwerk.lab.about import read_about
from spielwerk.lab.catalogue import Experiment
from spielwerk.lab.experiment import Table, read_results
from spielwerk.lab.figure import CURVES, read_points
from spielwerk.lab.verdicts import Comparison, Measured, compare

NOT_RUN, QUICK, PART, FULL = "not run", "quick", "part", "full"


@dataclass(frozen=True)
class Saved:
    """What a folder of results holds."""

    state: str
    sample: str  # how large it is, in words
    comparisons: list[Comparison]
    about: dict[str, str]


def read_saved(entry: Experiment, folder: Path) -> Saved:
    """The results in `folder` of this table or figure, compared with what is printed."""
    if isinstance(entry, Table):
        measured, state, sample = _of_table(entry, folder)
    elif (folder / CURVES).is_file():
        points = read_points(folder)
        measured = dict(entry.measure(points))
        seeds = max((point.seeds for point in points), default=0)
        quick = "--quick" in read_about(folder).get("command", "")
        state = QUICK if quick else FULL if seeds >= entry.full_seeds else PART
        sample = "" if seeds <= 1 else f"{seeds} seeds"
    else:
        measured, state, sample = {}, NOT_RUN, ""
    return Saved(state, sample, compare(entry.page, measured), read_about(folder))


def _of_table(table: Table, folder: Path) -> tuple[dict[str, Measured], str, str]:
    known = {cell.name for cell in table.cells}
    results = [result for result in read_results(folder) if result.name in known]
    measured = {result.name: result.measured for result in results}
    if not results:
        return measured, NOT_RUN, ""
    games = min(result.games for result in results)
    sample = f"{games:,} games a cell"
    if len({result.games for result in results}) > 1:
        sample = f"at least {sample}"
    if len(results) < len(table.cells):
        return measured, PART, f"{len(results)} of {len(table.cells)} cells, {sample}"
    if games >= table.full_games:
        return measured, FULL, sample
    return measured, QUICK if games <= table.quick_games else PART, sample
