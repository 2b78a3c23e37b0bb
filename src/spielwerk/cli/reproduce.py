"""`spielwerk reproduce [NAME]`: published tables and figures, ours beside theirs."""

import json as json_module
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from spielwerk.cli.options import JsonOption, OnOption, ThreadsOption
from spielwerk.cli.reproduction_words import (
    as_object,
    in_a_line,
    progress_bar,
    remark,
    tell_list,
    tell_numbers,
)
from spielwerk.cli.terminal import announce_compilation, log, out

EXAMPLE = "Example: `spielwerk reproduce goeppert-table-10 --quick --out results-quick`"


@dataclass(frozen=True)
class Wanted:
    """What the command line says of a run."""

    quick: bool
    games: int | None
    seeds: int | None
    seed: int | None
    threads: int | None
    on: str
    folder: Path
    plot_only: bool
    store: bool


def command(
    ctx: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="A table or figure, a work (goeppert, jahnke, konen, thill), or all; without it, "
            "all are listed.",
        ),
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
    seed: Annotated[
        int | None,
        typer.Option(help="Same seed, same games. [1; of the n-tuple records 31]"),
    ] = None,
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
    verdict by one rule (docs/lab.md). A work, or all, is run one after the other, without what is
    there already. With --json: name, state, verdicts (how many of each), numbers (one object each:
    name, printed, value, low, high, verdict; low and high are null without an interval); of several
    a list of these.
    """
    from spielwerk.lab.catalogue import find_entries

    if name is None or list_them:
        if name is not None:
            raise typer.BadParameter("--list shows all of them: give no name as well.")
        told = "--list runs nothing" if list_them else "Without a name all are listed, nothing runs"
        _nothing_beside(ctx, told, {"list_them", "folder", "json"})
        tell_list(folder, json)
        return
    found = find_entries(name)
    if plot_only:
        _nothing_beside(ctx, "--plot runs nothing", {"name", "plot_only", "folder", "json"})
    if quick and full:
        raise typer.BadParameter("--quick or --full: give one of them.")
    if (quick or full) and (games is not None or seeds is not None):
        told = "--quick" if quick else "--full"
        raise typer.BadParameter(f"{told} says how many games or seeds: give no number as well.")
    if not plot_only:
        announce_compilation()
    wanted = Wanted(quick, games, seeds, seed, threads, on, folder, plot_only, store)
    if len(found) > 1:
        if (games, seeds, seed) != (None, None, None):
            raise typer.BadParameter(
                f"{name} are several: --games, --seeds and --seed are for one of them."
            )
        _reproduce_all(found, wanted, json)
        return
    (entry,) = found
    if name in entry.page.also:
        remark(f"{name} is a part of {entry.name}.")
    _check_options(entry, wanted)
    saved = _reproduce(entry, wanted)
    if json:
        out.print_json(json_module.dumps(as_object(entry, saved)))
    else:
        tell_numbers(entry, saved, folder / entry.name)


def _nothing_beside(ctx: typer.Context, why: str, allowed: set[str]) -> None:
    """Refuse options that would be ignored."""
    for parameter in ctx.command.params:
        source = ctx.get_parameter_source(parameter.name or "")
        if source is not None and source.name == "COMMANDLINE" and parameter.name not in allowed:
            options = "/".join([*parameter.opts, *parameter.secondary_opts])
            raise typer.BadParameter(f"{why}: give no {options} as well.")


def _check_options(entry: Any, wanted: Wanted) -> None:
    from spielwerk.lab.experiment import Table

    name, is_table = entry.name, isinstance(entry, Table)
    if is_table and wanted.seeds is not None:
        raise typer.BadParameter(f"{name} is a table: it takes --games, not --seeds.")
    if not is_table and wanted.games is not None:
        raise typer.BadParameter(f"{name} is a figure: it takes --seeds, not --games.")
    computed = not is_table and not entry.chance
    if computed and (wanted.seed not in (None, 1) or wanted.seeds not in (None, 1)):
        raise typer.BadParameter(
            f"{name} knows no chance: every seed gives the same. Give neither --seeds nor --seed."
        )


def _reproduce_all(found: Sequence[Any], wanted: Wanted, as_json: bool) -> None:
    """One after the other; what is there already is left alone, and one that fails stops no other
    one."""
    from spielwerk.errors import SpielwerkError
    from spielwerk.lab.saved import FULL, PART, QUICK, read_saved
    from spielwerk.lab.verdicts import count_verdicts

    enough = {QUICK, PART, FULL} if wanted.quick else {FULL}
    done, failed = [], []
    for number, entry in enumerate(found, start=1):
        saved = read_saved(entry, wanted.folder / entry.name)
        told = f"{number} of {len(found)}: {entry.name}"
        if saved.state in enough and not wanted.plot_only:
            remark(f"{told} ({saved.state} already)")
        else:
            remark(told)
            try:
                saved = _reproduce(entry, wanted)
            except (SpielwerkError, typer.BadParameter) as error:
                remark(f"{entry.name}: {error}")
                failed.append(entry.name)
                continue
        done.append((entry, saved))
    if as_json:
        out.print_json(json_module.dumps([as_object(entry, saved) for entry, saved in done]))
    else:
        for entry, saved in done:
            told = in_a_line(count_verdicts(saved.comparisons))
            out.print(f"{entry.name:22} {saved.state}, {told}", markup=False, highlight=False)
        counts: Counter[str] = Counter()
        for _, saved in done:
            counts.update(count_verdicts(saved.comparisons))
        out.print(f"{in_a_line(counts)}; {wanted.folder}", markup=False)
    if failed:
        raise SpielwerkError(f"Not reproduced, for the reasons above: {', '.join(failed)}.")


def _reproduce(entry: Any, wanted: Wanted) -> Any:
    """Run it, keep its numbers, draw it; what there is of it then."""
    from spielwerk.errors import SpielwerkError
    from spielwerk.lab.saved import read_saved

    where = wanted.folder / entry.name
    saved = read_saved(entry, where)
    if not saved.damage and not wanted.plot_only:
        _run(entry, where, wanted)
        saved = read_saved(entry, where)
        if wanted.store and not saved.damage:
            _store(entry, where)
    if saved.damage:
        raise SpielwerkError(saved.damage)
    _draw(entry, where)
    return saved


def _run(entry: Any, where: Path, wanted: Wanted) -> None:
    """Run what is missing. Of a table that is stopped the cells that are done are drawn."""
    from spielwerk.arena.workers import parse_workers
    from spielwerk.lab.experiment import CELLS, Table, run_table
    from spielwerk.lab.figure import Study, run_figure

    is_table, threads, on = isinstance(entry, Table), wanted.threads, wanted.on
    if not is_table and entry.timed and (threads not in (None, 1) or on != "threads"):
        remark(
            f"{entry.name} takes times: it runs on one thread here, not as --threads or --on say."
        )
    if not is_table and entry.timed:
        on, threads = "threads", 1
    workers = parse_workers(on, threads or os.cpu_count() or 1)
    seed = wanted.seed
    if seed is None:
        seed = 1 if is_table else entry.seed
    try:
        with progress_bar(entry.name) as done:
            if is_table:
                games = wanted.games or (entry.quick_games if wanted.quick else entry.full_games)

                def played(cell: int, cells: int, so_far: int) -> None:
                    done(cell * games + so_far, cells * games)

                run_table(entry, where, games, seed, workers, played)
                return
            often = wanted.seeds or (entry.quick_seeds if wanted.quick else entry.full_seeds)
            points = run_figure(entry, where, Study(often, seed, workers, done))
    except KeyboardInterrupt:
        if (where / CELLS).exists():
            _draw(entry, where)
        log.print("Stopped. What is done is kept; the same command goes on there.")
        raise typer.Exit(130) from None
    if wanted.seeds and max(point.seeds for point in points) < wanted.seeds:
        remark(f"{entry.name} has not used {wanted.seeds} seeds: none of its points is of so many.")


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
