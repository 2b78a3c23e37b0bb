"""The plot of a figure, drawn from its saved points; and what plots of tables share with it."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

from spielwerk.lab.figure import Figure, Point, of_curve
from spielwerk.lab.printed import Printed

WIDTH, PANEL = 9.0, 3.6
"""In inches: of a plot, and how high each part of it is."""
FEW = 12
"""A curve of so many points shows where they are."""
MANY = 8
"""Names of places that have room beside each other."""
LONG = 100_000
"""Numbers from here on leave room for few on an axis."""
VALUE, RANGE, ALONG = "printed", "printed range", "printed, all along"
NAMED = {
    VALUE: "hollow diamonds: printed",
    RANGE: "shaded bars: printed ranges",
    ALONG: "dotted lines: printed, all along",
}


def draw_figure(figure: Figure, points: Sequence[Point], folder: Path) -> None:
    """PNG and SVG."""
    save(compose_figure(figure, points), figure.name, folder)


def compose_figure(figure: Figure, points: Sequence[Point]) -> Any:
    """A line per curve, a band where there are several seeds.

    Printed numbers are hollow diamonds where they have a place, dotted lines where they hold all
    along. What is printed as a range is a shaded bar, beside the axes where it has no place.
    """
    panels = figure.panels or ("",)
    canvas = new_canvas(1.0 + PANEL * len(panels))
    kinds: set[str] = set()
    for place, word in enumerate(panels, start=1):
        axes = canvas.add_subplot(len(panels), 1, place)
        own = [point for point in points if word in point.curve]
        kinds |= _Panel(figure, own, axes).draw()
        axes.set_title(word, fontsize=9)
    told = [f"ours{_seeds(figure, points)}", *(NAMED[kind] for kind in NAMED if kind in kinds)]
    caption(canvas, f"{figure.source}: {figure.shows}", "; ".join(told), figure.name)
    return canvas


def _seeds(figure: Figure, points: Sequence[Point]) -> str:
    seeds = [point.seeds for point in points]
    if max(seeds, default=1) == 1:
        return ""
    if all(point.low == point.high for point in points):
        return f", {span(seeds)} seeds"
    band = "bars" if figure.stems else "band"
    return f": {figure.middle} of {span(seeds)} seeds, {band}: {figure.band}"


class _Mark(NamedTuple):
    """A printed number, its curve, and where it stands on the axis: at x, or all along."""

    one: Printed
    curve: str
    x: float | None


class _Panel:
    """One pair of axes with its curves and marks."""

    def __init__(self, figure: Figure, points: Sequence[Point], axes: Any) -> None:
        self.figure, self.points, self.axes = figure, points, axes
        self.curves = list(dict.fromkeys(point.curve for point in points))
        self.last = {curve: of_curve(points, curve)[-1].x for curve in self.curves}
        self.looks = _looks(self.curves)
        shared = Counter(point.x for point in points)
        crowded = figure.stems and max(shared.values(), default=1) > 1
        self.shifts = side_by_side(self.curves, 0.12 if crowded else 0.0)

    def draw(self) -> set[str]:
        """Returns the kinds of marks."""
        if self.figure.logarithmic:
            self.axes.set_yscale("log")
        for curve in self.curves:
            self._curve(curve)
        marks = self._marks()
        beside = self._mark(marks)
        self._label()
        legend_beside(self.axes, beside=beside)
        return {_kind(mark) for mark in marks}

    def _x(self, curve: str, x: float) -> float:
        if self.figure.shares:
            return 100 * x / self.last[curve]
        return x + self.shifts[curve]

    def _curve(self, curve: str) -> None:
        own = of_curve(self.points, curve)
        xs, means = [self._x(curve, point.x) for point in own], [point.mean for point in own]
        lows, highs = [point.low for point in own], [point.high for point in own]
        color, dashes = self.looks[curve]
        label = f"{curve} ({self.last[curve]:,.0f})" if self.figure.shares else curve
        banded = any(point.low != point.high for point in own)
        if self.figure.stems:
            self.axes.plot(xs, means, "o", color=color, label=label, ms=5)
            if banded:
                self.axes.vlines(xs, lows, highs, color=color, lw=1)
            return
        steps = self.figure.steps
        self.axes.plot(
            xs,
            means,
            dashes,
            color=color,
            label=label,
            marker="o" if len(own) <= FEW else "",
            ms=4,
            drawstyle="steps-post" if steps else "default",
        )
        if banded:
            step = "post" if steps else None
            self.axes.fill_between(xs, lows, highs, color=color, alpha=0.16, lw=0, step=step)

    def _marks(self) -> list[_Mark]:
        found = []
        for name, one in self.figure.page.numbers.items():
            curve, x = self.figure.marks.get(name, (one.curve, one.x))
            shown = one if one.y is None else replace(one, value=one.y, low=one.y, high=one.y)
            if curve in self.looks:
                found.append(_Mark(shown, curve, None if x is None else self._x(curve, x)))
        return found

    def _mark(self, marks: Sequence[_Mark]) -> int:
        """Returns how many stand beside the axes.

        Equal values lie inside each other, ranges at the same place side by side.
        """
        equal: Counter[tuple[float, float | None]] = Counter()
        ranges, beside = Counter(mark.x for mark in marks if _kind(mark) == RANGE), 0
        drawn: Counter[float | None] = Counter()
        for mark in marks:
            one, x, color = mark.one, mark.x, self.looks[mark.curve][0]
            kind = _kind(mark)
            if kind == ALONG:
                self.axes.axhline(one.middle, color=color, lw=1.3, ls=":", label=f"_{ALONG}")
            elif kind == VALUE and x is not None:
                size = 8 + 3.5 * equal[x, one.middle]
                equal[x, one.middle] += 1
                mark_value(self.axes, x, one, color, "D", size)
                if one.high - one.low > 1.01 * 10**-one.decimals:  # more than its digits
                    ends = [one.low, one.high]
                    self.axes.plot([x, x], ends, color=color, lw=0.8, marker="_", ms=6)
            elif x is not None:
                mark_range(self.axes, x, one, color, 9 * (drawn[x] - (ranges[x] - 1) / 2))
                drawn[x] += 1
            else:
                mark_range_beside(self.axes, beside, one, color)
                beside += 1
        return beside

    def _label(self) -> None:
        from matplotlib.ticker import MaxNLocator

        figure, axes = self.figure, self.axes
        axes.set_ylabel(figure.y_label)
        axes.grid(color="0.92")
        if not figure.logarithmic:
            plain_numbers(axes.yaxis)
        if figure.names:
            self._name_places(axes)
            return
        plain_numbers(axes.xaxis)
        if figure.shares:
            axes.set_xlabel(f"{figure.x_label}, % of the training (in brackets: how many)")
            return
        whole = all(point.x == round(point.x) for point in self.points)
        most = 6 if max(self.last.values(), default=0) >= LONG else 10
        axes.xaxis.set_major_locator(MaxNLocator(most, steps=[1, 2, 5, 10], integer=whole))
        axes.set_xlabel(figure.x_label)

    def _name_places(self, axes: Any) -> None:
        """In lines below each other; aslant where there are many."""
        names = self.figure.names
        aslant = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"}
        many = len(names) > MANY
        told = [name if many else fill(name, 12) for name in names.values()]
        axes.set_xticks(list(names), told, **(aslant if many else {}))


def _kind(mark: _Mark) -> str:
    if mark.one.value is None:
        return RANGE
    return ALONG if mark.x is None else VALUE


def _looks(curves: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Colour and dashes. What else is told of a curve, "curve: what", is dashed in its colour."""
    found: dict[str, tuple[str, str]] = {}
    number = 0
    for curve in curves:
        of = curve.partition(": ")[0]
        if of != curve and of in found:
            found[curve] = (found[of][0], "--")
        else:
            found[curve] = (f"C{number}", "-")
            number += 1
    return found


