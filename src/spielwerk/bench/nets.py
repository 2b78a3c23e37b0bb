"""Nets: positions that they value, and searches with them, on all cores.

Searches go through positions of random games, each with a fresh memory: what is remembered from one
search counts, what is remembered from another does not.
"""

import os
import statistics
import time
from collections.abc import Iterator

import numpy as np

from spielwerk.agents.agent import Choice
from spielwerk.agents.catalogue import parse_agent
from spielwerk.bench.line import Line
from spielwerk.bench.solver import random_position
from spielwerk.games.connectx import connectx
from spielwerk.games.rules import pack
from spielwerk.kernels.rng import Rng
from spielwerk.values.net import Net, use_net

BATCHES = (2, 32, 128)
STONES = (0, 4, 8, 12, 16, 20)
ITERATIONS = 20_000
NETS = {"dense": "DenseNet", "conv": "ConvNet"}
PRINTED = {"dense": 909, "conv": 386}
"""Iterations per second in the thesis, with a GPU (table 11)."""


def measure(seconds: float) -> Iterator[Line]:
    game, cores = connectx(), os.cpu_count() or 1
    for name in (*NETS, "connect-four"):
        net = use_net(name, game)
        for size in BATCHES:
            yield Line(
                f"net {name}, batches of {size}, one core",
                "positions/s",
                positions_per_second(net, size, seconds),
            )
    for name, title in NETS.items():
        spec = f"mcts:value=net:{name},iterations={ITERATIONS},threads={cores}"
        yield Line(
            f"mcts with a {title}, both images, {cores} threads (thesis: {PRINTED[name]})",
            "iterations/s",
            iterations_per_second(spec, seconds),
        )
    yield Line(
        "puct with connect-four, one thread",
        "iterations/s",
        iterations_per_second("puct:connect-four,iterations=800", seconds),
    )


def positions_per_second(net: Net, size: int, seconds: float) -> float:
    """Of distinct positions, without a memory."""
    states = [random_position(8 + number % 16, number)[1] for number in range(size)]
    words = np.array([pack(net.game, state) for state in states], np.uint64)
    net.evaluate(words, symmetric=False)
    count, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        net.evaluate(words, symmetric=False)
        count += size
    return count / (time.perf_counter() - begin)


def iterations_per_second(spec: str, seconds: float) -> float:
    """The median over positions of random games."""
    game, agent, rates, seed = connectx(), parse_agent(spec), list[float](), 0
    agent.choose(game, random_position(4, 0)[1], Rng(0))  # compiled
    begin = time.perf_counter()
    while not rates or time.perf_counter() - begin < seconds:
        for stones in STONES:
            seed += 1
            choice = agent.choose(game, random_position(stones, seed)[1], Rng(1))
            assert isinstance(choice, Choice)
            assert choice.seconds is not None
            made = choice.statistics["iterations"]
            if made > 100:  # else it was proven at once
                rates.append(made / choice.seconds)
    return statistics.median(rates)
