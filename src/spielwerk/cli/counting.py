"""What `perft` and `positions` share: a row per ply as it is found, and the number last."""

import json
from collections.abc import Iterable

import typer

from spielwerk.cli.terminal import announce_compilation, log, out
from spielwerk.search.enumeration import Ply


def print_plies(
    plies: Iterable[Ply], noun: str, depth: int | None, total_of_ended: bool, as_json: bool
) -> None:
    """One row per ply; the last line is the number.

    With a depth that is the number at that depth. For the whole game it is that of all positions,
    or of all games: sequences that end.
    """
    announce_compilation()
    found: list[Ply] = []
    complete = True
    try:
        for ply in plies:
            if not found and not as_json:
                out.print(f"{'ply':>4}{noun:>22}{'of them over':>22}")
            found.append(ply)
            if not as_json:
                out.print(f"{ply.ply:>4}{ply.number:>22}{ply.ended:>22}")
    except KeyboardInterrupt:
        complete = False
    if depth is None:
        number = sum(ply.ended if total_of_ended else ply.number for ply in found)
    else:
        number = sum(ply.number for ply in found if ply.ply == depth)
    if as_json:
        result = {
            "plies": [ply._asdict() for ply in found],
            "number": number if complete else None,
            "complete": complete,
        }
        out.print_json(json.dumps(result))
    elif complete:
        out.print(str(number))
    if not complete:
        log.print(f"Stopped after ply {len(found) - 1}.")
        raise typer.Exit(130)
