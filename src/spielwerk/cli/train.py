"""`spielwerk train GAME KIND`: learn a value function by self-play, or a net from its games."""

import json as json_module
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from spielwerk.cli.options import JsonOption, SeedOption, choose_seed
from spielwerk.cli.terminal import announce_compilation, log, out, progress_bar
from spielwerk.cli.training_words import words_for
from spielwerk.errors import SpielwerkError
from spielwerk.files import write_whole

EXAMPLE = "Example: `spielwerk train tic-tac-toe td --preset table --seed 1`"
PROGRESS_SECONDS = 0.5
NET, PUCT = "net", "puct"
"""The kinds that are nets: one learns from data, one from its own games."""


def command(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="E.g. tic-tac-toe or nim:n=50.")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Argument(
            metavar="KIND",
            help="What learns: td (any features), ntuple; nets: net (from data), puct (from its "
            "own games); in Skip-Bo td, lea or search.",
        ),
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="Settings by name; `list` lists them. [default]")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="Settings from a file.")
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE …", help="Single settings, e.g. alpha=0.05."),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Nets: the positions to learn from; made by self-play if the file is not there.",
        ),
    ] = None,
    search: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Nets: N trials with other architectures, rates and batches; the best is kept.",
        ),
    ] = None,
    seed: SeedOption = None,
    folder: Annotated[
        Path | None, typer.Option("--out", help="The folder of the run. [runs/GAME-KIND-SEED]")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="Go on with the run in this folder, whatever stopped it."),
    ] = None,
    progress: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keep the number of games (or steps, or trials) in this file, as it grows.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Learn by self-play; see the success rate grow. Or learn a net from the games of others.

    The folder of the run gets config.toml, curve.csv, curve.png and model.safetensors, or net.onnx.
    Ctrl-C stops it, --resume goes on as if nothing had happened. With --json: run, model, game,
    games, seed, opponent, success, best (of all rows), mistakes, seconds; of nets run, model, game,
    data, examples, epochs, best_epoch, seed, held_out_mse, held_out_mae, seconds; of puct run,
    model, game, games, seed, success, policy, seconds; of searches run, model, game, data, seed,
    best (the number of a trial), trials, seconds.
    """
    from spielwerk.arena.net_training import not_searched
    from spielwerk.arena.resuming import resume as resume_run
    from spielwerk.arena.trainings import check_kind, run_name
    from spielwerk.cli.net_search import (
        begin_net_search,
        check_net_search,
        is_net_search,
        resume_net_search,
    )
    from spielwerk.files import make_folder
    from spielwerk.learning.runs import begin_folder, check_folder, sole_owner

    if resume is not None:
        given = (game, kind, preset, config, setting, data, seed, folder)
        if any(value is not None and value != [] for value in given):
            raise SpielwerkError(
                "--resume goes on as the run was begun: give nothing else with it."
            )
        if not resume.is_dir():
            raise SpielwerkError(f"There is no folder {resume} with a run to go on with.")
        if is_net_search(resume):
            resume_net_search(resume, search, _teller(progress), json)
            return
        if search is not None:
            raise SpielwerkError(f"{resume} holds no search that --search could make longer.")
        with sole_owner(resume):
            run = resume_run(resume)
            _train(run, resume, _measure(run), progress, json)
    elif game is None or kind is None:
        raise SpielwerkError(
            "Say what to train: a game and a kind, e.g. `spielwerk train tic-tac-toe td`."
        )
    else:
        check_kind(game, kind)
        if preset == "list":
            _list_presets(game, kind)
            return
        settings, its_seed = _settings(game, kind, preset, config, setting or [], data)
        fixed: tuple[str, ...] = ()
        if search is not None:
            if kind != NET:
                raise SpielwerkError(f"--search is for the kind net, not for {kind}.")
            fixed = not_searched(game, preset, config, setting or [])
            check_net_search(fixed, search)
        chosen = choose_seed(its_seed if seed is None else seed)
        folder = folder or Path("runs") / run_name(
            game, kind if search is None else f"{kind}-search", chosen
        )
        check_folder(folder)
        run = _begin(game, kind, settings, chosen)
        if search is not None:
            begin_net_search(run, folder, fixed, search, _teller(progress), json)
            return
        measure = _measure(run)
        make_folder(folder)
        with sole_owner(folder):
            begin_folder(run, folder)
            _train(run, folder, measure, progress, json)


def _settings(
    game: str,
    kind: str,
    preset: str | None,
    config: Path | None,
    changes: list[str],
    data: str | None,
) -> tuple[Any, int | None]:
    from spielwerk.arena.net_training import net_settings_of
    from spielwerk.arena.puct_training import puct_settings_of
    from spielwerk.arena.trainings import settings_of

    if kind == NET:
        return net_settings_of(game, preset, config, changes, data)
    if kind == PUCT and data is None:
        return puct_settings_of(game, preset, config, changes)
    if data is not None:
        raise SpielwerkError(f"--data is for the kind net; {kind} plays its own games.")
    return settings_of(game, kind, preset, config, changes)


def _begin(game: str, kind: str, settings: Any, seed: int) -> Any:
    """A run that has not begun. A net's data are made first, if they are not there."""
    from spielwerk.arena.puct_training import begin_puct_run
    from spielwerk.arena.trainings import begin_run

    if kind == PUCT:
        return begin_puct_run(game, settings, seed, _command_line())
    if kind != NET:
        return begin_run(game, settings, seed, _command_line())
    from spielwerk.arena.net_training import begin_net_run

    announce_compilation()
    there = Path(settings.data).exists()
    if not there:
        log.print(
            f"{game}: {settings.matches:,} games of {settings.players} for {settings.data}, seed "
            f"{seed}",
            markup=False,
        )
    with _stages() as told:
        try:
            run = begin_net_run(game, settings, seed, _command_line(), told)
        except KeyboardInterrupt:
            log.print("Stopped. The games for the data are not kept.", markup=False)
            raise typer.Exit(130) from None
    if not there:
        counts = run.data.origin["counts"]
        log.print(
            f"{counts['states']:,} states, {counts['unique']:,} different ones, "
            f"{counts['mirrored']:,} with mirror images; {counts['training']:,} to train on, "
            f"{counts['held_out']:,} held out",
            markup=False,
        )
    return run


