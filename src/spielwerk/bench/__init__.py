"""Benchmarks: speed as a ratio, measured in one run on one machine."""

from collections.abc import Callable, Iterator

from spielwerk.bench import playouts, startup
from spielwerk.bench.line import Line

BENCHMARKS: dict[str, Callable[[float], Iterator[Line]]] = {
    "playouts": playouts.measure,
    "startup": startup.measure,
}
