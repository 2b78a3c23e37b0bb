"""Thill 2012, §4.6.4: a trained system orders the first player's moves of a perfect search.

All positions of 0, 1 and 2 stones, solved without a book, each from an empty table; up to mirror
images, which count twice. He measured time with 30 7-tuples on top of his own move order; ours are
nodes, which do not depend on the machine, with the shipped model on top of ours (threats first).

The quick run solves five positions of 8 stones, which are not those of the thesis.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from spielwerk.games.catalogue import parse_game
from spielwerk.games.connectx import ConnectX
from spielwerk.games.notation import parse_position
from spielwerk.games.rules import initial, legal_moves, transition, unpack
from spielwerk.games.symmetry import canonical
from spielwerk.kernels.bits import U64
from spielwerk.lab.figure import Figure, Point, Study, of_curve
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured, exact
from spielwerk.search.move_order import by_value
from spielwerk.search.solving import Solver
from spielwerk.values.model import use_learned

NAME = "thill-section-4-6-4"
USUAL, ORDERED = "by threats", "by the model"
STONES, MEGABYTES = 2, 128
QUICK = ("44444422", "44443352", "12345671", "44125673", "35352461")


def early_positions(game: ConnectX) -> Counter[int]:
    """Positions of so few stones, packed, up to mirror images, and how many of them are the same;
    the empty board first. (Two stones cannot change places: every sequence is a position.)"""
    layer = [initial(game)]
    found = Counter([int(canonical(game, layer[0]))])
    for _ in range(STONES):
        layer = [
            transition(game, state, move) for state in layer for move in legal_moves(game, state)
        ]
        found.update(int(canonical(game, state)) for state in layer)
    return found


def nodes(game: ConnectX, word: int) -> list[int]:
    """Of the search in the usual order, and in that of the model."""
    counts, state = [], unpack(game, U64(word))
    for order in (None, by_value(use_learned("connect-four", game))):
        solver = Solver(game, MEGABYTES, order=order)
        solver.score(state)
        counts.append(int(solver.nodes))
    return counts


def produce(study: Study) -> list[Point]:
    game = parse_game("connect-four")
    if study.quick:
        often = Counter(int(canonical(game, parse_position(game, moves))) for moves in QUICK)
    else:
        often = early_positions(game)

    def key(word: int) -> list[Any]:
        return ["move order", word, MEGABYTES]

    found = study.found_for(list(often), lambda word: nodes(game, word), key)
    suffix = ", 8 stones" if study.quick else ""
    curves = {
        USUAL: [found[word][0] for word in often],
        ORDERED: [found[word][1] for word in often],
    }
    return [
        Point(name + suffix, place, count, count, count)
        for name, counts in curves.items()
        for place, count in enumerate(counts)
    ]


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    """Of the full run: points are in the order of `early_positions`."""
    usual, ordered = ([point.mean for point in of_curve(points, name)] for name in (USUAL, ORDERED))
    if not usual:
        return {}
    often = list(early_positions(parse_game("connect-four")).values())
    total = sum(often)
    before, after = (
        sum(count * times for count, times in zip(counts, often, strict=True))
        for counts in (usual, ordered)
    )
    faster = sum(n for a, b, n in zip(usual, ordered, often, strict=True) if b < a)
    told = "empty board: time with the order of a system, share of the time without, %"
    return {
        told: exact(100 * ordered[0] / usual[0]),
        "positions of 0, 1, 2 stones: time saved, %": exact(100 * (1 - after / before)),
        "positions of 0, 1, 2 stones that were faster, %": exact(100 * faster / total),
    }


FIGURE = Figure(
    NAME,
    "Thill 2012, §4.6.4",
    "a trained system orders the moves of a perfect search",
    "position, the empty board first",
    "nodes",
    produce,
    measure,
    page_of(NAME),
    quick_seeds=0,
    stems=True,
    logarithmic=True,
    chance=False,
)
