"""`spielwerk bench [NAME]`: speed, as ratios to the peers that are installed."""

import json as json_module
from typing import Annotated

import typer

from spielwerk.cli.options import JsonOption
from spielwerk.cli.terminal import announce_compilation, log, out

EXAMPLE = "Example: `spielwerk bench playouts --seconds 1`"


def command(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="arena, mcts, nets, ntuple, playouts, skipbo, solver, startup or web; all if not "
            "given.",
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.05, max=600, help="About how long to measure each line.")
    ] = 5.0,
    json: JsonOption = False,
) -> None:
    """Measure speed on this machine, ours and the peers' in turn in the same run.

    Peers are other projects; `pip install 'spielwerk[peers]'` installs them. With --json, one
    object per line measured: name, unit, ours, peer (null if not installed), ratio.
    """
    from spielwerk.bench import BENCHMARKS
    from spielwerk.errors import SpielwerkError, unknown_name

    if name is not None and name not in BENCHMARKS:
        raise SpielwerkError(unknown_name("benchmark", name, BENCHMARKS))
    announce_compilation()
    for chosen in [name] if name else BENCHMARKS:
        for line in BENCHMARKS[chosen](seconds):
            if json:
                out.print(json_module.dumps(line._asdict()), markup=False)
            else:
                out.print(line.in_words(), markup=False)
            if line.missing:
                log.print(line.missing, style="dim", markup=False)
