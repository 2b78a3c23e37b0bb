"""Konen 2015, §4.1.3: Nim-3 is learned from g_2 … g_M, and only g_4 matters."""

from collections.abc import Sequence

import numpy as np

from spielwerk.arena.exact import measure_exactly
from spielwerk.games.catalogue import parse_game
from spielwerk.games.graph import game_graph
from spielwerk.kernels.rng import derive_seed
from spielwerk.lab.figure import Claim, Figure, Point, Study, claim
from spielwerk.lab.learning_curves import preset_config, train_quietly
from spielwerk.values.learned import best_moves_of

MOST_STONES = 50
WEIGHTS, PERFECT = "weight of g_k", "starts of 1 … 50 stones played perfectly, share"


def produce(study: Study) -> list[Point]:
    config = preset_config("nim", "default")

    first = study.seed

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

    runs = study.found_for(range(study.seeds), find)
    weights, perfect = zip(*(runs[n] for n in range(study.seeds)), strict=True)
    means = np.mean(weights, axis=0)
    low, high = np.min(weights, axis=0), np.max(weights, axis=0)
    points = [
        Point(
            WEIGHTS,
            k,
            float(means[i]),
            float(low[i]),
            float(high[i]),
            study.seeds,
        )
        for i, k in enumerate(range(2, 2 + len(low)))
    ]
    share = float(np.mean(perfect))
    return [
        *points,
        Point(PERFECT, 0, share, float(min(perfect)), float(max(perfect)), study.seeds),
    ]


def claims(points: Sequence[Point]) -> list[Claim]:
    """Agrees if w_4 is within 0.01 of 1 and all others within 0.01 of 0; all starts perfect."""
    weights = {int(p.x): p for p in points if p.curve == WEIGHTS}
    others = max(max(abs(p.low), abs(p.high)) for k, p in weights.items() if k != 4)
    perfect = next(p for p in points if p.curve == PERFECT)
    return [
        claim(
            "only g_4 matters",
            "w_4 = 1, the others 0",
            f"w_4 = {weights[4].mean:.4f}, the others {others:.1e} at most",
            abs(weights[4].mean - 1) < 0.01 and others < 0.01,
        ),
        claim(
            "perfect play from every start of 1 … 50 stones",
            "a perfect coding",
            f"{100 * perfect.mean:.1f} % of all starts and seeds",
            perfect.low == 1,
        ),
    ]


FIGURE = Figure(
    "konen-nim",
    "Konen 2015, eq. 5",
    "Nim-3 learned from divisibility features",
    "k",
    "weight",
    produce,
    claims,
    full_seeds=20,
    quick_seeds=2,
    stems=True,
)
