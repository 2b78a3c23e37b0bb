"""Thill 2012, §4.6.3: alpha-beta on top of trained n-tuple systems of 7, 8 and 9 cells.

His depth counts the plies that a search goes beyond the position after the move, ours the plies
from the position before it: his 0 is our 1. The deepest of his, 18 plies, took up to 25 seconds a
game; ours go to 8. The systems are trained for a million games.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from spielwerk.agents.ntuple import NTuple
from spielwerk.arena.evaluation import PROTOCOLS, evaluate_agent
from spielwerk.arena.match import play_match
from spielwerk.games.catalogue import parse_game
from spielwerk.kernels.rng import derive_seed
from spielwerk.lab.figure import Point, Study, point_of
from spielwerk.lab.kept import kept
from spielwerk.lab.learning_curves import train_quietly
from spielwerk.lab.thill_training import GAME, basis
from spielwerk.learning.config import TdConfig

LENGTHS = (7, 8, 9)
GAMES, QUICK_GAMES = 1_000_000, 50_000
DEPTHS = (0, 2, 4, 6, 8)
PLAYED = 50


class Measured(NamedTuple):
    length: int
    depth: int
    success: float  # in percent
    seconds: float  # that the system and its search took, without the perfect player


def curve(length: int) -> str:
    return f"70 tuples of {length}"


def search_all(study: Study) -> list[Measured]:
    """Every system of every seed at every depth: success in fifty games, and the time they take.

    On one thread, whatever the study says: it takes times. The quick run trains shorter, plays two
    games and looks four plies ahead.
    """
    games = QUICK_GAMES if study.quick else GAMES
    depths, played = ((0, 2, 4), 2) if study.quick else (DEPTHS, PLAYED)
    todo = list(product(enumerate(LENGTHS), range(max(1, study.seeds))))
    found: list[Measured] = []
    for done, ((number, length), repetition) in enumerate(todo, start=1):
        seed = derive_seed(study.seed, number, repetition)
        features = f"walk:count=70,length={length},seed={repetition + 1}"
        config = basis("tuned", features=features, games=games, evaluate_every=games)
        key = ["search", GAME, config.to_dict(), seed, depths, played]
        for one in kept(key, partial(_measure_one, config, seed, depths, played)):
            found.append(Measured(length, *one))
        study.progress(done, len(todo))
    return found


def _measure_one(
    config: TdConfig, seed: int, depths: Sequence[int], played: int
) -> list[tuple[int, float, float]]:
    """Depth, success and seconds of one system after its training."""
    game = parse_game(GAME)
    found = []
    with TemporaryDirectory() as folder:
        model = Path(folder) / "model.safetensors"
        train_quietly(GAME, config, seed).model().save(model)
        for depth in depths:
            agent = NTuple(str(model), depth + 1)
            evaluate_agent(game, agent, 1, seed, protocol="thesis")  # compiled
            matches = [
                play_match(game, [agent, PROTOCOLS["thesis"]], derive_seed(seed, match))
                for match in range(played)
            ]
            success = sum(match.utilities[0] + 1 for match in matches) / 2 / played
            found.append((depth, 100 * success, sum(match.seconds[0] for match in matches)))
    return found


def points_of(
    found: Sequence[Measured], name: str, middle: Callable[[Sequence[float]], float]
) -> list[Point]:
    """A curve per length of tuples over the depth, of one of the two things that were measured."""
    points = []
    for length in LENGTHS:
        for depth in sorted({one.depth for one in found}):
            own = [getattr(one, name) for one in found if one[:2] == (length, depth)]
            points.append(replace(point_of(curve(length), depth, own), mean=float(middle(own))))
    return points
