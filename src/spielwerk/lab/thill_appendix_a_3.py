"""Thill 2012, appendix A.3: positions of Tic-Tac-Toe in which the game goes on, by stones."""

from collections.abc import Sequence

from spielwerk.games.catalogue import parse_game
from spielwerk.lab.figure import Figure, Point, Study, of_curve
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured, exact
from spielwerk.search.enumeration import positions

NAME = "thill-appendix-a-3"
GOING_ON, LEGAL = "positions that go on", "legal positions"


def produce(study: Study) -> list[Point]:
    plies = list(positions(parse_game("tic-tac-toe")))
    curves = {
        GOING_ON: [ply.number - ply.ended for ply in plies],
        LEGAL: [ply.number for ply in plies],
    }
    return [
        Point(name, stones, count, count, count)
        for name, counts in curves.items()
        for stones, count in enumerate(counts)
    ]


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    going_on = of_curve(points, GOING_ON)
    found = {f"{GOING_ON} with {point.x:g} stones": exact(point.mean) for point in going_on}
    found[f"{GOING_ON}, all"] = exact(sum(point.mean for point in going_on))
    found[LEGAL] = exact(sum(point.mean for point in of_curve(points, LEGAL)))
    return found


FIGURE = Figure(
    NAME,
    "Thill 2012, appendix A.3",
    "positions of Tic-Tac-Toe by stones",
    "stones",
    "positions",
    produce,
    measure,
    page_of(NAME),
    chance=False,
)
