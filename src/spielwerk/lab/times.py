"""How long tables and figures take: measured here (`data/reproduction-times.toml`), in seconds.

What was not measured in full is estimated from a run with one seed, else from the quick run, by
the number of seeds or games.
"""

import tomllib
from functools import cache

from spielwerk.files import DATA
from spielwerk.lab.catalogue import Experiment
from spielwerk.lab.experiment import Table
from spielwerk.lab.figure import Figure

FILE = DATA / "reproduction-times.toml"


@cache
def measured_times() -> dict[str, dict[str, float]]:
    """By name: `quick`, `full`, `seed` (of `--seeds 1`), those that were measured."""
    found = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {name: part for name, part in found.items() if isinstance(part, dict)}


def expected_times(entry: Experiment) -> tuple[float | None, float | None]:
    """Seconds of the quick run and of the full one; None where nobody knows."""
    known = measured_times().get(entry.name, {})
    quick, full = known.get("quick"), known.get("full")
    if full is None and "seed" in known and isinstance(entry, Figure):
        full = known["seed"] * entry.full_seeds
    longer = _times_longer(entry)
    if full is None and quick is not None and longer is not None:
        full = quick * longer
    return quick, full


def _times_longer(entry: Experiment) -> float | None:
    """How many times as much the full run does; None where the quick run is something else."""
    if isinstance(entry, Table):
        return entry.full_games / entry.quick_games
    return entry.full_seeds / entry.quick_seeds if entry.quick_seeds else None


def in_words(seconds: float | None) -> str:
    """About how long.

    >>> in_words(None), in_words(0.4), in_words(48), in_words(400), in_words(9000)
    ('unknown', 'about 1 s', 'about 50 s', 'about 7 min', 'about 2.5 h')
    """
    if seconds is None:
        return "unknown"
    if seconds < 10:
        return f"about {max(1, round(seconds))} s"
    if seconds < 90:
        return f"about {round(seconds, -1):.0f} s"
    if seconds < 5400:
        return f"about {seconds / 60:.0f} min"
    return f"about {seconds / 3600:.2g} h"
