"""Konen 2015, §4.1.3 and §5: Tic-Tac-Toe by feature sets.

The report says that a linear function needs the right features, and leaves the numbers to earlier
papers. Here: the raw board fails, hand-made counts of open lines come close, tables and tuples
get there.
"""

from collections.abc import Sequence
from dataclasses import replace

from spielwerk.lab.figure import Figure, Point, Study, mean_at, of_curve
from spielwerk.lab.learning_curves import preset_config, success_curves
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured

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


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    return {name: mean_at(of_curve(points, name)[-1]) for name in PRESETS}


FIGURE = Figure(
    "konen-tic-tac-toe",
    "Konen 2015, §5",
    "Tic-Tac-Toe learned from four sets of features",
    "games of self-play",
    "success against perfect play, %",
    produce,
    measure,
    page_of("konen-tic-tac-toe"),
    full_seeds=20,
    quick_seeds=2,
)
