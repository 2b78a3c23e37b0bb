"""Averaged weights: what is measured and kept, while learning goes on with the raw ones.

TD in self-play does not settle: two openings of nearly equal value change places again and again,
and with them the success of the raw weights. Their exponential moving average is steady.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.kernels.jit import kernel

PARTS = 50
"""The average is brought up to date so often within its horizon."""


class Average(NamedTuple):
    weights: np.ndarray  # like the learner's; empty if there is no average
    every: int  # games between two updates
    rate: float  # the share of the raw weights in each


def make_average(weights: np.ndarray, horizon: int) -> Average:
    """An average that forgets in about `horizon` games; none if that is 0."""
    if horizon == 0:
        return Average(weights[:0].copy(), 0, 0.0)
    every = max(1, horizon // PARTS)
    return Average(weights.copy(), every, float(1 - np.exp(-every / horizon)))


@kernel
def advance(average: Average, weights: np.ndarray, games: int) -> None:
    """After so many games: a ← a + rate (w − a), an ordinary mean while that is faster."""
    if average.every == 0 or games % average.every != 0:
        return
    rate = np.float32(max(average.rate, average.every / games))
    for i in range(weights.size):
        average.weights[i] += rate * (weights[i] - average.weights[i])
