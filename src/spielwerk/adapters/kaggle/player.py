"""One of our agents as Kaggle's ConnectX calls it: a column for a board, in time.

Kaggle gives each move `actTimeout` seconds, and the whole game an overage bank
(`remainingOverageTime`) that slow moves draw on; whoever has emptied it loses. Loading the file and
compiling kernels happen inside the first move. So an agent thinks on a thread of its own, and
whoever waits for it knows how long it may: when that is over, the plain player answers.

Whenever the plain player stands in for someone who was late or failed, a line that begins with
`STAND_IN` tells so in the log.
"""

import random
import sys
import threading
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from spielwerk.adapters.kaggle.plain import PlainPlayer, entry
from spielwerk.agents.agent import Agent, Choice, check_agent, for_match
from spielwerk.agents.catalogue import parse_agent
from spielwerk.agents.mcts import ITERATIONS, Mcts
from spielwerk.errors import SpecError, SpielwerkError
from spielwerk.games.connectx import ConnectState, ConnectX, connectx
from spielwerk.games.rules import RUNNING, legal_moves, outcome
from spielwerk.kernels.bits import U64
from spielwerk.kernels.interrupt import stoppable
from spielwerk.kernels.rng import Rng

OTHERWISE = "mcts:select=uct2,amaf=rave,playout=lgr,solver=yes,seconds=60"
"""Plays the boards that the exported agent cannot; as long as a move may take."""
STAND_IN = "spielwerk: the plain player answers: "

SEARCH, IN_TIME, AT_LAST = 0.7, 0.8, 0.1
"""Shares of `actTimeout`: a search by the clock stops itself, others are stopped, and what the
plain player then has."""
COLD, WARM = 0.75, 0.25
"""The share of the overage bank that a move may draw on: the first one of a process, while kernels
are compiled; later ones."""
RESERVE = 5.0
"""Seconds of the bank that nobody draws on."""
PAUSE = 2
"""An agent that was late leaves so many of the next moves to the other one."""


@dataclass(frozen=True)
class Turn:
    """What Kaggle asks, with a clock that began when it asked."""

    board: Sequence[int]
    mark: int
    rows: int
    columns: int
    inarow: int
    seconds: float
    bank: float
    began: float

    def until(self, share: float, of_bank: float = 0.0) -> float:
        """When these shares of the time and of the bank will be used up, on `perf_counter`."""
        return self.began + share * self.seconds + of_bank * max(0.0, self.bank - RESERVE)


def read_turn(observation: Any, configuration: Any, began: float) -> Turn:
    rows, columns = entry(configuration, "rows", 6), entry(configuration, "columns", 7)
    return Turn(
        board=entry(observation, "board", [0] * (rows * columns)),
        mark=entry(observation, "mark", 1),
        rows=rows,
        columns=columns,
        inarow=entry(configuration, "inarow", 4),
        seconds=float(entry(configuration, "actTimeout", 2)),
        bank=float(entry(observation, "remainingOverageTime", 60)),
        began=began,
    )


