"""Games of self-play per second with seventy 8-tuples, beside the general learner of [td].

Both play a whole training, with its schedules from beginning to end: exploratory moves cost little,
and there are many of them only at first. The general learner's is shorter.
"""

import time
from collections.abc import Iterator
from dataclasses import replace

from spielwerk.bench.line import Line
from spielwerk.learning.config import TdConfig, config_from
from spielwerk.learning.runs import play_until
from spielwerk.learning.settings import presets, read_config
from spielwerk.learning.training import make_run

GAME = "connect-four"
FULL = 1_000_000
SHORTER = 20
"""The general learner plays so many times fewer games."""
WITH_TRACES = {"step": "tcl", "alpha": 0.05, "epsilon": 0.1, "lambda": 0.8, "trace": "returns"}


def measure(seconds: float) -> Iterator[Line]:
    settings, _, _ = read_config(presets(GAME, "ntuple")["basis"])
    for name, changes, rate in (
        ("thesis's configuration", {}, 50_000),
        ("λ-returns and temporal coherence", WITH_TRACES, 15_000),
    ):
        games = int(min(FULL, max(2 * SHORTER, seconds * rate)))
        config = config_from(settings | changes | {"games": games})
        ours = _rate(config)
        peer = _rate(replace(config, games=games // SHORTER), fast=False)
        yield Line(
            f"ntuple, {name}, {games:,} games, 70 8-tuples",
            "games/s",
            ours,
            peer_name="general learner",
            peer=peer,
            ratio=ours / peer,
        )


def _rate(config: TdConfig, fast: bool = True) -> float:
    make_run(GAME, config, 1, fast=fast).play_on(2)  # compiled
    run = make_run(GAME, config, 1, fast=fast)
    begin = time.perf_counter()
    play_until(run, config.games)
    return config.games / (time.perf_counter() - begin)
