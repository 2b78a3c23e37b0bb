"""Lists of what a spec can name, with options."""

import json
from collections.abc import Iterable
from typing import Any

from rich.table import Table

from spielwerk.cli.terminal import out
from spielwerk.spec import Entry, OptionInfo


def print_catalogue(entries: Iterable[Entry[Any]], as_json: bool) -> None:
    entries = list(entries)
    if as_json:
        out.print_json(
            json.dumps(
                [
                    {
                        "name": entry.name,
                        "summary": entry.summary,
                        "options": {
                            option.name: {
                                "help": option.option.help,
                                "values": option.describe_values(),
                                "default": None if option.required else option.default,
                            }
                            for option in entry.options()
                        },
                    }
                    for entry in entries
                ]
            )
        )
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("name", "option", "values", "default", ""):
        table.add_column(heading, style="bold" if heading == "name" else "", overflow="fold")
    for entry in entries:
        table.add_row(entry.name, "", "", "", entry.summary)
        for option in entry.options():
            table.add_row(
                "",
                option.name,
                option.describe_values(),
                _show_default(option),
                option.option.help,
            )
    out.print(table, soft_wrap=False)


def _show_default(option: OptionInfo) -> str:
    if option.required:
        return "(needed)"
    if option.default is None:
        return "–"
    if option.kind is bool:
        return "yes" if option.default else "no"
    return str(option.default)
