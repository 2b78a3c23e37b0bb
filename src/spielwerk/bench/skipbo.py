"""Skip-Bo: whole games in one kernel, beside the same games move by move in Python."""

from collections.abc import Iterator

import numpy as np

from spielwerk.agents.agent import Agent
from spielwerk.agents.catalogue import parse_agent
from spielwerk.arena.match import play_match
from spielwerk.arena.rotation import play_table, seating
from spielwerk.bench.line import Line, rates_in_turn
from spielwerk.games.catalogue import parse_game
from spielwerk.kernels.rng import derive_seed

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
        agents = [parse_agent(spec) for spec in specs]

        def ours(games: int, agents: list[Agent] = agents) -> None:
            seats = np.array([seating(number, 2) for number in range(games)], np.int64)
            seeds = np.array([derive_seed(1, number) for number in range(games)], np.uint64)
            play_table(game, agents, seats, seeds)

        def peer(games: int, agents: list[Agent] = agents) -> None:
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
