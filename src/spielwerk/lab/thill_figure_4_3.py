"""Thill 2012, figure 4.3: ε and α of the basis configuration (§4.1.5)."""

from collections.abc import Sequence

from spielwerk.lab.figure import Claim, Figure, Point, Study
from spielwerk.lab.thill_figure_4_2 import ends_claim, schedule_points

SCHEDULES = {"ε": "sigmoid:0.95,end=0.1,at=0.2", "50 α": "exponential:0.5,end=0.05"}


def produce(study: Study) -> list[Point]:
    return schedule_points(SCHEDULES)


def claims(points: Sequence[Point]) -> list[Claim]:
    return [ends_claim(points, "ε", 0.95, 0.1), ends_claim(points, "50 α", 0.5, 0.05)]


FIGURE = Figure(
    "thill-figure-4-3",
    "Thill 2012, figure 4.3",
    "exploration rate and step size of the basis configuration",
    "games",
    "ε; α, fifty times as large",
    produce,
    claims,
)
