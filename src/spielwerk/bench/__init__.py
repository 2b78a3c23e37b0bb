"""Benchmarks: speed as a ratio, measured in one run on one machine."""

from collections.abc import Callable, Iterator

from spielwerk.bench import arena, mcts, nets, ntuple, playouts, skipbo, solver, startup, web
from spielwerk.bench.line import Line

BENCHMARKS: dict[str, Callable[[float], Iterator[Line]]] = {
    "arena": arena.measure,
    "mcts": mcts.measure,
    "nets": nets.measure,
    "ntuple": ntuple.measure,
    "playouts": playouts.measure,
    "skipbo": skipbo.measure,
    "solver": solver.measure,
    "startup": startup.measure,
    "web": web.measure,
}
