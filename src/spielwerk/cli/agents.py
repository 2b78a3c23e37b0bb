"""`spielwerk agents [GAME]`: who can play."""

from typing import Annotated, Any

import typer

from spielwerk.cli.options import JsonOption
from spielwerk.cli.terminal import out

EXAMPLE = "Example: `spielwerk agents connect-four`"


def command(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Only those who can play this game.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """List the agents and their options."""
    from spielwerk.agents.catalogue import AGENTS
    from spielwerk.cli.catalogue import print_catalogue
    from spielwerk.games.catalogue import parse_game

    entries = list(AGENTS.values())
    if game is not None:
        played = parse_game(game)
        entries = [entry for entry in entries if _can_play(entry, played)]
    print_catalogue(entries, json)
    if not json:
        out.print("\nOptions follow a colon: alphabeta:depth=6,value=lines", style="dim")


def _can_play(entry: Any, game: Any) -> bool:
    """Whether an agent with its default options accepts the game; if it has defaults for all."""
    from spielwerk.agents.agent import check_agent
    from spielwerk.errors import SpielwerkError

    if any(option.required for option in entry.options()):
        return True
    try:
        check_agent(entry.build(), game)
    except SpielwerkError:
        return False
    return True
