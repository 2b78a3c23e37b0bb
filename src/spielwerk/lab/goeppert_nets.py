"""The value nets of Göppert (2020), chapter 5: their data, their trainings, their errors.

Data and trainings are kept in the user's cache, for exactly these sources, so that table 1 and the
figures 19 and 20 share them. No seeds at all (`--quick`) means few games and few epochs, to see it
work. Trainings of one study have the same data and differ in the seed of their weights.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from threading import Lock
from typing import Any

import numpy as np

from spielwerk.arena.net_data import make_net_data
from spielwerk.arena.net_training import begin_net_run, data_for, measure_of_net
from spielwerk.games.catalogue import parse_game
from spielwerk.lab.figure import RANGE, Figure, Point, Study, at, mean_at, of_curve, point_of
from spielwerk.lab.kept import kept_file
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured, difference
from spielwerk.learning.nets.config import NetConfig, net_config_from
from spielwerk.learning.nets.data import MAKING, Rows
from spielwerk.learning.runs import train
from spielwerk.learning.settings import presets, read_config
from spielwerk.values.net import use_net

GAME = "connect-four"
DENSE, CONV = "DenseNet", "ConvNet"
ERRORS = ("mse", "mae")
PANELS = tuple(error.upper() for error in ERRORS)
FRESH_GAMES = 1000
_MAKING_DATA = Lock()
"""Trainings side by side wait for the first of them to make their data."""

Course = list[dict[str, float]]
"""The rows of one training's curve, an epoch each."""


def net_settings(preset: str, **changes: Any) -> NetConfig:
    """A preset's settings, some of them changed; the file for the data is chosen by the study."""
    settings, _, _ = read_config(presets(GAME, "net")[preset])
    return net_config_from({"data": "unnamed", **settings, **changes})


def net_courses(configs: Mapping[str, NetConfig], study: Study) -> dict[str, list[Course]]:
    """For each configuration the curves of its trainings, one for each seed from the first on."""
    first, numbers = study.seed, range(max(1, study.seeds))
    if study.quick:
        configs = {name: _in_short(config) for name, config in configs.items()}

    def key(item: tuple[str, int]) -> list[Any]:
        name, repetition = item
        settings = {**configs[name].to_dict(), "data": ""}
        return ["net course", GAME, settings, first, repetition]

    def find(item: tuple[str, int]) -> Course:
        name, repetition = item
        return _train(configs[name], first, first + repetition)

    found = study.found_for(list(product(configs, numbers)), find, key)
    return {name: [found[name, number] for number in numbers] for name in configs}


def _in_short(config: NetConfig) -> NetConfig:
    """The same with few games, positions and epochs."""
    return replace(config, matches=200, positions=10_000, examples=0, epochs=3)


def _train(config: NetConfig, data_seed: int, seed: int) -> Course:
    made = "-".join(str(getattr(config, name)) for name in MAKING).replace(":", "-")
    config = replace(config, data=str(kept_file(f"{GAME}-{data_seed}-{made}.safetensors")))
    with _MAKING_DATA:
        data_for(GAME, config, data_seed)
    run = begin_net_run(GAME, config, seed)
    train(run, measure_of_net(run))
    return list(run.rows)


def best_row(course: Course) -> dict[str, float]:
    """Of the epoch whose weights are kept: the least MSE on what was held out (`supervised.py`)."""
    return min(course, key=lambda row: row["held_out_mse"])


def curve_name(net: str, error: str, held_out: bool) -> str:
    return f"{net}: {error.upper()}, {'held out' if held_out else 'training'}"


def error_curves(courses: Mapping[str, Sequence[Course]], training: bool = True) -> list[Point]:
    """Errors by epoch, as far as all seeds got: the mean, and the range of the seeds."""
    points = []
    for net, error, held_out in product(courses, ERRORS, (True, False)):
        if not held_out and not training:
            continue
        column = f"held_out_{error}" if held_out else error
        for moment in zip(*courses[net], strict=False):
            if column not in moment[0]:
                continue
            values = [row[column] for row in moment]
            name = curve_name(net, error, held_out)
            points.append(point_of(name, moment[0]["epoch"], values, RANGE))
    return points


def kept_errors(points: Sequence[Point], net: str) -> tuple[Measured, Measured]:
    """MSE and MAE where the curve of the MSE is lowest."""
    lowest = min(of_curve(points, curve_name(net, "mse", True)), key=lambda point: point.mean)
    beside = at(points, curve_name(net, "mae", True), lowest.x)
    return mean_at(lowest), mean_at(beside)


def fresh_rows(seed: int, games: int = FRESH_GAMES) -> Rows:
    """All positions of new games, as for a training; their values −1 … 1, for the owner."""
    config = net_settings("dense", matches=games, positions=10**9)
    data = make_net_data(GAME, config, seed)
    return Rows(
        np.concatenate([data.training.words, data.held_out.words]),
        np.concatenate([data.training.values, data.held_out.values]),
    )


def shipped_errors(net: str, rows: Rows) -> tuple[float, float]:
    """MSE and MAE of a shipped net, in the units of its targets, without averaging mirror images.

    What a net says is for the player to move, −1 … 1; values of rows are for the owner (§5.2).
    """
    model = use_net(net, parse_game(GAME))
    wrong = model.evaluate(rows.words, symmetric=False)[:, 0] + rows.values
    if model.header.target == "normal":
        wrong = wrong / 2
    return float(np.mean(wrong**2)), float(np.mean(np.abs(wrong)))


def training_figure(
    number: int, shows: str, presets_by_net: Mapping[str, str], order: Mapping[str, str]
) -> Figure:
    """DenseNet and ConvNet as they learn from 400,000 positions (figures 19 and 20).

    `order` is which of the two should have the smaller MSE and the smaller MAE.
    """
    name = f"goeppert-figure-{number}"

    def produce(study: Study) -> list[Point]:
        configs = {net: net_settings(preset) for net, preset in presets_by_net.items()}
        return error_curves(net_courses(configs, study))

    def measure(points: Sequence[Point]) -> dict[str, Measured]:
        errors = {net: kept_errors(points, net) for net in presets_by_net}
        found = {}
        for place, error in enumerate(ERRORS):
            lower = order[error]
            higher = CONV if lower == DENSE else DENSE
            found[f"{error.upper()}: {lower} less {higher}"] = difference(
                errors[lower][place], errors[higher][place]
            )
        return found

    return Figure(
        name,
        f"Göppert 2020, figure {number}",
        shows,
        "epochs",
        "error, in units of the target",
        produce,
        measure,
        page_of(name),
        full_seeds=5,
        quick_seeds=0,
        band=RANGE,
        panels=PANELS,
    )
