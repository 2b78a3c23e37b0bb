"""What the process of a training does first: it must not outlive the server unnoticed.

The server holds the other end of its standard input. When the server is gone, however that came
about, this end is closed, and the training stops as by Ctrl-C: it leaves a checkpoint.
"""

import math
import os
import signal
import threading
import time
from typing import Any

PAUSE = 5.0
"""Seconds in which a second Ctrl-C means the first: the checkpoint is being written. After them the
first is said again: Python loses an exception where nobody can take it, as in a finaliser."""


def stop_with_the_server() -> None:
    signal.signal(signal.SIGINT, _Once())
    threading.Thread(target=_watch, daemon=True).start()


class _Once:
    """Handles Ctrl-C, also where a script has started the server with Ctrl-C to be ignored."""

    def __init__(self) -> None:
        self.last = -math.inf

    def __call__(self, *_: Any) -> None:
        before, self.last = self.last, time.monotonic()
        if self.last - before >= PAUSE:
            reminder = threading.Timer(PAUSE, _interrupt)
            reminder.daemon = True
            reminder.start()
            raise KeyboardInterrupt


def _watch() -> None:
    while os.read(0, 1):  # not by sys.stdin, whose lock would be missed at the end
        pass
    _interrupt()


def _interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)
