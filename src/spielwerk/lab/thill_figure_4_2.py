"""Thill 2012, figure 4.2: the four schedules of ε, from 0.9 to 0.1 in ten million games."""

from collections.abc import Sequence

import numpy as np

from spielwerk.lab.figure import Figure, Point, Study, of_curve
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured, exact
from spielwerk.learning.schedules import parse_schedule

GAMES = 10_000_000
SCHEDULES = {
    "linear": "linear:0.9,end=0.1",
    "exponential": "exponential:0.9,end=0.1",
    "jump": "jump:0.9,end=0.1,at=0.5",
    "sigmoid": "sigmoid:0.9,end=0.1,at=0.5",
}


def schedule_points(schedules: dict[str, str]) -> list[Point]:
    games = np.linspace(0, GAMES, 201)
    return [
        Point(name, float(x), float(y), float(y), float(y))
        for name, spec in schedules.items()
        for x, y in zip(games, parse_schedule(spec).rates(games, GAMES), strict=True)
    ]


def produce(study: Study) -> list[Point]:
    return schedule_points(SCHEDULES)


def ends_of(points: Sequence[Point], curve: str) -> dict[str, Measured]:
    """Where a curve begins and ends."""
    own = of_curve(points, curve)
    return {
        f"{curve} {what} at": exact(point.mean)
        for what, point in (("begins", own[0]), ("ends", own[-1]))
    }


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    return {name: one for curve in SCHEDULES for name, one in ends_of(points, curve).items()}


FIGURE = Figure(
    "thill-figure-4-2",
    "Thill 2012, figure 4.2",
    "four schedules for the exploration rate (eq. 4.1 with its sign corrected)",
    "games",
    "exploration rate ε",
    produce,
    measure,
    page_of("thill-figure-4-2"),
    chance=False,
)
