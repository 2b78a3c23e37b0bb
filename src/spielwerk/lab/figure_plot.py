"""The plot of a figure, drawn from its saved points."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from spielwerk.lab.figure import Figure, Point, of_curve
from spielwerk.lab.printed import Page


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
