"""What `spielwerk reproduce` tells: the list, the numbers of one entry, its progress."""

import json as json_module
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from spielwerk.cli.terminal import log, out


def remark(text: str) -> None:
    log.print(text, markup=False, soft_wrap=True)


@contextmanager
def progress_bar(label: str) -> Iterator[Any]:
    """A bar with the time that is left; call what it yields with how much is done, and of what.

    What had been done before does not count for the speed.
    """
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (TextColumn(label), BarColumn(), TaskProgressColumn(), Remaining())
    with Progress(
        *columns, console=log, transient=True, disable=not sys.stderr.isatty()
    ) as progress:
        task = progress.add_task(label, total=None)
        begun = False

        def show(done: float, total: float) -> None:
            nonlocal begun
            if not begun:
                progress.reset(task, total=total, completed=int(done))
                begun = True
            progress.update(task, completed=done, total=total)

        yield show


def tell_list(folder: Path, as_json: bool) -> None:
    """Everything that there is, how long it takes, how far it is in this folder."""
    from spielwerk.lab.catalogue import entries
    from spielwerk.lab.saved import DAMAGED, NOT_RUN, read_saved
    from spielwerk.lab.times import expected_times, in_words
    from spielwerk.lab.verdicts import NOT_MEASURED, count_verdicts

    rows = []
    for entry in entries().values():
        saved = read_saved(entry, folder / entry.name)
        if saved.damage:
            remark(f"Warning: {saved.damage}")
        quick, full = expected_times(entry)
        counts = count_verdicts(saved.comparisons)
        rows.append(
            {
                "name": entry.name,
                "also": list(entry.page.also),
                "source": entry.source,
                "shows": entry.shows,
                "quick_seconds": quick,
                "full_seconds": full,
                "state": saved.state,
                "sample": saved.sample,
                "numbers": len(saved.comparisons),
                "measured": len(saved.comparisons) - counts[NOT_MEASURED],
                "verdicts": counts,
            }
        )
        if as_json:
            continue
        state = saved.state + (f" ({saved.sample})" if saved.sample else "")
        if saved.state in (NOT_RUN, DAMAGED):
            state += f", {len(saved.comparisons)} numbers"
        else:
            state += f", {in_a_line(counts)}"
        also = f" (also: {', '.join(entry.page.also)})" if entry.page.also else ""
        out.print(f"{entry.name:22} {entry.shows}{also}", markup=False, highlight=False)
        out.print(
            f"{'':22} quick {in_words(quick)}, full {in_words(full)}; {state}",
            style="dim",
            markup=False,
            highlight=False,
        )
    if as_json:
        out.print_json(json_module.dumps(rows))


def in_a_line(counts: dict[str, int]) -> str:
    """How many of which verdict."""
    total = sum(counts.values())
    told = [f"{number} {verdict}" for verdict, number in counts.items() if number]
    return f"{total} {'number' if total == 1 else 'numbers'}: {', '.join(told)}"


def as_object(entry: Any, saved: Any) -> dict[str, Any]:
    """The numbers of one entry for machines; what has no interval has no `low` and `high`."""
    from spielwerk.lab.verdicts import count_verdicts

    def numbers(one: Any) -> dict[str, Any]:
        ours = one.measured
        sure = ours is not None and ours.repeated
        return {
            "name": one.name,
            "printed": one.printed.text,
            "value": ours and ours.value,
            "low": ours.low if sure else None,
            "high": ours.high if sure else None,
            "verdict": one.verdict,
        }

    return {
        "name": entry.name,
        "state": saved.state,
        "verdicts": count_verdicts(saved.comparisons),
        "numbers": [numbers(one) for one in saved.comparisons],
    }


def tell_numbers(entry: Any, saved: Any, where: Path) -> None:
    """Ours beside the printed ones, and what is to be known of them."""
    from spielwerk.lab.experiment import Table
    from spielwerk.lab.saved import explained
    from spielwerk.lab.verdicts import count_verdicts

    in_cells = set()
    if isinstance(entry, Table):
        _tell_table(entry, saved)
        in_cells = {cell.name for cell in entry.cells}
    else:
        out.print(f"{entry.source}: {entry.shows}", style="bold", markup=False)
    for one in saved.comparisons:
        if one.name not in in_cells:
            ours = one.measured.text if one.measured else "–"
            told = f"{one.verdict}: {one.name}: {ours} (printed: {one.printed.text})"
            out.print(told, markup=False)
    texts = {
        "Note": entry.page.note,
        "Not measured": entry.page.unmeasured,
        "Explanation": explained(entry.page, saved.state),
        "Remark": saved.about.get("remark", ""),
    }
    for head, text in texts.items():
        if text:
            out.print(f"{head}: {text}", style="dim", markup=False)
    state = ", ".join(filter(None, (saved.state, saved.sample)))
    counts = count_verdicts(saved.comparisons)
    out.print(f"{in_a_line(counts)}; {state}; {where}", markup=False)


def _tell_table(table: Any, saved: Any) -> None:
    from rich.table import Table as RichTable

    from spielwerk.lab.verdicts import MARKS

    signs = [f"{mark.strip()} {verdict}" for verdict, mark in MARKS.items() if mark]
    by_name = {one.name: one for one in saved.comparisons}
    columns = list(dict.fromkeys(cell.column for cell in table.cells))
    shown = RichTable(
        title=f"{table.source}: {table.shows}",
        caption=f"ours ± 95 % (printed; {', '.join(signs)})",
    )
    shown.add_column(f"{table.row_label} \\ {table.column_label}")
    for column in columns:
        shown.add_column(column, justify="right")
    for row in dict.fromkeys(cell.row for cell in table.cells):
        texts = {}
        for cell in table.cells:
            one = by_name.get(cell.name)
            if cell.row == row and one is not None and one.measured is not None:
                ours = f"{one.measured.value:.1f} ±{one.measured.error:.1f}"
                texts[cell.column] = f"{ours}\n({one.printed.text}{MARKS[one.verdict]})"
        if texts:
            shown.add_row(row, *(texts.get(column, "") for column in columns))
    out.print(shown)
