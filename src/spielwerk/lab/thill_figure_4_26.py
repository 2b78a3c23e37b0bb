"""Thill 2012, figure 4.26: a set of tuples of which every training ends elsewhere.

He says that such sets are very rare, not which tuples his had. Ours is looked for as one meets it:
of the sets of figure 4.22, the one whose training ends worst. It is trained anew, with other seeds,
so that what follows is not the choice.
"""

from collections.abc import Sequence
from dataclasses import replace
from statistics import mean

from spielwerk.kernels.rng import derive_seed
from spielwerk.lab.figure import Figure, Point, Study
from spielwerk.lab.learning_curves import Rows, courses, mean_curve
from spielwerk.lab.printed import page_of
from spielwerk.lab.thill_figure_4_22 import FEW
from spielwerk.lab.thill_figure_4_22 import configs as sets
from spielwerk.lab.thill_training import (
    FINAL,
    FULL_SEEDS,
    GAME,
    OF_SELF_PLAY,
    QUICK_SEEDS,
    SUCCESS,
    at_the_end,
    deviation_at_the_end,
    final_success,
    quickly,
)
from spielwerk.lab.verdicts import Measured, share_of
from spielwerk.learning.config import TdConfig

NAME = "thill-figure-4-26"
ALL, BEST, WORST = "all trainings", "the best", "the worst"


def chosen_by(number: int) -> str:
    """The curve of the training by which this set was chosen."""
    return f"set {number}, the training by which it was chosen"


def produce(study: Study) -> list[Point]:
    before, after = study.in_halves()
    config = sets()[FEW]
    first = _trained(config, before)
    number = min(range(len(first)), key=lambda n: final_success(first[n])) + 1
    own = replace(config, features=config.features.replace("%d", str(number)))
    ordered = sorted(
        _trained(own, replace(after, seed=derive_seed(study.seed, number))), key=final_success
    )
    return [
        *mean_curve(ALL, ordered),
        *mean_curve(BEST, ordered[-1:]),
        *mean_curve(WORST, ordered[:1]),
        *mean_curve(chosen_by(number), [first[number - 1]]),
    ]


def _trained(config: TdConfig, study: Study) -> list[Rows]:
    return courses(GAME, *quickly({ALL: config}, study), from_zero=False)[ALL]


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    deviation = deviation_at_the_end(points, ALL, FINAL)
    if deviation is None:
        return {}
    return {
        "standard deviation of its trainings, points": deviation,
        "its best training": _of_games(points, BEST),
        "its worst training": _of_games(points, WORST),
    }


def _of_games(points: Sequence[Point], curve: str) -> Measured:
    """The success of one training in the end, with the interval of its games."""
    reports = at_the_end(points, curve, FINAL)
    games = sets()[FEW].evaluation_games * len(reports)
    return share_of(mean(point.mean for point in reports) / 100 * games, games)


FIGURE = Figure(
    NAME,
    "Thill 2012, figure 4.26",
    "a set of tuples of which every training ends elsewhere",
    OF_SELF_PLAY,
    SUCCESS,
    produce,
    measure,
    page_of(NAME),
    full_seeds=FULL_SEEDS,
    quick_seeds=QUICK_SEEDS,
)
