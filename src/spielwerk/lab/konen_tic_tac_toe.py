"""Konen 2015, §4.1.3 and §5: Tic-Tac-Toe by feature sets.

The report says that a linear function needs the right features, and leaves the numbers to earlier
papers. Here: the raw board fails, hand-made counts of open lines come close, tables and tuples
get there.
"""

from collections.abc import Sequence
from dataclasses import replace

from spielwerk.lab.figure import Claim, Figure, Point, Study, claim
from spielwerk.lab.learning_curves import last_mean, preset_config, success_curves

GAMES = 4000
PRESETS = {
    "linear, raw board": "raw",
    "linear, open lines": "lines",
    "tanh, four 3-tuples": "four-tuples",
    "linear, table": "table",
}


def produce(study: Study) -> list[Point]:
    configs = {
        name: replace(preset_config("tic-tac-toe", preset), games=GAMES, evaluate_every=100)
        for name, preset in PRESETS.items()
    }
    return success_curves("tic-tac-toe", configs, study)


def claims(points: Sequence[Point]) -> list[Claim]:
    """Agrees if the raw board stays below 50 % and all other features end above 90 %."""
    ends = {name: last_mean(points, name) for name in PRESETS}
    raw = ends.pop("linear, raw board")
    return [
        claim(
            "a linear function cannot play by the raw board",
            "no complex mapping",
            f"{raw:.1f} %",
            raw < 50,
        ),
        claim(
            "features make up for it",
            "often compensated",
            ", ".join(f"{name} {end:.1f} %" for name, end in ends.items()),
            min(ends.values()) > 90,
        ),
    ]


FIGURE = Figure(
    "konen-tic-tac-toe",
    "Konen 2015, §5",
    "Tic-Tac-Toe learned from four sets of features",
    "games of self-play",
    "success against perfect play, %",
    produce,
    claims,
    full_seeds=20,
    quick_seeds=2,
)
