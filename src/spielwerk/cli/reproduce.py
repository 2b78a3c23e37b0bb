"""`spielwerk reproduce [NAME]`: published tables, ours beside theirs."""

import json as json_module
import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from spielwerk.cli.options import JsonOption
from spielwerk.cli.terminal import announce_compilation, log, out

EXAMPLE = "Example: `spielwerk reproduce goeppert-table-10 --quick --out results-quick`"


def command(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A table; without it, all are listed.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Few games per cell, to see it work.")] = (
        False
    ),
    games: Annotated[
        int | None, typer.Option(min=2, help="Games per cell instead of the full number.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same games.")] = 1,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads. [all cores]")] = None,
    folder: Annotated[
        Path, typer.Option("--out", help="Where results lie, a folder per table.")
    ] = Path("results"),
    plot_only: Annotated[
        bool, typer.Option("--plot", help="Only draw the plot again from the saved results.")
    ] = False,
    list_them: Annotated[bool, typer.Option("--list", help="List the tables.")] = False,
    json: JsonOption = False,
) -> None:
    """Run a published table and compare it with the printed values.

    Cells that are done are kept: stop it with Ctrl-C and call it again. It writes cells.csv,
    plot.png, plot.svg and about.txt. A cell "agrees" if the difference lies within the 95 % error
    of both. With --json: name, cells (one object each), agree.
    """
    from spielwerk.lab.catalogue import find_table, tables
    from spielwerk.lab.experiment import read_results, run_table
    from spielwerk.lab.plot import draw

    if name is None or list_them:
        _list(tables(), folder, json)
        return
    table = find_table(name)
    where = folder / table.name
    if quick and games is not None:
        raise typer.BadParameter("--quick and --games exclude each other.")
    if plot_only:
        results = read_results(where)
        if not results:
            raise typer.BadParameter(f"{where} holds no results yet.")
    else:
        announce_compilation()
        wanted = games or (table.quick_games if quick else table.full_games)
        results = _run(run_table, table, where, wanted, seed, threads or os.cpu_count() or 1)
    draw(table, results, where)
    _show(table, results, where, json)


def _run(run_table: Any, table: Any, where: Path, games: int, seed: int, threads: int) -> Any:
    from rich.progress import Progress, TimeRemainingColumn

    with Progress(
        *Progress.get_default_columns()[:-1], TimeRemainingColumn(), console=log, transient=True
    ) as bar:
        task = bar.add_task(table.name, total=len(table.cells) * games)

        def progress(cell: int, cells: int, played: int) -> None:
            bar.update(task, completed=cell * games + played)

        try:
            return run_table(table, where, games, seed, threads, progress)
        except KeyboardInterrupt:
            log.print(f"Stopped. What is done lies in {where}; the same command goes on there.")
            raise typer.Exit(130) from None


def _list(tables: Any, folder: Path, as_json: bool) -> None:
    from spielwerk.lab.experiment import read_results

    rows = []
    for table in tables.values():
        done = read_results(folder / table.name)
        games = min((result.games for result in done), default=0)
        rows.append(
            {
                "name": table.name,
                "source": table.source,
                "shows": table.shows,
                "cells": len(table.cells),
                "done": len(done),
                "games": games,
                "agree": sum(result.verdict == "agrees" for result in done),
            }
        )
    if as_json:
        out.print_json(json_module.dumps(rows))
        return
    for row in rows:
        state = (
            f"{row['done']} of {row['cells']} cells, {row['games']} games each, "
            f"{row['agree']} agree"
            if row["done"]
            else f"{row['cells']} cells, not run"
        )
        out.print(f"{row['name']:18} {row['shows']} ({state})", markup=False, highlight=False)


def _show(table: Any, results: Any, where: Path, as_json: bool) -> None:
    from rich.table import Table as RichTable

    agree = sum(result.verdict == "agrees" for result in results)
    if as_json:
        found = {"name": table.name, "cells": [asdict(r) for r in results], "agree": agree}
        out.print_json(json_module.dumps(found))
        return
    columns = list(dict.fromkeys(result.column for result in results))
    shown = RichTable(title=f"{table.source}: {table.shows}")
    shown.add_column(f"{table.row_label} \\ {table.column_label}")
    for column in columns:
        shown.add_column(column, justify="right")
    for row in dict.fromkeys(result.row for result in results):
        cells = {result.column: result for result in results if result.row == row}
        shown.add_row(
            row,
            *(
                f"{cells[c].share:.1f} ±{(cells[c].high - cells[c].low) / 2:.1f}\n"
                f"({cells[c].printed:.1f}{'' if cells[c].verdict == 'agrees' else ' !'})"
                if c in cells
                else ""
                for c in columns
            ),
        )
    out.print(shown)
    out.print(
        f"ours ± 95 % (printed; ! differs); {agree} of {len(results)} cells agree; "
        f"{min(r.games for r in results)} games per cell; {where}",
        markup=False,
    )
