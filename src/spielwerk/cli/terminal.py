"""What the terminal shows: coloured boards, progress, and that kernels are being compiled."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

out = Console(
    highlight=False,
    soft_wrap=True,  # a line stays a line; tables are printed without
    width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else 160,
)
log = Console(stderr=True, highlight=False)
"""Progress and remarks: never in the way of a result on standard output."""

_STONES = {"X": ("●", "bold yellow"), "O": ("●", "bold red"), ".": ("·", "dim")}
_MARKS = {"X": ("X", "bold yellow"), "O": ("O", "bold red"), ".": (".", "dim")}


def paint(drawing: str, falls: bool, cards: bool = False) -> Text:
    """A drawing in colour. Where stones fall (ConnectX) X and O are discs, if the terminal can.

    At a card table the player to move stands out.
    """
    if cards:
        lines = drawing.split("\n")
        return Text("\n").join(
            Text(line, style="bold" if line.startswith("▸") else "") for line in lines
        )
    unicode = (out.encoding or "").lower().startswith("utf")
    symbols = _STONES if falls and unicode and out.is_terminal else _MARKS
    return Text("\n").join(_paint_line(line, symbols) for line in drawing.split("\n"))


def _paint_line(line: str, symbols: dict[str, tuple[str, str]]) -> Text:
    """A row of cells in colour; anything else, such as the names of the columns, dimmed."""
    if not set(line) <= {*symbols, " "}:
        return Text(line, style="dim")
    text = Text()
    for symbol in line:
        text.append(*symbols.get(symbol, (symbol, "")))
    return text


@contextmanager
def progress_bar(label: str, total: int) -> Iterator[Any]:
    """A bar on standard error; call what it yields with the number done. Silent if nobody looks."""
    with Progress(
        TextColumn(label),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=log,
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as progress:
        task = progress.add_task(label, total=total)
        yield lambda done: progress.update(task, completed=done)


@contextmanager
def status(text: str) -> Iterator[Any]:
    """A line on standard error that changes; call what it yields with a new text."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    with log.status(text) as shown:
        yield lambda text: shown.update(text)


def announce_compilation() -> None:
    """Say so, once, when a kernel has to be compiled: it takes seconds, and only the first time."""
    from numba.core import event

    class Announcer(event.Listener):
        def __init__(self) -> None:
            self.told = False

        def on_start(self, event: Any) -> None:
            if not self.told:
                self.told = True
                log.print(
                    "Compiling for this machine; only the first time, some seconds …", style="dim"
                )

        def on_end(self, event: Any) -> None:
            pass

    event.register("numba:compile", Announcer())
