"""All moves as first: what playouts say of moves that were made later (Göppert 2020, §2.4.2).

An edge gains a second mean, Q_AMAF, of the playouts in which its move was made later on by the same
player. The value of the move is then  β · Q_AMAF + (1 − β) · Q;  the parts differ in β.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from spielwerk.kernels.dispatch import generic, generic_with_default, implement

Amaf: TypeAlias = Any


class NoAmaf(NamedTuple):
    """Moves are judged by their own playouts alone."""

    unused: int = 0


class AlphaAmaf(NamedTuple):
    """Eq. 6: β = α, the same everywhere."""

    alpha: float


class Rave(NamedTuple):
    """Eq. 7 (Gelly & Silver 2011): β = sqrt(k / (3 N + k)), one half after k visits."""

    k: float


class LinearRave(NamedTuple):
    """Helmbold & Parker-Wood (2009): β = max(0, (k − N) / k), nothing after k visits."""

    k: float


@generic_with_default
def is_used(amaf: Amaf) -> bool:
    return True


@implement(is_used, NoAmaf)
def _(amaf: NoAmaf) -> bool:
    return False


@generic
def weight(amaf: Amaf, visits: int) -> float:
    """β for a move with this many visits."""


@implement(weight, NoAmaf)
def _(amaf: NoAmaf, visits: int) -> float:
    return 0.0


@implement(weight, AlphaAmaf)
def _(amaf: AlphaAmaf, visits: int) -> float:
    return amaf.alpha


@implement(weight, Rave)
def _(amaf: Rave, visits: int) -> float:
    return np.sqrt(amaf.k / (3.0 * visits + amaf.k))


@implement(weight, LinearRave)
def _(amaf: LinearRave, visits: int) -> float:
    return max(0.0, (amaf.k - visits) / amaf.k)
