"""Konen 2015, §4.1.3: Nim-3 is learned from g_2 … g_M, and only g_4 matters."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from spielwerk.arena.exact import measure_exactly
from spielwerk.games.catalogue import parse_game
from spielwerk.games.graph import game_graph
from spielwerk.kernels.rng import derive_seed
from spielwerk.lab.figure import RANGE, Figure, Point, Study, mean_at, of_curve, point_of
from spielwerk.lab.learning_curves import preset_config, train_quietly
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured, in_units
from spielwerk.values.learned import best_moves_of

MOST_STONES = 50
WEIGHTS, PERFECT = "weight of g_k", "starts of 1 … 50 stones played perfectly, share"


def produce(study: Study) -> list[Point]:
    config = preset_config("nim", "default")

    first = study.seed

    def key(repetition: int) -> list[Any]:
        seed = derive_seed(first, repetition)
        return ["konen nim", MOST_STONES, config.to_dict(), seed]

    def find(repetition: int) -> tuple[list[float], float]:
        run = train_quietly(f"nim:n={MOST_STONES}", config, derive_seed(first, repetition))
        learned = run.learner.learned
        played = []
        for stones in range(1, MOST_STONES + 1):
            game = parse_game(f"nim:n={stones}")
            choices = best_moves_of(learned, game, game_graph(game).words)
            found = measure_exactly(game, choices)
            played.append(found.is_perfect and found.mistakes == 0)
        return learned.function.weights.tolist(), float(np.mean(played))

    runs = study.found_for(range(study.seeds), find, key)
    weights, perfect = zip(*(runs[n] for n in range(study.seeds)), strict=True)
    points = [
        point_of(WEIGHTS, k, values, RANGE)
        for k, values in enumerate(zip(*weights, strict=True), start=2)
    ]
    return [*points, point_of(PERFECT, 0, perfect, RANGE)]


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    weights = {int(point.x): point for point in of_curve(points, WEIGHTS)}
    largest = max((p for k, p in weights.items() if k != 4), key=lambda p: abs(p.mean))
    perfect = of_curve(points, PERFECT)[0]
    return {
        "weight of g_4": mean_at(weights[4]),
        "largest weight of the others": mean_at(largest),
        "starts of 1 … 50 stones played perfectly, %": in_units(mean_at(perfect), 100),
    }


FIGURE = Figure(
    "konen-nim",
    "Konen 2015, eq. 5",
    "Nim-3 learned from divisibility features",
    "k",
    "weight",
    produce,
    measure,
    page_of("konen-nim"),
    full_seeds=20,
    quick_seeds=2,
    stems=True,
    band=RANGE,
)
