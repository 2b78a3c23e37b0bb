"""The arena itself: games of two who do not think, from the plan to the result, or to the store."""

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from spielwerk.arena.batch import match_of
from spielwerk.arena.plan import Plan
from spielwerk.arena.tournament import play_tournament
from spielwerk.arena.workers import Threads
from spielwerk.bench.line import Line, rates_in_turn
from spielwerk.store.store import Store
from spielwerk.store.tournaments import begin


def measure(seconds: float) -> Iterator[Line]:
    workers = Threads(os.cpu_count() or 1)

    def plan(games: int) -> Plan:
        return Plan("connect-four", ("random", "random"), games, 1)

    def one_by_one(games: int) -> None:
        whole = plan(games)
        for number in range(games):
            match_of(whole.table, whole.fixture(number))

    def line(name: str, ours: Callable[[int], object]) -> Line:
        fast, slow = rates_in_turn(ours, one_by_one, seconds)
        assert slow is not None
        return Line(
            f"arena, random – random, {name}",
            "games/s",
            fast,
            peer_name="play_match alone",
            peer=slow,
            ratio=fast / slow,
        )

    yield line("not stored", lambda games: play_tournament(plan(games), workers))
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(f"sqlite:///{Path(folder) / 'store.sqlite'}")
        yield line("stored", lambda games: begin(store, plan(games)).play(workers))
        store.close()
