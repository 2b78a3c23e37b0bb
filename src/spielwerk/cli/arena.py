"""`spielwerk arena GAME SPEC SPEC … --games N`: everyone against everyone."""

import json as json_module
import os
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from spielwerk.cli.options import (
    GameArgument,
    JsonOption,
    OnOption,
    SeedOption,
    StartOption,
    ThreadsOption,
    choose_seed,
    parse_percent,
    read_text,
)
from spielwerk.cli.terminal import announce_compilation, log, out, progress_bar
from spielwerk.files import make_folder

EXAMPLE = (
    "Example: `spielwerk arena tic-tac-toe alphabeta alphabeta:depth=2 random --games 50`\n\n"
    "Every opening of two plies, until the order is certain: `spielwerk arena connect-four "
    "alphabeta:depth=4 alphabeta:depth=2 random --openings 2-ply --games 980 --until 95%`"
)


def command(
    game: GameArgument,
    specs: Annotated[
        list[str], typer.Argument(metavar="SPEC SPEC …", help="Who plays (see: agents).")
    ],
    games: Annotated[
        int, typer.Option(min=1, help="Games for every two players; at one table: in all.")
    ] = 100,
    start: StartOption = "",
    openings: Annotated[
        str,
        typer.Option(
            metavar="OPENINGS",
            help="2-ply: every position after two plies, equally often; random:4: four moves by "
            "chance; or a file, the moves of one opening per line.",
        ),
    ] = "",
    until: Annotated[
        str | None,
        typer.Option(
            metavar="PERCENT", help="Stop as soon as the order is certain, e.g. with 95%."
        ),
    ] = None,
    time_of: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="Equal time: as many iterations for each as take as long as this one's.",
        ),
    ] = None,
    threads: ThreadsOption = None,
    on: OnOption = "threads",
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Write CSV files, tournament.json and, for games of two, a heat map here."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the latest tournament of these settings.")
    ] = False,
    store: Annotated[
        bool, typer.Option("--store/--no-store", help="Keep every game (see: history).")
    ] = True,
    seed: SeedOption = None,
    json: JsonOption = False,
) -> None:
    """Play a tournament: seats balanced, draws half a point, 95 % intervals, Elo ratings.

    Skip-Bo is played by all at one table, 2 to 6, with rotating seats, unless the game says how
    many sit there (skip-bo:players=2). Ctrl-C stops it and shows what has been played; the same
    command with --resume goes on. The result depends on the seed alone, not on threads or machines.
    """
    from spielwerk.arena.equal_time import at_equal_time
    from spielwerk.arena.openings import spelled_openings
    from spielwerk.arena.plan import Plan
    from spielwerk.arena.report import summary_of, write_files
    from spielwerk.arena.tournament import play_tournament
    from spielwerk.arena.workers import parse_workers
    from spielwerk.games.catalogue import game_spec, parse_game_for

    if resume and not store:
        raise typer.BadParameter("--resume needs the store; leave --no-store out.")
    announce_compilation()
    played = parse_game_for(game, len(specs))
    if time_of is not None:
        if resume:
            raise typer.BadParameter(
                "Speeds are never the same twice: resume with the specs that --time-of has given."
            )
        specs = at_equal_time(played, specs, time_of)
        log.print(f"At equal time: {' '.join(specs)}", markup=False)
    certainty = parse_percent(until) if until is not None else 0.0
    plan = Plan(
        game_spec(played),
        tuple(specs),
        games,
        choose_seed(seed),
        read_text(start),
        spelled_openings(openings),
        certainty,
    ).balanced()
    if plan.games != games:
        what = "seats" if plan.table.openings.cycle == 1 else "seats and openings"
        log.print(f"{plan.games} games instead of {games}: so all {what} are equally often had.")
    if folder is not None:
        make_folder(folder)
    workers = parse_workers(on, threads or os.cpu_count() or 1)
    run, kept = None, list[Any]()
    if store:
        run = _kept(plan, resume, seed is None)
        plan, kept = run.plan, list(run.played)
    with progress_bar("playing", plan.planned) as done:
        keep = kept.append if folder is not None else lambda batch: None
        play: Any = partial(play_tournament, plan) if run is None else run.play
        tournament = play(workers, lambda so_far: done(so_far.played), record=keep)
    if folder is not None:
        write_files(tournament, kept, folder)
    if json:
        found = {"run": run.run if run is not None else None, **summary_of(tournament)}
        out.print_json(json_module.dumps(found))
    elif tournament.played:
        print_tournament(tournament)
        if run is not None:
            out.print(f"run {run.run}; `spielwerk history {run.run}` shows its games", style="dim")
    if not tournament.complete:
        log.print(f"Stopped after {tournament.played} of {tournament.planned} games.")
        if store:
            log.print("The same command with --resume goes on.")
        raise typer.Exit(130)


