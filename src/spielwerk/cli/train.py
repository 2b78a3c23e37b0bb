"""`spielwerk train GAME KIND`: learn a value function by self-play."""

import json as json_module
import shlex
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from spielwerk.cli.options import JsonOption, SeedOption, choose_seed
from spielwerk.cli.terminal import announce_compilation, log, out
from spielwerk.errors import SpielwerkError, unknown_name

EXAMPLE = "Example: `spielwerk train tic-tac-toe td --preset table --seed 1`"
KINDS = ("td", "ntuple")
SKIPBO_KINDS = ("td", "lea", "search")
TUPLES = ("tuples", "walk", "points")
"""Features that make a value function an n-tuple system."""


def command(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="E.g. tic-tac-toe or nim:n=50.")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Argument(
            metavar="KIND",
            help="What learns: td (any features) or ntuple; in Skip-Bo td, lea or search.",
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
    seed: SeedOption = None,
    folder: Annotated[
        Path | None, typer.Option("--out", help="The folder of the run. [runs/GAME-KIND-SEED]")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="Go on with the run in this folder, whatever stopped it."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Learn by self-play; see the success rate grow.

    The folder of the run gets config.toml, curve.csv, curve.png and model.safetensors. Ctrl-C stops
    it, --resume goes on as if nothing had happened. With --json: run, model, game, games, seed,
    opponent, success, best (of all rows), mistakes, seconds.
    """
    from spielwerk.arena.resuming import resume as resume_run
    from spielwerk.files import make_folder
    from spielwerk.learning.runs import begin_folder, sole_owner

    if resume is not None:
        given = (game, kind, preset, config, setting, seed, folder)
        if any(value is not None and value != [] for value in given):
            raise SpielwerkError(
                "--resume goes on as the run was begun: give nothing else with it."
            )
        if not resume.is_dir():
            raise SpielwerkError(f"There is no folder {resume} with a run to go on with.")
        with sole_owner(resume):
            run = resume_run(resume)
            _train(run, resume, _measure(run), json)
    elif game is None or kind is None:
        raise SpielwerkError(
            "Say what to train: a game and a kind, e.g. `spielwerk train tic-tac-toe td`."
        )
    else:
        kinds = SKIPBO_KINDS if _is_skipbo(game) else KINDS
        if kind not in kinds:
            raise SpielwerkError(unknown_name("kind of training", kind, kinds))
        if preset == "list":
            _list_presets(game, kind)
            return
        settings, chosen = _settings(game, kind, preset, config, setting or [], seed)
        folder = folder or Path("runs") / f"{_slug(game)}-{kind}-{chosen}"
        run = _begin(game, settings, chosen)
        measure = _measure(run)
        make_folder(folder)
        with sole_owner(folder):
            begin_folder(run, folder)
            _train(run, folder, measure, json)


def _is_skipbo(game: str) -> bool:
    from spielwerk.games.catalogue import parse_game
    from spielwerk.games.skipbo import SkipBo

    return isinstance(parse_game(game), SkipBo)


def _begin(game: str, settings: Any, seed: int) -> Any:
    from spielwerk.arena.skipbo_learning import begin_skipbo_run
    from spielwerk.learning.training import make_run

    begin = begin_skipbo_run if _is_skipbo(game) else make_run
    return begin(game, settings, seed, _command_line())


def _settings(
    game: str,
    kind: str,
    preset: str | None,
    file: Path | None,
    changes: list[str],
    seed: int | None,
) -> tuple[Any, int]:
    from spielwerk.learning.config import TdConfig, config_from
    from spielwerk.learning.settings import parse_setting, presets, read_config
    from spielwerk.learning.skipbo_config import SkipBoConfig, skipbo_config_from

    cards = _is_skipbo(game)
    known = presets(game, kind)
    settings: dict[str, Any] = {}
    if preset is not None and preset not in known:
        raise SpielwerkError(unknown_name(f"preset for {game}", preset, known))
    if preset is None and file is None:
        preset = "default" if "default" in known else None
    if preset is not None:
        settings, _, _ = read_config(known[preset])
    if file is not None:
        more, named, its_seed = read_config(file)
        if named is not None and named != game:
            raise SpielwerkError(f"{file} is for {named}, not for {game}.")
        settings |= more
        seed = its_seed if seed is None else seed
    config = SkipBoConfig if cards else TdConfig
    settings |= dict(parse_setting(text, config) for text in changes)
    if cards:
        if settings.setdefault("learner", kind) != kind:
            raise SpielwerkError(f"These are settings for {settings['learner']}, not for {kind}.")
        return skipbo_config_from(settings), choose_seed(seed)
    features = str(settings.get("features", ""))
    if kind == "ntuple" and features and features.partition(":")[0] not in TUPLES:
        raise SpielwerkError(
            f"{features} are no tuples ({', '.join(TUPLES)}); train with `td` instead."
        )
    return config_from(settings), choose_seed(seed)


def _command_line() -> str:
    return shlex.join(["spielwerk", *sys.argv[1:]])


def _slug(game: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in game)


def _list_presets(game: str, kind: str) -> None:
    from spielwerk.games.catalogue import parse_game
    from spielwerk.learning.settings import presets, read_config

    parse_game(game)
    if not presets(game, kind):
        out.print(f"There are no presets for {game} {kind}; see docs/learning.md for the settings.")
    for name, path in presets(game, kind).items():
        settings, _, _ = read_config(path)
        remark = path.read_text().splitlines()[0].removeprefix("#").strip()
        out.print(f"{name:14} {remark} ({settings['games']:,} games)", markup=False)


def _measure(run: Any) -> Any:
    from spielwerk.arena.evaluation import training_measure
    from spielwerk.arena.skipbo_learning import skipbo_measure
    from spielwerk.kernels.rng import derive_seed
    from spielwerk.learning.skipbo_training import SkipBoRun

    announce_compilation()
    if isinstance(run, SkipBoRun):
        return skipbo_measure(run.game, run.config, derive_seed(run.seed, 2))
    return training_measure(run.game, run.config, derive_seed(run.seed, 2))


def _train(run: Any, folder: Path, measure: Any, as_json: bool) -> None:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from spielwerk.lab.curve import draw_curve
    from spielwerk.learning.runs import train

    log.print(
        f"{run.game_spec}: {run.config.games:,} games, seed {run.seed}, folder {folder}",
        markup=False,
    )
    begin, before = time.perf_counter(), run.games
    with Progress(
        TextColumn("games"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[success]}"),
        TimeRemainingColumn(),
        console=log,
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as bar:
        task = bar.add_task("games", total=run.config.games, success="")

        def progress(run: Any) -> None:
            bar.update(task, completed=run.games, success=f"success {run.rows[-1]['success']:.1%}")

        try:
            train(run, measure, folder, progress)
        except KeyboardInterrupt:
            log.print(
                f"Stopped after {run.games:,} games. Go on with: spielwerk train --resume {folder}",
                markup=False,
            )
            raise typer.Exit(130) from None
        against = run.config.opponent
        opponent = "perfect play" if against == "perfect" else against
        draw_curve(run.rows, folder, opponent, f"{run.game_spec}, seed {run.seed}\n{run.command}")
    seconds = time.perf_counter() - begin
    _show(run, folder, seconds, run.games - before, as_json)


def _show(run: Any, folder: Path, seconds: float, played: int, as_json: bool) -> None:
    from spielwerk.values.model import MODEL

    last, model = run.rows[-1], folder / MODEL
    if as_json:
        result = {
            "run": str(folder),
            "model": str(model),
            "game": run.game_spec,
            "games": run.games,
            "seed": run.seed,
            "opponent": run.config.opponent,
            "success": last["success"],
            "best": max(row["success"] for row in run.rows),
            "mistakes": last.get("mistakes"),
            "seconds": seconds,
        }
        out.print_json(json_module.dumps(result))
        return
    out.print(f"success {last['success']:.1%} against {_measured(run)}", markup=False)
    if getattr(run.config, "keep", "last") == "best":
        best = max(run.rows, key=lambda row: row["success"])
        out.print(
            f"kept: the weights after {best['games']:,} games, {best['success']:.1%} (the best "
            "of those measured: in other games expect a little less)",
            markup=False,
        )
    out.print(f"{played:,} games in {seconds:.1f} s; curve: {folder / 'curve.png'}", markup=False)
    others = " skipbo-basic" * (getattr(run.game, "players", 2) - 2)
    out.print(
        f"play it: spielwerk play {run.game_spec} --players human{others} {_agent(run)}:{folder}",
        markup=False,
    )


def _agent(run: Any) -> str:
    if _is_skipbo(run.game_spec):
        return f"skipbo-{run.config.learner}"
    return "ntuple" if run.config.features.partition(":")[0] in TUPLES else "td"


def _measured(run: Any) -> str:
    last, config = run.rows[-1], run.config
    if config.opponent != "perfect":
        return f"{config.opponent}, the same {config.evaluation_games} games every time"
    if "mistakes" not in last:
        return f"perfect play ({config.protocol}), the same {config.evaluation_games} games"
    perfect = next((row["games"] for row in _last_perfect(run.rows)), None)
    since = "" if perfect is None else f"; 100 % from game {perfect:,} on"
    return f"perfect play, mistakes in {last['mistakes']} positions{since}"


def _last_perfect(rows: list[dict[str, float]]) -> list[dict[str, float]]:
    """The rows since which the success was never below 1."""
    perfect: list[dict[str, float]] = []
    for row in rows:
        perfect = [*perfect, row] if row["success"] == 1 else []
    return perfect
