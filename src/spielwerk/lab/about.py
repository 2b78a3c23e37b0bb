"""`about.txt`: how a result came about. What changes from run to run stands here, not in a CSV."""

import os
import platform
import sys
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

import spielwerk
from spielwerk.files import write_whole

ABOUT = "about.txt"


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

    Who goes on with the same command adds to its seconds.
    """
    command = f"spielwerk reproduce {entry.name} {options}"
    before = read_about(folder)
    if goes_on and before.get("command") == command:
        seconds += float(before.get("seconds", 0))
    lines = {
        "command": command,
        "versions": versions(),
        "machine": machine(),
        "date": date.today().isoformat(),
        "seconds": f"{seconds:.1f}",
    }
    told = "".join(f"{name}: {text}\n" for name, text in lines.items())
    write_whole(folder / ABOUT, f"{entry.source}: {entry.shows}\n{told}")


def read_about(folder: Path) -> dict[str, str]:
    """The lines of `about.txt` that have a name: command, versions, machine, date, seconds."""
    try:
        lines = (folder / ABOUT).read_text(encoding="utf-8").splitlines()[1:]
    except OSError:
        return {}
    return {name: text for name, colon, text in (line.partition(": ") for line in lines) if colon}


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
