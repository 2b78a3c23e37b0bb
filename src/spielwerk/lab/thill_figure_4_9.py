"""Thill 2012, figure 4.9: the same openings with thirty shorter tuples and an earlier fall of ε.

His settings are in an appendix that we do not have; ours are α = 0.01 → 0.001 and ε falling at a
tenth of the training.
"""

from collections.abc import Sequence
from dataclasses import replace

from spielwerk.lab.figure import Point
from spielwerk.lab.thill_openings import GAMES, curve, last, opening
from spielwerk.lab.thill_training import training_figure
from spielwerk.lab.verdicts import Measured
from spielwerk.learning.config import TdConfig

LENGTHS = {6: 5, 8: 6, 10: 7, 12: 7}


def configs() -> dict[str, TdConfig]:
    return {
        curve(plies): opening(
            plies,
            features=f"walk:count=30,length={length},m=3,tables=1,seed=1",
            epsilon="sigmoid:0.95,end=0.1,at=0.1",
        )
        for plies, length in LENGTHS.items()
    }


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    return {f"{curve(plies)}: success in the end": last(points, plies) for plies in GAMES}


FIGURE = replace(
    training_figure(
        "4.9",
        "openings of 6, 8, 10 and 12 plies, thirty tuples of 5 to 7 cells",
        configs,
        measure,
        since="",
    ),
    shares=True,
)