def side_by_side(names: Sequence[str], distance: float) -> dict[str, float]:
    """By how much each is moved, so that all stand around their common place.

    >>> side_by_side(["a", "b"], 0.1)
    {'a': -0.05, 'b': 0.05}
    """
    return {name: (place - (len(names) - 1) / 2) * distance for place, name in enumerate(names)}


def mark_value(
    axes: Any, x: float, one: Printed, color: str, marker: str = "o", size: float = 7
) -> None:
    """A hollow mark."""
    axes.plot([x], [one.value], marker, ms=size, mfc="none", color=color, label=f"_{VALUE}")


def mark_range(axes: Any, x: float, one: Printed, color: str, points: float = 0.0) -> None:
    """A bar from the lower to the upper end, so many points to the right of x."""
    from matplotlib.transforms import ScaledTranslation

    moved = ScaledTranslation(points / 72, 0, axes.figure.dpi_scale_trans)
    closed = _bar(axes, x, one, color, axes.transData + moved)
    axes.update_datalim([(x, end) for end in closed])
    axes.autoscale_view()


def mark_range_beside(axes: Any, place: int, one: Printed, color: str) -> None:
    """The same to the right of the axes: it holds all along, or in the end."""
    closed = _bar(axes, 1.015 + 0.02 * place, one, color, axes.get_yaxis_transform())
    axes.update_datalim([(0, end) for end in closed], updatex=False)
    axes.autoscale_view()