class Thought:
    """An agent's choice in the making, on a thread of its own."""

    def __init__(self, agent: Agent, game: ConnectX, state: ConnectState, rng: Rng) -> None:
        self.move: int | None = None
        self.failed = False
        self._task = (agent, game, state, rng)
        self._flag = np.zeros(1, np.uint8)
        self._thread = threading.Thread(target=self._think, daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        return self._thread.is_alive()

    def wait(self, until: float) -> None:
        self._thread.join(max(0.0, until - time.perf_counter()))

    def stop(self) -> None:
        """Ask the kernel to come back. One that is being compiled does so when that is done."""
        self._flag[0] = 1

    def _think(self) -> None:
        agent, game, state, rng = self._task
        try:
            # Uncompiled kernels count on words that wrap around, as those of the machine do.
            with stoppable(self._flag), np.errstate(all="ignore"):
                choice = agent.choose(game, state, rng)
            if isinstance(choice, Choice) and choice.move in legal_moves(game, state):
                self.move = int(choice.move)
        except KeyboardInterrupt:
            pass  # stopped
        except Exception:
            self.failed = True
            traceback.print_exc()


@dataclass
class Seat:
    """An agent on one size of board, at one pace; with its thought if that was late."""

    agent: Agent
    player: Agent | None = None
    late: Thought | None = None
    pause: int = 0

    @property
    def busy(self) -> bool:
        return self.late is not None and self.late.running

    def new_game(self) -> None:
        self.player, self.pause = None, 0


@dataclass
class KagglePlayer:
    """Plays any number of games, on any boards, one after the other, always the same mark."""

    spec: str
    otherwise: str = OTHERWISE
    seed: int | None = None
    _rng: Rng | None = None
    _seats: dict[tuple[ConnectX, str, float], Seat] = field(default_factory=dict)
    _plain: dict[tuple[int, int, int], PlainPlayer] = field(default_factory=dict)
    _stones: int = 0
    _warm: bool = False

    def __call__(self, observation: Any, configuration: Any, began: float | None = None) -> int:
        """The column. `began`: when Kaggle's clock did, if that was before this call."""
        began = time.perf_counter() if began is None else began
        turn = read_turn(observation, configuration, began)
        stones = len(turn.board) - list(turn.board).count(0)
        if self._rng is None or stones <= self._stones:
            self._new_game()
        self._stones = stones
        move = self._thought(turn)
        return self._plainly(turn) if move is None else move

    def _new_game(self) -> None:
        """With a seed the same chances in every game; else those of Python's own generator."""
        self._rng = Rng(random.getrandbits(64) if self.seed is None else self.seed)
        for seat in self._seats.values():
            seat.new_game()

    def _thought(self, turn: Turn) -> int | None:
        """What an agent chose; None if none can, or not in time."""
        try:
            game = connectx(turn.rows, turn.columns, turn.inarow)
            state = _state(game, turn, self._plain_player(turn))
        except SpielwerkError:  # more than a word holds: the plain player's
            return None
        for spec in (self.spec, self.otherwise):
            seat = self._seat(game, spec, turn.seconds)
            if seat is not None and seat.busy:
                # Nobody else begins beside it: two compilations would take twice as long.
                assert seat.late is not None
                seat.late.wait(turn.until(IN_TIME))
                if seat.busy:
                    _stand_in(f"{spec} is not ready.")
                    return None
                seat.pause = 0
            if seat is None or seat.pause > 0:
                if seat is not None:
                    seat.pause -= 1
                continue
            return self._ask(seat, game, state, turn, spec)
        return None

    def _seat(self, game: ConnectX, spec: str, seconds: float) -> Seat | None:
        """The agent for this board; None if it cannot play there."""
        key = (game, spec, seconds)
        if key not in self._seats:
            agent = in_time(parse_agent(spec), SEARCH * seconds)
            try:
                check_agent(agent, game)
            except SpielwerkError:
                return None
            self._seats[key] = Seat(agent)
        return self._seats[key]

    def _ask(
        self, seat: Seat, game: ConnectX, state: ConnectState, turn: Turn, spec: str
    ) -> int | None:
        assert self._rng is not None
        until = turn.until(IN_TIME, WARM if self._warm else COLD)
        self._warm = True
        if seat.player is None:
            seat.player = for_match(seat.agent)
        thought = Thought(seat.player, game, state, Rng(self._rng.bits()))
        thought.wait(until)
        if thought.running:
            thought.stop()
            # What it works on is left to it, should it come back.
            seat.late, seat.player, seat.pause = thought, None, PAUSE
            _stand_in(f"{spec} is late.")
        elif thought.move is None:
            _stand_in(f"{spec} {'failed' if thought.failed else 'found no move'}.")
        return thought.move

    def _plainly(self, turn: Turn) -> int:
        now = time.perf_counter()
        late = now > turn.until(IN_TIME - AT_LAST)
        until = now + AT_LAST * turn.seconds if late else turn.until(IN_TIME)
        return self._plain_player(turn).choose(turn.board, turn.mark, until)

    def _plain_player(self, turn: Turn) -> PlainPlayer:
        size = (turn.rows, turn.columns, turn.inarow)
        if size not in self._plain:
            self._plain[size] = PlainPlayer(*size)
        return self._plain[size]


def _stand_in(reason: str) -> None:
    sys.stderr.write(f"{STAND_IN}{reason}\n")


def in_time(agent: Agent, seconds: float) -> Agent:
    """A search by the clock looks at it; others are stopped from outside."""
    if not isinstance(agent, Mcts):
        return agent
    iterations = agent.iterations
    if iterations is None and agent.seconds is None:
        iterations = ITERATIONS
    return replace(agent, iterations=iterations, seconds=min(agent.seconds or seconds, seconds))


def _state(game: ConnectX, turn: Turn, plain: PlainPlayer) -> ConnectState:
    """The position as our rules have it. The stones tell who is to move, and so must the mark."""
    mine, theirs = plain.stones(turn.board, turn.mark)
    state = ConnectState(U64(mine), U64(mine | theirs))
    if (mine | theirs).bit_count() % 2 != turn.mark - 1 or outcome(game, state) != RUNNING:
        raise SpecError("This is no position in which that player is to move.")
    return state
