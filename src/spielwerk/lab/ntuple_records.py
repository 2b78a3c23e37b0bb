"""How far our n-tuple systems get: the best published figures, and whether we pass them.

Published (Thill 2015, see docs/ntuple.md): 80 % after 115,000 games, 90 % after 265,000, 94.4 % in
the end, of 200 games as first player against perfect play, without search. Ours: the preset `walks`
at the beginning, with new tuples for every training, and `best` in the end; means over seeds and
games that were not used for choosing the settings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from spielwerk.agents.td import Greedy
from spielwerk.arena.evaluation import PROTOCOLS, evaluate_agent
from spielwerk.kernels.rng import derive_seed
from spielwerk.lab.figure import Figure, Point, Study, mean_at, point_of
from spielwerk.lab.learning_curves import preset_config
from spielwerk.lab.printed import page_of
from spielwerk.lab.thill_training import OF_SELF_PLAY, SUCCESS
from spielwerk.lab.verdicts import Measured
from spielwerk.learning.config import TdConfig
from spielwerk.learning.runs import play_until
from spielwerk.learning.training import make_run

GAME = "connect-four"
PLAYED = 200
FIRST_TUPLES = 1000
"""Tuples with seeds above this were not looked at before."""
WALKS, BEST = "walks", "best"
EARLY, END = (100_000, 115_000, 200_000, 265_000), (1_000_000, 3_000_000)
"""When they are measured; the published moments among them."""
Moments = list[list[float]]
"""For each mark the success by every protocol, in percent."""


def training(preset: str, seed: int, repetition: int) -> tuple[TdConfig, int]:
    """The settings and the seed of one training; walks are its own."""
    config = preset_config(GAME, preset, "ntuple")
    if config.features.startswith("walk:"):
        tuples = config.features.rpartition("=")[0]
        config = replace(config, features=f"{tuples}={FIRST_TUPLES + repetition + 1}")
    return config, derive_seed(seed, repetition)


def successes(config: TdConfig, seed: int, marks: Sequence[int], played: int) -> Moments:
    run = make_run(GAME, config, seed)
    found = []
    for mark in marks:
        play_until(run, mark)
        player, games = Greedy(run.learned), derive_seed(seed, 9)
        found.append(
            [
                100 * evaluate_agent(run.game, player, played, games, protocol=name).success
                for name in PROTOCOLS
            ]
        )
    return found


def curve(preset: str, protocol: str) -> str:
    return f"{preset}, {protocol}"


def success_of_presets(marks: Mapping[str, Sequence[int]], study: Study) -> list[Point]:
    """A curve for each preset and protocol. The quick run trains the first preset for a tenth of
    the games to its first mark, and plays a tenth of the games."""
    first, repetitions = study.seed, max(1, study.seeds)
    if study.quick:
        name = next(iter(marks))
        marks = {name: (marks[name][0] // 10,)}
    played = PLAYED // 10 if study.quick else PLAYED

    def key(item: tuple[str, int]) -> list[Any]:
        config, seed = training(item[0], first, item[1])
        return ["records", config.to_dict(), seed, marks[item[0]], played]

    def find(item: tuple[str, int]) -> Moments:
        return successes(*training(item[0], first, item[1]), marks[item[0]], played)

    found = study.found_for(list(product(marks, range(repetitions))), find, key)
    points = []
    for preset, (place, protocol) in product(marks, enumerate(PROTOCOLS)):
        every = np.array([found[preset, n] for n in range(repetitions)])
        points += [
            point_of(curve(preset, protocol), games, every[:, moment, place])
            for moment, games in enumerate(marks[preset])
        ]
    return points


def produce(study: Study) -> list[Point]:
    return success_of_presets({WALKS: EARLY, BEST: END}, study)


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    return {f"{point.curve}, after {point.x:,.0f} games": mean_at(point) for point in points}


FIGURE = Figure(
    "ntuple-records",
    "Thill 2015",
    "n-tuple systems without search against perfect play",
    OF_SELF_PLAY,
    SUCCESS,
    produce,
    measure,
    page_of("ntuple-records"),
    full_seeds=10,
    quick_seeds=0,
    seed=31,
)