def _bar(axes: Any, x: float, one: Printed, color: str, transform: Any) -> list[float]:
    """Shaded, with a cap at each end; an open end is an arrow. Returns the ends that are not."""
    from matplotlib.lines import Line2D

    least = 0 if axes.get_yscale() == "log" else -math.inf
    closed = [end for end in (one.low, one.high) if least < end < math.inf]
    common = {"color": color, "transform": transform}
    caps = Line2D([x] * len(closed), closed, ls="", marker="_", ms=9, mew=1.5, **common)
    artists = [caps]
    if len(closed) == 2:
        bar = Line2D([x, x], closed, lw=6, alpha=0.3, solid_capstyle="butt", **common)
        bar.set_label(f"_{RANGE}")
        artists.append(bar)
    for artist in artists:
        axes.add_artist(artist).set_clip_on(False)
    if len(closed) == 1:
        axes.margins(y=0.15)
        axes.annotate(
            "",
            (x, closed[0]),
            (0, 24 if closed[0] == one.low else -24),
            xycoords=transform,
            textcoords="offset points",
            arrowprops={"arrowstyle": "<-", "color": color, "lw": 2, "shrinkA": 0, "shrinkB": 0},
            annotation_clip=False,
        ).set_label(f"_{RANGE}")
    return closed


def plain_numbers(axis: Any) -> None:
    """1,200,000 instead of 1.2 and a power of ten at the end of the axis."""
    axis.set_major_formatter(lambda value, place: f"{value:,.10g}".replace("-", "−"))


def span(numbers: Iterable[int]) -> str:
    """The number, or the least and the greatest.

    >>> span([1000, 200, 1000]), span([3, 3])
    ('200 to 1,000', '3')
    """
    known = sorted(set(numbers)) or [0]
    return f"{known[0]:,}" if len(known) == 1 else f"{known[0]:,} to {known[-1]:,}"


def new_canvas(height: float) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    canvas = Canvas(figsize=(WIDTH, height), layout="constrained")
    FigureCanvasAgg(canvas)
    return canvas


def legend_beside(axes: Any, title: str = "", beside: int = 0) -> None:
    """To the right of the axes, where it hides nothing; of so many bars that stand there too."""
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(
        handles,
        [fill(label, 24) for label in labels],
        title=fill(title, 24),
        loc="upper left",
        bbox_to_anchor=(1.015 + 0.022 * beside, 1),
        borderaxespad=0,
        fontsize=8,
        title_fontsize=8,
    )


def caption(canvas: Any, shows: str, told: str, name: str) -> None:
    """What it is, how to read it, and the command that makes it."""
    lines = [fill(shows, 115), fill(told, 115), f"spielwerk reproduce {name}"]
    canvas.suptitle("\n".join(lines), fontsize=9)


def save(canvas: Any, name: str, folder: Path) -> None:
    """Letters as letters, and the same file for the same results."""
    from matplotlib import rc_context

    canvas.savefig(folder / "plot.png", dpi=110)
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        canvas.savefig(folder / "plot.svg", metadata={"Date": None})
