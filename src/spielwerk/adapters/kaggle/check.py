"""A submission in the real `kaggle-environments`: games, and whether anything went wrong.

Each opponent and board is a process of its own, as at Kaggle: the first move of it finds nothing
compiled and nothing loaded.
"""

import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from spielwerk.adapters.kaggle.player import STAND_IN
from spielwerk.errors import SpielwerkError

ITSELF = "itself"
OPPONENTS = ("random", "negamax", ITSELF)
INSTALLATION = (
    "pip install --no-deps kaggle-environments && pip install jsonschema requests (or: make peers)"
)


class Board(NamedTuple):
    rows: int = 6
    columns: int = 7
    inarow: int = 4

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}/{self.inarow}"


def parse_board(text: str) -> Board:
    """`6x7/4`: rows, columns, how many in a row."""
    found = re.fullmatch(r"(\d{1,3})[x×](\d{1,3})/(\d{1,3})", text)
    if not found or "0" in found.groups():
        raise SpielwerkError(
            f'A board is ROWSxCOLUMNS/INAROW, e.g. 6x7/4, each 1 at least, not "{text}".'
        )
    return Board(*map(int, found.groups()))


@dataclass(frozen=True)
class Played:
    """One game as the environment saw it, for the submission that sat at `seat`."""

    opponent: str
    board: str
    seat: int
    status: str
    """DONE, or what ended the game against the rules: TIMEOUT, INVALID, ERROR."""
    points: float | None
    first: float
    """Seconds of its first move, loading and compiling included if it is the first game."""
    longest: float
    """Seconds of the longest of its other moves."""
    bank: float
    """Seconds left of the overage bank at the end."""
    plies: int
    other: str
    """How it ended for the opponent: DONE, or its failure, which is a gift."""
    stand_ins: int = 0
    """Moves of an export of ours that the plain player made: the agent was late, or failed."""
    complaint: str = ""
    """What it wrote to the error log."""


@dataclass(frozen=True)
class Summary:
    """All games of a submission against one opponent on one board."""

    opponent: str
    board: str
    games: int
    won: int
    drawn: int
    lost: int
    timeouts: int
    invalid: int
    errors: int
    gifts: int
    """Games in which the opponent failed, whoever was ahead."""
    stand_ins: int
    first: float
    longest: float
    bank: float

    @property
    def sound(self) -> bool:
        """Whether nothing went wrong. That a move came late, from a stand-in, is no failure."""
        return self.timeouts + self.invalid + self.errors == 0


def summarise(games: Sequence[Played]) -> Summary:
    points = [game.points for game in games]
    statuses = [game.status for game in games]
    return Summary(
        games[0].opponent,
        games[0].board,
        games=len(games),
        won=points.count(1.0),
        drawn=points.count(0.5),
        lost=points.count(0.0),
        timeouts=statuses.count("TIMEOUT"),
        invalid=statuses.count("INVALID"),
        errors=statuses.count("ERROR"),
        gifts=sum(game.other != "DONE" for game in games),
        stand_ins=sum(game.stand_ins for game in games),
        first=max(game.first for game in games),
        longest=max(game.longest for game in games),
        bank=min(game.bank for game in games),
    )


def demand_environments() -> None:
    if importlib.util.find_spec("kaggle_environments") is None:
        raise SpielwerkError(f"kaggle-environments is not installed: {INSTALLATION}.")


def check_submission(
    file: Path,
    boards: Sequence[Board] = (Board(),),
    opponents: Sequence[str] = OPPONENTS,
    games: int = 10,
    seconds: float = 2.0,
    processes: int = 1,
    progress: Callable[[int], None] = lambda played: None,
) -> list[list[Played]]:
    """Play `games` games for each board and opponent, seats alternating; a list for each. A move
    may take `seconds`, and more as long as the bank of 60 lasts.

    A submission that plays itself is seen from both seats: twice as many entries.
    """
    demand_environments()
    if not file.is_file():
        raise SpielwerkError(f"There is no submission {file}.")
    played = 0
    running: set[subprocess.Popen[bytes]] = set()

    def play(board: Board, opponent: str) -> list[Played]:
        nonlocal played
        words = [str(file), str(board), opponent, str(games), str(seconds)]
        found = []
        for game in _play_apart(words, scratch, running):
            found.append(game)
            played += 1
            progress(played)
        return found

    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(processes) as pool:
        pairs = [(board, opponent) for board in boards for opponent in opponents]
        tasks = [pool.submit(play, *pair) for pair in pairs]
        try:
            return [task.result() for task in tasks]
        except BaseException:  # also Ctrl-C: nothing goes on in the background
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list(running):
                process.kill()
            raise


def _play_apart(
    words: list[str], scratch: str, running: set[subprocess.Popen[bytes]]
) -> Iterator[Played]:
    """The games of another process. Results come through a pipe of their own: whatever a submission
    prints cannot be taken for one."""
    reader, writer = os.pipe()
    with tempfile.TemporaryFile() as complaints, os.fdopen(reader) as results:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, *words, str(writer)],
            stdin=subprocess.DEVNULL,
            stdout=complaints,
            stderr=complaints,
            pass_fds=[writer],
            env={**os.environ, "TMPDIR": scratch},
        )
        running.add(process)
        os.close(writer)
        try:
            for line in results:
                yield Played(**json.loads(line))
        except BaseException:
            process.kill()
            raise
        finally:
            status = process.wait()
            running.discard(process)
        if status != 0:
            complaints.seek(0)
            last = complaints.read().decode(errors="replace").strip().splitlines()[-1:]
            raise SpielwerkError(f"The games broke off: {' '.join(last) or 'killed'}")


def play_here(
    file: Path, board: Board, opponent: str, games: int, seconds: float = 2.0
) -> Iterator[Played]:
    """The games, in this process."""
    from kaggle_environments import make

    configuration = {**board._asdict(), "actTimeout": seconds}
    for number in range(games):
        environment = make("connectx", configuration=configuration)
        seat = number % 2
        other = str(file) if opponent == ITSELF else opponent
        environment.run([str(file), other] if seat == 0 else [other, str(file)])
        for side in (0, 1) if opponent == ITSELF else (seat,):
            yield _seen_from(environment, side, opponent, board)


def _seen_from(environment: Any, seat: int, opponent: str, board: Board) -> Played:
    final = environment.steps[-1][seat]
    logs = [log[seat] for log in environment.logs if len(log) > seat and log[seat]]
    seconds = [log["duration"] for log in logs if "duration" in log]
    return Played(
        opponent,
        str(board),
        seat,
        status=final.status,
        points=None if final.reward is None else (final.reward + 1) / 2,
        first=seconds[0] if seconds else 0.0,
        longest=max(seconds[1:], default=0.0),
        bank=round(final.observation.remainingOverageTime, 3),
        plies=len(environment.steps) - 1,
        other=environment.steps[-1][1 - seat].status,
        stand_ins=sum(log.get("stderr", "").count(STAND_IN) for log in logs),
        complaint="".join(log.get("stderr", "") for log in logs)[-2000:],
    )


def main() -> None:
    file, board, opponent, games, seconds, writer = sys.argv[1:]
    with os.fdopen(int(writer), "w") as results:
        for game in play_here(Path(file), parse_board(board), opponent, int(games), float(seconds)):
            results.write(json.dumps(vars(game)) + "\n")
            results.flush()


if __name__ == "__main__":
    main()
