"""Table 11: iterations per second of the agents with nets (§6.7), and of those without.

The speeds without nets are told beside the tables of the agents (§6.2 to §6.6).

Measured as everywhere: one thread, 4,000 iterations a search, the median over positions of random
games, in which all agents take turns; leaves in batches, the mean of both mirror images (§5.5). The
thesis's machine had a GPU.
"""

from collections.abc import Sequence

from spielwerk.agents.catalogue import parse_agent
from spielwerk.arena.equal_time import measure_speeds
from spielwerk.games.catalogue import parse_game
from spielwerk.kernels.rng import derive_seed
from spielwerk.lab.figure import RANGE, Figure, Point, Study, at, mean_at, point_of
from spielwerk.lab.goeppert import PLAIN_AGENTS, net_agents
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured, ratio

NAME = "goeppert-table-11"
PLAIN, OURS = "no net", "ours"
AGENTS = {**net_agents(), PLAIN: "cp=0.8", **PLAIN_AGENTS}


def produce(study: Study) -> list[Point]:
    """For every repetition all agents once, in games of their own; their range is the band."""
    game = parse_game("connect-four")
    agents = [parse_agent(f"mcts:iterations=1,{options}") for options in AGENTS.values()]
    runs = []
    for done in range(study.seeds):
        study.progress(done, study.seeds)
        runs.append(measure_speeds(game, agents, seed=derive_seed(study.seed, done)))
    return [
        point_of(OURS, place, rates, RANGE)
        for place, rates in enumerate(zip(*runs, strict=True), start=1)
    ]


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    found = {n: mean_at(at(points, OURS, place)) for place, n in enumerate(AGENTS, start=1)}
    for name in ("DenseNet", "ConvNet"):
        told = f"how many times slower {name} is than no net"
        found[told] = ratio(found[PLAIN], found[name])
    return found


FIGURE = Figure(
    NAME,
    "Göppert 2020, table 11",
    "iterations per second of the agents",
    "agent",
    "iterations per second",
    produce,
    measure,
    page_of(NAME),
    full_seeds=3,
    quick_seeds=1,
    stems=True,
    band=RANGE,
    logarithmic=True,
    names=dict(enumerate(AGENTS, start=1)),
    timed=True,
    since="2026-11-19",
)
