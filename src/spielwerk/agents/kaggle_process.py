"""Processes that run submissions, one question at a time, and are kept for the next game."""

import atexit
import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from threading import RLock
from typing import Any

from spielwerk.agents import kaggle_child
from spielwerk.kernels.interrupt import stop_flag

LOOK = 0.1
"""Seconds after which whoever waits looks whether it is to stop."""


class Process:
    """A child that runs one submission, game after game, with a folder of its own for files."""

    def __init__(self, file: Path, megabytes: float) -> None:
        self.key = key_of(file, megabytes)
        self.owing = False
        """Whether it was asked something that it has not answered."""
        self._number = 0
        self._stopped = False
        self._unread = b""
        self._scratch = tempfile.mkdtemp(prefix="spielwerk-kaggle-")
        self._child = subprocess.Popen(
            [sys.executable, "-P", str(kaggle_child.__file__), str(file), str(megabytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env={**os.environ, "OMP_NUM_THREADS": "1", "TMPDIR": self._scratch},
            start_new_session=True,  # Ctrl-C is ours: a game that it ends is not lost
        )

    def ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer; TimeoutError if it takes longer, EOFError if the process has ended,
        ValueError if it says something that is no answer."""
        self._number += 1
        self.owing = True
        deadline = time.monotonic() + seconds
        self._write(json.dumps({"number": self._number, **question}).encode() + b"\n")
        answer = json.loads(self._read_line(deadline))
        if not isinstance(answer, dict) or answer.get("number") != self._number:
            raise ValueError
        self.owing = False
        return answer

    def _write(self, line: bytes) -> None:
        assert self._child.stdin is not None
        try:
            while line:
                line = line[self._child.stdin.write(line) :]
        except OSError:
            raise EOFError from None

    def _read_line(self, deadline: float) -> bytes:
        assert self._child.stdout is not None
        flag = stop_flag()
        while b"\n" not in self._unread:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            if not select.select([self._child.stdout], [], [], min(left, LOOK))[0]:
                if flag[0]:
                    raise KeyboardInterrupt
                continue
            read = os.read(self._child.stdout.fileno(), 65536)
            if not read:
                raise EOFError
            self._unread += read
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    @property
    def alive(self) -> bool:
        return self._child.poll() is None

    def stop(self) -> None:
        """End it and whatever it has started; nothing of it is left."""
        if self._stopped:
            return
        self._stopped = True
        with contextlib.suppress(OSError):
            os.killpg(self._child.pid, signal.SIGKILL)
        for stream in (self._child.stdin, self._child.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):
                stream.close()
        self._child.wait()
        shutil.rmtree(self._scratch, ignore_errors=True)


_idle: dict[Any, list[Process]] = {}
_lock = RLock()
"""Taken again where the end of a game, which gives a process back, comes while one is taken."""


def key_of(file: Path, megabytes: float) -> tuple[Path, int, float]:
    """Which processes serve for each other: the same version of the file, the same limit."""
    return file, file.stat().st_mtime_ns, megabytes


def take_process(file: Path, megabytes: float, fresh: bool) -> Process:
    """An idle process for this version of the file, or a new one."""
    with _lock:
        kept = [] if fresh else _idle.get(key_of(file, megabytes), [])
        while kept:
            process = kept.pop()
            if process.alive:
                return process
            process.stop()
    return Process(file, megabytes)


def give_back(process: Process, fresh: bool) -> None:
    """Keep it for the next game, unless that is to have a new one or this one is of no use."""
    if fresh or process.owing or not process.alive:
        process.stop()
        return
    with _lock:
        _idle.setdefault(process.key, []).append(process)


def stop_idle() -> None:
    """End all that wait for a game."""
    with _lock:
        kept = [process for processes in _idle.values() for process in processes]
        _idle.clear()
    for process in kept:
        process.stop()


atexit.register(stop_idle)
