"""Results in every state, for tests: full, part, quick, damaged, not run, and strange."""

import shutil
from pathlib import Path

RESULTS = Path(__file__).parents[1] / "results"


def in_every_state(folder: Path) -> None:
    """Lay them into this folder; they are made from those that come with Spielwerk."""
    for name in (
        "goeppert-table-3",
        "goeppert-table-4",
        "goeppert-table-5",
        "ntuple-records",
        "thill-figure-4-8",
    ):
        shutil.copytree(RESULTS / name, folder / name)
    shutil.copytree(RESULTS / "goeppert-table-3", folder / "strange")
    _change(folder / "goeppert-table-5" / "cells.csv", lambda lines: lines[:-1])
    _change(folder / "goeppert-table-4" / "cells.csv", lambda lines: [*lines[:-1], lines[-1][:9]])
    _change(folder / "ntuple-records" / "about.txt", _quick)
    (folder / "thill-figure-4-8" / "curves.csv").write_text("")
    (folder / "konen-nim").mkdir()
    (folder / "strange-and-damaged").mkdir()
    (folder / "strange-and-damaged" / "curves.csv").write_text("")


def _quick(lines):
    command = "command: spielwerk reproduce ntuple-records --quick --seed 31\n"
    return [command if line.startswith("command: ") else line for line in lines]


def _change(path, change):
    with path.open(newline="") as file:
        lines = change(file.readlines())
    with path.open("w", newline="") as file:
        file.writelines(lines)
