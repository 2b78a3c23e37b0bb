"""The stream is SplitMix64's, the same in kernels and in Python, and even."""

from collections import Counter

from spielwerk.kernels.bits import U64
from spielwerk.kernels.rng import Rng, below, derive_seed, next_random

REFERENCE = [6457827717110365317, 3203168211198807973, 9817491932198370423]
"""The first numbers of SplitMix64 with seed 1234567, as published with the algorithm's tests."""


def test_the_stream_is_splitmix64():
    rng = Rng(1234567)
    assert [rng.bits() for _ in range(3)] == REFERENCE


def test_kernels_draw_the_same_stream():
    rng, seed = Rng(42), U64(42)
    for _ in range(100):
        bits, seed = next_random(U64(seed))
        assert bits == rng.copy().bits()
        assert below(U64(bits), U64(7)) == rng.below(7)


def test_numbers_below_n_are_even():
    """70,000 draws of 7: each about 10,000; 4.5 standard deviations are 417."""
    rng = Rng(3)
    counts = Counter(rng.below(7) for _ in range(70_000))
    assert set(counts) == set(range(7))
    assert all(abs(count - 10_000) < 417 for count in counts.values())


def test_derived_seeds_differ():
    seeds = {derive_seed(s, a, b) for s in range(10) for a in range(30) for b in range(30)}
    assert len(seeds) == 10 * 30 * 30
    assert derive_seed(1, 2, 3) != derive_seed(1, 3, 2)
    assert derive_seed(1, 0) != derive_seed(1, 0, 0)
