"""The approximators by name: `linear`, `sigmoid`, `tanh:slope=0.5`, `net:hidden=15`."""

from dataclasses import dataclass
from typing import Annotated, Protocol

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.kernels.rng import Rng
from spielwerk.spec import Entry, Option, parse_spec
from spielwerk.values.approximators import (
    Approximator,
    Linear,
    LinearSigmoid,
    LinearTanh,
    SigmoidNet,
)


class Shape(Protocol):
    """An approximator without its weights."""

    def weight_count(self, width: int) -> int:
        """How many weights it has over so many features."""
        ...

    def make(self, width: int, weights: np.ndarray) -> Approximator: ...


@dataclass(frozen=True)
class LinearShape:
    def weight_count(self, width: int) -> int:
        return width

    def make(self, width: int, weights: np.ndarray) -> Approximator:
        return Linear(weights)


@dataclass(frozen=True)
class SigmoidShape(LinearShape):
    def make(self, width: int, weights: np.ndarray) -> Approximator:
        return LinearSigmoid(weights)


@dataclass(frozen=True)
class TanhShape(LinearShape):
    slope: Annotated[float, Option("β", least=1e-6, most=1e6)] = 1.0

    def make(self, width: int, weights: np.ndarray) -> Approximator:
        return LinearTanh(weights, self.slope)


@dataclass(frozen=True)
class NetShape:
    hidden: Annotated[int, Option("units in the hidden layer", least=1, most=10_000)] = 15

    def weight_count(self, width: int) -> int:
        return self.hidden * (width + 1)

    def make(self, width: int, weights: np.ndarray) -> Approximator:
        return SigmoidNet(weights, width, self.hidden)


FUNCTIONS: dict[str, Entry[Shape]] = {
    "linear": Entry("linear", "w·g", LinearShape),
    "sigmoid": Entry("sigmoid", "σ(w·g), for rewards from 0 to 1", SigmoidShape),
    "tanh": Entry("tanh", "tanh(β w·g), for rewards from −1 to 1", TanhShape),
    "net": Entry("net", "one hidden layer, sigmoids throughout", NetShape),
}


def parse_shape(text: str) -> Shape:
    return parse_spec(text, "function", FUNCTIONS)


def initial_weights(shape: Shape, width: int, spread: float, seed: int) -> np.ndarray:
    """Even over −spread … spread; zero if `spread` is 0, which no net can learn from."""
    if spread == 0 and isinstance(shape, NetShape):
        raise SpielwerkError("A net whose weights are all zero cannot learn; set spread, e.g. 0.5.")
    rng = Rng(seed)
    count = shape.weight_count(width)
    return (
        np.array([spread * (2 * rng.unit() - 1) for _ in range(count)])
        if spread
        else np.zeros(count)
    )
