"""`spielwerk ladder GAME`: a standing ladder, on which neighbours play and points move."""

import json as json_module
import os
from typing import Annotated

import typer

from spielwerk.cli.options import (
    GameArgument,
    JsonOption,
    OnOption,
    SeedOption,
    ThreadsOption,
    choose_seed,
)
from spielwerk.cli.terminal import announce_compilation, log, out, progress_bar
from spielwerk.errors import SpielwerkError

EXAMPLE = (
    "Example: `spielwerk ladder connect-four --join random alphabeta:depth=2 alphabeta:depth=4 "
    "--games 60`\n\n"
    "Look at it: `spielwerk ladder connect-four`"
)


def command(
    game: GameArgument,
    name: Annotated[
        str | None, typer.Option(help="Of the ladder, if a game has several. [the game's]")
    ] = None,
    join: Annotated[
        list[str] | None, typer.Option(metavar="SPEC …", help="Who comes onto it, with 600 points.")
    ] = None,
    leave: Annotated[
        list[str] | None, typer.Option(metavar="SPEC …", help="Who goes; its points wait for it.")
    ] = None,
    games: Annotated[int, typer.Option(min=0, help="Games to play now, in whole rounds.")] = 0,
    threads: ThreadsOption = None,
    on: OnOption = "threads",
    seed: SeedOption = None,
    json: JsonOption = False,
) -> None:
    """Show a ladder, change who is on it, let it play on.

    Everyone starts at 600 points. In each round neighbours meet; the winner takes points from the
    loser, more if it was the weaker one. A ladder is kept in the store: it goes on where it
    stopped, also after Ctrl-C. The seed counts when a ladder begins.
    """
    from spielwerk.arena.workers import parse_workers
    from spielwerk.games.catalogue import game_spec, parse_game
    from spielwerk.store.ladders import find_ladder, open_ladder, short_spec
    from spielwerk.store.store import Store

    announce_compilation()
    spec = game_spec(parse_game(game))
    called, store = name or spec, Store.open()
    ladder = find_ladder(store, called, spec)
    if ladder is None:
        if not join:
            raise SpielwerkError(
                f'There is no ladder "{called}" yet; --join SPEC SPEC … begins one.'
            )
        for one in join:
            short_spec(one)  # a misspelt player does not begin a ladder
        ladder = open_ladder(store, called, spec, choose_seed(seed))
    elif seed is not None and seed != ladder.seed:
        raise SpielwerkError(
            f"This ladder has begun with seed {ladder.seed}; another one needs another --name."
        )
    for one in join or ():
        if any(member.spec == short_spec(one) for member in ladder.members()):
            log.print(f"{one} is on it already.", markup=False)
    ladder.leave(leave or ())
    ladder.join(join or ())
    played = 0
    if games:
        workers = parse_workers(on, threads or os.cpu_count() or 1)
        with progress_bar("playing", games) as done:
            played = ladder.play(games, workers, done)
    members = ladder.members()
    if json:
        found = {
            "name": called,
            "game": spec,
            "seed": ladder.seed,
            "run": ladder.run,
            "played": played,
            "members": [
                {"spec": member.spec, "points": member.points, "games": member.games}
                for member in members
            ],
        }
        out.print_json(json_module.dumps(found))
    else:
        out.print(f"ladder {called} (seed {ladder.seed}, run {ladder.run})", style="dim")
        for place, member in enumerate(members, start=1):
            out.print(
                f"{place:3}  {member.points:7.1f}  {member.games:6} games  {member.spec}",
                markup=False,
            )
        if not members:
            out.print("Nobody is on it; --join SPEC … lets players on.")
    if played < games:
        log.print(f"Stopped after {played} of {games} games; the same command goes on.")
        raise typer.Exit(130)
