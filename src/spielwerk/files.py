"""Files that are whole or not there."""

import os
from pathlib import Path


def write_whole(path: Path, content: bytes | str) -> None:
    """Write beside `path`, then rename: whoever reads finds the old file or the new one.

    The data reach the disk before the name does, so that not even a power cut leaves half a file.
    """
    scratch = path.with_name(f".{path.name}.new")
    data = content.encode() if isinstance(content, str) else content
    with scratch.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    scratch.replace(path)
