"""The tables and figures by name."""

import importlib
import pkgutil
import re
from collections.abc import Mapping

from spielwerk import lab
from spielwerk.errors import SpielwerkError, unknown_name
from spielwerk.lab.experiment import Table
from spielwerk.lab.figure import Figure
from spielwerk.lab.printed import works

Experiment = Table | Figure
ALL = "all"
"""A name for every table and figure."""
_ADDED: dict[str, Experiment] = {}


def register_experiment(experiment: Experiment) -> None:
    """Make a table or figure known by its name; for files given with `--plugin`.

    The name is that of its folder as well, and of nothing that a work prints.
    """
    name = experiment.name
    if not re.fullmatch(r"[\w-][\w.-]*", name) or name == ALL:
        raise SpielwerkError(
            f'"{name}" cannot be the name of an experiment: letters, digits, - and . make a folder.'
        )
    if any(name == work.key or name in work.pages for work in works()):
        raise SpielwerkError(f"{name} comes with Spielwerk; give your experiment another name.")
    _ADDED[name] = experiment


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
    (found,) = _find(name, {})
    return found


def find_entries(name: str) -> list[Experiment]:
    """The same; those of a work, by the name of its file; or `all`."""
    known = entries()
    several = {work.key: [known[name] for name in work.pages] for work in works()}
    return _find(name, {**several, ALL: list(known.values())})


def _find(name: str, several: Mapping[str, list[Experiment]]) -> list[Experiment]:
    known = entries()
    parts = {part: entry for entry in known.values() for part in entry.page.also}
    by_name = {**several, **{own: [entry] for own, entry in {**parts, **known}.items()}}
    if name not in by_name:
        raise SpielwerkError(unknown_name("table or figure", name, by_name))
    return by_name[name]


def _numbers_as_numbers(name: str) -> list[tuple[bool, int | str]]:
    parts = re.split(r"(\d+)", name)
    return [(part.isdecimal(), int(part) if part.isdecimal() else part) for part in parts]
