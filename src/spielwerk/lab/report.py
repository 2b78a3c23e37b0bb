"""The report: every printed number beside ours, grouped by work, from results on disk alone."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from spielwerk.lab.catalogue import Experiment, entries
from spielwerk.lab.experiment import CELLS, Table
from spielwerk.lab.figure import CURVES
from spielwerk.lab.printed import Page, Work, works
from spielwerk.lab.saved import DAMAGED, NOT_RUN, QUICK, Saved, explained, read_saved
from spielwerk.lab.times import expected_times, in_words
from spielwerk.lab.verdicts import (
    DIFFERS,
    NOT_MEASURED,
    SAME,
    UNDECIDED,
    Comparison,
    count_verdicts,
)

REGISTERED = "Your own experiments"
NOT_RUN_YET = "Not run yet."
NOT_ALL_YET = "Not all cells are played yet."
NOT_QUICKLY = "The quick run does not give all that the full one does."
NOT_GIVEN = "The run does not give them."
BROKEN = "Its files are damaged."


@dataclass(frozen=True)
class Part:
    """A table or figure: what is printed, what was found, how."""

    name: str
    source: str
    shows: str
    page: Page
    saved: Saved
    times: str
    folder: Path
    cells: frozenset[str] = frozenset()
    """The numbers that a table plays for."""

    @property
    def comparisons(self) -> list[Comparison]:
        return self.saved.comparisons

    @property
    def counts(self) -> dict[str, int]:
        return count_verdicts(self.comparisons)

    @property
    def plot(self) -> Path | None:
        """Nothing of what is damaged: it might show other numbers."""
        path = self.folder / "plot.svg"
        return path if not self.saved.damage and path.is_file() else None

    @property
    def command(self) -> str:
        return self.saved.about.get("command", "")

    @property
    def remark(self) -> str:
        """What somebody noted of how the results came about, in `about.txt`."""
        return self.saved.about.get("remark", "")

    @property
    def explanation(self) -> str:
        return explained(self.page, self.saved.state)

    @property
    def state(self) -> str:
        return f"{self.saved.state}, {self.saved.sample}" if self.saved.sample else self.saved.state

    @property
    def grid(self) -> dict[str, list[Comparison]]:
        """The numbers of printed rows, in the order of the printed columns."""
        by_name = {one.name: one for one in self.comparisons}
        return {
            row: [by_name[f"{row} | {column}"] for column in self.page.columns]
            for row in self.page.rows
        }

    @property
    def listed(self) -> list[Comparison]:
        """The numbers that stand in no row."""
        shown = {one.name for row in self.grid.values() for one in row}
        return [one for one in self.comparisons if one.name not in shown]


@dataclass(frozen=True)
class Summary:
    """Of some numbers: how many there are, how many have a counterpart, and the verdicts."""

    printed: int
    with_interval: int
    measured: int
    counts: dict[str, int]

    @property
    def coverage(self) -> float:
        """The share of printed numbers that have a counterpart with an interval, in percent."""
        return 100 * self.with_interval / max(1, self.printed)


@dataclass(frozen=True)
class Chapter:
    work: Work
    parts: list[Part]

    @property
    def summary(self) -> Summary:
        return summarise(self.parts)


@dataclass(frozen=True)
class Report:
    chapters: list[Chapter]

    @property
    def published(self) -> Summary:
        """Of all works but the aims of this project."""
        return summarise(
            part for chapter in self.chapters if not chapter.work.own for part in chapter.parts
        )

    @property
    def disagreements(self) -> list[Part]:
        """With a number that does not agree; those that differ most often first."""
        order = (DIFFERS, UNDECIDED, SAME)
        found = [part for part in self._parts if any(part.counts[verdict] for verdict in order)]
        return sorted(found, key=lambda part: [-part.counts[verdict] for verdict in order])

    @property
    def gaps(self) -> list[Part]:
        return [part for part in self._parts if part.counts[NOT_MEASURED]]

    @property
    def damages(self) -> list[str]:
        """What is wrong with files of results, a sentence each."""
        return [part.saved.damage for part in self._parts if part.saved.damage]

    @property
    def _parts(self) -> list[Part]:
        return [part for chapter in self.chapters for part in chapter.parts]


def summarise(parts: Iterable[Part]) -> Summary:
    numbers = [one for part in parts for one in part.comparisons]
    ours = [one.measured for one in numbers if one.measured is not None]
    return Summary(
        len(numbers),
        sum(one.repeated for one in ours),
        len(ours),
        count_verdicts(numbers),
    )


def read_report(results: Path) -> Report:
    """Everything that is printed, beside what lies in the folder of results."""
    known = entries()
    chapters = []
    for work in sorted(works(), key=lambda work: (work.own, work.name)):
        chapters.append(Chapter(work, [_part(known.pop(name), results) for name in work.pages]))
    if known:
        pages = {name: entry.page for name, entry in known.items()}
        work = Work(
            "registered", REGISTERED, "Registered by a file that --plugin names", True, pages
        )
        chapters.append(Chapter(work, [_part(entry, results) for entry in known.values()]))
    return Report(chapters)


def _part(entry: Experiment, results: Path) -> Part:
    folder = results / entry.name
    saved = read_saved(entry, folder)
    quick, full = expected_times(entry)
    times = f"quick {in_words(quick)}, full {in_words(full)}"
    cells = (
        frozenset(cell.name for cell in entry.cells) if isinstance(entry, Table) else frozenset()
    )
    return Part(entry.name, entry.source, entry.shows, entry.page, saved, times, folder, cells)


def strangers(results: Path) -> list[Path]:
    """Folders with results of experiments that nobody knows: their plug-in was not given."""
    known = entries()
    return [
        folder
        for folder in sorted(results.iterdir())
        if folder.name not in known and _holds_results(folder)
    ]


def _holds_results(folder: Path) -> bool:
    try:
        return any((folder / name).is_file() for name in (CELLS, CURVES))
    except OSError:  # nobody may look
        return False


def why_not(part: Part) -> str:
    """Why numbers of this part have no counterpart; the text of its page is about those that no run
    gives."""
    state, told = part.saved.state, part.page.unmeasured
    if state == DAMAGED:
        return BROKEN
    if state == NOT_RUN:
        return NOT_RUN_YET
    missing = {one.name for one in part.comparisons if one.verdict == NOT_MEASURED}
    reasons = [NOT_ALL_YET] if missing & part.cells else []
    if state == QUICK and not part.cells:
        reasons.append(NOT_QUICKLY)
    if missing - part.cells and (told or not reasons):
        reasons.append(told or NOT_GIVEN)
    return " ".join(reasons)


def states_of(report: Report) -> Counter[str]:
    """How many tables and figures were run in full, in part, quickly, not at all."""
    return Counter(part.saved.state for chapter in report.chapters for part in chapter.parts)
