"""Results on disk: what was measured, how it compares, how far it is. Nothing is run here."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from spielwerk.errors import SpielwerkError
from spielwerk.lab.about import options_of, read_about
from spielwerk.lab.catalogue import Experiment
from spielwerk.lab.experiment import CELLS, Table, read_results
from spielwerk.lab.figure import CURVES, Figure, Point, read_points
from spielwerk.lab.printed import Page
from spielwerk.lab.rows import damaged
from spielwerk.lab.verdicts import Comparison, Measured, compare

NOT_RUN, QUICK, PART, FULL = "not run", "quick", "part", "full"
DAMAGED = "damaged"
OF_OURS = "Of the results that come with Spielwerk:"
"""Before an explanation that stands beside other ones."""


@dataclass(frozen=True)
class Saved:
    """What a folder of results holds."""

    state: str
    sample: str  # how large it is, in words
    comparisons: list[Comparison]
    about: dict[str, str]
    options: Mapping[str, int] = field(default_factory=dict)
    """By which it was made: games or seeds (0: quick), and the seed, as far as that is known."""
    damage: str = ""
    """What is wrong with the files, in a sentence; then nothing else is known."""


def explained(page: Page, state: str) -> str:
    """The explanation of the page, which is about full results."""
    return (
        f"{OF_OURS} {page.explanation}" if page.explanation and state != FULL else page.explanation
    )


def read_saved(entry: Experiment, folder: Path) -> Saved:
    """The results in `folder` of this table or figure, compared with what is printed.

    Files that cannot be understood are no error here but a state, so that one bad folder does not
    hide all the others.
    """
    try:
        if folder.exists() and not folder.is_dir():
            raise SpielwerkError(f"{folder} is no folder; move it away.")
        if isinstance(entry, Table):
            return _of_table(entry, folder)
        return _of_figure(entry, folder)
    except SpielwerkError as error:
        damage = str(error)
    except OSError as error:
        damage = f"{folder} cannot be read: {error.strerror}."
    return Saved(DAMAGED, "", compare(entry.page, {}), {}, damage=damage)


def _of_figure(figure: Figure, folder: Path) -> Saved:
    if not (folder / CURVES).exists():
        return not_run(figure)
    points, about = read_points(folder), read_about(folder)
    measured, known = _measured(figure, points, folder), options_of(about)
    seeds = max(point.seeds for point in points)
    sample = "" if seeds <= 1 else f"{seeds} seeds"
    state = _state_of_figure(figure, seeds, known)
    if state == FULL and about.get("date", figure.since) < figure.since:
        state, sample = PART, ", ".join(filter(None, (sample, "settings of before")))
    comparisons = compare(figure.page, measured)
    return Saved(state, sample, comparisons, about, {"seeds": seeds} | known)


def _state_of_figure(figure: Figure, seeds: int, known: Mapping[str, int]) -> str:
    if known.get("seeds") == 0 or seeds <= figure.quick_seeds < figure.full_seeds:
        return QUICK
    # Without `about.txt` one seed may be less than one: quick.
    told = "seeds" in known or seeds > 1 or figure.quick_seeds
    return FULL if told and seeds >= figure.full_seeds else PART


def _measured(figure: Figure, points: Sequence[Point], folder: Path) -> Mapping[str, Measured]:
    try:
        found = figure.measure(points)
        for name, one in found.items():
            if not (math.isfinite(one.value) and math.isfinite(one.error)):
                raise ArithmeticError(f"{name} is not finite")
        return found
    except SpielwerkError:
        raise
    except Exception as error:  # whatever comes of points that are not those of this figure
        why = f"{figure.name} cannot take its numbers from it, {type(error).__name__}: {error}"
        raise damaged(folder / CURVES, why) from error


def _of_table(table: Table, folder: Path) -> Saved:
    if not (folder / CELLS).exists():
        return not_run(table)
    known = {cell.name for cell in table.cells}
    results = [result for result in read_results(folder) if result.name in known]
    if not results:
        raise damaged(folder / CELLS, f"none of its rows is a cell of {table.name}")
    games, seeds = min(result.games for result in results), {result.seed for result in results}
    sample = f"{games:,} games a cell"
    if len({result.games for result in results}) > 1:
        sample = f"at least {sample}"
    if len(seeds) > 1:
        sample += f", seeds {' and '.join(map(str, sorted(seeds)))} mixed"
    if len(results) < len(table.cells):
        state, sample = PART, f"{len(results)} of {len(table.cells)} cells, {sample}"
    elif len(seeds) > 1:
        state = PART
    elif games >= table.full_games:
        state = FULL
    else:
        state = QUICK if games <= table.quick_games else PART
    measured = {result.name: result.measured for result in results}
    if table.claims is not None and len(results) == len(table.cells):
        measured |= table.claims(measured)
    comparisons = compare(table.page, measured)
    options = {"games": games, "seed": min(seeds)}
    return Saved(state, sample, comparisons, read_about(folder), options)


def not_run(entry: Experiment) -> Saved:
    """What is known of a table or figure without results: what is printed."""
    return Saved(NOT_RUN, "", compare(entry.page, {}), {})
