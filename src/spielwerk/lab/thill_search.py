"""Thill 2012, §4.6.3: alpha-beta on top of trained n-tuple systems of 7, 8 and 9 cells.

His depth counts the plies that a search goes beyond the position after the move, ours the plies
from the position before it: his 0 is our 1. The deepest of his, 18 plies, took up to 25 seconds a
game; ours go to 8. Systems are trained as long as his, for ten million games; figure 4.30 and table
4.2 share them.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from spielwerk.agents.agent import Agent
from spielwerk.agents.ntuple import NTuple
from spielwerk.arena.evaluation import PROTOCOLS, evaluate_agent
from spielwerk.arena.match import play_match
from spielwerk.games.catalogue import parse_game
from spielwerk.kernels.rng import derive_seed
from spielwerk.lab.figure import Point, Study, point_of
from spielwerk.lab.thill_training import GAME, GAMES, basis
from spielwerk.learning.config import TdConfig
from spielwerk.learning.runs import play_until
from spielwerk.learning.training import make_run

LENGTHS = (7, 8, 9)
QUICK_GAMES = 50_000
DEPTHS, QUICK_DEPTHS = (0, 2, 4, 6, 8), (0, 2, 4)
PLAYED, QUICK_PLAYED = 50, 2

System = tuple[int, int]
"""How many cells a tuple has, and which repetition of the training it is."""


def curve(length: int) -> str:
    return f"70 tuples of {length}"


def success_by_depth(study: Study) -> list[Point]:
    """Success in fifty games against the perfect player, of each system at each depth."""
    found = {
        system: [100 * share for share in one["success"]] for system, one in _trained(study).items()
    }
    return [
        point_of(curve(length), depth, [found[length, n][place] for n in _repetitions(study)])
        for length, (place, depth) in product(LENGTHS, enumerate(_depths(study)))
    ]


def seconds_by_depth(study: Study) -> list[Point]:
    """How long each system thinks in fifty games against the perfect player, at each depth."""
    both = study.in_halves()
    systems = _trained(both[0])

    def time(system: System) -> list[float]:
        depths, games, (_, seed) = _depths(study), _played(study), _training(study, system)
        with _model_file(systems[system]["model"]) as model:
            for depth in depths[:2]:  # compiled, without and with a search
                _seconds(model, depth, 1, seed)
            return [_seconds(model, depth, games, seed) for depth in depths]

    found = both[1].found_for(list(systems), time, lambda system: ["seconds", *_key(study, system)])
    points = []
    for length, (place, depth) in product(LENGTHS, enumerate(_depths(study))):
        own = [found[length, n][place] for n in _repetitions(study)]
        points.append(replace(point_of(curve(length), depth, own), mean=float(median(own))))
    return points


def _trained(study: Study) -> dict[System, dict[str, Any]]:
    """Every system: its model, as text that can be kept, and its success at every depth."""

    def train(system: System) -> dict[str, Any]:
        config, seed = _training(study, system)
        run = make_run(GAME, config, seed)
        play_until(run, config.games)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "model.safetensors"
            run.model().save(path)
            success = [_success(path, depth, _played(study), seed) for depth in _depths(study)]
            return {"model": b64encode(path.read_bytes()).decode(), "success": success}

    systems = list(product(LENGTHS, _repetitions(study)))
    return study.found_for(systems, train, lambda system: ["search", *_key(study, system)])


@contextmanager
def _model_file(text: str) -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.safetensors"
        path.write_bytes(b64decode(text))
        yield path


def _success(model: Path, depth: int, games: int, seed: int) -> float:
    agent = NTuple(str(model), depth + 1)
    return evaluate_agent(parse_game(GAME), agent, games, seed, protocol="thesis").success


def _seconds(model: Path, depth: int, games: int, seed: int) -> float:
    """Of the system and its search, without the perfect player; games are played to their end."""
    players: list[Agent] = [NTuple(str(model), depth + 1), PROTOCOLS["thesis"]]
    matches = [play_match(parse_game(GAME), players, derive_seed(seed, n)) for n in range(games)]
    return sum(match.seconds[0] for match in matches)


def _training(study: Study, system: System) -> tuple[TdConfig, int]:
    """How this system is trained, and its seed."""
    length, repetition = system
    games = QUICK_GAMES if study.quick else GAMES
    features = f"walk:count=70,length={length},seed={repetition + 1}"
    config = basis("tuned", games, features=features)
    return config, derive_seed(study.seed, LENGTHS.index(length), repetition)


def _key(study: Study, system: System) -> list[Any]:
    config, seed = _training(study, system)
    return [GAME, config.to_dict(), seed, _depths(study), _played(study)]


def _repetitions(study: Study) -> range:
    return range(max(1, study.seeds))


def _depths(study: Study) -> Sequence[int]:
    return QUICK_DEPTHS if study.quick else DEPTHS


def _played(study: Study) -> int:
    return QUICK_PLAYED if study.quick else PLAYED
