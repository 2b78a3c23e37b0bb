"""The learning step w ← w + α δ e (Konen 2015, eq. 6), and rules that adapt α to each weight.

Of the papers' formulas only one letter is changed: their input x_i is the eligibility e_i here,
which for λ = 0 and a linear function is the input itself. With a squashed output e_i holds the
slope of the output as well; IDBD and K1 are then what Bagheri et al. (2015) call nl-IDBD and ELK1.

A rule is a NamedTuple of its parameters and its memory, an array per remembered quantity. All of
them touch only weights whose trace is not zero. Of `alpha`, the schedule's α of the current game,
IDBD, K1, Autostep and α-bounds take only the first, as the value to begin with.
"""

import math
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from spielwerk.kernels.dispatch import generic, generic_with_default, implement
from spielwerk.learning.traces import Traces
from spielwerk.values.sparse import Sparse

StepRule: TypeAlias = Any


class Signal(NamedTuple):
    """What a step is made from, beside the traces."""

    delta: float  # δ_t, the error signal
    alpha: float  # the schedule's
    gamma: float
    here: Sparse  # ∇f(s_t), for rules that look ahead only
    there: Sparse  # ∇f(s_{t+1}), likewise


WIDEST = 2.0
"""IDBD, K1: the exponent of a step size changes by no more than this at once (Sutton 1992)."""


class Fixed(NamedTuple):
    """α for all weights: eq. 6 as it stands."""

    unused: int = 0


class TemporalCoherence(NamedTuple):
    """TCL (Beal & Smith 1999): steps as large as the recommended changes agree in sign.

    α_i = α · g(|N_i| / A_i), 1 while A_i = 0, with the net and the absolute sum of all recommended
    changes r = δ e_i. g is the identity, or e^{steepness (x − 1)} (TCL-EXP; Bagheri et al. 2015).
    Weights first, then N += r, A += |r|.
    """

    steepness: float  # 0: the identity
    net: np.ndarray
    absolute: np.ndarray


class Idbd(NamedTuple):
    """IDBD (Sutton 1992): α_i = e^{β_i}, and β learns by a step size θ of its own."""

    theta: float
    beta: np.ndarray
    h: np.ndarray


class K1(NamedTuple):
    """K1 (Sutton 1992): like IDBD, with the steps normalised as in a Kalman filter."""

    theta: float
    beta: np.ndarray
    h: np.ndarray


class Autostep(NamedTuple):
    """Autostep (Mahmood et al. 2012): IDBD made independent of scales, never overshooting."""

    mu: float
    tau: float
    alpha: np.ndarray
    h: np.ndarray
    v: np.ndarray


class AlphaBounds(NamedTuple):
    """α-bounds (Dabney & Barto 2012): one α that falls to the largest that cannot overshoot.

    α ← min(α, 1 / |e·(γ∇f(s′) − ∇f(s))|) where that product is negative.
    """

    alpha: np.ndarray  # [1]


@generic_with_default
def looks_ahead(rule: StepRule) -> bool:
    """Whether the rule needs the gradients of both positions."""
    return False


@implement(looks_ahead, AlphaBounds)
def _(rule: AlphaBounds) -> bool:
    return True


@generic
def move_weights(rule: StepRule, weights: np.ndarray, traces: Traces, signal: Signal) -> None:
    """One learning step."""


@implement(move_weights, Fixed)
def _(rule: Fixed, weights: np.ndarray, traces: Traces, signal: Signal) -> None:
    delta, alpha = signal.delta, signal.alpha
    for place in range(traces.size[0]):
        i = traces.listed[place]
        weights[i] += alpha * delta * traces.e[i]


@implement(move_weights, TemporalCoherence)
def _(rule: TemporalCoherence, weights: np.ndarray, traces: Traces, signal: Signal) -> None:
    delta, alpha = signal.delta, signal.alpha
    for place in range(traces.size[0]):
        i = traces.listed[place]
        change = delta * traces.e[i]
        share = 1.0
        if rule.absolute[i] > 0.0:
            share = abs(rule.net[i]) / rule.absolute[i]
            if rule.steepness > 0.0:
                share = math.exp(rule.steepness * (share - 1.0))
        weights[i] += alpha * share * change
        rule.net[i] += change
        rule.absolute[i] += abs(change)


@implement(move_weights, Idbd)
def _(rule: Idbd, weights: np.ndarray, traces: Traces, signal: Signal) -> None:
    delta = signal.delta
    for place in range(traces.size[0]):
        i = traces.listed[place]
        e = traces.e[i]
        rule.beta[i] += min(max(rule.theta * delta * e * rule.h[i], -WIDEST), WIDEST)
        step = math.exp(rule.beta[i])
        weights[i] += step * delta * e
        rule.h[i] = rule.h[i] * max(0.0, 1.0 - step * e * e) + step * delta * e


@implement(move_weights, K1)
def _(rule: K1, weights: np.ndarray, traces: Traces, signal: Signal) -> None:
    delta = signal.delta
    norm = 1.0
    for place in range(traces.size[0]):
        i = traces.listed[place]
        e = traces.e[i]
        rule.beta[i] += min(max(rule.theta * delta * e * rule.h[i], -WIDEST), WIDEST)
        norm += math.exp(rule.beta[i]) * e * e
    for place in range(traces.size[0]):
        i = traces.listed[place]
        e = traces.e[i]
        gain = math.exp(rule.beta[i]) * e / norm
        weights[i] += gain * delta
        rule.h[i] = (rule.h[i] + gain * delta) * max(0.0, 1.0 - gain * e)


@implement(move_weights, Autostep)
def _(rule: Autostep, weights: np.ndarray, traces: Traces, signal: Signal) -> None:
    delta = signal.delta
    total = 0.0
    for place in range(traces.size[0]):
        i = traces.listed[place]
        e = traces.e[i]
        change = abs(delta * e * rule.h[i])
        slow = rule.v[i] + rule.alpha[i] * e * e * (change - rule.v[i]) / rule.tau
        rule.v[i] = max(change, slow)
        if rule.v[i] != 0.0:
            rule.alpha[i] *= math.exp(rule.mu * delta * e * rule.h[i] / rule.v[i])
        total += rule.alpha[i] * e * e
    overshoot = max(total, 1.0)
    for place in range(traces.size[0]):
        i = traces.listed[place]
        e = traces.e[i]
        rule.alpha[i] /= overshoot
        step = rule.alpha[i]
        weights[i] += step * delta * e
        rule.h[i] = rule.h[i] * (1.0 - step * e * e) + step * delta * e


@implement(move_weights, AlphaBounds)
def _(rule: AlphaBounds, weights: np.ndarray, traces: Traces, signal: Signal) -> None:
    delta = signal.delta
    product = 0.0
    for place in range(signal.there.size[0]):
        product += (
            signal.gamma * traces.e[signal.there.indices[place]] * signal.there.entries[place]
        )
    for place in range(signal.here.size[0]):
        product -= traces.e[signal.here.indices[place]] * signal.here.entries[place]
    if product < 0.0:
        rule.alpha[0] = min(rule.alpha[0], -1.0 / product)
    for place in range(traces.size[0]):
        i = traces.listed[place]
        weights[i] += rule.alpha[0] * delta * traces.e[i]
