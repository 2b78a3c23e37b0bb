"""`spielwerk nets`: the neural nets there are."""

import json as json_module
from pathlib import Path
from typing import Annotated, Any

import typer

from spielwerk.cli.options import JsonOption
from spielwerk.cli.terminal import log, out

EXAMPLE = "Example: `spielwerk nets`"
SCALES = {"minimax": "−1 to 1", "normal": "0 to 1"}


def command(
    folder: Annotated[Path, typer.Option("--runs", help="Where training runs lie.")] = Path("runs"),
    json: JsonOption = False,
) -> None:
    """List the neural nets that come with Spielwerk and those of your training runs.

    The name in the first column goes into a spec, e.g. net:NAME, puct:NAME (nets with a policy) or
    mcts:value=net:NAME. With --json: name, game, representation, target, policy, seed, command of
    each.
    """
    from spielwerk.errors import SpielwerkError
    from spielwerk.values.net import NET, read_header, shipped_nets

    named = shipped_nets()
    named |= {str(path.parent): path for path in sorted(folder.glob(f"*/{NET}"))}
    rows = []
    for name, path in named.items():
        try:
            rows.append(_row(name, read_header(path)))
        except SpielwerkError as error:
            log.print(f"{error}", markup=False)
    if json:
        out.print_json(json_module.dumps(rows))
        return
    for row in rows:
        kind = "policy and value" if row["policy"] else f"value, {SCALES[row['target']]}"
        out.print(
            f"{row['name']:24} {row['game']}: {kind}, board {row['representation']}, "
            f"seed {row['seed']}",
            markup=False,
        )


def _row(name: str, header: Any) -> dict[str, Any]:
    return {
        "name": name,
        "game": header.game,
        "representation": header.representation,
        "target": header.target,
        "policy": header.policy,
        "seed": header.origin.get("seed"),
        "command": header.origin.get("command", ""),
    }
