"""How ε and α change in the course of a training (Thill 2012, §4.1.2).

A schedule is a function of n, the games played, and N, the games of the whole training. As a spec:
`0.1`, `linear:0.9,end=0.1`, `exponential:0.01,end=0.001`, `jump:0.9,end=0.1,at=0.5`,
`sigmoid:0.95,end=0.1,at=0.2,slope=10`. `at` is a share of the training.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Protocol

import numpy as np

from spielwerk.errors import SpecError
from spielwerk.spec import Entry, Option, parse_spec

StartOption = Annotated[float, Option("the value at the beginning", least=0, positional=True)]
EndOption = Annotated[float, Option("the value at the end", least=0)]
AtOption = Annotated[float, Option("where, as a share of the training", least=0, most=1)]


class Schedule(Protocol):
    def rates(self, games: np.ndarray, total: int) -> np.ndarray:
        """The rate for each number of games already played."""
        ...


@dataclass(frozen=True)
class Constant:
    start: StartOption

    def rates(self, games: np.ndarray, total: int) -> np.ndarray:
        return np.full(len(games), self.start)


@dataclass(frozen=True)
class Linear:
    start: StartOption
    end: EndOption

    def rates(self, games: np.ndarray, total: int) -> np.ndarray:
        return self.start + (self.end - self.start) * games / total


@dataclass(frozen=True)
class Exponential:
    """Eq. 4.3 and 4.5: ε(n) = ε_0 · a^n with a = (ε_N / ε_0)^(1/N)."""

    start: StartOption
    end: EndOption

    def __post_init__(self) -> None:
        if not (self.start > 0 and self.end > 0):
            raise SpecError("exponential: start and end must be more than 0.")

    def rates(self, games: np.ndarray, total: int) -> np.ndarray:
        return self.start * (self.end / self.start) ** (games / total)


@dataclass(frozen=True)
class Jump:
    start: StartOption
    end: EndOption
    at: AtOption = 0.5

    def rates(self, games: np.ndarray, total: int) -> np.ndarray:
        return np.where(games < self.at * total, self.start, self.end)


@dataclass(frozen=True)
class Sigmoid:
    """Eq. 4.1 and 4.2, with the sign that the text and figure 4.2 mean.

    ε(n) = (ε_0 − ε_N) · S((n − n_wp) m / N) + ε_N with S(x) = (1 − tanh x) / 2. Printed is
    (ε_N − ε_0), by which a rate that should fall from 0.9 to 0.1 would rise from −0.7 to 0.1.
    """

    start: StartOption
    end: EndOption
    at: AtOption = 0.5
    slope: Annotated[float, Option("m: how steep", least=0.1, most=1000)] = 10.0

    def rates(self, games: np.ndarray, total: int) -> np.ndarray:
        falling = (1 - np.tanh((games - self.at * total) * self.slope / total)) / 2
        return (self.start - self.end) * falling + self.end


SCHEDULES: dict[str, Entry[Schedule]] = {
    "constant": Entry("constant", "the same all the time", Constant),
    "linear": Entry("linear", "in a straight line", Linear),
    "exponential": Entry("exponential", "by the same factor in each game", Exponential),
    "jump": Entry("jump", "from one value to the other at once", Jump),
    "sigmoid": Entry("sigmoid", "in an S-curve", Sigmoid),
}


def parse_schedule(text: str) -> Schedule:
    """The schedule that a spec names; a bare number stays what it is.

    >>> parse_schedule("linear:0.9,end=0.1").rates(np.array([0, 5]), 10).tolist()
    [0.9, 0.5]
    """
    with suppress(ValueError):
        float(text)
        text = f"constant:{text}"
    return parse_spec(text, "schedule", SCHEDULES)
