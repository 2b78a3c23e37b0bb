"""Time inside a kernel: the processor's cycle counter."""

import time
from functools import cache

import numpy as np

from spielwerk.kernels.jit import ENABLED, compile_as, kernel


def ticks() -> np.uint64:
    """A number that grows steadily with time; see `ticks_per_second`."""
    return np.uint64(time.perf_counter_ns())


if ENABLED:
    from spielwerk.kernels.intrinsics import read_cycle_counter

    compile_as(ticks, lambda: read_cycle_counter())


@kernel
def read_ticks() -> np.uint64:
    return ticks()


@cache
def ticks_per_second() -> float:
    """Measured once, for a twentieth of a second."""
    read_ticks()
    began, first = time.perf_counter(), int(read_ticks())
    time.sleep(0.05)
    return (int(read_ticks()) - first) / (time.perf_counter() - began)
