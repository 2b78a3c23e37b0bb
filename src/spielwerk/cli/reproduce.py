"""`spielwerk reproduce [NAME]`: published tables and figures, ours beside theirs."""

import json as json_module
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from spielwerk.cli.options import JsonOption, OnOption, ThreadsOption
from spielwerk.cli.terminal import announce_compilation, log, out

EXAMPLE = "Example: `spielwerk reproduce goeppert-table-10 --quick --out results-quick`"


def command(
    ctx: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="A table or figure; without it, all are listed."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Few games or seeds, to see it work.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="All games or seeds, as without it.")
    ] = False,
    games: Annotated[
        int | None, typer.Option(min=2, help="Tables: games per cell instead of the full number.")
    ] = None,
    seeds: Annotated[
        int | None, typer.Option(min=1, help="Figures: repetitions instead of the full number.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Same seed, same games. [1]")] = None,
    threads: ThreadsOption = None,
    on: OnOption = "threads",
    folder: Annotated[
        Path, typer.Option("--out", help="Where results lie, a folder for each.")
    ] = Path("results"),
    plot_only: Annotated[
        bool, typer.Option("--plot", help="Only draw the plot again from the saved results.")
    ] = False,
    store: Annotated[
        bool, typer.Option("--store/--no-store", help="Keep the numbers (see: history).")
    ] = True,
    list_them: Annotated[bool, typer.Option("--list", help="List what there is.")] = False,
    json: JsonOption = False,
) -> None:
    """Run a published table or figure and compare it with what was printed.

    Stop it with Ctrl-C and call it again: cells and trainings that are done are kept. It writes
    cells.csv (figures: curves.csv), plot.png, plot.svg and about.txt. Results of more games or
    seeds, or of another seed, are not replaced: give another folder with --out. Each number has a
    verdict by one rule (docs/lab.md). With --json: name, state, verdicts (how many of each),
    numbers (one object each: name, printed, value, low, high, verdict).
    """
    from spielwerk.arena.workers import parse_workers
    from spielwerk.lab.catalogue import find_entry
    from spielwerk.lab.experiment import Table

    if name is None or list_them:
        if name is not None:
            raise typer.BadParameter("--list shows all of them: give no name as well.")
        told = "--list runs nothing" if list_them else "Without a name all are listed, nothing runs"
        _nothing_beside(ctx, told, {"list_them", "folder", "json"})
        _list(folder, json)
        return
    entry = find_entry(name)
    if entry.name != name:
        _remark(f"{name} is a part of {entry.name}.")
    if plot_only:
        _nothing_beside(ctx, "--plot runs nothing", {"name", "plot_only", "folder", "json"})
    if quick and full:
        raise typer.BadParameter("--quick or --full: give one of them.")
    if (quick or full) and (games is not None or seeds is not None):
        told = "--quick" if quick else "--full"
        raise typer.BadParameter(f"{told} says how many games or seeds: give no number as well.")
    if isinstance(entry, Table) and seeds is not None:
        raise typer.BadParameter(f"{name} is a table: it takes --games, not --seeds.")
    if not isinstance(entry, Table) and games is not None:
        raise typer.BadParameter(f"{name} is a figure: it takes --seeds, not --games.")
    computed = not isinstance(entry, Table) and not entry.chance
    if computed and (seed not in (None, 1) or seeds not in (None, 1)):
        raise typer.BadParameter(
            f"{name} knows no chance: every seed gives the same. Give neither --seeds nor --seed."
        )
    where = folder / entry.name
    _refuse_damaged(entry, where)
    if not plot_only:
        announce_compilation()
        timed = not isinstance(entry, Table) and entry.timed
        if timed and (threads not in (None, 1) or on != "threads"):
            _remark(
                f"{name} takes times: it runs on one thread here, not as --threads or --on say."
            )
            on, threads = "threads", 1
        workers = parse_workers(on, threads or os.cpu_count() or 1)
        if seed is None:
            seed = 1 if isinstance(entry, Table) else entry.seed
        _run(entry, where, quick, games, seeds, seed, workers)
        if store:
            _store(entry, where)
    _draw(entry, where)
    _show(entry, where, json)


def _nothing_beside(ctx: typer.Context, why: str, allowed: set[str]) -> None:
    """Refuse options that would be ignored."""
    for parameter in ctx.command.params:
        source = ctx.get_parameter_source(parameter.name or "")
        if source is not None and source.name == "COMMANDLINE" and parameter.name not in allowed:
            options = "/".join([*parameter.opts, *parameter.secondary_opts])
            raise typer.BadParameter(f"{why}: give no {options} as well.")


def _refuse_damaged(entry: Any, where: Path) -> None:
    from spielwerk.errors import SpielwerkError
    from spielwerk.lab.saved import read_saved

    damage = read_saved(entry, where).damage
    if damage:
        raise SpielwerkError(damage)


