"""Random numbers that are an argument: the same seed gives the same stream, on every machine.

SplitMix64 (Steele, Lea & Flood 2014): a counter stepped by an odd constant, scrambled. It is fast
in a kernel, has no state but one word, and any word is a good seed. The class `Rng` draws the very
same stream in Python, and does not depend on the version of any library.
"""

import numpy as np

from spielwerk.kernels.bits import U64, WORD, add, multiply, signed
from spielwerk.kernels.jit import kernel

STEP, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_STEP, _FIRST, _SECOND = np.uint64(STEP), np.uint64(FIRST), np.uint64(SECOND)


@kernel
def scramble(word: np.uint64) -> np.uint64:
    """A bijection of the 64-bit words in which every bit of the result depends on all of `word`."""
    word = multiply(word ^ (word >> U64(30)), _FIRST)
    word = multiply(word ^ (word >> U64(27)), _SECOND)
    return word ^ (word >> U64(31))


@kernel
def next_random(seed: np.uint64) -> tuple[np.uint64, np.uint64]:
    """64 random bits, and the seed of the next."""
    seed = add(seed, _STEP)
    return scramble(seed), seed


@kernel
def below(bits: np.uint64, n: np.uint64) -> np.uint64:
    """A number in 0 … n−1 from 64 random bits, n < 2^32. No n is favoured by more than n/2^32."""
    return ((bits >> U64(32)) * n) >> U64(32)


@kernel
def unit(bits: np.uint64) -> float:
    """A number in [0, 1) from 64 random bits: the upper 53 of them, as many as a float holds."""
    return float(signed(bits >> U64(11))) * 2.0**-53


@kernel
def takes_place(equals: int, seed: np.uint64) -> tuple[bool, np.uint64]:
    """Whether the last of so many equally good candidates takes the place of the one before it.

    Asked of the second, the third, … in turn, it leaves each of them with the same chance.
    """
    bits, seed = next_random(seed)
    return below(bits, U64(equals)) == U64(0), seed


@kernel
def derive(seed: np.uint64, index: int) -> np.uint64:
    """`derive_seed` with one index, in kernels."""
    return scramble(add(scramble(seed), multiply(U64(index) + U64(1), _STEP)))


@kernel
def one_way(seed: np.uint64) -> np.uint64:
    """A seed that does not betray the one it was made of: others were made of that too."""
    return scramble(seed) ^ seed


class Rng:
    """The same generator for Python code.

    >>> Rng(7).below(100) == Rng(7).below(100)
    True
    """

    __slots__ = ("_seed",)

    def __init__(self, seed: int) -> None:
        self._seed = seed & WORD

    def bits(self) -> int:
        """64 random bits; equals what `next_random` gives for the same seed."""
        self._seed = (self._seed + STEP) & WORD
        return _scramble(self._seed)

    def below(self, n: int) -> int:
        """A number in 0 … n−1."""
        return ((self.bits() >> 32) * n) >> 32

    def unit(self) -> float:
        """A number in [0, 1)."""
        return (self.bits() >> 11) * 2.0**-53

    def copy(self) -> "Rng":
        """A generator that will give the same numbers as this one."""
        return Rng(self._seed)

    def word(self) -> np.uint64:
        """A seed for a kernel."""
        return np.uint64(self.bits())


def derive_seed(seed: int, *indices: int) -> int:
    """The seed of one part of a larger piece of work, e.g. of game 17 of pairing 3.

    It depends on the indices alone, not on the order or the number of workers.
    """
    word = seed & WORD
    for index in indices:
        word = _scramble((_scramble(word) + (index + 1) * STEP) & WORD)
    return word


def seat_seed(seed: int, seat: int, hidden: bool) -> int:
    """The seed of the chances of one player. Where something is hidden it says nothing of the
    seed of the match, and so nothing of the deal."""
    own = derive_seed(seed, seat)
    return _scramble(own) ^ own if hidden else own


def _scramble(word: int) -> int:
    word = ((word ^ (word >> 30)) * FIRST) & WORD
    word = ((word ^ (word >> 27)) * SECOND) & WORD
    return word ^ (word >> 31)
