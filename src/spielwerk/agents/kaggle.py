"""A ConnectX submission as a player: any file that Kaggle would accept, in a process of its own."""

import weakref
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

from spielwerk.agents.agent import Choice, Decision, Resign
from spielwerk.agents.kaggle_process import Process, give_back, take_process
from spielwerk.errors import SpielwerkError
from spielwerk.games.connectx import ConnectX
from spielwerk.games.rules import Game, State, legal_moves, player
from spielwerk.games.symmetry import cell_bits
from spielwerk.kernels.rng import Rng
from spielwerk.spec import Option

STEPS = 1000
"""Kaggle's limit of moves in a game, which no board here reaches."""
START = 60.0
"""Seconds a process may take to start; they do not count."""
LONGEST = 300
"""Characters of a reason."""


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
        _ = self.path

    @property
    def path(self) -> Path:
        """Where the file lies; a SpielwerkError if it does not."""
        try:
            return Path(self.file).expanduser().resolve(strict=True)
        except (OSError, RuntimeError):
            raise SpielwerkError(f"There is no submission {self.file}.") from None

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
        limit = self._agent.timeout + self._bank
        try:
            process = self._process or self._begin(rng)
            began = perf_counter()
            answer = process.ask(self._question(game, observation), limit)
        except TimeoutError:
            return self._give_up(f"no move within {limit:.1f} s")
        except EOFError:
            return self._give_up("its process has ended")
        except ValueError:
            return self._give_up("it meddles with the answers of its process")
        seconds = perf_counter() - began
        self._bank = max(0.0, self._bank - max(0.0, seconds - self._agent.timeout))
        if "error" in answer:
            return self._give_up(str(answer["error"]))
        move = answer.get("action")
        if move not in legal_moves(game, observation):
            return self._give_up(f"{move} is no column that is open")
        return Choice(move, statistics={"bank": round(self._bank, 3)}, seconds=seconds)

    def _begin(self, rng: Rng) -> Process:
        """A process with this file loaded for a new game; it goes back when the game is over."""
        agent = self._agent
        self._process = process = take_process(agent.path, agent.memory, agent.fresh)
        weakref.finalize(self, give_back, process, agent.fresh)
        process.ask({"begin": rng.copy().bits() >> 1}, START)
        return process

    def _give_up(self, reason: str) -> Resign:
        if self._process is not None:
            self._process.stop()
        return Resign(f"{self._agent.file}: {reason[:LONGEST]}")

    def _question(self, game: ConnectX, observation: State) -> dict[str, Any]:
        board, seconds = kaggle_board(game, observation), self._agent.timeout
        return {
            "observation": {
                "board": board,
                "mark": player(game, observation) + 1,
                "remainingOverageTime": self._bank,
                "step": len(board) - board.count(0),
            },
            "configuration": {
                "rows": game.rows,
                "columns": game.cols,
                "inarow": game.k,
                "actTimeout": int(seconds) if seconds == int(seconds) else seconds,
                "timeout": seconds,
                "agentTimeout": self._agent.overage,
                "episodeSteps": STEPS,
                "runTimeout": 1200,
                "__raw_path__": self._agent.file,
            },
        }


def kaggle_board(game: ConnectX, state: State) -> list[int]:
    """Row by row from the top: 0 empty, 1 the player who began, 2 the other."""
    mark = player(game, state) + 1
    mine, filled = int(state.mine), int(state.filled)
    return [
        0 if not filled >> bit & 1 else mark if mine >> bit & 1 else 3 - mark
        for bit in map(int, cell_bits(game))
    ]
