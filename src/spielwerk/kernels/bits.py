"""Bit tricks on 64-bit words: one machine instruction in a kernel, plain integers in Python.

Each function has both forms, so that kernels also run with `NUMBA_DISABLE_JIT=1`.
"""

from collections.abc import Iterator
from typing import Any

import numba
import numpy as np
from llvmlite import binding, ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from spielwerk.kernels.jit import compile_as

U64 = np.uint64
ZERO = np.uint64(0)
ONE = np.uint64(1)
WORD = (1 << 64) - 1

# Only where Numba compiles for this very machine: NUMBA_CPU_NAME=generic knows no PDEP.
_HAS_PDEP = numba.config.CPU_NAME is None and bool(
    binding.get_host_cpu_features().get("bmi2", False)
)


def popcount(word: np.uint64) -> np.uint64:
    """How many bits are set."""
    return U64(int(word).bit_count())


def lowest_bit(word: np.uint64) -> np.uint64:
    """The index of the lowest set bit. `word` must not be zero."""
    number = int(word)
    return U64((number & -number).bit_length() - 1)


def nth_bit(word: np.uint64, n: np.uint64) -> np.uint64:
    """The index of the n-th set bit, counted from the lowest (n = 0). `word` must have it."""
    number = int(word)
    for _ in range(int(n)):
        number &= number - 1
    return lowest_bit(U64(number))


def multiply(a: np.uint64, b: np.uint64) -> np.uint64:
    """The product modulo 2^64 (NumPy scalars would warn of the overflow)."""
    return U64((int(a) * int(b)) & WORD)


def add(a: np.uint64, b: np.uint64) -> np.uint64:
    """The sum modulo 2^64."""
    return U64((int(a) + int(b)) & WORD)


def signed(word: np.uint64) -> int:
    """The word as an ordinary number. (In a kernel `int(word)` stays unsigned, and unsigned with
    signed makes floating point.)"""
    return int(word)


def prefetch(array: np.ndarray, index: np.uint64) -> None:
    """Begin to load an element that will be needed soon. Changes nothing but the time it takes."""


def bit_indices(word: np.uint64 | int) -> Iterator[int]:
    """The indices of the set bits, lowest first. For Python only."""
    number = int(word)
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1


@intrinsic
def _ctpop(context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@intrinsic
def _cttz(context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic
def _pdep(context: Any, source: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        name = "llvm.x86.bmi.pdep.64"
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), arguments)

    return types.uint64(types.uint64, types.uint64), generate


@intrinsic
def _prefetch(context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        address = builder.bitcast(builder.gep(data, [arguments[1]]), byte)
        read, keep, is_data = (ir.Constant(number, value) for value in (0, 3, 1))
        builder.call(function, [address, read, keep, is_data])
        return context.get_dummy_value()

    return types.void(array, types.uint64), generate


def nth_bit_by_halving(word: np.uint64, n: np.uint64) -> np.uint64:
    """`nth_bit` without the instruction PDEP: halve the word six times, without a branch."""
    n = U64(n)
    index = ZERO
    for step in range(6):
        width = U64(32) >> U64(step)
        below = popcount(word & ((ONE << width) - ONE))
        skip = U64(n >= below)
        n -= below * skip
        word >>= width * skip
        index += width * skip
    return index


compile_as(popcount, lambda word: _ctpop(word))
compile_as(lowest_bit, lambda word: _cttz(word))
compile_as(
    nth_bit,
    (lambda word, n: _cttz(_pdep(ONE << U64(n), word))) if _HAS_PDEP else nth_bit_by_halving,
)
compile_as(multiply, lambda a, b: U64(a) * U64(b))
compile_as(add, lambda a, b: U64(a) + U64(b))
compile_as(signed, lambda word: np.int64(word))
compile_as(prefetch, lambda array, index: _prefetch(array, U64(index)))
