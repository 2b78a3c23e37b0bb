"""How long a new process takes to its first move, kernels already compiled."""

import subprocess
import sys
import time
from collections.abc import Iterator
from statistics import median

from spielwerk.bench.line import Line

FIRST_MOVE = """
from spielwerk import parse_agent, parse_game, Rng
from spielwerk.games.rules import initial
game = parse_game("connect-four")
parse_agent("alphabeta").choose(game, initial(game), Rng(1))
"""


def measure(seconds: float) -> Iterator[Line]:
    yield Line("start to first move (alphabeta, connect-four)", "s", _first_move(seconds))


def _first_move(seconds: float) -> float:
    """Median seconds of a whole process; one before them fills the cache."""
    command = [sys.executable, "-c", FIRST_MOVE]
    subprocess.run(command, check=True)
    taken: list[float] = []
    while len(taken) < 3 or sum(taken) < seconds:
        begin = time.perf_counter()
        subprocess.run(command, check=True)
        taken.append(time.perf_counter() - begin)
    return median(taken)
