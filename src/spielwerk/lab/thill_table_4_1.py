"""Thill 2012, table 4.1: positions of Connect Four by ply, as the rules allow and as he counted.

His program is a search that counts. It goes through the moves of a position in the order in which
it would try them, and leaves the position as soon as it meets one that wins: neither the position
after it is counted nor those after the moves that would have been next. That, and the order, are
not in the thesis; he tells of them with the program, at github.com/MarkusThill/Connect-Four.

The quick run stops after eight plies.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np

from spielwerk.games.catalogue import parse_game
from spielwerk.games.connectx import ConnectState, ConnectX
from spielwerk.games.rules import RUNNING, cell, initial, outcome, pack, transition, unpack
from spielwerk.kernels.bits import ONE, U64, ZERO
from spielwerk.kernels.jit import kernel
from spielwerk.lab.figure import Figure, Point, Study
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured, exact
from spielwerk.search.enumeration import Ply, ply_by_ply, positions
from spielwerk.values.lines import open_lines

NAME = "thill-table-4-1"
PLIES, QUICK_PLIES = 12, 8
POSITIONS, SUM = "positions that his program meets", "their sum"
GOING_ON, ALL = "positions in which the game goes on", "all positions"


@kernel
def worth(game: ConnectX, lines: np.ndarray, state: ConnectState, move: int) -> int:
    """How early his search tries a move: twice the lines through its cell, one more in the lower
    half of the board, one less for each of the lines in which the opponent has a stone."""
    place = cell(game, state, move)
    theirs = state.mine ^ state.filled
    found = 1 if 2 * (place % (game.rows + 1)) < game.rows else 0
    for line in lines:
        if line & (ONE << U64(place)) != ZERO:
            found += 2 if line & theirs == ZERO else 1
    return found


@kernel
def met(game: ConnectX, lines: np.ndarray, words: np.ndarray) -> np.ndarray:
    """The positions that his program meets after these, repetitions included: by descending worth
    of the moves, of equal ones from the right, until one wins."""
    successors = np.empty(words.size * game.cols, np.uint64)
    size = 0
    for word in words:
        state = unpack(game, word)
        worths = np.full(game.cols, -1)
        for move in range(game.cols):
            if (state.filled >> U64(move * (game.rows + 1) + game.rows - 1)) & ONE == ZERO:
                worths[move] = worth(game, lines, state, move)
        while worths.max() >= 0:
            move = game.cols - 1 - int(worths[::-1].argmax())
            worths[move] = -1
            after = transition(game, state, move)
            if outcome(game, after) != RUNNING:
                break
            successors[size] = pack(game, after)
            size += 1
    return successors[:size]


def met_by_ply(game: ConnectX, last: int) -> Iterator[Ply]:
    """How many distinct positions his program meets after 0, 1, … `last` plies."""
    lines = open_lines(game).masks
    first = pack(game, initial(game))
    return ply_by_ply(lambda words: (met(game, lines, words), 0), first, last)


def produce(study: Study) -> list[Point]:
    game, last = parse_game("connect-four"), QUICK_PLIES if study.quick else PLIES
    allowed, his = [], []
    for of_rules, of_his in zip(positions(game, last), met_by_ply(game, last), strict=True):
        allowed.append(of_rules)
        his.append(of_his.number)
        study.progress(of_rules.ply, last)
    curves = {
        POSITIONS: his,
        SUM: list(accumulate(his)),
        GOING_ON: [ply.number - ply.ended for ply in allowed],
        ALL: [ply.number for ply in allowed],
    }
    return [
        Point(name, ply, count, count, count)
        for name, counts in curves.items()
        for ply, count in enumerate(counts)
    ]


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    words = {POSITIONS: "positions after", SUM: "sum up to"}
    found = {
        f"{words[point.curve]} {point.x:g} plies": exact(point.mean)
        for point in points
        if point.curve in words
    }
    whole, part = (f"sum up to {plies} plies" for plies in (42, PLIES))
    if part in found:
        cited = page_of(NAME).numbers[whole].middle
        found[f"{whole} over that up to twelve"] = exact(cited / found[part].value)
    return found


FIGURE = Figure(
    NAME,
    "Thill 2012, table 4.1",
    "positions of Connect Four by ply, as counted by his program",
    "plies",
    "positions",
    produce,
    measure,
    page_of(NAME),
    quick_seeds=0,
    logarithmic=True,
    chance=False,
)
