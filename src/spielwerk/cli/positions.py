"""`spielwerk positions GAME DEPTH`: count distinct positions."""

from typing import Annotated

import typer

from spielwerk.cli.options import GameArgument, JsonOption, StartOption, parse_depth, read_start

EXAMPLE = "Example: `spielwerk positions connect-four 8`"


def command(
    game: GameArgument,
    depth: Annotated[str, typer.Argument(help="Number of moves, or: all.")],
    symmetric: Annotated[
        bool,
        typer.Option("--symmetric", help="Count positions that are images of each other once."),
    ] = False,
    start: StartOption = "",
    json: JsonOption = False,
) -> None:
    """Count the distinct positions of a game, ply by ply.

    The last line is the number of positions after DEPTH moves; with `all`, after any number.
    """
    from spielwerk.cli.counting import print_plies
    from spielwerk.games.catalogue import parse_game
    from spielwerk.search.enumeration import positions

    played, limit = parse_game(game), parse_depth(depth)
    plies = positions(played, limit, read_start(played, start), symmetric)
    print_plies(plies, "positions", limit, total_of_ended=False, as_json=json)
