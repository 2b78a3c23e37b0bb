"""The tables and figures by name."""

import importlib
import pkgutil
import re

from spielwerk import lab
from spielwerk.errors import SpielwerkError, unknown_name
from spielwerk.lab.experiment import Table
from spielwerk.lab.figure import Figure


def entries() -> dict[str, Table | Figure]:
    """Every module of this package that has a TABLE or a FIGURE, in the order of the works."""
    found = [
        importlib.import_module(f"{lab.__name__}.{module.name}")
        for module in pkgutil.iter_modules(lab.__path__)
    ]
    shown = [getattr(module, "TABLE", getattr(module, "FIGURE", None)) for module in found]
    named = {entry.name: entry for entry in shown if entry is not None}
    return dict(sorted(named.items(), key=lambda item: _numbers_as_numbers(item[0])))


def find_entry(name: str) -> Table | Figure:
    known = entries()
    if name not in known:
        raise SpielwerkError(unknown_name("table or figure", name, known))
    return known[name]


def _numbers_as_numbers(name: str) -> list[tuple[bool, int | str]]:
    parts = re.split(r"(\d+)", name)
    return [(part.isdecimal(), int(part) if part.isdecimal() else part) for part in parts]
