"""What `spielwerk inspect` shows of an n-tuple system."""

from typing import Any

from spielwerk.cli.terminal import out, paint


def show_system(
    found: Any, game: Any, learned: Any, tuples: Any, top: int, as_json: bool
) -> dict[str, Any]:
    """All tuples: how many of their states can occur, how many were met, how much they weigh."""
    from spielwerk.learning.inspection import describe_system

    system = describe_system(found, learned, tuples)
    facts = system.tuples
    if as_json:
        return {
            "weights": system.weights,
            "dense": system.dense,
            "used": system.used,
            "tables": system.tables,
            "tuples": [
                {
                    "cells": [cell + 1 for cell in fact.cells],
                    "states": fact.entries,
                    "possible": fact.possible,
                    "used": fact.used,
                    "size": fact.size,
                }
                for fact in facts
            ],
        }
    out.print(
        f"{len(facts)} tuples, {system.tables} table{'s' if system.tables > 1 else ''} each: "
        f"{system.weights:,} weights for the states that can occur, where full tables would have "
        f"{system.dense:,}; {system.used:.0%} changed by training",
        markup=False,
    )
    out.print("tuple  states  of m^N   met   mean |w|  cells (--tuple N draws one)", style="dim")
    order = sorted(range(len(facts)), key=lambda number: -facts[number].size)
    for number in order[:top]:
        fact = facts[number]
        out.print(
            f"{number + 1:5} {fact.entries:7,} {fact.entries / fact.possible:7.1%} "
            f"{fact.used:6.0%} {fact.size:9.4f}   {'-'.join(str(cell + 1) for cell in fact.cells)}",
            markup=False,
        )
    if len(facts) > top:
        out.print(f"… and {len(facts) - top} more (--top)", style="dim")
    return {}


def show_tuple(
    game: Any, learned: Any, tuples: Any, number: int, pattern: str | None, top: int, as_json: bool
) -> dict[str, Any]:
    """One tuple on the board, and its largest entries or the one of a pattern, by who moves."""
    from spielwerk.learning.inspection import table_entries
    from spielwerk.values.tuple_patterns import draw_tuple, tuple_facts

    weights = learned.function.weights
    facts = tuple_facts(tuples, weights, weights, number - 1)
    entries = table_entries(game, learned, tuples, number, pattern, top)
    if as_json:
        return {
            "tuple": number,
            "cells": [cell + 1 for cell in facts.cells],
            "states": facts.entries,
            "possible": facts.possible,
            "entries": [{"pattern": one.pattern, "weights": one.weights} for one in entries],
        }
    out.print(f"tuple {number}: {facts.entries:,} states can occur of {facts.possible:,}")
    out.print(draw_tuple(game, facts.cells), markup=False)
    names = "".join(chr(ord("a") + place) for place in range(len(facts.cells)))
    whose = "first to move  second to move" if tuples.tables == 2 else "weight"
    out.print(f"{names:16}{whose}", style="dim", markup=False)
    for one in entries:
        shown = "".join(f"{weight:+13.4f}  " for weight in one.weights)
        out.print(f"{one.pattern:16}{shown.rstrip()}", markup=False)
    return {}


def show_contributions(
    game: Any, learned: Any, tuples: Any, position: str, top: int, as_json: bool
) -> dict[str, Any]:
    """What every tuple adds in a position, on the board and on its images."""
    from spielwerk.games.connectx import ConnectX
    from spielwerk.games.notation import draw, parse_position
    from spielwerk.learning.inspection import tuple_contributions

    state = parse_position(game, position)
    found = tuple_contributions(game, learned, tuples, state)
    if as_json:
        rows = [
            {
                "tuple": None if part.number is None else part.number + 1,
                "pattern": part.pattern,
                "weight": part.weight,
            }
            for part in found.parts
        ]
        return {"value": found.value, "sum": found.total, "contributions": rows}
    out.print(paint(draw(game, state), falls=isinstance(game, ConnectX)))
    parts = sorted(found.parts, key=lambda part: -abs(part.weight))
    for part in parts[:top]:
        name = "bias" if part.number is None else f"tuple {part.number + 1}"
        out.print(f"{name:10} {part.pattern:14} {part.weight:+.4f}", markup=False)
    if len(parts) > top:
        rest = sum(part.weight for part in parts[top:])
        out.print(f"{len(parts) - top} more    {'':14} {rest:+.4f}", style="dim", markup=False)
    out.print(f"sum {found.total:+.4f}, V = {found.value:+.4f}", style="bold", markup=False)
    return {}
