"""`spielwerk history [RUN [GAME]]`: what has been played, and playing it again."""

import json as json_module
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from spielwerk.cli.options import JsonOption
from spielwerk.cli.terminal import out, paint

EXAMPLE = (
    "Example: `spielwerk history`\n\n"
    "Game 0 of run 1, move by move: `spielwerk history 1 0`\n\n"
    "All games of it in a file: `spielwerk history 1 --export games.csv`"
)


def command(
    run: Annotated[
        int | None, typer.Argument(metavar="[RUN]", help="A run; without it, all are listed.")
    ] = None,
    game: Annotated[
        int | None, typer.Argument(metavar="[GAME]", help="One of its games, to be replayed.")
    ] = None,
    most: Annotated[int, typer.Option("--games", min=0, help="Games of a run to list.")] = 10,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each move.")] = False,
    export: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the games to FILE.csv or FILE.parquet."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Look at stored tournaments, ladders and reproductions, replay games, write them to files."""
    from spielwerk.store.store import Store

    if step and (game is None or json):
        raise typer.BadParameter("--step walks through one game: give RUN and GAME, and no --json.")
    store = Store.open()
    if export is not None:
        if game is not None:
            raise typer.BadParameter("--export writes all games of a run: give no number of one.")
        _export(store, run, export, json)
    elif run is None:
        _list(store, json)
    elif game is None:
        _show(store, run, most, json)
    else:
        _replay(store, run, game, step, json)


def _list(store: Any, as_json: bool) -> None:
    from spielwerk.store.reproductions import KIND as LAB

    rows = [
        {
            "run": run.id,
            "kind": run.kind,
            "name": run.name,
            "game": run.game,
            "players": store.specs(run.id),
            "games": store.game_count(run.id),
            "planned": run.planned,
            "state": run.state,
            "begun": run.begun,
            "seed": run.seed,
        }
        for run in store.runs()
    ]
    if as_json:
        out.print_json(json_module.dumps(rows))
        return
    if not rows:
        out.print("Nothing has been stored yet; `spielwerk arena`, `ladder` and `reproduce` do.")
    for row in rows:
        if row["kind"] == LAB:
            out.print(
                f"{row['run']:4}  {row['begun'][:16].replace('T', ' ')}  {row['kind']:6}  "
                f"{row['name']}, {row['state']}",
                markup=False,
            )
            continue
        games = row["games"] if row["planned"] is None else f"{row['games']} of {row['planned']}"
        out.print(
            f"{row['run']:4}  {row['begun'][:16].replace('T', ' ')}  {row['kind']:6}  "
            f"{row['game']}: {' – '.join(row['players'])}; {games} games, {row['state']}",
            markup=False,
        )


def _show(store: Any, number: int, most: int, as_json: bool) -> None:
    from spielwerk.arena.report import summary_of
    from spielwerk.cli.arena import print_tournament
    from spielwerk.store.reproductions import KIND as LAB
    from spielwerk.store.tournaments import KIND, tournament_of

    run, specs = store.run(number), store.specs(number)
    if run.kind == LAB:
        _show_reproduction(store, run, as_json)
        return
    games = [_game(row, specs) for row in store.games(number, most=most)]
    tournament = tournament_of(store, number) if run.kind == KIND else None
    if as_json:
        found: dict[str, Any] = {"run": number, "kind": run.kind, "state": run.state}
        if tournament is not None:
            found |= summary_of(tournament)
        out.print_json(json_module.dumps({**found, "list": games}))
        return
    if tournament is not None and tournament.played:
        print_tournament(tournament)
    else:
        out.print(f"{run.kind} {run.name or ''}: {run.game}, seed {run.seed}, {run.state}")
    for one in games:
        out.print(
            f"{one['number']:5}  {' – '.join(one['players'])}: {one['result']}  "
            f"{one['opening']}{' ' if one['opening'] else ''}{one['moves']}",
            markup=False,
        )
    total = store.game_count(number)
    if total > len(games):
        out.print(f"… {total} games; --games N lists more, --export FILE.csv all", style="dim")


def _show_reproduction(store: Any, run: Any, as_json: bool) -> None:
    from spielwerk.store.reproductions import findings_of

    findings = findings_of(store, run.id)
    if as_json:
        found = {"run": run.id, "kind": run.kind, "name": run.name, "state": run.state}
        out.print_json(json_module.dumps({**found, "numbers": [vars(one) for one in findings]}))
        return
    out.print(f"{run.name}: {run.state}", markup=False)
    for one in findings:
        told = f"{one.name}: {one.value:.6g} (95 %: {one.low:.6g} to {one.high:.6g})"
        out.print(told, markup=False)


def _game(row: Any, specs: list[str]) -> dict[str, Any]:
    return {
        "number": row["number"],
        "players": [specs[int(who)] for who in row["seats"].split()],
        "result": row["utilities"],
        "opening": row["opening"],
        "moves": row["moves"],
        "seed": int(row["seed"]),
        "seconds": [float(one) for one in row["seconds"].split()],
        "played": row["played"],
    }


def _replay(store: Any, number: int, game: int, step: bool, as_json: bool) -> None:
    from spielwerk.errors import SpielwerkError
    from spielwerk.games.connectx import ConnectX
    from spielwerk.games.notation import describe_outcome, draw, player_names, say_move
    from spielwerk.games.rules import player
    from spielwerk.games.skipbo import SkipBo
    from spielwerk.store.replay import positions

    run = store.run(number)
    rows = list(store.games(number, first=game, most=1))
    if not rows or rows[0]["number"] != game:
        raise SpielwerkError(
            f"Run {number} has no game {game}; it has {store.game_count(number)}, from 0 on."
        )
    found = _game(rows[0], store.specs(number))
    played, states, moves = positions(run, rows[0])
    if as_json:
        boards = [draw(played, state).split("\n") for state in states]
        out.print_json(json_module.dumps({"game": run.game, **found, "boards": boards}))
        return
    falls, cards = isinstance(played, ConnectX), isinstance(played, SkipBo)
    names = player_names(played)
    out.print(f"{run.game}: {' – '.join(found['players'])}   (seed {found['seed']})", style="dim")
    for ply, state in enumerate(states):
        if ply:
            before = states[ply - 1]
            who = player(played, before)
            out.print(
                f"\n{names[who]} ({found['players'][who]}) plays "
                f"{say_move(played, before, moves[ply - 1])}",
                markup=False,
            )
        out.print(paint(draw(played, state), falls, cards))
        if step and ply + 1 < len(states):
            out.print("Enter: go on", style="dim", end=" ")
            if sys.stdin.readline() == "":
                return
    results = [float(one) for one in found["result"].split()]
    if max(results) > 0:
        told = f"{names[results.index(max(results))]} has won"
    else:
        told = describe_outcome(played, states[-1])
    out.print(f"\n{told}", style="bold", markup=False)


def _export(store: Any, run: int | None, path: Path, as_json: bool) -> None:
    from spielwerk.store.export import export_games

    count = export_games(store, [run] if run is not None else None, path)
    if as_json:
        out.print_json(json_module.dumps({"games": count, "file": str(path)}))
    else:
        out.print(f"{count} games written to {path}", markup=False)
