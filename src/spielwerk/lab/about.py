"""`about.txt`: how a result came about. What changes from run to run stands here, not in a CSV.

It describes the CSV file beside it, always: a run that was stopped is noted in `stopped.txt`.
"""

import os
import platform
import shlex
import sys
from collections.abc import Mapping
from datetime import date
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import spielwerk
from spielwerk.errors import SpielwerkError
from spielwerk.files import write_whole
from spielwerk.plugins import loaded_plugins

ABOUT, STOPPED = "about.txt", "stopped.txt"


class Named(Protocol):
    """What tables and figures have in common."""

    @property
    def name(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def shows(self) -> str: ...


def write_about(entry: Named, folder: Path, options: str, seconds: float, goes_on: bool) -> None:
    """What was run, with what, where, when, and how long it took.

    Who goes on with the same command adds to its seconds, and to those of a run that was stopped.
    """
    command = _command(entry, options)
    if goes_on:
        seconds += _seconds_of(command, read_about(folder))
    seconds += _seconds_of(command, _read(folder / STOPPED))
    write_whole(folder / ABOUT, _told(entry, command, seconds))
    _remove(folder / STOPPED)


def forget_about(folder: Path) -> None:
    """Before the CSV is replaced: wherever that ends, `about.txt` describes no other one."""
    _remove(folder / ABOUT)


def note_stop(entry: Named, folder: Path, options: str, seconds: float) -> None:
    """A run that has written nothing has taken so long; the same command adds its own."""
    command = _command(entry, options)
    seconds += _seconds_of(command, _read(folder / STOPPED))
    write_whole(folder / STOPPED, _told(entry, command, seconds))


def read_about(folder: Path) -> dict[str, str]:
    """The lines of `about.txt` that have a name: command, versions, machine, date, seconds."""
    return _read(folder / ABOUT)


def options_of(about: Mapping[str, str]) -> dict[str, int]:
    """The games, seeds and the first seed of the command, as far as it has them; 0 seeds: quick.

    >>> options_of({"command": "spielwerk reproduce konen-nim --seeds 20 --seed 1"})
    {'seeds': 20, 'seed': 1}
    """
    words = about.get("command", "").partition("reproduce ")[2].split()
    found = {"seeds": 0} if "--quick" in words else {}
    for option, value in pairwise(words):
        if option in ("--games", "--seeds", "--seed") and value.removeprefix("-").isdecimal():
            found[option.removeprefix("--")] = int(value)
    return found


def _read(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()[1:]
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SpielwerkError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise SpielwerkError(f"{path} is damaged ({error}); delete it to go on.") from None
    return {name: text for name, colon, text in (line.partition(": ") for line in lines) if colon}


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise SpielwerkError(f"{path} cannot be removed: {error.strerror}.") from None


def _command(entry: Named, options: str) -> str:
    """What to type for the same, with the plug-ins: one of them may have brought the experiment."""
    plugins = "".join(f"--plugin {shlex.quote(_near(path))} " for path in loaded_plugins())
    return f"spielwerk {plugins}reproduce {entry.name} {options}"


def _near(path: Path) -> str:
    """From here, if it lies below."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def _seconds_of(command: str, about: Mapping[str, str]) -> float:
    try:
        return float(about.get("seconds", 0)) if about.get("command") == command else 0.0
    except ValueError:  # somebody has written there
        return 0.0


def _told(entry: Named, command: str, seconds: float) -> str:
    lines = {
        "command": command,
        "versions": versions(),
        "machine": machine(),
        "date": date.today().isoformat(),
        "seconds": f"{seconds:.1f}",
    }
    told = "".join(f"{name}: {text}\n" for name, text in lines.items())
    return f"{entry.source}: {entry.shows}\n{told}"


def versions() -> str:
    """Of Spielwerk, Python, and the libraries that compute; of nets, those that were used."""
    libraries = ["numpy", "numba", *(n for n in ("torch", "onnxruntime") if n in sys.modules)]
    told = [f"spielwerk {spielwerk.__version__}", f"Python {platform.python_version()}"]
    return ", ".join([*told, *(f"{name} {version(name)}" for name in libraries)])


def machine() -> str:
    cores = os.cpu_count() or 1
    return f"{_processor()}, {cores} {'core' if cores == 1 else 'cores'}, {platform.machine()}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown processor"
