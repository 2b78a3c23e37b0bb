"""Learning curves over several seeds, from presets."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count, product
from typing import Any

import numpy as np

from spielwerk.arena.evaluation import training_measure
from spielwerk.games.catalogue import parse_game
from spielwerk.kernels.rng import derive_seed
from spielwerk.lab.figure import Point, Study, at, point_of
from spielwerk.lab.verdicts import Measured, exact, share_of
from spielwerk.learning.config import TdConfig, config_from
from spielwerk.learning.runs import play_until, train
from spielwerk.learning.settings import presets, read_config
from spielwerk.learning.training import TdRun, make_run
from spielwerk.values.feature_catalogue import parse_features


def preset_config(game: str, preset: str, kind: str = "td") -> TdConfig:
    settings, _, _ = read_config(presets(game, kind)[preset])
    return config_from(settings)


def train_quietly(game: str, config: TdConfig, seed: int) -> TdRun:
    run = make_run(game, config, seed)
    train(run, training_measure(run.game, config, derive_seed(seed, 2)))
    return run


LATE = 0.6
"""What comes later is the end of a training (Thill 2012: from six to ten million games)."""
Rows = list[dict[str, float]]
"""The curve of one training: see `learning.runs`."""


def later_course(game: str, config: TdConfig, seed: int) -> Rows:
    """The success at the reports of the last two fifths of a training; of openings at all reports.

    Somebody who knows little leads the perfect player into the oddest positions, which takes long.
    """
    run = make_run(game, config, seed)
    measure = training_measure(run.game, config, derive_seed(seed, 2))
    rows: Rows = []
    for games in range(config.evaluate_every, config.games + 1, config.evaluate_every):
        play_until(run, games)
        if config.cut or games >= LATE * config.games:
            rows.append({"games": games, **measure(run.learned)})
    return rows


def courses(
    game: str, configs: Mapping[str, TdConfig], study: Study, from_zero: bool = True
) -> dict[str, list[Rows]]:
    """For each configuration the curves of its trainings, one for each seed.

    Those that are measured at their end only are long: all configurations begin with the same
    seeds, so that figures can share trainings. `%d` in the features is the number of the
    repetition: new tuples for every training.
    """
    numbers = dict(zip(configs, count(), strict=False))
    first = study.seed

    def own(item: tuple[str, int]) -> tuple[TdConfig, int]:
        name, repetition = item
        config = configs[name]
        tuples = config.features.replace("%d", str(repetition + 1))
        seed = derive_seed(first, numbers[name] if from_zero else 0, repetition)
        return replace(config, features=tuples), seed

    def key(item: tuple[str, int]) -> list[Any]:
        config, seed = own(item)
        return ["course", game, config.to_dict(), seed, from_zero]

    def find(item: tuple[str, int]) -> Rows:
        return train_quietly(game, *own(item)).rows if from_zero else later_course(game, *own(item))

    found = study.found_for(list(product(configs, range(study.seeds))), find, key)
    return {name: [found[name, n] for n in range(study.seeds)] for name in configs}


def mean_curve(name: str, rows: Sequence[Rows]) -> list[Point]:
    """Success in percent over the games: the mean, and 10 % to 90 % of the trainings."""
    points = []
    for moment in zip(*rows, strict=True):
        successes = [100 * row["success"] for row in moment]
        points.append(point_of(name, moment[0]["games"], successes))
    return points


def success_curves(game: str, configs: Mapping[str, TdConfig], study: Study) -> list[Point]:
    """For each configuration the success against perfect play, and the share of runs that lose no
    line at all (see `without_loss`)."""
    points: list[Point] = []
    for name, rows in courses(game, configs, study).items():
        points += mean_curve(name, rows)
        for moment in zip(*rows, strict=True):
            share = 100 * float(np.mean([row["success"] == 1 for row in moment]))
            games = moment[0]["games"]
            points.append(Point(without_loss(name), games, share, share, share, len(moment)))
    return points


def without_loss(curve: str) -> str:
    """The name of the curve for the share of runs in which no line is lost."""
    return f"{curve}: runs that lose no line"


def perfect_runs(points: Sequence[Point], curve: str, games: int) -> dict[str, Measured]:
    """The share of runs that lose no line after so many games, in percent."""
    end = at(points, without_loss(curve), games)
    found = share_of(round(end.mean * end.seeds / 100), end.seeds)
    return {f"{curve}: runs that lose no line after {games:,} games, %": found}


def weights_of(config: TdConfig) -> Measured:
    """How many weights a learner of Tic-Tac-Toe by this configuration has."""
    features = parse_features(config.features, parse_game("tic-tac-toe"))
    return exact(features.width)
