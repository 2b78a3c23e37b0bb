"""Numbers in an order of chance."""

import numpy as np

from spielwerk.kernels.bits import U64, signed
from spielwerk.kernels.jit import kernel
from spielwerk.kernels.rng import below, next_random


def shuffled(count: int, seed: int) -> np.ndarray:
    """0 … count−1, every order with the same chance; the same for the same seed, everywhere."""
    numbers = np.arange(count)
    _shuffle(numbers, np.uint64(seed))
    return numbers


@kernel
def _shuffle(numbers: np.ndarray, seed: np.uint64) -> None:
    """Fisher and Yates's shuffle, from the end."""
    for last in range(numbers.size - 1, 0, -1):
        bits, seed = next_random(seed)
        other = signed(below(bits, U64(last + 1)))
        numbers[last], numbers[other] = numbers[other], numbers[last]
