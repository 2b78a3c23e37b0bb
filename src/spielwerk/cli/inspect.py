"""`spielwerk inspect MODEL`: what a model has learned, feature by feature."""

import json as json_module
from typing import Annotated, Any

import typer

from spielwerk.cli.options import JsonOption
from spielwerk.cli.terminal import out, paint
from spielwerk.errors import SpielwerkError

EXAMPLE = "Example: `spielwerk inspect nim`"
FEW = 1000
"""Systems with so few weights are shown weight by weight."""
TINY = 0.001
"""Where all weights are smaller, they are shown with four digits instead of four decimals."""


def command(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="A file, a run, or one of `models`.")
    ],
    position: Annotated[
        str | None, typer.Option(help="Also: what each feature contributes in this position.")
    ] = None,
    number: Annotated[
        int | None,
        typer.Option("--tuple", metavar="N", help="Draw this tuple, and its largest entries."),
    ] = None,
    pattern: Annotated[
        str | None, typer.Option(help="With --tuple: the entry for a pattern, e.g. XXO+....")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="How many weights to show.")] = 20,
    json: JsonOption = False,
) -> None:
    """Show the weights of a model, the largest first, and what they add up to in a position.

    V is the reward that the first player can expect. Of a net, which has no weight per feature, the
    sum of |v_ji · w_j| over the hidden units is shown. Of an n-tuple system the tuples are shown:
    how many of their states can occur, and what the entries of their tables stand for (X and O are
    the players' stones, + an empty cell within reach, . any other empty cell). With --json: model,
    game, features, function, weights (by name; tuples: see there), and with --position: value,
    contributions.
    """
    from spielwerk.games.catalogue import parse_game
    from spielwerk.games.notation import parse_position
    from spielwerk.games.skipbo import SkipBo
    from spielwerk.learning.inspection import feature_contributions, feature_weights, tuples_of
    from spielwerk.search.skipbo_policies import skipbo_names
    from spielwerk.values.features import feature_names
    from spielwerk.values.model import use_model

    found = use_model(model)
    game = parse_game(found.game)
    if isinstance(game, SkipBo):
        if (position, number, pattern) != (None, None, None):
            raise SpielwerkError("Of a Skip-Bo player only the weights can be shown.")
        _weights(model, found, skipbo_names(found.features), found.weights, top, json)
        return
    learned = found.learned(game)
    tuples = tuples_of(learned)
    if tuples is not None and (tuples.width > FEW or number is not None):
        _tuples(model, found, game, learned, tuples, position, number, pattern, top, json)
        return
    if number is not None or pattern is not None:
        raise SpielwerkError(f"{model} is no n-tuple system; --tuple and --pattern are for those.")
    names = feature_names(learned.features)
    weights = feature_weights(learned)
    contributions, v = None, 0.0
    if position is not None:
        contributions, v = feature_contributions(learned, game, parse_position(game, position))
    more: dict[str, Any] = {}
    if contributions is not None:
        more = {"value": v, "contributions": {names[i]: c for i, c in contributions.items()}}
    _weights(model, found, names, weights, top, json, more)
    if contributions is not None and not json:
        _show_position(game, position or "", names, contributions, v)


def _weights(
    model: str,
    found: Any,
    names: Any,
    weights: Any,
    top: int,
    as_json: bool,
    more: dict[str, Any] | None = None,
) -> None:
    """The weights by name, the largest first; as JSON all of them, and what else is to be told."""
    if as_json:
        result: dict[str, Any] = {
            "model": model,
            "game": found.game,
            "features": found.features,
            "function": found.function,
            "weights": dict(zip(names, map(float, weights), strict=True)),
        }
        out.print_json(json_module.dumps(result | (more or {})))
        return
    out.print(f"{found.game}: {found.function} over {found.features}", style="bold", markup=False)
    out.print(
        f"{found.weights.size:,} weights; made by: {found.origin.get('command')}", markup=False
    )
    order = sorted(range(len(names)), key=lambda i: -abs(weights[i]))
    # Of a player that only compares, weights may be as small as they like.
    shown = "+.4f" if any(abs(weight) >= TINY for weight in weights) else "+.4g"
    for i in order[:top]:
        out.print(f"{names[i]:28} {weights[i]:{shown}}", markup=False)
    if len(names) > top:
        out.print(f"… and {len(names) - top:,} smaller ones (--top)", style="dim", markup=False)


def _tuples(
    name: str,
    found: Any,
    game: Any,
    learned: Any,
    tuples: Any,
    position: str | None,
    number: int | None,
    pattern: str | None,
    top: int,
    as_json: bool,
) -> None:
    from spielwerk.cli import inspect_tuples as tell
    from spielwerk.games.notation import parse_position
    from spielwerk.learning.inspection import check_running, check_tuple

    if pattern is not None and number is None:
        raise SpielwerkError("--pattern needs --tuple: the entry of which tuple?")
    if number is not None:
        check_tuple(game, tuples, number, pattern)
    if position is not None:
        check_running(learned, game, parse_position(game, position))
    result = {"model": name, "game": found.game, "features": found.features}
    result["function"] = found.function
    if not as_json:
        out.print(
            f"{found.game}: {found.function} over {found.features}", style="bold", markup=False
        )
        out.print(f"made by: {found.origin.get('command')}", markup=False)
    if number is not None:
        result |= tell.show_tuple(game, learned, tuples, number, pattern, top, as_json)
    elif position is None:
        result |= tell.show_system(found, game, learned, tuples, top, as_json)
    if position is not None:
        result |= tell.show_contributions(game, learned, tuples, position, top, as_json)
    if as_json:
        out.print_json(json_module.dumps(result))


def _show_position(
    game: Any, position: str, names: list[str], contributions: dict[int, float], v: float
) -> None:
    from spielwerk.games.connectx import ConnectX
    from spielwerk.games.notation import draw, parse_position

    state = parse_position(game, position)
    out.print()
    out.print(paint(draw(game, state), falls=isinstance(game, ConnectX)))
    for i, part in sorted(contributions.items(), key=lambda item: -abs(item[1])):
        out.print(f"{names[i]:28} {part:+.4f}", markup=False)
    out.print(f"V = {v:.4f}", style="bold")
