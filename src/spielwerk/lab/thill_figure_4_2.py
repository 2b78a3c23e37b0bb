"""Thill 2012, figure 4.2: the four schedules of ε, from 0.9 to 0.1 in ten million games."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from spielwerk.lab.figure import Claim, Figure, Point, Study, claim
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


def ends_claim(points: Sequence[Point], curve: str, start: float, end: float) -> Claim:
    """Agrees if the curve falls all the way, and begins and ends within 0.001 of the printed."""
    values = [point.mean for point in points if point.curve == curve]
    falls = all(b <= a for a, b in pairwise(values))
    return claim(
        f"{curve} falls",
        f"{start:g} to {end:g}",
        f"{values[0]:.4g} to {values[-1]:.4g}",
        falls and abs(values[0] - start) < 1e-3 and abs(values[-1] - end) < 1e-3,
    )


def claims(points: Sequence[Point]) -> list[Claim]:
    return [ends_claim(points, curve, 0.9, 0.1) for curve in SCHEDULES]


FIGURE = Figure(
    "thill-figure-4-2",
    "Thill 2012, figure 4.2",
    "four schedules for the exploration rate (eq. 4.1 with its sign corrected)",
    "games",
    "ε",
    produce,
    claims,
)
