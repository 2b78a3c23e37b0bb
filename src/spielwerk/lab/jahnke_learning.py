"""Jahnke's learning curves (2007, §4.4): a test after updates, several seeds."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from spielwerk.arena.skipbo_learning import begin_skipbo_run, skipbo_measure
from spielwerk.kernels.rng import derive_seed
from spielwerk.lab.figure import RANGE, Figure, Point, Study, mean_at, of_curve, point_of
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured
from spielwerk.learning.runs import train
from spielwerk.learning.settings import presets, read_config
from spielwerk.learning.skipbo_config import SkipBoConfig, skipbo_config_from

GAME = "skip-bo"
QUICKER = 5
"""By how much fewer test games a quick run has; tests take most of the time."""
ALL, BEST = "success by updates", "the best so far"


def learner_config(learner: str, preset: str) -> SkipBoConfig:
    settings, _, _ = read_config(presets(GAME, learner)[preset])
    return skipbo_config_from({**settings, "learner": learner})


def success_rates(config: SkipBoConfig, seed: int) -> list[tuple[int, float]]:
    """Updates and games won, in percent, of one training."""
    run = begin_skipbo_run(GAME, config, seed)
    train(run, skipbo_measure(run.game, config, derive_seed(seed, 2)))
    return [(int(row["games"]), 100 * row["success"]) for row in run.rows]


def learning_figure(number: str, shows: str, learner: str, preset: str) -> Figure:
    """The curve of all seeds, and of the best that was measured until then."""
    name = f"jahnke-figure-{number.replace('.', '-')}"
    whole = learner_config(learner, preset)

    def produce(study: Study) -> list[Point]:
        first, seeds = study.seed, max(1, study.seeds)
        tests = whole.evaluation_games // (QUICKER if study.quick else 1)
        config = replace(whole, evaluation_games=tests)

        def key(repetition: int) -> list[Any]:
            return ["jahnke", GAME, config.to_dict(), derive_seed(first, repetition)]

        def find(repetition: int) -> list[tuple[int, float]]:
            return success_rates(config, derive_seed(first, repetition))

        found = study.found_for(range(seeds), find, key)
        games = [updates for updates, _ in found[0]]
        rates = np.array([[rate for _, rate in found[n]] for n in range(seeds)])
        return [
            point_of(name, games[place], moment, RANGE)
            for name, curves in ((ALL, rates), (BEST, np.maximum.accumulate(rates, axis=1)))
            for place, moment in enumerate(curves.T)
        ]

    def measure(points: Sequence[Point]) -> dict[str, Measured]:
        best = of_curve(points, BEST)[-1]
        return {f"the best within {int(best.x)} updates": mean_at(best)}

    return Figure(
        name,
        f"Jahnke 2007, figure {number}",
        shows,
        "updates",
        "games won against A^B, %",
        produce,
        measure,
        page_of(name),
        full_seeds=5,
        quick_seeds=0,
        band=RANGE,
    )
