"""`spielwerk arena GAME SPEC SPEC … --games N`: everyone against everyone."""

import json as json_module
import os
from typing import Annotated, Any

import typer

from spielwerk.cli.options import (
    GameArgument,
    JsonOption,
    SeedOption,
    StartOption,
    choose_seed,
    read_start,
)
from spielwerk.cli.terminal import announce_compilation, log, out, progress_bar

EXAMPLE = "Example: `spielwerk arena tic-tac-toe alphabeta random --games 50`"


def command(
    game: GameArgument,
    specs: Annotated[
        list[str], typer.Argument(metavar="SPEC SPEC …", help="Who plays (see: agents).")
    ],
    games: Annotated[
        int, typer.Option(min=1, help="Games for every two players; Skip-Bo: in all.")
    ] = 100,
    start: StartOption = "",
    threads: Annotated[
        int | None,
        typer.Option(min=1, help="Threads; the result does not depend on it. [all cores]"),
    ] = None,
    seed: SeedOption = None,
    json: JsonOption = False,
) -> None:
    """Play a round robin: colours balanced, draws half a point, 95 % intervals.

    Skip-Bo is played by all at one table, 2 to 6, with rotating seats. Ctrl-C stops it and shows
    what has been played.
    """
    from spielwerk.arena.round_robin import round_robin
    from spielwerk.games.catalogue import parse_game_for
    from spielwerk.games.skipbo import SkipBo

    announce_compilation()
    played = parse_game_for(game, len(specs))
    begin = read_start(played, start)
    seed = choose_seed(seed)
    if isinstance(played, SkipBo):
        _rotate(played, specs, games, seed, threads or os.cpu_count() or 1, json)
        return
    pairs = len(specs) * (len(specs) - 1) // 2
    with progress_bar("playing", pairs * games) as done:
        tournament = round_robin(
            played,
            specs,
            games,
            seed,
            begin,
            threads or os.cpu_count() or 1,
            progress=lambda so_far: done(so_far.played),
        )
    if json:
        out.print_json(json_module.dumps(_as_json(tournament, start)))
    else:
        _print_table(tournament, game)
    if not tournament.complete:
        log.print(f"Stopped after {tournament.played} of {tournament.planned} games.")
        raise typer.Exit(130)


def _rotate(
    game: Any, specs: list[str], games: int, seed: int, threads: int, as_json: bool
) -> None:
    """All at one table."""
    from rich.table import Table

    from spielwerk.arena.rotation import rotate
    from spielwerk.games.catalogue import game_spec

    with progress_bar("playing", games) as done:
        found = rotate(
            game, specs, games, seed, threads, progress=lambda so_far: done(so_far.played)
        )
    many = max(found.played, 1)
    rows: list[dict[str, Any]] = []
    for player, (spec, standing) in enumerate(zip(specs, found.standings, strict=True)):
        low, high = found.interval(player)
        rows.append(
            {
                "spec": spec,
                "score": found.share(player),
                "low": low,
                "high": high,
                "games": found.played,
                "wins": standing.wins,
                "points": standing.points,
                "cards_left": standing.left / many,
            }
        )
    if as_json:
        whole = {
            "game": game_spec(game),
            "seed": seed,
            "games": found.played,
            "draws": found.draws,
            "complete": found.complete,
            "turns": found.turns / many,
            "seats": found.by_seat,
            "players": rows,
        }
        out.print_json(json_module.dumps(whole))
    else:
        table = Table(
            title=f"{game_spec(game)}, {found.played} games, seed {seed}",
            caption=f"in the order of the seats, which rotate; {found.draws} drawn, "
            f"{found.turns / many:.1f} turns a game; "
            f"wins by seat: {' '.join(map(str, found.by_seat))}",
        )
        for name in ("player", "score %", "95 %", "wins", "points", "cards left"):
            table.add_column(name, justify="left" if name == "player" else "right")
        for row in rows:
            table.add_row(
                row["spec"],
                f"{100 * row['score']:.1f}",
                f"{100 * row['low']:.1f}–{100 * row['high']:.1f}",
                f"{row['wins']}",
                f"{row['points']}",
                f"{row['cards_left']:.1f}",
            )
        out.print(table, soft_wrap=False)
    if not found.complete:
        log.print(f"Stopped after {found.played} of {found.planned} games.")
        raise typer.Exit(130)


def _as_json(tournament: Any, start: str) -> dict[str, Any]:
    from spielwerk.games.catalogue import game_spec

    players = []
    for index in tournament.ranking():
        total = tournament.total(index)
        players.append({"spec": tournament.specs[index], **_score_as_json(total)})
    pairs = [
        {"player": tournament.specs[a], "opponent": tournament.specs[b], **_score_as_json(score)}
        for (a, b), score in sorted(tournament.cross.items())
    ]
    return {
        "game": game_spec(tournament.game),
        "start": start,
        "seed": tournament.seed,
        "games": tournament.played,
        "complete": tournament.complete,
        "players": players,
        "pairs": pairs,
    }


def _score_as_json(score: Any) -> dict[str, Any]:
    low, high = score.interval
    return {
        "score": score.share,
        "low": low,
        "high": high,
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
    }


def _print_table(tournament: Any, game: str) -> None:
    from rich.table import Table

    ranking = tournament.ranking()
    table = Table(
        title=f"{game}, {tournament.played} games, seed {tournament.seed}",
        caption="points of the row against the column in %, and their 95 % interval",
    )
    table.add_column("", justify="right")
    table.add_column("player", min_width=16, overflow="fold")
    table.add_column("all", justify="right", no_wrap=True)
    for place in range(1, len(ranking) + 1):
        table.add_column(str(place), justify="right", no_wrap=True)
    for place, index in enumerate(ranking, start=1):
        cells = [
            "–" if other == index else _percent(tournament.cross.get((index, other)))
            for other in ranking
        ]
        table.add_row(
            str(place),
            tournament.specs[index],
            _percent(tournament.total(index)),
            *cells,
        )
    out.print(table, soft_wrap=False)


def _percent(score: Any) -> str:
    if score is None or score.games == 0:
        return ""
    low, high = score.interval
    return f"{100 * score.share:.1f}\n{100 * low:.0f}–{100 * high:.0f}"
