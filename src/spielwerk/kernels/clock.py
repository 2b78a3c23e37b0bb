"""Time inside a kernel: the processor's cycle counter."""

import time
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from spielwerk.kernels.jit import compile_as, kernel


def ticks() -> np.uint64:
    """A number that grows steadily with time; see `ticks_per_second`."""
    return np.uint64(time.perf_counter_ns())


@intrinsic
def _read_cycle_counter(context: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(64), [])
        name = "llvm.readcyclecounter"
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [])

    return types.uint64(), generate


compile_as(ticks, lambda: _read_cycle_counter())


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
