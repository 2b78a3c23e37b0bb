"""Thill 2012, figure 4.3: ε and α of the basis configuration (§4.1.5)."""

from collections.abc import Sequence

from spielwerk.lab.figure import Figure, Point, Study
from spielwerk.lab.printed import page_of
from spielwerk.lab.thill_figure_4_2 import ends_of, schedule_points
from spielwerk.lab.verdicts import Measured

SCHEDULES = {"ε": "sigmoid:0.95,end=0.1,at=0.2", "50 α": "exponential:0.5,end=0.05"}


def produce(study: Study) -> list[Point]:
    return schedule_points(SCHEDULES)


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    return {name: one for curve in SCHEDULES for name, one in ends_of(points, curve).items()}


FIGURE = Figure(
    "thill-figure-4-3",
    "Thill 2012, figure 4.3",
    "exploration rate and step size of the basis configuration",
    "games",
    "ε; α, fifty times as large",
    produce,
    measure,
    page_of("thill-figure-4-3"),
    chance=False,
)
