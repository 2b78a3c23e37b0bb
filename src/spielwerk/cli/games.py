"""`spielwerk games`: what can be played."""

from spielwerk.cli.options import JsonOption
from spielwerk.cli.terminal import out

EXAMPLE = "Example: `spielwerk games`"


def command(json: JsonOption = False) -> None:
    """List the games and their options."""
    from spielwerk.cli.catalogue import print_catalogue
    from spielwerk.games.catalogue import GAMES

    print_catalogue(GAMES.values(), json)
    if not json:
        out.print("\nOptions follow a colon: connectx:5x4,k=3   nim:n=50", style="dim")
