"""Learning curves over several seeds, from presets."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from spielwerk.arena.evaluation import training_measure
from spielwerk.kernels.rng import derive_seed
from spielwerk.lab.figure import Point
from spielwerk.learning.config import TdConfig, config_from, presets, read_config
from spielwerk.learning.training import Run, make_run, train


def preset_config(game: str, preset: str) -> TdConfig:
    settings, _, _ = read_config(presets(game)[preset])
    return config_from(settings)


def train_quietly(game: str, config: TdConfig, seed: int) -> Run:
    run = make_run(game, config, seed)
    train(run, training_measure(run.game, "perfect", config.evaluation_games, seed))
    return run


def success_curves(
    game: str,
    configs: Mapping[str, TdConfig],
    seeds: int,
    seed: int,
    progress: Callable[[int, int], None],
) -> list[Point]:
    """For each configuration the success against perfect play, in percent, over the games."""
    points: list[Point] = []
    done = 0
    for number, (name, config) in enumerate(configs.items()):
        rows = []
        for repetition in range(seeds):
            rows.append(train_quietly(game, config, derive_seed(seed, number, repetition)).rows)
            done += 1
            progress(done, seeds * len(configs))
        for moment in zip(*rows, strict=True):
            found = np.array([100 * row["success"] for row in moment])
            low, high = np.percentile(found, [10, 90])
            points.append(
                Point(name, moment[0]["games"], float(found.mean()), float(low), float(high), seeds)
            )
    return points


def stays_above(points: Sequence[Point], curve: str, level: float) -> float | None:
    """The x from which on the mean of a curve never falls below `level`; None if it ends below."""
    begin = None
    for point in points:
        if point.curve == curve:
            if point.mean < level:
                begin = None
            elif begin is None:
                begin = point.x
    return begin


def last_mean(points: Sequence[Point], curve: str) -> float:
    return [point.mean for point in points if point.curve == curve][-1]
