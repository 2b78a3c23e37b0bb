"""`spielwerk models`: the trained models there are."""

import json as json_module
from pathlib import Path
from typing import Annotated, Any

import typer

from spielwerk.cli.options import JsonOption
from spielwerk.cli.terminal import log, out

EXAMPLE = "Example: `spielwerk models`"


def command(
    folder: Annotated[Path, typer.Option("--runs", help="Where training runs lie.")] = Path("runs"),
    json: JsonOption = False,
) -> None:
    """List the models that come with Spielwerk and those of your training runs.

    The name in the first column goes into a spec, e.g. td:NAME, or skipbo-lea:NAME. With --json:
    name, game, features, function, games, seed, command of each.
    """
    from spielwerk.errors import SpielwerkError
    from spielwerk.values.model import MODEL, load_model, shipped_models

    named = shipped_models()
    named |= {str(path.parent): path for path in sorted(folder.glob(f"*/{MODEL}"))}
    rows = []
    for name, path in named.items():
        try:
            rows.append(_row(name, load_model(path)))
        except SpielwerkError as error:
            log.print(f"{error}", markup=False)
    if json:
        out.print_json(json_module.dumps(rows))
        return
    for row in rows:
        out.print(
            f"{row['name']:24} {row['game']}: {row['function']} over {row['features']}, "
            f"{row['games']:,} games, seed {row['seed']}",
            markup=False,
        )


def _row(name: str, model: Any) -> dict[str, Any]:
    return {
        "name": name,
        "game": model.game,
        "features": model.features,
        "function": model.function,
        "games": model.origin.get("games", 0),
        "seed": model.origin.get("seed"),
        "command": model.origin.get("command", ""),
    }
