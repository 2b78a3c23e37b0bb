"""A reproduction enters the store: its numbers, and the rows of its file."""

from dataclasses import asdict
from pathlib import Path

from spielwerk.lab.catalogue import Experiment
from spielwerk.lab.experiment import Table, read_results
from spielwerk.lab.figure import read_points
from spielwerk.lab.saved import read_saved
from spielwerk.store.reproductions import Finding, keep_reproduction
from spielwerk.store.store import Store


def store_results(
    store: Store, entry: Experiment, folder: Path, options: dict[str, int | str]
) -> int:
    """What lies in the folder, as one run; entering it twice changes nothing. Its number."""
    saved = read_saved(entry, folder)
    findings = [
        Finding(one.name, one.measured.value, one.measured.low, one.measured.high)
        for one in saved.comparisons
        if one.measured is not None
    ]
    if isinstance(entry, Table):
        rows, game = [asdict(result) for result in read_results(folder)], entry.game
    else:
        rows, game = [asdict(point) for point in read_points(folder)], ""
    return keep_reproduction(store, entry.name, options, game, findings, rows)
