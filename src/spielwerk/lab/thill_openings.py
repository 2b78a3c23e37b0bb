"""Thill 2012, §4.2.2: openings only. Games end after 6, 8, 10 or 12 plies, judged by the solver.

His twelve-ply database told the value of every such position; ours searches those with more than
eight stones, a tenth of a second each. There are 1.6 million positions after 10 plies, 11 million
after 12: our trainings of these two are shorter.
"""

from collections.abc import Sequence
from dataclasses import replace

from spielwerk.lab.figure import Point, mean_at, of_curve
from spielwerk.lab.thill_training import basis
from spielwerk.lab.verdicts import Measured
from spielwerk.learning.config import TdConfig

REPORTS = 10
GAMES = {6: 200_000, 8: 200_000, 10: 10_000, 12: 5_000}


def curve(plies: int) -> str:
    return f"{plies} plies"


def opening(plies: int, **changes: object) -> TdConfig:
    """The configuration of §4.2.2, one table and three states of a cell, shortened."""
    games = GAMES[plies]
    config = basis(
        games=games,
        features="walk:count=70,length=8,m=3,tables=1,seed=1",
        epsilon="sigmoid:0.95,end=0.1,at=0.32",
        cut=plies,
    )
    return replace(
        config,
        evaluate_every=games // REPORTS,
        **changes,  # type: ignore[arg-type]
    )


def last(points: Sequence[Point], plies: int) -> Measured:
    return mean_at(of_curve(points, curve(plies))[-1])
