"""Skip-Bo: whole games in one kernel, beside the same games move by move in Python."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from spielwerk.agents.catalogue import parse_agent
from spielwerk.arena.batch import policy_of
from spielwerk.arena.match import play_match
from spielwerk.arena.plan import seating
from spielwerk.bench.line import Line, rates_in_turn
from spielwerk.games.catalogue import parse_game
from spielwerk.kernels.rng import derive_seed
from spielwerk.search.skipbo_policies import series

TABLES = (
    ("skipbo-basic", "skipbo-basic"),
    ("skipbo-mature", "skipbo-mature"),
    ("skipbo-td", "skipbo-basic"),
    ("skipbo-lea", "skipbo-basic"),
    ("skipbo-search", "skipbo-mature"),
    ("skipbo-search", "skipbo-search"),
)


def measure(seconds: float) -> Iterator[Line]:
    game = parse_game("skip-bo")
    for specs in TABLES:
        agents: list[Any] = [parse_agent(spec) for spec in specs]
        policies: list[Any] = [policy_of(agent) for agent in agents]

        def ours(games: int, policies: list[Any] = policies) -> None:
            seats = np.array([seating(number, 2) for number in range(games)], np.int64)
            seeds = np.array([derive_seed(1, number) for number in range(games)], np.uint64)
            series(game, policies, seats, seeds)

        def peer(games: int, agents: list[Any] = agents) -> None:
            for number in range(games):
                seats = seating(number, 2)
                play_match(game, [agents[seat] for seat in seats], derive_seed(1, number))

        fast, slow = rates_in_turn(ours, peer, seconds)
        assert slow is not None
        yield Line(
            f"skip-bo, {' – '.join(spec.removeprefix('skipbo-') for spec in specs)}",
            "games/s",
            fast,
            peer_name="move by move",
            peer=slow,
            ratio=fast / slow,
        )
