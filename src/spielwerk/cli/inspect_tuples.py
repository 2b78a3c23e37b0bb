"""What `spielwerk inspect` shows of an n-tuple system."""

from typing import Any

from spielwerk.cli.terminal import out, paint
from spielwerk.errors import SpielwerkError


def show_system(
    found: Any, game: Any, learned: Any, tuples: Any, top: int, as_json: bool
) -> dict[str, Any]:
    """All tuples: how many of their states can occur, how many were met, how much they weigh."""
    from spielwerk.values.tuple_patterns import tuple_facts

    weights, initial = learned.function.weights, initial_weights(found)
    facts = [tuple_facts(tuples, weights, initial, number) for number in range(len(tuples.cells))]
    dense = sum(fact.possible for fact in facts) * tuples.tables
    used = sum(fact.used * fact.entries for fact in facts) / sum(fact.entries for fact in facts)
    result = {
        "weights": tuples.width,
        "dense": dense,
        "used": used,
        "tables": tuples.tables,
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
    if as_json:
        return result
    out.print(
        f"{len(facts)} tuples, {tuples.tables} table{'s' if tuples.tables > 1 else ''} each: "
        f"{tuples.width:,} weights for the states that can occur, where full tables would have "
        f"{dense:,}; {used:.0%} changed by training",
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
    return result


def initial_weights(found: Any) -> Any:
    """The weights before the training, which follow from its settings; zero if they are unknown."""
    import numpy as np

    from spielwerk.learning.config import config_from
    from spielwerk.learning.training import make_run

    try:
        config, seed = config_from(found.origin["config"]), found.origin["seed"]
    except (KeyError, SpielwerkError):
        return np.zeros_like(found.weights)
    return make_run(found.game, config, seed).learned.function.weights


def check_tuple(game: Any, tuples: Any, number: int, pattern: str | None) -> None:
    """Refuse a tuple that is not there, and a pattern that cannot be."""
    from spielwerk.values.tuple_patterns import entry_of

    if not 1 <= number <= len(tuples.cells):
        raise SpielwerkError(f"The model has tuples 1 to {len(tuples.cells)}, not {number}.")
    if pattern is not None:
        entry_of(tuples, game, number - 1, pattern)


def show_tuple(
    game: Any, learned: Any, tuples: Any, number: int, pattern: str | None, top: int, as_json: bool
) -> dict[str, Any]:
    """One tuple on the board, and its largest entries or the one of a pattern, by who moves."""
    import numpy as np

    from spielwerk.values.tuple_patterns import draw_tuple, entry_of, pattern_of, tuple_facts

    weights = learned.function.weights
    facts = tuple_facts(tuples, weights, weights, number - 1)
    first, per_table = int(tuples.first[number - 1]), int(tuples.first[-1])
    tables = weights[: tuples.width].reshape(tuples.tables, per_table)
    own = tables[:, first : first + facts.entries]
    if pattern is not None:
        entries = [entry_of(tuples, game, number - 1, pattern)]
    else:
        entries = [int(i) for i in np.argsort(-np.abs(own).max(axis=0), kind="stable")[:top]]
    rows = [
        {
            "pattern": pattern_of(tuples, game, number - 1, entry),
            "weights": [float(table[entry]) for table in own],
        }
        for entry in entries
    ]
    result = {
        "tuple": number,
        "cells": [cell + 1 for cell in facts.cells],
        "states": facts.entries,
        "possible": facts.possible,
        "entries": rows,
    }
    if as_json:
        return result
    out.print(f"tuple {number}: {facts.entries:,} states can occur of {facts.possible:,}")
    out.print(draw_tuple(game, facts.cells), markup=False)
    names = "".join(chr(ord("a") + place) for place in range(len(facts.cells)))
    whose = "first to move  second to move" if tuples.tables == 2 else "weight"
    out.print(f"{names:16}{whose}", style="dim", markup=False)
    for row in rows:
        shown = "".join(f"{weight:+13.4f}  " for weight in row["weights"])
        out.print(f"{row['pattern']:16}{shown.rstrip()}", markup=False)
    return result


def show_contributions(
    game: Any, learned: Any, tuples: Any, position: str, top: int, as_json: bool
) -> dict[str, Any]:
    """What every tuple adds in a position, on the board and on its images."""
    from spielwerk.games.connectx import ConnectX
    from spielwerk.games.notation import draw, parse_position
    from spielwerk.values.learned import white_value
    from spielwerk.values.sparse import make_sparse
    from spielwerk.values.tuple_patterns import pattern_of, place_of

    state, inputs = parse_position(game, position), make_sparse(learned.room)
    v = float(white_value(learned, game, state, inputs))
    rows = []
    for place in range(int(inputs.size[0])):
        index = int(inputs.indices[place])
        weight = float(learned.function.weights[index])
        if index >= tuples.width:
            rows.append({"tuple": None, "pattern": "bias", "weight": weight})
            continue
        number, _, entry = place_of(tuples, index)
        pattern = pattern_of(tuples, game, number, entry)
        rows.append({"tuple": number + 1, "pattern": pattern, "weight": weight})
    total = sum(row["weight"] for row in rows)  # type: ignore[misc]
    result = {"value": v, "sum": total, "contributions": rows}
    if as_json:
        return result
    out.print(paint(draw(game, state), falls=isinstance(game, ConnectX)))
    rows.sort(key=lambda row: -abs(row["weight"]))  # type: ignore[arg-type]
    for row in rows[:top]:
        name = "bias" if row["tuple"] is None else f"tuple {row['tuple']}"
        out.print(f"{name:10} {row['pattern']:14} {row['weight']:+.4f}", markup=False)
    if len(rows) > top:
        rest = sum(row["weight"] for row in rows[top:])  # type: ignore[misc]
        out.print(f"{len(rows) - top} more    {'':14} {rest:+.4f}", style="dim", markup=False)
    out.print(f"sum {total:+.4f}, V = {v:+.4f}", style="bold", markup=False)
    return result
