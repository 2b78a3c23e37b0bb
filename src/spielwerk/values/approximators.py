"""Function approximators f(w; s) over a feature vector g(s) (Konen 2015, appendix B).

Each is a NamedTuple with its weights in one flat array `weights`, so that a learner needs to know
nothing else. `response` is f, `gradient` is ∇_w f, both over the sparse feature vector of a
position. A table is the linear function of features of which exactly one is active.
"""

import math
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from spielwerk.kernels.dispatch import generic, implement
from spielwerk.kernels.jit import inlined
from spielwerk.values.sparse import Sparse, append, clear

Approximator: TypeAlias = Any
"""A NamedTuple with a field `weights`, of a type that `response` and `gradient` know."""


class Linear(NamedTuple):
    """Appendix B.1: f = w·g."""

    weights: np.ndarray


class LinearSigmoid(NamedTuple):
    """Appendix B.2: f = σ(w·g), between 0 and 1."""

    weights: np.ndarray


class LinearTanh(NamedTuple):
    """f = tanh(β w·g), between −1 and 1 (Thill 2012, eq. 2.18, with β = 1; Jahnke 2007).

    β is also the output scaling k of Thill's §4.5.2, eq. 4.15.
    """

    weights: np.ndarray
    slope: float


class SigmoidNet(NamedTuple):
    """Appendix B.3: f = σ(Σ_j w_j h_j) with h_j = σ(Σ_i v_ji g_i).

    The weights are v, unit by unit, then w: v_ji = weights[j · inputs + i], w_j =
    weights[hidden · inputs + j].
    """

    weights: np.ndarray
    inputs: int
    hidden: int


@generic
def response(function: Approximator, inputs: Sparse) -> float:
    """f(w; s) for the position whose features are `inputs`."""


@generic
def gradient(function: Approximator, inputs: Sparse, into: Sparse) -> None:
    """∇_w f(w; s), written into a vector that has room for it (see `gradient_room`)."""


@generic
def squashed(function: Approximator, total: float) -> float:
    """f as a function of w·g alone, for those of one layer: the activation."""


@generic
def steepness(function: Approximator, f: float) -> float:
    """df / d(w·g) where the function has the value f."""


def gradient_room(function: Approximator, most_active: int) -> int:
    """How many entries a gradient can have, if at most so many features are active at once."""
    if isinstance(function, SigmoidNet):
        return function.hidden * (most_active + 1)
    return most_active


@inlined
def sigmoid(y: float) -> float:
    """The Fermi function 1 / (1 + e^−y)."""
    return 1.0 / (1.0 + math.exp(-y))


@inlined
def weighted_sum(weights: np.ndarray, first: int, inputs: Sparse) -> float:
    """Σ_i weights[first + i] · g_i."""
    total = 0.0
    for place in range(inputs.size[0]):
        total += weights[first + inputs.indices[place]] * inputs.entries[place]
    return total


@inlined
def scaled(inputs: Sparse, factor: float, into: Sparse) -> None:
    """into ← factor · g."""
    clear(into)
    for place in range(inputs.size[0]):
        append(into, inputs.indices[place], factor * inputs.entries[place])


@implement(response, Linear)
def _(function: Linear, inputs: Sparse) -> float:
    return weighted_sum(function.weights, 0, inputs)


@implement(squashed, Linear)
def _(function: Linear, total: float) -> float:
    return total


@implement(gradient, Linear)
def _(function: Linear, inputs: Sparse, into: Sparse) -> None:
    scaled(inputs, 1.0, into)


@implement(squashed, LinearSigmoid)
def _(function: LinearSigmoid, total: float) -> float:
    return sigmoid(total)


@implement(steepness, LinearSigmoid)
def _(function: LinearSigmoid, f: float) -> float:
    return f * (1.0 - f)


@implement(response, LinearSigmoid)
def _(function: LinearSigmoid, inputs: Sparse) -> float:
    return sigmoid(weighted_sum(function.weights, 0, inputs))


@implement(gradient, LinearSigmoid)
def _(function: LinearSigmoid, inputs: Sparse, into: Sparse) -> None:
    scaled(inputs, steepness(function, response(function, inputs)), into)


@implement(squashed, LinearTanh)
def _(function: LinearTanh, total: float) -> float:
    return math.tanh(function.slope * total)


@implement(steepness, LinearTanh)
def _(function: LinearTanh, f: float) -> float:
    """Thill, eq. 4.16, where k is our slope."""
    return function.slope * (1.0 - f * f)


@implement(response, LinearTanh)
def _(function: LinearTanh, inputs: Sparse) -> float:
    return squashed(function, weighted_sum(function.weights, 0, inputs))


@implement(gradient, LinearTanh)
def _(function: LinearTanh, inputs: Sparse, into: Sparse) -> None:
    scaled(inputs, steepness(function, response(function, inputs)), into)


@inlined
def hidden_unit(function: SigmoidNet, j: int, inputs: Sparse) -> float:
    """h_j."""
    return sigmoid(weighted_sum(function.weights, j * function.inputs, inputs))


@implement(response, SigmoidNet)
def _(function: SigmoidNet, inputs: Sparse) -> float:
    outer = function.hidden * function.inputs
    total = 0.0
    for j in range(function.hidden):
        total += function.weights[outer + j] * hidden_unit(function, j, inputs)
    return sigmoid(total)


@implement(gradient, SigmoidNet)
def _(function: SigmoidNet, inputs: Sparse, into: Sparse) -> None:
    """Eq. 9: ∂f/∂w_j = f(1−f) h_j. Eq. 10: ∂f/∂v_ji = f(1−f) w_j · h_j(1−h_j) g_i."""
    outer = function.hidden * function.inputs
    f = response(function, inputs)
    clear(into)
    for j in range(function.hidden):
        h = hidden_unit(function, j, inputs)
        append(into, outer + j, f * (1.0 - f) * h)
        factor = f * (1.0 - f) * function.weights[outer + j] * h * (1.0 - h)
        for place in range(inputs.size[0]):
            index = j * function.inputs + inputs.indices[place]
            append(into, index, factor * inputs.entries[place])
