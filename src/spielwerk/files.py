"""Files that are whole or not there, and where those that come with the package lie."""

import os
from pathlib import Path

from spielwerk.errors import SpielwerkError

DATA = Path(__file__).parent / "data"
"""The files that come with the package."""


def write_whole(path: Path, content: bytes | str) -> None:
    """Write beside `path`, then rename: whoever reads finds the old file or the new one.

    The data reach the disk before the name does, so that not even a power cut leaves half a file.
    """
    scratch = path.with_name(f".{path.name}.new")
    data = content.encode() if isinstance(content, str) else content
    try:
        with scratch.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(path)
    except OSError as error:
        raise SpielwerkError(f"{path} cannot be written: {error.strerror}.") from None


def make_folder(path: Path) -> None:
    """The folder and those above it; nothing happens if it is there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SpielwerkError(f"{path} cannot be made a folder: {error.strerror}.") from None
