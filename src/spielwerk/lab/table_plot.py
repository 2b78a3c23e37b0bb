"""The plot of a table, drawn from its saved results."""

from collections.abc import Sequence
from pathlib import Path

from spielwerk.lab.experiment import Result, Table


def draw(table: Table, results: Sequence[Result], folder: Path) -> None:
    """Lines per row with 95 % bars; the printed values as hollow circles. PNG and SVG."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rows = list(dict.fromkeys(cell.row for cell in table.cells))
    columns = list(dict.fromkeys(cell.column for cell in table.cells))
    panels = max(1, -(-len(rows) // 6))
    figure = Figure(figsize=(7.5, 1.2 + 3.4 * panels), layout="constrained")
    FigureCanvasAgg(figure)
    for number in range(panels):
        axes = figure.add_subplot(panels, 1, number + 1)
        share = rows[number * len(rows) // panels : (number + 1) * len(rows) // panels]
        for place, row in enumerate(share):
            found = [result for result in results if result.row == row]
            shift = (place - (len(share) - 1) / 2) * 0.06
            xs = [columns.index(result.column) + shift for result in found]
            bars = [
                [result.share - result.low for result in found],
                [result.high - result.share for result in found],
            ]
            color = f"C{place}"
            axes.errorbar(
                xs,
                [r.share for r in found],
                bars,
                color=color,
                marker="o",
                ms=4,
                capsize=2,
                label=row,
            )
            known = [(x, table.page.numbers.get(r.name)) for x, r in zip(xs, found, strict=True)]
            marks = [(x, one.middle) for x, one in known if one is not None]
            axes.plot(*zip(*marks, strict=True), "o", ms=7, mfc="none", color=color)
        axes.axhline(50, color="0.7", lw=0.8, zorder=0)
        axes.set_xticks(range(len(columns)), columns)
        axes.set_xlabel(table.column_label)
        axes.set_ylabel("points won, %")
        axes.legend(title=table.row_label, fontsize=8, title_fontsize=8, ncols=3)
    games = min((result.games for result in results), default=0)
    figure.suptitle(
        f"{table.source}: {table.shows}\nfilled: ours, {games} games per point, 95 %; "
        f"hollow: printed\nspielwerk reproduce {table.name}",
        fontsize=9,
    )
    figure.savefig(folder / "plot.png", dpi=110)
    # Letters as letters, and the same file for the same results.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": table.name}):
        figure.savefig(folder / "plot.svg", metadata={"Date": None})
