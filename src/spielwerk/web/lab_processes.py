"""Trainings as processes: started, watched, stopped as by Ctrl-C.

Everything that must be known after a restart of the server lies in the folder of the run: what the
process said, how it ended, how many games it had played.
"""

import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Literal

from spielwerk.learning.runs import is_owned
from spielwerk.values.model import MODEL
from spielwerk.web.failures import Failure

MOST = 2
"""Trainings at once."""
PATIENCE = 15.0
"""Seconds that a server which stops waits for its trainings to leave their checkpoints."""
OUTPUT, ENDED, PROGRESS = "output.log", ".ended", ".progress"
STOPPED = (130, -signal.SIGINT)
"""How a process ends that was stopped by Ctrl-C."""
CODE = (
    "from spielwerk.web.lab_child import stop_with_the_server; stop_with_the_server(); "
    "from spielwerk.cli.main import main; main()"
)

RunState = Literal["running", "elsewhere", "stopped", "finished", "failed"]
"""Running as a process of this server or of somebody else; or not, and why not."""


class Trainings:
    """The processes of this server."""

    def __init__(self) -> None:
        self._processes: dict[Path, subprocess.Popen[bytes]] = {}
        self._watchers: dict[Path, threading.Thread] = {}
        self._stopped: set[Path] = set()
        self._lock = threading.Lock()

    def start(self, folder: Path) -> None:
        """Go on with the run that lies in a folder."""
        with self._lock:
            if self.is_ours(folder) or is_owned(folder):
                raise Failure(409, "running", "This training is running already.")
            self.check_room()
            (folder / PROGRESS).unlink(missing_ok=True)
            (folder / ENDED).unlink(missing_ok=True)
            command = [sys.executable, "-u", "-c", CODE, "train", "--resume", str(folder)]
            command += ["--progress", str(folder / PROGRESS)]
            with (folder / OUTPUT).open("wb") as output:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,  # Ctrl-C at the terminal is for the server
                )
            self._processes[folder] = process
            self._stopped.discard(folder)
            watcher = threading.Thread(target=self._watch, args=(folder, process), daemon=True)
            self._watchers[folder] = watcher
            watcher.start()

    def check_room(self) -> None:
        """Refuse one more than may run at once."""
        if sum(watcher.is_alive() for watcher in list(self._watchers.values())) >= MOST:
            raise Failure(
                429, "too-many", f"{MOST} trainings are running; stop one, or wait for it."
            )

    def is_ours(self, folder: Path) -> bool:
        """Whether it is running here; until it is known how it has ended."""
        return folder in self._watchers and self._watchers[folder].is_alive()

    def stop(self, folder: Path) -> None:
        """As by Ctrl-C; returns at once."""
        with self._lock:
            if not self.is_ours(folder):
                raise Failure(409, "not-running", "This server is not running that training.")
            self._interrupt(folder)

    def close(self) -> None:
        """Stop all, and wait until they have left their checkpoints; nothing outlives this."""
        with self._lock:
            for folder in self._processes:
                self._interrupt(folder)
        end = time.monotonic() + PATIENCE
        for folder, watcher in self._watchers.items():
            watcher.join(max(0.0, end - time.monotonic()))
            if watcher.is_alive():  # its last checkpoint is whole: it goes on from there
                self._processes[folder].kill()
                watcher.join()

    def _interrupt(self, folder: Path) -> None:
        if self.is_ours(folder) and folder not in self._stopped:
            self._stopped.add(folder)
            self._processes[folder].send_signal(signal.SIGINT)

    def _watch(self, folder: Path, process: "subprocess.Popen[bytes]") -> None:
        status = process.wait()
        if process.stdin is not None:
            process.stdin.close()
        if status != 0 and folder in self._stopped:
            status = STOPPED[0]  # also if it had not come to its games yet
        with suppress(OSError):
            (folder / ENDED).write_text(f"{status}\n")

    def state_of(self, folder: Path) -> RunState:
        if self.is_ours(folder):
            return "running"
        if is_owned(folder):
            return "elsewhere"
        if (folder / MODEL).exists():
            return "finished"
        return "failed" if number_in(folder / ENDED) not in (None, 0, *STOPPED) else "stopped"


def number_in(path: Path) -> int | None:
    """The number that a file holds, if it is there and holds one."""
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None


def last_lines(path: Path, most: int = 40, size: int = 16_384) -> list[str]:
    """The end of a file of text."""
    try:
        with path.open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - size))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return []
    return text.splitlines()[-most:]
