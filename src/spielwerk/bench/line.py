"""One measured line, and how two programs are measured fairly beside each other."""

import time
from collections.abc import Callable
from statistics import median
from typing import NamedTuple


class Line(NamedTuple):
    name: str
    unit: str
    ours: float
    peer_name: str | None = None
    peer: float | None = None
    ratio: float | None = None
    """How many times as fast we are: above 1 is good for us."""
    missing: str | None = None
    """What to install to see the peer's number."""

    def in_words(self) -> str:
        ours = (
            f"{self.name}: {self.ours:,.4g} {self.unit}"
            if self.ours < 1000
            else (f"{self.name}: {self.ours:,.0f} {self.unit}")
        )
        if self.peer is None:
            return ours
        peer = f"{self.peer:,.4g}" if self.peer < 1000 else f"{self.peer:,.0f}"
        return f"{ours}; {self.peer_name} {peer}; ratio {self.ratio:.2f}"


def rates_in_turn(
    ours: Callable[[int], object],
    peer: Callable[[int], object] | None,
    seconds: float,
    rounds: int | None = None,
) -> tuple[float, float | None]:
    """Work per second of two programs that do the same work: the medians of several turns each.

    Both are called with an amount of work. They take turns, so that whatever else the machine does
    meets both alike.
    """
    programs = [ours] if peer is None else [ours, peer]
    rounds = rounds or max(
        5, int(seconds / len(programs))
    )  # turns of a second, so it can be stopped
    share = seconds / (rounds * len(programs))
    amounts = [_amount(program, share) for program in programs]
    rates: list[list[float]] = [[] for _ in programs]
    for _ in range(rounds):
        for program, amount, found in zip(programs, amounts, rates, strict=True):
            found.append(amount / _seconds(program, amount))
    return median(rates[0]), median(rates[1]) if peer is not None else None


def _amount(program: Callable[[int], object], seconds: float) -> int:
    """How much work takes about this long: doubled until it takes a tenth, then scaled."""
    amount = 1
    program(amount)
    while (taken := _seconds(program, amount)) < seconds / 10:
        amount *= 2
    return max(1, int(amount * seconds / taken))


def _seconds(program: Callable[[int], object], amount: int) -> float:
    begin = time.perf_counter()
    program(amount)
    return max(time.perf_counter() - begin, 1e-9)
