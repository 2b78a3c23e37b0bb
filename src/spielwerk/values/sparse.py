"""Sparse vectors: the entries that are not zero, in the order in which they were added.

An index may come twice (a tuple that meets itself in a mirror): its entries add up.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.kernels.jit import inlined, kernel


class Sparse(NamedTuple):
    indices: np.ndarray  # [capacity] int64
    entries: np.ndarray  # [capacity] float64
    size: np.ndarray  # [1] int64: how many of them count


@kernel
def make_sparse(capacity: int) -> Sparse:
    """An empty vector with room for `capacity` entries."""
    return Sparse(np.empty(capacity, np.int64), np.empty(capacity), np.zeros(1, np.int64))


@inlined
def clear(vector: Sparse) -> None:
    vector.size[0] = 0


@inlined
def append(vector: Sparse, index: int, entry: float) -> None:
    vector.indices[vector.size[0]] = index
    vector.entries[vector.size[0]] = entry
    vector.size[0] += 1


def to_dense(vector: Sparse, width: int) -> np.ndarray:
    """The same vector with all its zeros."""
    size = int(vector.size[0])
    dense = np.zeros(width)
    np.add.at(dense, vector.indices[:size], vector.entries[:size])
    return dense
