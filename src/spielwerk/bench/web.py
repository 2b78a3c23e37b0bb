"""Many players at the web table at once, from a process that is not the server's.

A server of its own is started on this machine, with a store of its own. The players are tasks of
this process: each makes a random legal move, waits for the program's answer, thinks a while as
people do, and goes on. What is measured is how long they wait for each answer.
"""

import asyncio
import json
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from spielwerk.bench.line import Line
from spielwerk.errors import SpielwerkError

PLAYERS = 200
MATCHES = 50
AGENT, MATCH_AGENT = "ntuple:connect-four", "skipbo-mature"
PAUSE = 1.0
"""Seconds that a player thinks, on average."""
LOOK = 0.25
"""Seconds between two looks at a table of cards."""
WARMING = 5.0
"""Seconds of one match that is not measured: the server compiles what its program needs."""
SERVE = "from spielwerk.cli.main import main; main()"


class Client:
    """One connection to the server that stays open: HTTP/1.1 with JSON, nothing else."""

    def __init__(self, port: int, waits: list[float]) -> None:
        self.port, self.waits = port, waits
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        """The answer, and how long it took among the `waits`. A SpielwerkError if it is none."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        assert self.reader is not None
        sent = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
        head += f"Authorization: Bearer {token}\r\n" if token else ""
        head += f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n\r\n"
        begin = time.perf_counter()
        self.writer.write(head.encode() + sent)
        status, length = int((await self.reader.readline()).split()[1]), 0
        while (line := await self.reader.readline()) != b"\r\n":
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        answer = json.loads(await self.reader.readexactly(length) or b"null")
        self.waits.append(time.perf_counter() - begin)
        if status >= 400:
            raise SpielwerkError(f"{method} {path}: {status} {answer}")
        return answer

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()


Player = Callable[[Client, random.Random, float], Awaitable[None]]
"""Plays on and on; the last number is how long it thinks, on average."""


async def play_open_games(client: Client, chance: random.Random, pause: float) -> None:
    """Connect Four against a program, game after game."""
    while True:
        position = await client.ask("GET", "/api/position?game=connect-four")
        while position["legal"]:
            moves = position["moves"] + chance.choice(position["legal"])
            position = await client.ask("GET", f"/api/position?game=connect-four&moves={moves}")
            if position["legal"]:
                asked = {"game": "connect-four", "moves": moves, "agent": AGENT}
                position = (await client.ask("POST", "/api/move", asked))["position"]
            await asyncio.sleep(chance.uniform(0, 2 * pause))


async def play_matches(client: Client, chance: random.Random, pause: float) -> None:
    """Skip-Bo against a program, match after match; the table is looked at four times a second."""
    while True:
        seats = [{"person": "somebody"}, {"agent": MATCH_AGENT}]
        wish = {"game": "skip-bo:stock=10", "seats": seats}
        made = await client.ask("POST", "/api/matches", wish)
        path, token = f"/api/matches/{made['match']}", made["token"]
        view = await client.ask("GET", path, token=token)
        while view["result"] is None:
            await asyncio.sleep(chance.uniform(0, 2 * pause))
            if not view["legal"]:
                view = await client.ask("GET", path, token=token)
                continue
            # Who lays cards where they fit brings a match to its end.
            laid = [move for move in view["legal"] if move["target"] in "1234"]
            move = chance.choice(laid or view["legal"])["move"]
            wish = {"move": move, "after": view["number"]}
            view = await client.ask("POST", f"{path}/moves", wish, token)


def measure(seconds: float) -> Iterator[Line]:
    with server() as port:
        waits = asyncio.run(crowd(port, play_open_games, PLAYERS, PAUSE, max(seconds, 5.0)))
        name = f"web: {PLAYERS} players of Connect Four at once"
        yield from _lines(name, waits)
        waits = asyncio.run(crowd(port, play_open_games, PLAYERS, 0.0, seconds))
        yield Line(f"{name} who do not think", "answers/s", len(waits) / seconds)
        asyncio.run(crowd(port, play_matches, 1, 0.0, WARMING))
        waits = asyncio.run(crowd(port, play_matches, MATCHES, LOOK, max(seconds, 5.0)))
        yield from _lines(f"web: {MATCHES} matches of Skip-Bo at once", waits)


def _lines(name: str, waits: list[float]) -> Iterator[Line]:
    waits.sort()
    yield Line(f"{name}, median answer", "ms", 1000 * waits[len(waits) // 2])
    yield Line(f"{name}, 95 % of answers within", "ms", 1000 * waits[int(0.95 * len(waits))])


async def crowd(port: int, play: Player, players: int, pause: float, seconds: float) -> list[float]:
    """Seconds that each answer took, of all players together; an error of one is an error."""
    waits: list[float] = []
    clients = [Client(port, waits) for _ in range(players)]

    async def one(number: int) -> None:
        chance = random.Random(number)
        await asyncio.sleep(chance.uniform(0, 2 * pause))
        await play(clients[number], chance, pause)

    tasks = [asyncio.create_task(one(number)) for number in range(players)]
    done, running = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    for client in clients:
        client.close()
    for task in done:
        task.result()
    return waits


@contextmanager
def server() -> Iterator[int]:
    """A server with a store of its own; yields its port."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port = int(trial.getsockname()[1])
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", SERVE, "serve", "--port", str(port), "--no-warm"]
        command += ["--store", f"sqlite:///{Path(folder) / 'store.sqlite'}"]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            asyncio.run(_until_it_answers(port))
            yield port
        finally:
            process.terminate()
            process.wait()


async def _until_it_answers(port: int) -> None:
    """Wait for the server, and for what it compiles for its first move."""
    for _ in range(600):
        with suppress(OSError):
            client = Client(port, [])
            await client.ask("POST", "/api/move", {"game": "connect-four", "agent": AGENT})
            client.close()
            return
        await asyncio.sleep(0.1)
    raise SpielwerkError("The server does not answer.")
