"""`spielwerk evaluate GAME SPEC`: strength against perfect play, or a named opponent."""

import json as json_module
from typing import Annotated, Any

import typer

from spielwerk.cli.options import GameArgument, JsonOption, SeedOption, choose_seed
from spielwerk.cli.terminal import announce_compilation, log, out, progress_bar

EXAMPLE = "Example: `spielwerk evaluate tic-tac-toe td:tic-tac-toe`"


def command(
    game: GameArgument,
    agent: Annotated[str, typer.Argument(metavar="SPEC", help="Who is measured (see: agents).")],
    opponent: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Against whom. [perfect play]")
    ] = None,
    games: Annotated[
        int, typer.Option(min=1, help="Games to play where it cannot be measured exactly.")
    ] = 100,
    seed: SeedOption = None,
    json: JsonOption = False,
) -> None:
    """Measure how strong an agent is.

    Success is the share of what a seat is worth that the agent gets: of the wins where it could win
    by perfect play, of the draws where no more than that can be had. Seats that are lost from the
    start do not count. Learned agents of small games are measured exactly, over every line of
    perfect play; others by games. With --json: success, low, high, games, protocol, seed; if exact,
    also points and worst by seat, mistakes, positions.
    """
    from spielwerk.agents.catalogue import parse_agent
    from spielwerk.arena.evaluation import evaluate_agent
    from spielwerk.games.catalogue import parse_game

    played, measured = parse_game(game), parse_agent(agent)
    against = None if opponent is None else parse_agent(opponent)
    announce_compilation()
    chosen = choose_seed(seed)
    with progress_bar("games", games) as done:
        found = evaluate_agent(played, measured, games, chosen, against, done)
    if json:
        out.print_json(json_module.dumps(_as_dict(found, chosen)))
        return
    out.print(f"success {found.success:.1%}{_interval(found)}", style="bold")
    out.print(found.protocol)
    if found.exact is not None:
        _explain(found.exact)
    else:
        log.print(f"seed {chosen}", style="dim")


def _interval(found: Any) -> str:
    if found.exact is not None:
        return ""
    return f" (95 %: {found.low:.1%} to {found.high:.1%}, {found.games} games)"


def _explain(exact: Any) -> None:
    for seat, name in enumerate(("first", "second")):
        out.print(
            f"as {name} player: {exact.points[seat]:.3f} points on the average, "
            f"{exact.worst[seat]:g} in the worst line; perfect play gets {exact.worth[seat]:g}"
        )
    out.print(
        f"wrong moves in {exact.mistakes} of all {exact.positions} positions with a choice, also "
        "those that its own play never reaches"
    )


def _as_dict(found: Any, seed: int) -> dict[str, Any]:
    result = {
        "success": found.success,
        "low": found.low,
        "high": found.high,
        "games": found.games,
        "protocol": found.protocol,
        "seed": seed,
    }
    if found.exact is not None:
        result |= {
            "points": list(found.exact.points),
            "worst": list(found.exact.worst),
            "mistakes": found.exact.mistakes,
            "positions": found.exact.positions,
        }
    return result
