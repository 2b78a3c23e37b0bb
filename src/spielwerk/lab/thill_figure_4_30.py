"""Thill 2012, figure 4.30: success of trained systems by the depth of alpha-beta on top."""

from collections.abc import Sequence

from spielwerk.lab.figure import Figure, Point, mean_at
from spielwerk.lab.printed import page_of
from spielwerk.lab.thill_search import PLAYED, success_by_depth
from spielwerk.lab.thill_training import FULL_SEEDS, QUICK_SEEDS, SINCE, SUCCESS
from spielwerk.lab.verdicts import Measured, share_of, wider


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    return {f"{point.curve}, {point.x:g} plies": _success(point) for point in points}


def _success(point: Point) -> Measured:
    """Ten systems that win every game are not exact: fifty games each leave an error, too."""
    systems, games = mean_at(point), PLAYED * point.seeds
    if not systems.repeated:
        return systems
    return wider(systems, share_of(point.mean / 100 * games, games))


FIGURE = Figure(
    "thill-figure-4-30",
    "Thill 2012, figure 4.30",
    "alpha-beta on top of trained systems",
    "plies beyond the move (our depth − 1)",
    SUCCESS,
    success_by_depth,
    measure,
    page_of("thill-figure-4-30"),
    full_seeds=FULL_SEEDS,
    quick_seeds=QUICK_SEEDS,
    since=SINCE,
)
