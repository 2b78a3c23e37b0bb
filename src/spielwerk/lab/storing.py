"""A reproduction enters the store: its numbers, and the rows of its file."""

from dataclasses import asdict
from pathlib import Path

from spielwerk.errors import SpielwerkError
from spielwerk.lab.about import ABOUT
from spielwerk.lab.catalogue import Experiment
from spielwerk.lab.experiment import Table, read_results
from spielwerk.lab.figure import read_points
from spielwerk.lab.saved import NOT_RUN, read_saved
from spielwerk.store.reproductions import Finding, keep_reproduction
from spielwerk.store.store import Store


def store_results(store: Store, entry: Experiment, folder: Path) -> int:
    """What lies in the folder, as one run under the options that made it; entering it twice changes
    nothing. Its number."""
    saved = read_saved(entry, folder)
    if saved.damage:
        raise SpielwerkError(saved.damage)
    if saved.state == NOT_RUN:
        raise SpielwerkError(f"{folder} holds no results yet.")
    if "seed" not in saved.options:
        raise SpielwerkError(f"{folder / ABOUT} does not say which seed the results have.")
    options = dict(saved.options)
    if options.get("seeds") == 0:
        del options["seeds"]
        options["quick"] = True
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
