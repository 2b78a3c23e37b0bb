"""Thill 2012, figure 4.27: a smaller step size and less exploration learn twice as fast.

Measured from the beginning, where players who know little make the perfect one think long.
"""

from collections.abc import Sequence
from dataclasses import replace

from spielwerk.lab.figure import Point, Study
from spielwerk.lab.learning_curves import courses, mean_curve
from spielwerk.lab.thill_training import GAME, basis, first_above, quickly, training_figure
from spielwerk.lab.verdicts import Measured
from spielwerk.learning.config import TdConfig

TUNED, BASIS = "tuned", "basis"
REPORTS = 10


def configs() -> dict[str, TdConfig]:
    return {
        name: replace(config, evaluate_every=config.games // REPORTS)
        for name, config in (
            (TUNED, basis("tuned")),
            (BASIS, basis()),
        )
    }


def produce(study: Study) -> list[Point]:
    found = courses(GAME, *quickly(configs(), study))
    return [point for name, rows in found.items() for point in mean_curve(name, rows)]


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    return {
        f"{name}: share of the training before success passes 80 %": first_above(points, name, 80)
        for name in (TUNED, BASIS)
    }


FIGURE = replace(
    training_figure("4.27", "the tuned configuration, from the beginning", configs, measure),
    produce=produce,
    since="2026-11-19",
)
