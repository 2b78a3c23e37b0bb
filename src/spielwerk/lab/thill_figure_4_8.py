"""Thill 2012, figure 4.8: openings of 6, 8, 10 and 12 plies, ε falling too late.

Printed: first success after about 400,000 of a million games, and 100 % in no case.
"""

from collections.abc import Sequence
from dataclasses import replace

from spielwerk.lab.figure import Point
from spielwerk.lab.thill_openings import GAMES, curve, last, opening
from spielwerk.lab.thill_training import first_above, training_figure
from spielwerk.lab.verdicts import Measured
from spielwerk.learning.config import TdConfig


def configs() -> dict[str, TdConfig]:
    return {curve(plies): opening(plies) for plies in GAMES}


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    begins = {
        f"{curve(plies)}: share of the training before success passes 50 %": first_above(
            points, curve(plies), 50
        )
        for plies in GAMES
    }
    ends = {f"{curve(plies)}: success in the end": last(points, plies) for plies in GAMES}
    return {**begins, **ends}


FIGURE = replace(
    training_figure("4.8", "openings of 6, 8, 10 and 12 plies", configs, measure, since=""),
    shares=True,
)
