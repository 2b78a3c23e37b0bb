"""The plot of a table, drawn from its saved results."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from spielwerk.lab.experiment import Result, Table
from spielwerk.lab.figure_plot import (
    PANEL,
    caption,
    legend_beside,
    mark_range,
    mark_value,
    new_canvas,
    plain_numbers,
    save,
    side_by_side,
    span,
)

ROWS = 5
"""At most in one panel."""


def draw(table: Table, results: Sequence[Result], folder: Path) -> None:
    """PNG and SVG."""
    save(compose_table(table, results), table.name, folder)


def compose_table(table: Table, results: Sequence[Result]) -> Any:
    """A row has a colour: points with 95 % bars, joined where columns are numbers; printed values
    are hollow circles, printed ranges shaded bars."""
    rows = list(dict.fromkeys(cell.row for cell in table.cells))
    panels = max(1, -(-len(rows) // ROWS))
    canvas = new_canvas(1.0 + PANEL * panels)
    for number in range(panels):
        axes = canvas.add_subplot(panels, 1, number + 1)
        share = rows[number * len(rows) // panels : (number + 1) * len(rows) // panels]
        _draw_rows(table, share, results, axes)
    printed = [one for r in results if (one := table.page.numbers.get(r.name)) is not None]
    told = [f"filled: ours, {span(result.games for result in results)} games per point, 95 %"]
    if any(one.value is not None for one in printed):
        told.append("hollow: printed")
    if any(one.value is None for one in printed):
        told.append("shaded bars: printed ranges")
    if table.even is not None:
        told.append(f"grey line: an even share, {table.even:.3g} %")
    caption(canvas, f"{table.source}: {table.shows}", "; ".join(told), table.name)
    return canvas


def _draw_rows(table: Table, rows: Sequence[str], results: Sequence[Result], axes: Any) -> None:
    columns = list(dict.fromkeys(cell.column for cell in table.cells))
    joined = all(_is_number(column) for column in columns)
    shifts = side_by_side(rows, 0.08 if joined else 0.14)
    for place, row in enumerate(rows):
        found = [result for result in results if result.row == row]
        xs = [columns.index(result.column) + shifts[row] for result in found]
        bars = [
            [result.share - result.low for result in found],
            [result.high - result.share for result in found],
        ]
        color, style = f"C{place}", "o-" if joined else "o"
        shares = [result.share for result in found]
        axes.errorbar(xs, shares, bars, fmt=style, color=color, ms=4, capsize=2, label=row)
        for x, result in zip(xs, found, strict=True):
            one = table.page.numbers.get(result.name)
            if one is not None:
                (mark_range if one.value is None else mark_value)(axes, x, one, color)
    if table.even is not None:
        axes.axhline(table.even, color="0.7", lw=0.8, zorder=0)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_xlabel(table.column_label)
    axes.set_ylabel(table.share_label)
    plain_numbers(axes.yaxis)
    legend_beside(axes, table.row_label)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