def _kept(plan: Any, again: bool, any_seed: bool) -> Any:
    from spielwerk.store.store import Store
    from spielwerk.store.tournaments import begin, resume

    store = Store.open()
    return resume(store, plan, any_seed) if again else begin(store, plan)


def print_tournament(tournament: Any) -> None:
    """The tables, and what else there is to say."""
    pairs = tournament.plan.table.seats == 2
    if pairs and not (tournament.turns and len(tournament.specs) == 2):
        _print_cross_table(tournament)
    if tournament.turns or not pairs:
        _print_standings(tournament)
    played = tournament.plies[tournament.done]
    if played.size and pairs:
        first = tournament.first_player()
        low, high = first.interval
        out.print(
            f"first player {100 * first.share:.1f} % ({100 * low:.1f}–{100 * high:.1f}); "
            f"{played.mean():.1f} plies a game ({played.min()}–{played.max()})",
            style="dim",
        )
    if tournament.plan.until:
        wanted = f"{100 * tournament.plan.until:g} %"
        early = "ended early, " if tournament.played < tournament.planned else ""
        told = (
            f"is certain ({wanted}): {early}"
            if tournament.certain
            else f"is not certain ({wanted} wanted) "
        )
        out.print(f"The order {told}after {tournament.played} of {tournament.planned} games.")
    different = len(tournament.different)
    if different < tournament.played / 2:
        out.print(
            f"Only {different} of {tournament.played} games are different: the others say nothing "
            "new, and intervals are too narrow if the players leave nothing to chance. "
            "--openings makes games differ.",
            style="yellow",
        )


def _title(tournament: Any) -> str:
    plan = tournament.plan
    return f"{plan.game}, {tournament.played} games, seed {plan.seed}"


def _print_cross_table(tournament: Any) -> None:
    from rich.markup import escape
    from rich.table import Table

    from spielwerk.arena.ratings import rate
    from spielwerk.arena.report import speed_of

    ranking, ratings = tournament.ranking(), rate(tournament)
    table = Table(
        title=_title(tournament),
        caption="points of the row against the column in %, and their 95 % interval; "
        "Elo: the field's average is 0",
    )
    table.add_column("", justify="right")
    table.add_column("player", min_width=16, overflow="fold")
    for name in ("all", "Elo", "moves/s"):
        table.add_column(name, justify="right", no_wrap=True)
    for place in range(1, len(ranking) + 1):
        table.add_column(str(place), justify="right", no_wrap=True)
    for place, index in enumerate(ranking, start=1):
        rating, speed = ratings[index], speed_of(tournament, index)
        cells = [
            "–" if other == index else _percent(tournament.against(index, other))
            for other in ranking
        ]
        table.add_row(
            str(place),
            escape(tournament.specs[index]),
            _percent(tournament.total(index)),
            f"{rating.elo:+.0f}\n{rating.low:+.0f}…{rating.high:+.0f}",
            _rate(speed),
            *cells,
        )
    out.print(table, soft_wrap=False)


def _rate(speed: float | None) -> str:
    if speed is None:
        return ""
    return f"{speed:,.3g}" if speed < 1000 else f"{speed:,.0f}"


def _percent(score: Any) -> str:
    if score.games == 0:
        return ""
    low, high = score.interval
    return f"{100 * score.share:.1f}\n{100 * low:.0f}–{100 * high:.0f}"


def _print_standings(tournament: Any) -> None:
    """Players of Skip-Bo: how often they won, the points of the rules, cards left."""
    from rich.markup import escape
    from rich.table import Table

    from spielwerk.arena.report import order_of, players_of, speed_of

    many = max(tournament.played, 1)
    drawn = tournament.played - int(tournament.won.sum())
    by_seat = " ".join(map(str, tournament.by_seat[:, 0].tolist()))
    table = Table(
        title=_title(tournament),
        caption=f"{drawn} drawn, {tournament.turns / many:.1f} turns a game; "
        f"wins by seat: {by_seat}; below: 95 % intervals; Elo: the field's average is 0",
    )
    rows = list(zip(players_of(tournament), order_of(tournament), strict=True))
    speeds = {index: _rate(speed_of(tournament, index)) for _, index in rows}
    names = ["player", "score %", "Elo", "wins", "points", "cards left"]
    names += ["moves/s"] if any(speeds.values()) else []
    for name in names:
        table.add_column(
            name, justify="left" if name == "player" else "right", no_wrap=name != "player"
        )
    for row, index in rows:
        cells = [
            escape(row["spec"]),
            f"{100 * row['score']:.1f}\n{100 * row['low']:.1f}–{100 * row['high']:.1f}",
            f"{row['elo']:+.0f}\n{row['elo_low']:+.0f}…{row['elo_high']:+.0f}",
            f"{row['wins']}",
            f"{row.get('points', 0)}",
            f"{row.get('cards_left', 0):.1f}",
            speeds[index],
        ]
        table.add_row(*cells[: len(names)])
    out.print(table, soft_wrap=False)
