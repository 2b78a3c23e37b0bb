"""Architecture searches on the terminal: `spielwerk train GAME net --search N`."""

import json as json_module
import shlex
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich import box
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from spielwerk.cli.terminal import announce_compilation, log, out
from spielwerk.learning.nets import need_optuna, need_torch
from spielwerk.learning.nets.config import STUDY, check_search

if TYPE_CHECKING:
    from spielwerk.learning.nets.architecture_search import Search, TrialResult
    from spielwerk.learning.nets.supervised import NetRun

Tell = Callable[[int, float], None]
"""Told how many trials have ended, unless it was told something so many seconds ago."""


def begin_net_search(
    run: "NetRun", folder: Path, fixed: tuple[str, ...], trials: int, tell: Tell, as_json: bool
) -> None:
    """Search in a folder that holds no run yet."""
    from spielwerk.files import make_folder
    from spielwerk.learning.nets.architecture_search import begin_search
    from spielwerk.learning.runs import sole_owner

    make_folder(folder)
    with sole_owner(folder), closing(begin_search(run, folder, fixed, trials)) as search:
        _go_on(search, tell, as_json)


def is_net_search(folder: Path) -> bool:
    """Whether a folder holds a search."""
    return (folder / STUDY).exists()


def check_net_search(fixed: tuple[str, ...], trials: int) -> None:
    """Refuse a search that would find nothing or lacks its tools, before minutes of games."""
    check_search(fixed, trials)
    need_torch()
    need_optuna()


def resume_net_search(folder: Path, trials: int | None, tell: Tell, as_json: bool) -> None:
    """Go on with the search in a folder; `trials` makes it longer."""
    need_torch()
    need_optuna()
    from spielwerk.learning.nets.architecture_search import resume_search
    from spielwerk.learning.runs import sole_owner

    announce_compilation()
    with sole_owner(folder), closing(resume_search(folder, trials)) as search:
        _go_on(search, tell, as_json)


def _go_on(search: "Search", tell: Tell, as_json: bool) -> None:
    log.print(
        f"{search.game}: {search.trials} trials, {search.config.epochs} epochs each, seed "
        f"{search.seed}, folder {search.folder}",
        markup=False,
    )
    begin = time.perf_counter()
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[how]}"),
        TimeRemainingColumn(),
        console=log,
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as bar:
        trials = bar.add_task("trials", total=search.trials, how="")
        steps = bar.add_task("", total=None, how="")

        def watch(number: int, run: "NetRun") -> None:
            how = f"epoch {run.epoch} MSE {run.rows[-1]['held_out_mse']:.4f}"
            bar.update(
                steps,
                description=run.config.architecture,
                total=run.total,
                completed=run.done,
                how=how,
            )
            bar.update(trials, completed=number - 1)

        def ended(result: "TrialResult") -> None:
            log.print(
                f"trial {result.trial} of {search.trials}: {result.architecture}, MSE "
                f"{result.held_out_mse:.4f} after {result.epochs} epochs, {result.outcome}",
                markup=False,
            )
            tell(result.trial, 0.0)

        try:
            search.go_on(watch, ended)
        except KeyboardInterrupt:
            done = len(search.results())
            tell(done, 0.0)
            log.print(
                f"Stopped in trial {done + 1}. Go on with: spielwerk train --resume "
                f"{shlex.quote(str(search.folder))}",
                markup=False,
            )
            raise typer.Exit(130) from None
    _show(search, time.perf_counter() - begin, as_json)


def _show(search: "Search", seconds: float, as_json: bool) -> None:
    from dataclasses import asdict

    from spielwerk.learning.nets.architecture_search import BEST, TRIALS
    from spielwerk.values.net import NET

    results, best, folder = search.results(), search.best(), search.folder
    if as_json:
        found: dict[str, Any] = {
            "run": str(folder),
            "model": str(folder / NET) if best else None,
            "game": search.game,
            "data": search.config.data,
            "seed": search.seed,
            "best": best.trial if best else None,
            "trials": [asdict(result) for result in results],
            "seconds": seconds,
        }
        out.print_json(json_module.dumps(found))
        return
    out.print(_table(search, results, best), soft_wrap=False)
    out.print(f"{seconds:.1f} s; trials: {folder / TRIALS}", markup=False)
    if best is None:
        out.print("No trial came to its end: try a smaller rate.", markup=False)
        return
    words = ["spielwerk", "train", search.game, "net", "--config", str(folder / BEST)]
    if search.config.examples:
        words += ["--set", "examples=0"]
    out.print(f"train the best in full: {shlex.join(words)}", markup=False)
    out.print(
        f"play it as it is: spielwerk play {search.game} --players human "
        f"mcts:value=net:{folder},iterations=10000",
        markup=False,
    )


def _table(search: "Search", results: "list[TrialResult]", best: "TrialResult | None") -> Table:
    config = search.config
    table = Table(
        title=f"{search.game}, {config.representation}, targets {config.target}",
        caption=f"errors on the {search.data.held_out.words.size:,} positions held out, after the "
        "best epoch; * the best",
        box=box.SIMPLE_HEAD,
        padding=0,  # four wide layers fit 80 columns
        show_edge=False,
    )
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("architecture", overflow="fold")
    for name in ("rate", "batch", "weights", "epochs", "MSE", "MAE"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for result in results:
        mark = "*" if result == best else ""
        table.add_row(
            f"{mark}{result.trial}",
            result.architecture,
            _start(result.rate),
            str(result.batch),
            f"{result.parameters:,}",
            str(result.epochs),
            f"{result.held_out_mse:.4f}",
            f"{result.held_out_mae:.4f}",
            "" if result.outcome == "trained" else result.outcome,
        )
    return table


def _start(rate: str) -> str:
    """The rate that a training begins with."""
    return rate.partition(":")[2].partition(",")[0] or rate