@contextmanager
def _stages() -> Iterator[Callable[[str, int, int], None]]:
    """A bar for each of several things to be done, one after the other."""
    with ExitStack() as stack:
        bars: dict[str, Callable[[int], None]] = {}

        def told(what: str, done: int, total: int) -> None:
            if what not in bars:
                stack.close()  # the bar before
                bars[what] = stack.enter_context(progress_bar(what, total))
            bars[what](done)

        yield told


def _command_line() -> str:
    return shlex.join(["spielwerk", *sys.argv[1:]])


def _list_presets(game: str, kind: str) -> None:
    from spielwerk.arena.trainings import known_presets

    known = known_presets(game, kind)
    if not known:
        out.print(f"There are no presets for {game} {kind}; see docs/learning.md for the settings.")
    for one in known:
        out.print(f"{one.name:14} {one.remark} ({one.games:,} {one.counted})", markup=False)


def _measure(run: Any) -> Any:
    """How good the run is, found on another thread: Ctrl-C must not come in the midst of a kernel,
    which would make a SystemError of it."""
    from spielwerk.arena.trainings import measure_of
    from spielwerk.threads import each_as_done

    announce_compilation()
    measure = measure_of(run)

    def measured(learned: Any) -> Any:
        # Closed here: Ctrl-C while a forgotten one is cleared away would be lost.
        found: Any = each_as_done(measure, [learned], 1)
        with closing(found):
            return next(found)

    return measured


def _train(run: Any, folder: Path, measure: Any, told: Path | None, as_json: bool) -> None:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from spielwerk.learning.runs import train

    counted, words = run.COUNTED, words_for(run)
    log.print(f"{run.game_spec}: {words.size(run)}, seed {run.seed}, folder {folder}", markup=False)
    begin, before = time.perf_counter(), run.done
    with Progress(
        TextColumn(counted),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[how]}"),
        TimeRemainingColumn(),
        console=log,
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as bar:
        task = bar.add_task(counted, total=run.total, how="")

        tell = _teller(told)

        def progress(run: Any) -> None:
            bar.update(task, completed=run.done, how=words.how(run.rows[-1]))
            tell(run.done, PROGRESS_SECONDS)

        try:
            train(run, measure, folder, progress)
        except KeyboardInterrupt:
            tell(run.done, 0.0)
            log.print(
                f"Stopped after {run.done:,} {counted}. Go on with: "
                f"spielwerk train --resume {folder}",
                markup=False,
            )
            raise typer.Exit(130) from None
        words.draw(run, folder, f"{run.game_spec}, seed {run.seed}\n{run.command}")
    seconds = time.perf_counter() - begin
    if as_json:
        out.print_json(json_module.dumps(words.result(run, folder) | {"seconds": seconds}))
    else:
        for line in words.lines(run, folder, seconds, run.done - before):
            out.print(line, markup=False)


def _teller(path: Path | None) -> Callable[[int, float], None]:
    """Writes a number to a file, unless it did so a moment ago."""
    told = -PROGRESS_SECONDS

    def tell(games: int, pause: float) -> None:
        nonlocal told
        if path is not None and time.monotonic() - told >= pause:
            told = time.monotonic()
            write_whole(path, f"{games}\n")

    return tell
