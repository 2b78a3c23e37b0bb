"""A ConnectX submission as a player: any file that Kaggle would accept, in a process of its own."""

import json
import os
import select
import subprocess
import sys
import time
import weakref
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Annotated, Any

from spielwerk.agents import kaggle_child
from spielwerk.agents.agent import Choice, Decision, Resign
from spielwerk.errors import SpielwerkError
from spielwerk.games.connectx import ConnectX
from spielwerk.games.rules import Game, State, legal_moves, player
from spielwerk.games.symmetry import cell_bits
from spielwerk.kernels.rng import Rng
from spielwerk.spec import Option

STEPS = 1000
"""Kaggle's limit of moves in a game, which no board here reaches."""


@dataclass(frozen=True)
class Submission:
    """Plays what the last function of the file answers.

    The limits are Kaggle's: `timeout` seconds for a move, and a bank for the game that slower moves
    draw on; loading the file counts into the first. Whoever is late, fails or answers with anything
    but a legal column gives up the game.
    """

    file: Annotated[str, Option("the submission, a Python file", positional=True)]
    timeout: Annotated[float, Option("seconds a move may take", least=0.01, most=86400)] = 2.0
    overage: Annotated[
        float, Option("seconds in the bank of a game, for slower moves", least=0, most=86400)
    ] = 60.0
    memory: Annotated[float, Option("megabytes it may use, 0: any", least=0, most=1e6)] = 8192
    fresh: Annotated[
        bool, Option("a new process for each game; else only the file is run anew")
    ] = False

    def check(self, game: Game) -> None:
        if not isinstance(game, ConnectX):
            raise SpielwerkError(f"kaggle plays ConnectX, not {type(game).__name__}.")
        if not Path(self.file).expanduser().is_file():
            raise SpielwerkError(f"There is no submission {self.file}.")

    def for_match(self) -> "SubmissionPlayer":
        return SubmissionPlayer(self)

    def choose(self, game: Game, observation: State, rng: Rng) -> Decision:
        return self.for_match().choose(game, observation, rng)


class SubmissionPlayer:
    """One game of a submission: its process, and what is left in its bank."""

    def __init__(self, agent: Submission) -> None:
        self._agent = agent
        self._bank = agent.overage
        self._process: Process | None = None

    def choose(self, game: Game, observation: State, rng: Rng) -> Decision:
        if self._process is None:
            self._begin(rng)
        assert self._process is not None
        board = kaggle_board(game, observation)
        asked = {
            "observation": {
                "board": board,
                "mark": player(game, observation) + 1,
                "remainingOverageTime": self._bank,
                "step": len(board) - board.count(0),
            },
            "configuration": self._configuration(game),
        }
        limit = self._agent.timeout + self._bank
        began = time.perf_counter()
        try:
            answer = self._process.ask(asked, limit)
        except TimeoutError:
            return self._give_up(f"no move within {limit:.1f} s")
        except EOFError:
            return self._give_up("its process has ended")
        seconds = time.perf_counter() - began
        self._bank = max(0.0, self._bank - max(0.0, seconds - self._agent.timeout))
        if "error" in answer:
            return self._give_up(answer["error"])
        if answer["action"] not in legal_moves(game, observation):
            return self._give_up(f"{answer['action']} is no column that is open")
        return Choice(answer["action"], statistics={"bank": round(self._bank, 3)}, seconds=seconds)

    def _begin(self, rng: Rng) -> None:
        """A process with this file loaded for a new game; it goes back when the game is over."""
        file = Path(self._agent.file).expanduser().resolve()
        self._process = take_process(file, self._agent.memory)
        weakref.finalize(self, give_back, self._process, self._agent.fresh)
        self._process.ask({"begin": rng.copy().bits() >> 1}, 60.0)

    def _give_up(self, reason: str) -> Resign:
        assert self._process is not None
        self._process.stop()
        return Resign(f"{self._agent.file}: {reason}")

    def _configuration(self, game: ConnectX) -> dict[str, Any]:
        seconds = self._agent.timeout
        return {
            "rows": game.rows,
            "columns": game.cols,
            "inarow": game.k,
            "actTimeout": int(seconds) if seconds == int(seconds) else seconds,
            "timeout": seconds,
            "agentTimeout": self._agent.overage,
            "episodeSteps": STEPS,
            "runTimeout": 1200,
        }


def kaggle_board(game: ConnectX, state: State) -> list[int]:
    """Row by row from the top: 0 empty, 1 the player who began, 2 the other."""
    mark = player(game, state) + 1
    mine, filled = int(state.mine), int(state.filled)
    return [
        0 if not filled >> bit & 1 else mark if mine >> bit & 1 else 3 - mark
        for bit in map(int, cell_bits(game))
    ]


class Process:
    """A child that runs one submission, game after game."""

    def __init__(self, file: Path, megabytes: float) -> None:
        self.key = (file, file.stat().st_mtime_ns, megabytes)
        self._child = subprocess.Popen(
            [sys.executable, "-P", str(kaggle_child.__file__), str(file), str(megabytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            start_new_session=True,  # Ctrl-C is ours: a game that it ends is not lost
        )
        self._unread = b""

    def ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer; TimeoutError if it takes longer, EOFError if the process has ended."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        deadline = time.monotonic() + seconds
        try:
            self._child.stdin.write(json.dumps(question).encode() + b"\n")
            self._child.stdin.flush()
        except OSError:
            raise EOFError from None
        while b"\n" not in self._unread:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._child.stdout], [], [], left)[0]:
                raise TimeoutError
            read = os.read(self._child.stdout.fileno(), 65536)
            if not read:
                raise EOFError
            self._unread += read
        line, _, self._unread = self._unread.partition(b"\n")
        return dict(json.loads(line))

    @property
    def alive(self) -> bool:
        return self._child.poll() is None

    def stop(self) -> None:
        self._child.kill()
        for stream in (self._child.stdin, self._child.stdout):
            assert stream is not None
            stream.close()
        self._child.wait()


_idle: dict[Any, list[Process]] = {}
_lock = Lock()


def take_process(file: Path, megabytes: float) -> Process:
    """An idle process for this version of the file, or a new one."""
    key = (file, file.stat().st_mtime_ns, megabytes)
    with _lock:
        while _idle.get(key):
            process = _idle[key].pop()
            if process.alive:
                return process
    return Process(file, megabytes)


def give_back(process: Process, fresh: bool) -> None:
    """Keep it for the next game, unless it is to be new or this one has ended."""
    if fresh or not process.alive:
        process.stop()
        return
    with _lock:
        _idle.setdefault(process.key, []).append(process)
