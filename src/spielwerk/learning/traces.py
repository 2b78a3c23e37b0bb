"""Eligibility traces (Konen 2015, eq. 7 and appendix A; Thill et al. 2014 for the variants).

Each weight has a trace e_i. Only those that are not zero are touched: with millions of weights a
step costs what is active. A trace is begun anew in every game.

* accumulating: e ← γλ e + ∇f
* replacing: e_i ← ∂f/∂w_i where that is not zero, else γλ e_i
* resetting: after an exploratory move e ← 0 first, since what was before has not led here
* returns: no traces; each position learns from its λ-return at the end of the game (`returns`)
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from spielwerk.kernels.dispatch import generic, implement
from spielwerk.kernels.jit import inlined
from spielwerk.values.sparse import Sparse

TraceRule: TypeAlias = Any


class Accumulating(NamedTuple):
    resetting: bool


class Replacing(NamedTuple):
    resetting: bool


class Returns(NamedTuple):
    resetting: bool


class Traces(NamedTuple):
    """The traces of all weights, and a list of those that are not zero."""

    e: np.ndarray  # [weights] float64
    listed: np.ndarray  # [weights] int64: indices, the first size[0] of them count
    is_listed: np.ndarray  # [weights] bool
    size: np.ndarray  # [1] int64


def make_traces(weights: int) -> Traces:
    return Traces(
        np.zeros(weights),
        np.empty(weights, np.int64),
        np.zeros(weights, np.bool_),
        np.zeros(1, np.int64),
    )


@inlined
def reset(traces: Traces) -> None:
    """e ← 0."""
    for place in range(traces.size[0]):
        index = traces.listed[place]
        traces.e[index] = 0.0
        traces.is_listed[index] = False
    traces.size[0] = 0


@inlined
def fade(traces: Traces, factor: float) -> None:
    """e ← factor · e."""
    if factor == 0.0:
        reset(traces)
        return
    for place in range(traces.size[0]):
        traces.e[traces.listed[place]] *= factor


@inlined
def add(traces: Traces, slope: Sparse) -> None:
    """e ← e + slope."""
    for place in range(slope.size[0]):
        index = slope.indices[place]
        traces.e[index] += slope.entries[place]
        if not traces.is_listed[index]:
            traces.is_listed[index] = True
            traces.listed[traces.size[0]] = index
            traces.size[0] += 1


@generic
def update_traces(rule: TraceRule, traces: Traces, factor: float, slope: Sparse) -> None:
    """Eq. 7: let old traces fade by `factor` = γλ and enter the gradient `slope`."""


@implement(update_traces, Accumulating)
def _(rule: Accumulating, traces: Traces, factor: float, slope: Sparse) -> None:
    fade(traces, factor)
    add(traces, slope)


@implement(update_traces, Replacing)
def _(rule: Replacing, traces: Traces, factor: float, slope: Sparse) -> None:
    fade(traces, factor)
    for place in range(slope.size[0]):
        if slope.entries[place] != 0.0:
            traces.e[slope.indices[place]] = 0.0
    add(traces, slope)


@implement(update_traces, Returns)
def _(rule: Returns, traces: Traces, factor: float, slope: Sparse) -> None:
    reset(traces)
    add(traces, slope)
