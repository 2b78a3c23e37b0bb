"""The tables and figures by name."""

import importlib
import pkgutil
import re

from spielwerk import lab
from spielwerk.errors import SpielwerkError, unknown_name
from spielwerk.lab.experiment import Table
from spielwerk.lab.figure import Figure

Experiment = Table | Figure
_ADDED: dict[str, Experiment] = {}


def register_experiment(experiment: Experiment) -> None:
    """Make a table or figure known by its name; for files given with `--plugin`."""
    _ADDED[experiment.name] = experiment


def entries() -> dict[str, Experiment]:
    """Every module of this package that has a TABLE or a FIGURE, in the order of the works, and
    what was registered."""
    found = [
        importlib.import_module(f"{lab.__name__}.{module.name}")
        for module in pkgutil.iter_modules(lab.__path__)
    ]
    shown = [getattr(module, "TABLE", getattr(module, "FIGURE", None)) for module in found]
    named = {entry.name: entry for entry in shown if entry is not None} | _ADDED
    return dict(sorted(named.items(), key=lambda item: _numbers_as_numbers(item[0])))


def find_entry(name: str) -> Experiment:
    """The one of this name, or the one that this is a part of (`Page.also`)."""
    known = entries()
    holding = {part: entry for entry in known.values() for part in entry.page.also}
    if name not in known and name not in holding:
        raise SpielwerkError(unknown_name("table or figure", name, {**holding, **known}))
    return known.get(name) or holding[name]


def _numbers_as_numbers(name: str) -> list[tuple[bool, int | str]]:
    parts = re.split(r"(\d+)", name)
    return [(part.isdecimal(), int(part) if part.isdecimal() else part) for part in parts]
