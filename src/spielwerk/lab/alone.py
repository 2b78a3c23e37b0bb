"""One run at a time in a folder of results: the later writer would win."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from spielwerk.errors import SpielwerkError


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Refuse to run twice in one folder at once. However the process ends, its lock ends too.

    The folder itself is locked, so that nothing is left in it, unlike in that of a training
    (`learning.runs.sole_owner`). Where folders cannot be locked (Windows, some network disks)
    nobody is refused.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    lock = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SpielwerkError(
                f"Another process is writing into {folder}; "
                "wait until it has ended, or give another folder with --out."
            ) from None
        except OSError:
            pass
        yield
    finally:
        os.close(lock)
