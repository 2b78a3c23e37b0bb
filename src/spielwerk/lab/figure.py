"""A published figure, or what a work says in words: curves of ours, and numbers taken from them.

Results lie in one folder: `curves.csv` (a row per point), the plot drawn from it alone, and
`about.txt`.
"""

import csv
import io
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from statistics import NormalDist
from typing import Any, TypeVar

import numpy as np

from spielwerk.arena.workers import Threads, Workers
from spielwerk.errors import SpielwerkError
from spielwerk.files import make_folder, write_whole
from spielwerk.lab.about import write_about
from spielwerk.lab.kept import keep, recall
from spielwerk.lab.printed import Page
from spielwerk.lab.verdicts import Measured, mean_of

Item = TypeVar("Item")

CURVES = "curves.csv"
DECILES, RANGE = "10 % to 90 % of them", "the lowest to the highest"
"""What the band of a curve holds."""


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
class Study:
    """How a figure is to be computed: over how many seeds, beginning with which, and by whom.
    `progress(done, all)` is called as it goes. No seeds at all: shorter than one repetition."""

    seeds: int = 1
    seed: int = 1
    workers: Workers = field(default_factory=lambda: Threads(1))
    progress: Callable[[int, int], None] = lambda done, all_of_them: None

    @property
    def quick(self) -> bool:
        return self.seeds == 0

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
    """`produce(study)` computes the points; `measure(points)` takes the numbers from them that
    stand beside the printed ones of `page`, by the same names."""

    name: str
    source: str
    shows: str
    x_label: str
    y_label: str
    produce: Callable[[Study], list[Point]]
    measure: Callable[[Sequence[Point]], Mapping[str, Measured]]
    page: Page
    full_seeds: int = 1
    quick_seeds: int = 1  # 0: `Study.quick`
    stems: bool = False  # points stand for themselves, without lines between them
    band: str = DECILES
    logarithmic: bool = False


def run_figure(figure: Figure, folder: Path, study: Study) -> list[Point]:
    """Compute the figure and write its files. If it is stopped, the time that it took is noted."""
    make_folder(folder)
    begun, goes_on = time.perf_counter(), not (folder / CURVES).exists()
    often = "--quick" if study.quick else f"--seeds {study.seeds}"
    try:
        write_points(folder, figure.produce(study))
    finally:
        seconds = time.perf_counter() - begun
        write_about(figure, folder, f"{often} --seed {study.seed}", seconds, goes_on)
    points = read_points(folder)
    draw_figure(figure, points, folder)
    return points


def of_curve(points: Sequence[Point], curve: str) -> list[Point]:
    return [point for point in points if point.curve == curve]


def at(points: Sequence[Point], curve: str, x: float) -> Point:
    """The one point there."""
    return next(point for point in points if point.curve == curve and point.x == x)


def mean_at(point: Point, band: str = DECILES) -> Measured:
    """The mean over the seeds with its 95 % interval.

    By how much single seeds vary is told from the band, as if they were normally distributed.
    """
    if point.seeds < 2:
        return mean_of(point.mean, 0.0, 1)
    deviation = (point.high - point.low) / band_width(point.seeds, band)
    return mean_of(point.mean, deviation, point.seeds)


def band_width(count: int, band: str) -> float:
    """How wide the band of so many normal values is on average, in standard deviations.

    The expected values of ordered ones are Blom's (1958).

    >>> round(band_width(5, RANGE), 2), round(band_width(10, DECILES), 2)
    (2.36, 2.11)
    """
    normal = NormalDist()
    ordered = [normal.inv_cdf((n - 0.375) / (count + 0.25)) for n in range(1, count + 1)]
    if band == RANGE:
        return ordered[-1] - ordered[0]
    low, high = np.percentile(ordered, [10, 90])
    return float(high - low)


def read_points(folder: Path) -> list[Point]:
    kinds = {field.name: field.type for field in fields(Point)}
    path = folder / CURVES
    with path.open(newline="", encoding="utf-8") as file:
        try:
            return [
                Point(**{name: kind(row[name]) for name, kind in kinds.items()})  # type: ignore
                for row in csv.DictReader(file)
            ]
        except (KeyError, TypeError, ValueError) as error:
            raise SpielwerkError(f"{path} is damaged ({error}); delete it to begin anew.") from None


def write_points(folder: Path, points: Sequence[Point]) -> None:
    """All or nothing; numbers with six digits."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, [field.name for field in fields(Point)], lineterminator="\n")
    writer.writeheader()
    for point in points:
        shown = asdict(point)
        for name, value in shown.items():
            if isinstance(value, float):
                shown[name] = float(f"{value:.6g}")
        writer.writerow(shown)
    write_whole(folder / CURVES, text.getvalue())


def draw_figure(figure: Figure, points: Sequence[Point], folder: Path) -> None:
    """PNG and SVG: a line per curve, a band where there are several seeds; printed numbers are
    hollow diamonds where they have a place, dotted lines where they hold all along."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    canvas = Canvas(figsize=(7.5, 4.6), layout="constrained")
    FigureCanvasAgg(canvas)
    axes = canvas.add_subplot()
    colors = {
        curve: f"C{number}" for number, curve in enumerate(dict.fromkeys(p.curve for p in points))
    }
    for curve, color in colors.items():
        own = of_curve(points, curve)
        xs, means = [p.x for p in own], [p.mean for p in own]
        style = "o" if figure.stems else "-"
        axes.plot(xs, means, style, color=color, label=curve, ms=5)
        if any(p.low != p.high for p in own):
            axes.fill_between(
                xs,
                [p.low for p in own],
                [p.high for p in own],
                color=color,
                alpha=0.18,
                lw=0,
            )
    marked = _mark_printed(figure.page, colors, axes)
    if figure.logarithmic:
        axes.set_yscale("log")
    axes.set_xlabel(figure.x_label)
    axes.set_ylabel(figure.y_label)
    axes.grid(color="0.92")
    axes.legend(fontsize=8)
    seeds = max((point.seeds for point in points), default=1)
    band = f"; mean of {seeds} seeds, band: {figure.band}" if seeds > 1 else ""
    canvas.suptitle(
        f"{figure.source}: {figure.shows}\nours{band}{marked}\nspielwerk reproduce {figure.name}",
        fontsize=9,
    )
    canvas.savefig(folder / "plot.png", dpi=110)
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": figure.name}):
        canvas.savefig(folder / "plot.svg", metadata={"Date": None})


def _mark_printed(page: Page, colors: Mapping[str, str], axes: Any) -> str:
    """What the caption says of the marks; nothing, if there are none."""
    shown = [one for one in page.numbers.values() if one.curve in colors]
    for one in shown:
        color = colors[one.curve]
        if one.x is None:
            axes.axhline(one.middle, color=color, lw=1.2, ls=":")
            continue
        bars = [[one.middle - one.low], [one.high - one.middle]]
        axes.errorbar(
            [one.x], [one.middle], bars, fmt="D", ms=6, mfc="none", color=color, capsize=3, lw=0.8
        )
    return "; diamonds, dotted lines: printed" if shown else ""