def _remark(text: str) -> None:
    log.print(text, markup=False, soft_wrap=True)


def _run(
    entry: Any,
    where: Path,
    quick: bool,
    games: int | None,
    seeds: int | None,
    seed: int,
    workers: Any,
) -> None:
    """Run what is missing."""
    from spielwerk.lab.experiment import Table, run_table
    from spielwerk.lab.figure import Study, run_figure

    try:
        with _progress(entry.name) as done:
            if isinstance(entry, Table):
                wanted = games or (entry.quick_games if quick else entry.full_games)

                def played(cell: int, cells: int, so_far: int) -> None:
                    done(cell * wanted + so_far, cells * wanted)

                run_table(entry, where, wanted, seed, workers, played)
                return
            often = seeds or (entry.quick_seeds if quick else entry.full_seeds)
            points = run_figure(entry, where, Study(often, seed, workers, done))
    except KeyboardInterrupt:
        log.print("Stopped. What is done is kept; the same command goes on there.")
        raise typer.Exit(130) from None
    if seeds and max(point.seeds for point in points) < seeds:
        _remark(f"{entry.name} has not used {seeds} seeds: none of its points is of so many.")


@contextmanager
def _progress(label: str) -> Iterator[Any]:
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


def _store(entry: Any, where: Path) -> None:
    from spielwerk.lab.storing import store_results
    from spielwerk.store.store import Store

    kept = Store.open()
    try:
        store_results(kept, entry, where)
    finally:
        kept.close()


def _draw(entry: Any, where: Path) -> None:
    from spielwerk.errors import SpielwerkError

    try:
        _draw_file(entry, where)
    except OSError as error:
        raise SpielwerkError(f"{error.filename} cannot be written: {error.strerror}.") from None


def _draw_file(entry: Any, where: Path) -> None:
    from spielwerk.lab.experiment import Table, read_results
    from spielwerk.lab.figure import CURVES, read_points
    from spielwerk.lab.figure_plot import draw_figure
    from spielwerk.lab.table_plot import draw

    if isinstance(entry, Table):
        results = read_results(where)
        if results:
            draw(entry, results, where)
            return
    elif (where / CURVES).is_file():
        draw_figure(entry, read_points(where), where)
        return
    raise typer.BadParameter(f"{where} holds no results yet.")


def _list(folder: Path, as_json: bool) -> None:
    from spielwerk.lab.catalogue import entries
    from spielwerk.lab.saved import DAMAGED, NOT_RUN, read_saved
    from spielwerk.lab.times import expected_times, in_words
    from spielwerk.lab.verdicts import NOT_MEASURED, count_verdicts

    rows = []
    for entry in entries().values():
        saved = read_saved(entry, folder / entry.name)
        if saved.damage:
            _remark(f"Warning: {saved.damage}")
        quick, full = expected_times(entry)
        counts = count_verdicts(saved.comparisons)
        rows.append(
            {
                "name": entry.name,
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
            state += f", {_in_words(counts)}"
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


def _in_words(counts: dict[str, int]) -> str:
    """How many of which verdict."""
    total = sum(counts.values())
    told = [f"{number} {verdict}" for verdict, number in counts.items() if number]
    return f"{total} {'number' if total == 1 else 'numbers'}: {', '.join(told)}"


def _show(entry: Any, where: Path, as_json: bool) -> None:
    from spielwerk.lab.experiment import Table
    from spielwerk.lab.saved import read_saved
    from spielwerk.lab.verdicts import count_verdicts

    saved = read_saved(entry, where)
    counts = count_verdicts(saved.comparisons)
    if as_json:
        numbers = [
            {
                "name": one.name,
                "printed": one.printed.text,
                "value": one.measured and one.measured.value,
                "low": one.measured and one.measured.low,
                "high": one.measured and one.measured.high,
                "verdict": one.verdict,
            }
            for one in saved.comparisons
        ]
        found = {"name": entry.name, "state": saved.state, "verdicts": counts, "numbers": numbers}
        out.print_json(json_module.dumps(found))
        return
    in_cells = set()
    if isinstance(entry, Table):
        _show_table(entry, saved)
        in_cells = {cell.name for cell in entry.cells}
    else:
        out.print(f"{entry.source}: {entry.shows}", style="bold", markup=False)
    for one in saved.comparisons:
        if one.name not in in_cells:
            ours = one.measured.text if one.measured else "–"
            told = f"{one.verdict}: {one.name}: {ours} (printed: {one.printed.text})"
            out.print(told, markup=False)
    if entry.page.explanation:
        out.print(f"Explanation: {entry.page.explanation}", style="dim", markup=False)
    sample = f"; {saved.sample}" if saved.sample else ""
    out.print(f"{_in_words(counts)}{sample}; {where}", markup=False)


def _show_table(table: Any, saved: Any) -> None:
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
