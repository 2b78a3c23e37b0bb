"""One of our agents as Kaggle's ConnectX calls it: a column for a board, in time.

Kaggle gives each move `actTimeout` seconds, and the whole game an overage bank
(`remainingOverageTime`) that slow moves draw on; whoever has emptied it loses. Loading the file and
compiling kernels happen inside the first move. So an agent thinks on a thread of its own, and
whoever waits for it knows how long it may: when that is over, the plain player answers.
"""

import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from spielwerk.adapters.kaggle.plain import PlainPlayer
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

IN_TIME = 0.8
"""The share of `actTimeout` that a search may use."""
AT_LAST = 0.15
"""The share that the plain player gets when the search was late."""
COLD, WARM = 0.75, 0.25
"""The share of the overage bank that one move may draw on: while kernels are compiled, later."""
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
        return self.began + share * self.seconds + of_bank * self.bank


Thing = TypeVar("Thing")


def _entry(things: Any, name: str, usual: Thing) -> Thing:
    """A field of Kaggle's observation or configuration, which are dictionaries with attributes."""
    if isinstance(things, Mapping):
        return things.get(name, usual)
    return getattr(things, name, usual)


def read_turn(observation: Any, configuration: Any, began: float) -> Turn:
    rows, columns = _entry(configuration, "rows", 6), _entry(configuration, "columns", 7)
    return Turn(
        board=_entry(observation, "board", [0] * (rows * columns)),
        mark=_entry(observation, "mark", 1),
        rows=rows,
        columns=columns,
        inarow=_entry(configuration, "inarow", 4),
        seconds=float(_entry(configuration, "actTimeout", 2)),
        bank=max(0.0, float(_entry(observation, "remainingOverageTime", 60))),
        began=began,
    )


class Thought:
    """An agent's choice in the making, on a thread of its own."""

    def __init__(self, agent: Agent, game: ConnectX, state: ConnectState, rng: Rng) -> None:
        self.move: int | None = None
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
            if isinstance(choice, Choice):
                self.move = int(choice.move)
        except KeyboardInterrupt:
            pass  # stopped
        except Exception:
            traceback.print_exc()  # for the log; the plain player answers


@dataclass
class Seat:
    """An agent, with what is left of its last thought and whether it was ever in time."""

    agent: Agent
    player: Agent | None = None
    thought: Thought | None = None
    warm: bool = False
    pause: int = 0

    def new_game(self) -> None:
        self.player, self.pause = None, 0


@dataclass
class KagglePlayer:
    """Plays any number of games, on any boards, one after the other."""

    spec: str
    otherwise: str = OTHERWISE
    seed: int | None = None
    _rng: Rng = field(init=False)
    _seats: dict[tuple[ConnectX, str], Seat] = field(default_factory=dict)
    _plain: dict[tuple[int, int, int], PlainPlayer] = field(default_factory=dict)
    _stones: int = 0

    def __post_init__(self) -> None:
        self._rng = Rng(time.time_ns() if self.seed is None else self.seed)

    def __call__(self, observation: Any, configuration: Any, began: float | None = None) -> int:
        """The column. `began`: when Kaggle's clock did, if that was before this call."""
        began = time.perf_counter() if began is None else began
        turn = read_turn(observation, configuration, began)
        stones = len(turn.board) - list(turn.board).count(0)
        if stones <= self._stones:  # another game has begun
            for seat in self._seats.values():
                seat.new_game()
        self._stones = stones
        move = self._thought(turn)
        return self._plainly(turn) if move is None else move

    def _thought(self, turn: Turn) -> int | None:
        """What the agent chose; None if it cannot, or not in time."""
        try:
            game = connectx(turn.rows, turn.columns, turn.inarow)
            state = _state(game, turn, self._plain_player(turn))
        except SpielwerkError:  # more than a word holds: the plain player's
            return None
        for spec in (self.spec, self.otherwise):
            seat = self._seat(game, spec, turn.seconds)
            if seat is None:
                continue
            if seat.pause > 0:
                seat.pause -= 1
                continue
            return self._ask(seat, game, state, turn)
        return None

    def _seat(self, game: ConnectX, spec: str, seconds: float) -> Seat | None:
        """The agent for this board; None if it cannot play there."""
        if (game, spec) not in self._seats:
            agent = in_time(parse_agent(spec), IN_TIME * seconds)
            try:
                check_agent(agent, game)
            except SpielwerkError:
                return None
            self._seats[game, spec] = Seat(agent)
        return self._seats[game, spec]

    def _ask(self, seat: Seat, game: ConnectX, state: ConnectState, turn: Turn) -> int | None:
        until = turn.until(IN_TIME, WARM if seat.warm else COLD)
        if seat.thought is not None:  # it was late: it may still be compiling
            seat.thought.wait(until)
            if seat.thought.running:
                return None
        if seat.player is None:
            seat.player = for_match(seat.agent)
        seat.thought = Thought(seat.player, game, state, Rng(self._rng.bits()))
        seat.thought.wait(until)
        if seat.thought.running:
            seat.thought.stop()
            seat.pause = PAUSE
            return None
        thought, seat.thought, seat.warm = seat.thought, None, True
        return thought.move if thought.move in legal_moves(game, state) else None

    def _plainly(self, turn: Turn) -> int:
        late = time.perf_counter() > turn.until(IN_TIME - AT_LAST)
        until = time.perf_counter() + AT_LAST * turn.seconds if late else turn.until(IN_TIME)
        return self._plain_player(turn).choose(turn.board, turn.mark, until)

    def _plain_player(self, turn: Turn) -> PlainPlayer:
        size = (turn.rows, turn.columns, turn.inarow)
        if size not in self._plain:
            self._plain[size] = PlainPlayer(*size)
        return self._plain[size]


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
