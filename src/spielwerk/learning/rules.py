"""Traces and step sizes by name: `replacing:reset=yes`, `tcl:steepness=2.7`, `idbd:theta=3`."""

import math
from dataclasses import dataclass
from typing import Annotated, Protocol

import numpy as np

from spielwerk.learning.step_sizes import (
    K1,
    AlphaBounds,
    Autostep,
    Fixed,
    Idbd,
    StepRule,
    TemporalCoherence,
)
from spielwerk.learning.traces import Accumulating, Replacing, Returns, TraceRule
from spielwerk.spec import Entry, Option, parse_spec

ResetOption = Annotated[bool, Option("forget all traces after an exploratory move")]
ThetaOption = Annotated[float, Option("θ: how fast step sizes change", least=0, most=1000)]


def accumulating(reset: ResetOption = False) -> TraceRule:
    return Accumulating(reset)


def replacing(reset: ResetOption = False) -> TraceRule:
    return Replacing(reset)


def returns(reset: ResetOption = False) -> TraceRule:
    return Returns(reset)


TRACES: dict[str, Entry[TraceRule]] = {
    "accumulating": Entry("accumulating", "add each gradient", accumulating),
    "replacing": Entry("replacing", "put each gradient in the place of the old trace", replacing),
    "returns": Entry("returns", "λ-returns at the end of each game instead of traces", returns),
}


class StepSettings(Protocol):
    def make(self, weights: int, alpha: float) -> StepRule:
        """The rule with its memory for so many weights; `alpha` is the step size to begin with."""
        ...


@dataclass(frozen=True)
class FixedSettings:
    def make(self, weights: int, alpha: float) -> StepRule:
        return Fixed()


@dataclass(frozen=True)
class TclSettings:
    steepness: Annotated[
        float, Option("β of the exponential transfer function; 0: the identity", least=0, most=100)
    ] = 2.7

    def make(self, weights: int, alpha: float) -> StepRule:
        return TemporalCoherence(self.steepness, np.zeros(weights), np.zeros(weights))


@dataclass(frozen=True)
class IdbdSettings:
    theta: ThetaOption = 3.0

    def make(self, weights: int, alpha: float) -> StepRule:
        return Idbd(self.theta, np.full(weights, math.log(alpha)), np.zeros(weights))


@dataclass(frozen=True)
class K1Settings:
    theta: ThetaOption = 6.0

    def make(self, weights: int, alpha: float) -> StepRule:
        return K1(self.theta, np.full(weights, math.log(alpha)), np.zeros(weights))


@dataclass(frozen=True)
class AutostepSettings:
    mu: Annotated[float, Option("μ: how fast step sizes change", least=0, most=100)] = 1e-4
    tau: Annotated[float, Option("τ: how slowly the normaliser falls", least=1)] = 1e4

    def make(self, weights: int, alpha: float) -> StepRule:
        zeros = np.zeros(weights)
        return Autostep(self.mu, self.tau, np.full(weights, alpha), zeros, zeros.copy())


@dataclass(frozen=True)
class AlphaBoundsSettings:
    def make(self, weights: int, alpha: float) -> StepRule:
        return AlphaBounds(np.array([alpha]))


STEPS: dict[str, Entry[StepSettings]] = {
    "fixed": Entry("fixed", "α for all weights", FixedSettings),
    "tcl": Entry("tcl", "temporal coherence: smaller where changes cancel out", TclSettings),
    "idbd": Entry("idbd", "incremental delta-bar-delta", IdbdSettings),
    "k1": Entry("k1", "IDBD, normalised like a Kalman filter", K1Settings),
    "autostep": Entry("autostep", "IDBD without parameters to tune", AutostepSettings),
    "alpha-bounds": Entry(
        "alpha-bounds", "one α, bounded by what cannot overshoot", AlphaBoundsSettings
    ),
}


def parse_trace(text: str) -> TraceRule:
    return parse_spec(text, "trace", TRACES)


def parse_step(text: str) -> StepSettings:
    return parse_spec(text, "step size", STEPS)
