"""The tables by name."""

import importlib
import pkgutil
import re

from spielwerk import lab
from spielwerk.errors import SpielwerkError, unknown_name
from spielwerk.lab.experiment import Table


def tables() -> dict[str, Table]:
    """Every module of this package that has a TABLE, in the order of the works."""
    found = [
        importlib.import_module(f"{lab.__name__}.{module.name}")
        for module in pkgutil.iter_modules(lab.__path__)
    ]
    named = {module.TABLE.name: module.TABLE for module in found if hasattr(module, "TABLE")}
    return dict(sorted(named.items(), key=lambda item: _numbers_as_numbers(item[0])))


def find_table(name: str) -> Table:
    known = tables()
    if name not in known:
        raise SpielwerkError(unknown_name("table", name, known))
    return known[name]


def _numbers_as_numbers(name: str) -> list[tuple[bool, int | str]]:
    parts = re.split(r"(\d+)", name)
    return [(part.isdecimal(), int(part) if part.isdecimal() else part) for part in parts]
