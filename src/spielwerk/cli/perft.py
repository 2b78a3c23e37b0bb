"""`spielwerk perft GAME DEPTH`: count move sequences."""

from typing import Annotated

import typer

from spielwerk.cli.options import GameArgument, JsonOption, StartOption, parse_depth, read_start

EXAMPLE = "Example: `spielwerk perft connect-four 8`"


def command(
    game: GameArgument,
    depth: Annotated[str, typer.Argument(help="Number of moves, or: all (then: number of games).")],
    start: StartOption = "",
    json: JsonOption = False,
) -> None:
    """Count the move sequences of a game: a check of its rules.

    The last line is the number of sequences with DEPTH moves; with `all`, of complete games.
    """
    from spielwerk.cli.counting import print_plies
    from spielwerk.games.catalogue import parse_game
    from spielwerk.search.enumeration import perft

    played, limit = parse_game(game), parse_depth(depth)
    plies = perft(played, limit, read_start(played, start))
    print_plies(plies, "sequences", limit, total_of_ended=True, as_json=json)
