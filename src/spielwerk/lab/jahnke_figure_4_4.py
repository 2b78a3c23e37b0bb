"""Jahnke 2007, figure 4.4: rewards tanh(β J), and where they are active.

Active is where the reward is not yet −1 or 1; we take |r| < 0.95. How many times wider a small β
makes it does not depend on that.
"""

from collections.abc import Sequence

import numpy as np

from spielwerk.lab.figure import Figure, Point, Study, of_curve
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured, exact

NAME = "jahnke-figure-4-4"
BETAS, ACTIVE = (1.0, 0.2), 0.95
VALUES = np.linspace(-15, 15, 601)


def curve(beta: float) -> str:
    return f"β = {beta:g}"


def produce(study: Study) -> list[Point]:
    return [
        Point(curve(beta), float(x), float(y), float(y), float(y))
        for beta in BETAS
        for x, y in zip(VALUES, np.tanh(beta * VALUES), strict=True)
    ]


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    wide = {
        beta: sum(abs(point.mean) < ACTIVE for point in of_curve(points, curve(beta)))
        for beta in BETAS
    }
    return {"width of the active range, β = 0.2 over β = 1": exact(wide[0.2] / wide[1.0])}


FIGURE = Figure(
    NAME,
    "Jahnke 2007, figure 4.4",
    "rewards by the value of a state",
    "value J of a state",
    "reward r = tanh(β J)",
    produce,
    measure,
    page_of(NAME),
    chance=False,
)
