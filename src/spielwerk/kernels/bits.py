"""Bit tricks on 64-bit words: one machine instruction in a kernel, plain integers in Python.

Each function has both forms, so that kernels also run uncompiled.
"""

from collections.abc import Iterator

import numpy as np

from spielwerk.kernels.jit import ENABLED, compile_as

U64 = np.uint64
ZERO = np.uint64(0)
ONE = np.uint64(1)
WORD = (1 << 64) - 1


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


if ENABLED:
    from spielwerk.kernels.intrinsics import HAS_PDEP, ctpop, cttz, pdep
    from spielwerk.kernels.intrinsics import prefetch as prefetch_line

    compile_as(popcount, lambda word: ctpop(word))
    compile_as(lowest_bit, lambda word: cttz(word))
    compile_as(
        nth_bit,
        (lambda word, n: cttz(pdep(ONE << U64(n), word))) if HAS_PDEP else nth_bit_by_halving,
    )
    compile_as(multiply, lambda a, b: U64(a) * U64(b))
    compile_as(add, lambda a, b: U64(a) + U64(b))
    compile_as(signed, lambda word: np.int64(word))
    compile_as(prefetch, lambda array, index: prefetch_line(array, U64(index)))
