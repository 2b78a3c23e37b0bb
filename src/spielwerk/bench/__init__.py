"""Benchmarks: speed as a ratio, measured in one run on one machine."""

from collections.abc import Callable, Iterator

from spielwerk.bench import playouts, solver, startup
from spielwerk.bench.line import Line

BENCHMARKS: dict[str, Callable[[float], Iterator[Line]]] = {
    "playouts": playouts.measure,
    "solver": solver.measure,
    "startup": startup.measure,
}
