"""Thill 2012, table 4.2: seconds for fifty games against the perfect player, by depth.

Printed are 37 to 50 s up to depth 8, most of which his perfect player took; ours are the seconds of
the system and its search alone, for what the perfect player takes depends on what it remembers.
That is another quantity: no number of ours stands beside a printed one.
"""

from collections.abc import Sequence

from spielwerk.lab.figure import Figure, Point
from spielwerk.lab.printed import cell_name, page_of
from spielwerk.lab.thill_search import seconds_by_depth
from spielwerk.lab.thill_training import FULL_SEEDS, QUICK_SEEDS, SINCE
from spielwerk.lab.verdicts import Measured

NAME = "thill-table-4-2"


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    return {}


FIGURE = Figure(
    NAME,
    "Thill 2012, table 4.2",
    "seconds of the learned player in fifty games against the perfect one",
    "plies beyond the move (our depth − 1)",
    "seconds, median (printed: with the perfect player)",
    seconds_by_depth,
    measure,
    page_of(NAME),
    full_seeds=FULL_SEEDS,
    quick_seeds=QUICK_SEEDS,
    since=SINCE,
    logarithmic=True,
    middle="median",
    marks={
        cell_name(row, column): (row, float(column))
        for row in page_of(NAME).rows
        for column in page_of(NAME).columns
    },
    timed=True,
)
