"""A published figure, or what a work says in words: curves of ours, and numbers taken from them.

Results lie in one folder: `curves.csv` (a row per point), the plot drawn from it alone, and
`about.txt`.
"""

import csv
import io
import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from spielwerk.arena.workers import Threads, Workers
from spielwerk.errors import SpielwerkError
from spielwerk.files import make_folder, write_whole
from spielwerk.lab.about import forget_about, note_stop, options_of, read_about, write_about
from spielwerk.lab.alone import alone_in
from spielwerk.lab.kept import keep, place_of, recall, record_of
from spielwerk.lab.printed import Page
from spielwerk.lab.rows import damaged, read_rows
from spielwerk.lab.verdicts import Measured, mean_of, once, without_interval

Item = TypeVar("Item")

CURVES = "curves.csv"
DECILES, RANGE = "10 % to 90 % of them", "the lowest to the highest"
"""What the band of a curve holds."""


@dataclass(frozen=True)
class Point:
    """One point of a curve: a mean over `seeds` runs, the band that most or all lie in, and by how
    much single runs vary (the standard deviation, if there are several and it was noted)."""

    curve: str
    x: float
    mean: float
    low: float
    high: float
    seeds: int = 1
    deviation: float | None = None


def point_of(
    curve: str, x: float, values: Sequence[float] | np.ndarray, band: str = DECILES
) -> Point:
    """The point of these runs."""
    own = np.asarray(values, dtype=float)
    low, high = np.percentile(own, [0, 100] if band == RANGE else [10, 90])
    deviation = float(own.std(ddof=1)) if own.size > 1 else None
    return Point(curve, x, float(own.mean()), float(low), float(high), own.size, deviation)


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

    def in_halves(self) -> tuple["Study", "Study"]:
        """The same twice: what the first does is half of all, the second does the rest."""

        def of_both(done: int, whole: int) -> None:
            self.progress(done, 2 * whole)

        def rest(done: int, whole: int) -> None:
            self.progress(whole + done, 2 * whole)

        return replace(self, progress=of_both), replace(self, progress=rest)

    def found_for(
        self,
        items: Sequence[Item],
        find: Callable[[Item], Any],
        key: Callable[[Item], Any] | None = None,
    ) -> dict[Item, Any]:
        """What the workers find for each item.

        With a key, it is what JSON says of it, and kept: whatever was found before is not looked
        for again. A SpielwerkError if JSON cannot say it.
        """
        places = {item: place_of(key(item)) for item in items} if key else {}
        known = {item: recall(place) for item, place in places.items()}
        found = {item: one for item, one in known.items() if one is not None}
        self.progress(len(found), len(items))

        def work(item: Item) -> tuple[Item, Any]:
            one = find(item)
            return item, record_of(one, item, places[item]) if places else one

        todo = [item for item in items if item not in found]
        for item, one in self.workers.each(work, todo):
            if places:
                keep(places[item], one)
                one = one["found"]
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
    seed: int = 1  # the first, if nobody says another
    chance: bool = True  # no: computed or counted, one seed is like another
    since: str = ""  # a day, 2026-11-18: what is older was run with other settings, and is a part
    timed: bool = False  # takes times: on one thread, whatever else is wanted
    stems: bool = False  # points stand for themselves, without lines between them
    band: str = DECILES
    logarithmic: bool = False
    middle: str = "mean"  # what is drawn of the seeds
    steps: bool = False  # a value holds until the next
    shares: bool = False  # drawn over the share of each curve's last x, where they end far apart
    names: Mapping[float, str] = field(default_factory=dict)
    """What places on the x-axis are called, where they are no numbers."""
    panels: tuple[str, ...] = ()
    """Drawn one above the other: the curves that have this word in their names."""
    marks: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    """The curve and the x at which printed numbers are marked that do not say it themselves."""


def run_figure(figure: Figure, folder: Path, study: Study) -> list[Point]:
    """Compute the figure and write its points. If it is stopped, the time that it took is noted.

    Points of another seed, or of more seeds, are not replaced: a SpielwerkError.
    """
    make_folder(folder)
    often = "--quick" if study.quick else f"--seeds {study.seeds}"
    options = f"{often} --seed {study.seed}"
    with alone_in(folder):
        _lose_nothing(folder, study)
        begun = time.perf_counter()
        try:
            points = figure.produce(study)
        except BaseException:
            with suppress(SpielwerkError):
                note_stop(figure, folder, options, time.perf_counter() - begun)
            raise
        if not points:
            raise SpielwerkError(f"{figure.name} has computed no points; it needs one at least.")
        for point in points:
            if flaw := _flaw_of(point):
                raise SpielwerkError(f"{figure.name} has computed what cannot be written: {flaw}.")
        seconds = time.perf_counter() - begun
        forget_about(folder)
        write_points(folder, points)
        write_about(figure, folder, options, seconds, goes_on=False)
        return read_points(folder)


def _flaw_of(point: Point) -> str:
    """Why no file may hold it; nothing if one may."""
    for name in ("x", "mean", "low", "high", "deviation"):
        value = getattr(point, name)
        if value is not None and not math.isfinite(value):
            return f'a point of the curve "{point.curve}" whose {name} is {value}'
    if point.seeds < 1:
        return f'a point of the curve "{point.curve}" that stands for {point.seeds} seeds'
    return ""


def _lose_nothing(folder: Path, study: Study) -> None:
    """Refuse to replace what another seed gave, or more seeds."""
    if not (folder / CURVES).exists():
        return
    points, known = read_points(folder), options_of(read_about(folder))
    seed = known.get("seed", study.seed)
    if seed != study.seed:
        raise SpielwerkError(
            f"{folder} holds results with seed {seed}; "
            f"seed {study.seed} belongs into another folder: give one with --out."
        )
    held = known.get("seeds", max(point.seeds for point in points))
    if held > study.seeds:
        raise SpielwerkError(
            f"{folder} holds more seeds ({held}) with seed {seed}; "
            "give another folder with --out, so that they are not lost."
        )


def of_curve(points: Sequence[Point], curve: str) -> list[Point]:
    return [point for point in points if point.curve == curve]


def at(points: Sequence[Point], curve: str, x: float) -> Point:
    """The one point there."""
    return next(point for point in points if point.curve == curve and point.x == x)


def mean_at(point: Point) -> Measured:
    """The mean over the seeds with its 95 % interval; without one, if it is not known by how much
    they vary."""
    if point.deviation is None:
        return once(point.mean) if point.seeds < 2 else without_interval(point.mean)
    return mean_of(point.mean, point.deviation, point.seeds)


def read_points(folder: Path) -> list[Point]:
    path = folder / CURVES
    rows = read_rows(path, ("curve", "x", "mean", "low", "high", "seeds"))
    try:
        return [_read_point(row) for row in rows]
    except ValueError as error:
        raise damaged(path, str(error)) from None


def _read_point(row: Mapping[str, str]) -> Point:
    x, mean, low, high = (float(row[name]) for name in ("x", "mean", "low", "high"))
    seeds, deviation = int(row["seeds"]), row.get("deviation")
    point = Point(row["curve"], x, mean, low, high, seeds, float(deviation) if deviation else None)
    if flaw := _flaw_of(point):
        raise ValueError(flaw)
    return point


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
