"""Learning curves over several seeds, from presets."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from spielwerk.arena.evaluation import training_measure
from spielwerk.arena.intervals import wilson
from spielwerk.kernels.rng import derive_seed
from spielwerk.lab.figure import Claim, Point, claim
from spielwerk.learning.config import TdConfig, config_from, presets, read_config
from spielwerk.learning.training import Run, make_run, train


def preset_config(game: str, preset: str, kind: str = "td") -> TdConfig:
    settings, _, _ = read_config(presets(game, kind)[preset])
    return config_from(settings)


def train_quietly(game: str, config: TdConfig, seed: int) -> Run:
    run = make_run(game, config, seed)
    train(run, training_measure(run.game, config, derive_seed(seed, 2)))
    return run


def success_curves(
    game: str,
    configs: Mapping[str, TdConfig],
    seeds: int,
    seed: int,
    progress: Callable[[int, int], None],
) -> list[Point]:
    """For each configuration the success against perfect play, in percent, over the games, and the
    share of runs that lose no line at all (see `without_loss`)."""
    points: list[Point] = []
    done = 0
    for number, (name, config) in enumerate(configs.items()):
        rows = []
        for repetition in range(seeds):
            rows.append(train_quietly(game, config, derive_seed(seed, number, repetition)).rows)
            done += 1
            progress(done, seeds * len(configs))
        perfect: list[Point] = []
        for moment in zip(*rows, strict=True):
            games = moment[0]["games"]
            found = np.array([100 * row["success"] for row in moment])
            low, high = np.percentile(found, [10, 90])
            points.append(Point(name, games, float(found.mean()), float(low), float(high), seeds))
            share = 100 * float(np.mean(found == 100))
            perfect.append(Point(without_loss(name), games, share, share, share, seeds))
        points += perfect
    return points


def without_loss(curve: str) -> str:
    """The name of the curve for the share of runs in which no line is lost."""
    return f"{curve}: runs that lose no line"


def perfect_claim(points: Sequence[Point], curve: str, games: int) -> Claim:
    """Printed is a mean of ten runs that all play perfectly after `games` games.

    Agrees if the 95 % intervals of our share of perfect runs and of ten out of ten overlap.
    """
    end = next(p for p in points if p.curve == without_loss(curve) and p.x == games)
    count = round(end.mean * end.seeds / 100)
    low, high = wilson(count, end.seeds)
    return claim(
        f"{curve}: runs that lose no line after {games:,} games",
        "10 of 10",
        f"{count} of {end.seeds} (95 %: {100 * low:.0f} to {100 * high:.0f} %)",
        high >= wilson(10, 10)[0],
    )


def last_mean(points: Sequence[Point], curve: str) -> float:
    return [point.mean for point in points if point.curve == curve][-1]
