"""A published figure, or a claim in words: curves of ours, and what they should show.

Results lie in one folder: `curves.csv` (a row per point), `claims.csv` (what was printed, what we
found, whether it agrees), the plot drawn from `curves.csv` alone, and `about.txt`.
"""

import csv
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from spielwerk.arena.workers import Threads, Workers
from spielwerk.lab.experiment import write_about
from spielwerk.lab.kept import keep, recall

Item = TypeVar("Item")

CURVES, CLAIMS = "curves.csv", "claims.csv"


@dataclass(frozen=True)
class Point:
    """One point of a curve: a mean over `seeds` runs, and the range that most or all lie in."""

    curve: str
    x: float
    mean: float
    low: float
    high: float
    seeds: int = 1


@dataclass(frozen=True)
class Claim:
    """A statement of the work, and what was found. `verdict` follows from a rule, not by hand."""

    statement: str
    printed: str
    found: str
    verdict: str


@dataclass(frozen=True)
class Study:
    """How a figure is to be computed: over how many seeds, beginning with which, and by whom.
    `progress(done, all)` is called as it goes."""

    seeds: int = 1
    seed: int = 1
    workers: Workers = field(default_factory=lambda: Threads(1))
    progress: Callable[[int, int], None] = lambda done, all_of_them: None

    def found_for(
        self,
        items: Sequence[Item],
        find: Callable[[Item], Any],
        key: Callable[[Item], Any] | None = None,
    ) -> dict[Item, Any]:
        """What the workers find for each item.

        With a key, it is what JSON can say, and kept: whatever was found before is not looked for
        again.
        """
        known = {item: recall(key(item)) for item in items} if key else {}
        found = {item: one for item, one in known.items() if one is not None}
        self.progress(len(found), len(items))

        def work(item: Item) -> tuple[Item, Any]:
            return item, find(item)

        todo = [item for item in items if item not in found]
        for item, one in self.workers.each(work, todo):
            if key:
                keep(key(item), one)
            found[item] = one
            self.progress(len(found), len(items))
        return found


@dataclass(frozen=True)
class Figure:
    """`produce(study)` computes the points; `claims(points)` compares them."""

    name: str
    source: str
    shows: str
    x_label: str
    y_label: str
    produce: Callable[[Study], list[Point]]
    claims: Callable[[Sequence[Point]], list[Claim]]
    full_seeds: int = 1
    quick_seeds: int = 1  # 0: something shorter than one repetition, see `produce`
    stems: bool = False  # points stand for themselves, without lines between them
    band: str = "10 % to 90 % of them"


def claim(statement: str, printed: str, found: str, holds: bool) -> Claim:
    return Claim(statement, printed, found, "agrees" if holds else "differs")


def run_figure(figure: Figure, folder: Path, study: Study) -> tuple[list[Point], list[Claim]]:
    """Compute the figure and write its files."""
    points = figure.produce(study)
    claims = figure.claims(points)
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / CURVES, points, Point)
    _write(folder / CLAIMS, claims, Claim)
    often = f"--seeds {study.seeds}" if study.seeds else "--quick"
    write_about(figure, folder, f"{often} --seed {study.seed}")
    draw_figure(figure, read_points(folder), folder)
    return points, claims


def read_points(folder: Path) -> list[Point]:
    kinds = {field.name: field.type for field in fields(Point)}
    with (folder / CURVES).open(newline="") as file:
        return [
            Point(**{name: kinds[name](value) for name, value in row.items()})  # type: ignore
            for row in csv.DictReader(file)
        ]


def read_claims(folder: Path) -> list[Claim]:
    if not (folder / CLAIMS).exists():
        return []
    with (folder / CLAIMS).open(newline="") as file:
        return [Claim(**row) for row in csv.DictReader(file)]


def _write(path: Path, rows: Sequence[Point] | Sequence[Claim], cls: type) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(cls)], lineterminator="\n")
        writer.writeheader()
        for row in rows:
            shown = asdict(row)
            for name, value in shown.items():
                if isinstance(value, float):
                    shown[name] = float(f"{value:.6g}")
            writer.writerow(shown)


def draw_figure(figure: Figure, points: Sequence[Point], folder: Path) -> None:
    """PNG and SVG: a line per curve, a band where there are several seeds."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    canvas = Canvas(figsize=(7.5, 4.6), layout="constrained")
    FigureCanvasAgg(canvas)
    axes = canvas.add_subplot()
    for number, curve in enumerate(dict.fromkeys(point.curve for point in points)):
        own = [point for point in points if point.curve == curve]
        xs, means = [p.x for p in own], [p.mean for p in own]
        style = "o" if figure.stems else "-"
        axes.plot(xs, means, style, color=f"C{number}", label=curve, ms=5)
        if any(p.low != p.high for p in own):
            axes.fill_between(
                xs,
                [p.low for p in own],
                [p.high for p in own],
                color=f"C{number}",
                alpha=0.18,
                lw=0,
            )
    axes.set_xlabel(figure.x_label)
    axes.set_ylabel(figure.y_label)
    axes.grid(color="0.92")
    axes.legend(fontsize=8)
    seeds = max((point.seeds for point in points), default=1)
    band = f"; mean of {seeds} seeds, band: {figure.band}" if seeds > 1 else ""
    canvas.suptitle(
        f"{figure.source}: {figure.shows}\nours{band}\nspielwerk reproduce {figure.name}",
        fontsize=9,
    )
    canvas.savefig(folder / "plot.png", dpi=110)
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": figure.name}):
        canvas.savefig(folder / "plot.svg", metadata={"Date": None})
