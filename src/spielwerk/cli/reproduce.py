"""`spielwerk reproduce [NAME]`: published tables and figures, ours beside theirs."""

import json as json_module
import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from spielwerk.cli.options import JsonOption, OnOption, ThreadsOption
from spielwerk.cli.terminal import announce_compilation, log, out, progress_bar

EXAMPLE = "Example: `spielwerk reproduce goeppert-table-10 --quick --out results-quick`"


def command(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="A table or figure; without it, all are listed."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Few games or seeds, to see it work.")
    ] = False,
    games: Annotated[
        int | None, typer.Option(min=2, help="Tables: games per cell instead of the full number.")
    ] = None,
    seeds: Annotated[
        int | None, typer.Option(min=1, help="Figures: repetitions instead of the full number.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same games.")] = 1,
    threads: ThreadsOption = None,
    on: OnOption = "threads",
    folder: Annotated[
        Path, typer.Option("--out", help="Where results lie, a folder for each.")
    ] = Path("results"),
    plot_only: Annotated[
        bool, typer.Option("--plot", help="Only draw the plot again from the saved results.")
    ] = False,
    list_them: Annotated[bool, typer.Option("--list", help="List what there is.")] = False,
    json: JsonOption = False,
) -> None:
    """Run a published table or figure and compare it with what was printed.

    Stop it with Ctrl-C and call it again: cells and trainings that are done are kept. It writes
    cells.csv (figures: curves.csv, claims.csv), plot.png, plot.svg and about.txt. A cell "agrees"
    if the difference lies within the 95 % error of both, a claim by the rule in its module. With
    --json: name, agree, and cells or claims (one object each).
    """
    from spielwerk.arena.workers import parse_workers
    from spielwerk.lab.catalogue import entries, find_entry
    from spielwerk.lab.figure import Figure

    if name is None or list_them:
        _list(entries(), folder, json)
        return
    entry = find_entry(name)
    if quick and (games is not None or seeds is not None):
        raise typer.BadParameter("--quick says how many games or seeds: give no number as well.")
    if not plot_only:
        announce_compilation()
    workers = None if plot_only else parse_workers(on, threads or os.cpu_count() or 1)
    if isinstance(entry, Figure):
        if games is not None:
            raise typer.BadParameter(f"{name} is a figure: it takes --seeds, not --games.")
        wanted = seeds or (entry.quick_seeds if quick else entry.full_seeds)
        _reproduce_figure(entry, folder / entry.name, wanted, seed, workers, plot_only, json)
        return
    if seeds is not None:
        raise typer.BadParameter(f"{name} is a table: it takes --games, not --seeds.")
    wanted = games or (entry.quick_games if quick else entry.full_games)
    _reproduce_table(entry, folder / entry.name, wanted, seed, workers, plot_only, json)


def _reproduce_table(
    table: Any, where: Path, games: int, seed: int, workers: Any, plot_only: bool, as_json: bool
) -> None:
    from spielwerk.lab.experiment import read_results, run_table
    from spielwerk.lab.plot import draw

    if plot_only:
        results = read_results(where)
        if not results:
            raise typer.BadParameter(f"{where} holds no results yet.")
    else:
        results = _run(run_table, table, where, games, seed, workers)
    draw(table, results, where)
    _show(table, results, where, as_json)


def _reproduce_figure(
    figure: Any, where: Path, seeds: int, seed: int, workers: Any, plot_only: bool, as_json: bool
) -> None:
    from spielwerk.lab.figure import (
        CURVES,
        Study,
        draw_figure,
        read_claims,
        read_points,
        run_figure,
    )

    if plot_only:
        if not (where / CURVES).exists():
            raise typer.BadParameter(f"{where} holds no results yet.")
        draw_figure(figure, read_points(where), where)
        claims = read_claims(where)
    else:
        try:
            with progress_bar(figure.name, 1) as bar:
                study = Study(seeds, seed, workers, lambda done, total: bar(done / total))
                _, claims = run_figure(figure, where, study)
        except KeyboardInterrupt:
            log.print("Stopped. Trainings that are done are kept; the same command goes on there.")
            raise typer.Exit(130) from None
    agree = sum(claim.verdict == "agrees" for claim in claims)
    if as_json:
        found = {"name": figure.name, "claims": [asdict(c) for c in claims], "agree": agree}
        out.print_json(json_module.dumps(found))
        return
    out.print(f"{figure.source}: {figure.shows}", style="bold", markup=False)
    for claim in claims:
        out.print(
            f"{claim.verdict}: {claim.statement}: {claim.found} (printed: {claim.printed})",
            markup=False,
        )
    out.print(f"{agree} of {len(claims)} claims agree; {where}", markup=False)


def _run(run_table: Any, table: Any, where: Path, games: int, seed: int, workers: Any) -> Any:
    from rich.progress import Progress, TimeRemainingColumn

    with Progress(
        *Progress.get_default_columns()[:-1], TimeRemainingColumn(), console=log, transient=True
    ) as bar:
        task = bar.add_task(table.name, total=len(table.cells) * games)

        def progress(cell: int, cells: int, played: int) -> None:
            bar.update(task, completed=cell * games + played)

        try:
            return run_table(table, where, games, seed, workers, progress)
        except KeyboardInterrupt:
            log.print(f"Stopped. What is done lies in {where}; the same command goes on there.")
            raise typer.Exit(130) from None


def _list(entries: Any, folder: Path, as_json: bool) -> None:
    from spielwerk.lab.experiment import read_results
    from spielwerk.lab.figure import Figure, read_claims

    rows = []
    for table in entries.values():
        if isinstance(table, Figure):
            claims = read_claims(folder / table.name)
            rows.append(
                {
                    "name": table.name,
                    "source": table.source,
                    "shows": table.shows,
                    "claims": len(claims),
                    "agree": sum(claim.verdict == "agrees" for claim in claims),
                }
            )
            continue
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
        if "claims" in row:
            state = (
                f"{row['agree']} of {row['claims']} claims agree" if row["claims"] else "not run"
            )
            out.print(f"{row['name']:18} {row['shows']} ({state})", markup=False, highlight=False)
            continue
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
