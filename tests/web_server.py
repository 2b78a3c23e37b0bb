"""The web table in a process of its own, for tests."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path


class Server:
    """`spielwerk serve` on a free port, with folders and a store of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self.options = folder, options
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen | None = None

    def start(self) -> "Server":
        store = f"sqlite:///{self.folder / 'store.sqlite'}"
        command = [sys.executable, "-c", "from spielwerk.cli.main import main; main()", "serve"]
        command += ["--port", str(self.port), "--runs", str(self.folder / "runs"), "--no-warm"]
        command += self.options
        self.log = (self.folder / "server.log").open("ab")
        self.process = subprocess.Popen(
            command,
            cwd=self.folder,
            env=os.environ | {"SPIELWERK_DATABASE_URL": store},
            stdout=self.log,
            stderr=self.log,
        )
        for _ in range(600):
            if self.process.poll() is not None:
                raise RuntimeError((self.folder / "server.log").read_text())
            with suppress(OSError):
                urllib.request.urlopen(self.url, timeout=5).read()
                return self
            time.sleep(0.1)
        raise TimeoutError("The server does not answer.")

    def stop(self, how: int = signal.SIGINT) -> int:
        assert self.process is not None
        self.process.send_signal(how)
        try:
            return self.process.wait(20)
        finally:
            self.process.kill()
            self.log.close()


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return trial.getsockname()[1]
