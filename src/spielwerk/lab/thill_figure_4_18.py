"""Thill 2012, figures 4.18 and 4.19: which share of the states of tuples can occur, by length.

He drew ten million tuples for each length; ours are two thousand for each seed.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np

from spielwerk.games.catalogue import parse_game
from spielwerk.kernels.rng import Rng, derive_seed
from spielwerk.lab.figure import Figure, Point, Study, at, mean_at, point_of
from spielwerk.lab.printed import page_of
from spielwerk.lab.thill_states import tuple_states
from spielwerk.lab.verdicts import Measured, difference
from spielwerk.values.tuples import random_points, random_walk

NAME = "thill-figure-4-18"
LENGTHS, TUPLES = range(1, 13), 2000
KINDS = {"walk": random_walk, "points": random_points}
M = (3, 4)

Shares = list[list[float]]
"""For each m, of each length: the mean share in percent."""


def curve(kind: str, m: int) -> str:
    return f"{kind}, m = {m}"


def shares(kind: str, seed: int) -> Shares:
    game, rng = parse_game("connect-four"), Rng(seed)
    drawn = {
        length: [KINDS[kind](game.rows, game.cols, length, rng) for _ in range(TUPLES)]
        for length in LENGTHS
    }
    return [
        [
            100 * float(np.mean([tuple_states(game, cells, m) for cells in tuples])) / m**length
            for length, tuples in drawn.items()
        ]
        for m in M
    ]


def produce(study: Study) -> list[Point]:
    first, todo = study.seed, list(product(KINDS, range(study.seeds)))

    def find(item: tuple[str, int]) -> Shares:
        return shares(item[0], derive_seed(first, item[1]))

    def key(item: tuple[str, int]) -> list[object]:
        return ["states of tuples", item[0], derive_seed(first, item[1]), TUPLES]

    found = study.found_for(todo, find, key)
    points = []
    for kind, (place, m) in product(KINDS, enumerate(M)):
        every = np.array([found[kind, n][place] for n in range(study.seeds)])
        for length, own in zip(LENGTHS, every.T, strict=True):
            points.append(point_of(curve(kind, m), length, own))
    return points


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    def share(kind: str, m: int, length: int) -> Measured:
        return mean_at(at(points, curve(kind, m), length))

    walks = share("walk", 4, 8)
    of_eight = {"walks of 8, m = 4 less m = 3": share("walk", 3, 8)}
    of_eight["m = 4, walks of 8 less 8 random points"] = share("points", 4, 8)
    return {
        "realisable states, walks of 8, m = 4, %": walks,
        "weights of seventy 8-tuples that are of use, %": walks,
        "states more with m = 3 than with m = 4, walks of 7, points of %": difference(
            share("walk", 3, 7), share("walk", 4, 7)
        ),
        **{
            f"realisable states, {told}, points of %": difference(walks, other)
            for told, other in of_eight.items()
        },
    }


FIGURE = Figure(
    NAME,
    "Thill 2012, figures 4.18 and 4.19",
    "which share of the states of tuples can occur",
    "cells of a tuple",
    "realisable states, % of m^N",
    produce,
    measure,
    page_of(NAME),
    full_seeds=10,
    quick_seeds=2,
)
