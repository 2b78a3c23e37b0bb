"""Exact scores of positions and moves, for every game that alpha-beta can finish.

ConnectX has a search of its own (`spielwerk.search.solver`); other games are searched to the end by
the generic one. Both give scores by the convention of the published Connect Four solvers: with
`left` moves until the longest game is over and the end after p plies of best play, the score of the
winner is (left + 2 − p) // 2, of the loser its negative, 0 is a draw.
"""

import threading
import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.games.connectx import ConnectX
from spielwerk.games.nim import Nim
from spielwerk.games.rules import (
    RUNNING,
    WON,
    Game,
    State,
    action_count,
    image,
    legal_moves,
    outcome,
    pack,
    transition,
)
from spielwerk.games.tictactoe import TicTacToe
from spielwerk.kernels import interrupt
from spielwerk.search import alphabeta, solver
from spielwerk.search.book import Book, DamagedBookError, shipped_book
from spielwerk.search.move_order import ByThreats, MoveOrder
from spielwerk.values.value import Even

MEGABYTES = 128.0
"""For the table, unless told otherwise."""
REMEMBERED = 1 << 18
"""Positions whose moves a solver knows by heart (ConnectX): those that come again and again."""


class SolvingStopped(KeyboardInterrupt):
    """Ctrl-C, with the bounds found until then: move → (lower, upper)."""

    def __init__(self, bounds: dict[int, tuple[int, int]]) -> None:
        super().__init__()
        self.bounds = bounds


def plies_left(game: Game, state: State) -> int:
    """How many moves the longest game from here has."""
    if isinstance(game, ConnectX):
        return game.rows * game.cols - int(state.filled).bit_count()
    if isinstance(game, TicTacToe):
        return 9 - int(state.filled).bit_count()
    if isinstance(game, Nim):
        return int(state.stones)
    raise SpielwerkError(f"{type(game).__name__} cannot be solved: its games have no known length.")


def score_of(left: int, plies: int, won: bool) -> int:
    """The score of a game that is decided after `plies`."""
    return ((left + 2 - plies) >> 1) * (1 if won else -1)


def plies_of(left: int, score: int) -> int | None:
    """After how many plies a game with this score ends (odd if it is won), None for a draw."""
    if score == 0:
        return None
    plies = left + 2 - 2 * abs(score)
    return plies - (plies % 2 != (score > 0))


def rough_seconds(game: Game, state: State) -> float:
    """About how long a ConnectX position takes on one core without a book.

    Measured on Connect Four: 0.4 s with 34 empty cells, 78 s with 42; twice as long per cell.
    """
    return 0.4 * 2.0 ** (plies_left(game, state) - 34) if isinstance(game, ConnectX) else 0.0


class Solver:
    """Exact scores for one game. Its table is kept: positions near each other help each other.

    Several threads may use one solver at once.
    """

    def __init__(
        self,
        game: Game,
        megabytes: float = MEGABYTES,
        threads: int = 1,
        book: Book | None = None,
        order: MoveOrder | None = None,
    ) -> None:
        self.game, self.megabytes, self.threads = game, megabytes, threads
        self.nodes = 0
        self._known: dict[tuple[int, str], dict[int, int]] = {}
        self._signs: dict[int, int] = {}
        if isinstance(game, ConnectX):
            if order is not None and threads > 1:
                raise SpielwerkError("Moves ordered by a model are for one thread.")
            self._field = solver.make_field(game, book, order or ByThreats())
            self._table = solver.make_table(game, megabytes)

    def score(self, state: State) -> int:
        """The score of a position for the player to move."""
        end = outcome(self.game, state)
        if end != RUNNING:
            left = plies_left(self.game, state)
            return score_of(left, 0, won=False) if end == WON else 0
        if isinstance(self.game, ConnectX):
            bounds = self._first_bounds([state])
            self._narrow([state], bounds)
            return int(bounds[0, 0])
        return max(self.score_moves(state).values())

    def score_moves(self, state: State) -> dict[int, int]:
        """The score of every legal move. Ctrl-C raises `SolvingStopped` with what is known."""
        if isinstance(self.game, Nim):
            return _score_nim(self.game, int(state.stones))
        if not isinstance(self.game, ConnectX):
            return self._score_moves_by_alphabeta(state)
        return self._by_heart(state, "scores", lambda: self._score_moves_by_search(state))

    def sign_moves(self, state: State) -> dict[int, int]:
        """What every legal move leads to by perfect play: 1, 0 or −1 for the player to move.

        Much less work than the scores, above all in lost positions, where all moves are alike.
        """
        if not isinstance(self.game, ConnectX):
            return {move: _sign(score) for move, score in self.score_moves(state).items()}
        return self._by_heart(state, "signs", lambda: self._sign_moves_by_search(state))

    def best_moves(self, state: State, signs: bool = False) -> dict[int, int]:
        """The best moves alone, with the score, or the sign, that they have in common.

        A fraction of the work of `score_moves`: of every other move it is only found out that it is
        worse.
        """
        if not isinstance(self.game, ConnectX):
            found = self.sign_moves(state) if signs else self.score_moves(state)
            best = max(found.values())
            return {move: worth for move, worth in found.items() if worth == best}
        what = "best signs" if signs else "best scores"
        return self._by_heart(state, what, lambda: self._best_moves_by_search(state, signs))

    def _by_heart(
        self, state: State, what: str, find: Callable[[], dict[int, int]]
    ) -> dict[int, int]:
        """What is known of the moves of a position or of its mirror image; else found, and kept."""
        images = self._images(state)
        key = (min(images), what)
        mirrored = images[1] < images[0]
        known = self._known.get(key)
        if known is None:
            found = find()
            known = self._mirror(found) if mirrored else found
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[key] = known
        return self._mirror(known) if mirrored else dict(known)

    def _images(self, state: State) -> list[int]:
        return [int(pack(self.game, image(self.game, state, number))) for number in range(2)]

    def _mirror(self, scores: dict[int, int]) -> dict[int, int]:
        cols = action_count(self.game)
        return {cols - 1 - move: scores[move] for move in sorted(scores, reverse=True)}

    def _sign_moves_by_search(self, state: State) -> dict[int, int]:
        moves = legal_moves(self.game, state)
        worth = self.sign(state)
        if worth < 0:
            return dict.fromkeys(moves, -1)
        signs = self.best_moves(state, signs=True)
        for move in moves:
            if move not in signs:
                after = transition(self.game, state, move)
                signs[move] = -1 if worth == 0 else -self.sign(after)
        return {move: signs[move] for move in moves}

    def _best_moves_by_search(self, state: State, signs: bool) -> dict[int, int]:
        """What the position is worth, then for every move one question: does it keep that?"""
        moves = legal_moves(self.game, state)
        worth = self.sign(state) if signs else self.score(state)
        if signs and worth < 0:
            return dict.fromkeys(moves, worth)
        after = {move: transition(self.game, state, move) for move in moves}
        running = [move for move in moves if outcome(self.game, after[move]) == RUNNING]
        bounds = np.tile(np.array([-worth, 1 - worth], np.int64), (len(running), 1))
        self._narrow([after[move] for move in running], bounds)
        kept = {move for move, (lower, _) in zip(running, bounds, strict=True) if lower <= -worth}
        for move in moves:
            if move not in running:
                last = self.sign(after[move]) if signs else self.score(after[move])
                if -last >= worth:
                    kept.add(move)
        return {move: worth for move in moves if move in kept}

    def sign(self, state: State) -> int:
        """What a position is worth to the player to move: 1 won, 0 drawn, −1 lost."""
        if not isinstance(self.game, ConnectX):
            return _sign(self.score(state))
        end = outcome(self.game, state)
        if end != RUNNING:
            return -1 if end == WON else 0
        key = min(self._images(state))
        known = self._signs.get(key)
        if known is None:
            bounds = np.clip(self._first_bounds([state]), -1, 1)
            self._narrow([state], bounds)
            known = _sign(int(bounds[0, 0]))
            if len(self._signs) >= REMEMBERED:
                self._signs.clear()
            self._signs[key] = known
        return known

    def _score_moves_by_search(self, state: State) -> dict[int, int]:
        moves = legal_moves(self.game, state)
        after = {move: transition(self.game, state, move) for move in moves}
        running = [move for move in moves if outcome(self.game, after[move]) == RUNNING]
        bounds = self._first_bounds([after[move] for move in running])
        known = {
            move: (-score, -score)
            for move in moves
            if move not in running
            for score in [self.score(after[move])]
        }
        try:
            self._narrow([after[move] for move in running], bounds)
        except KeyboardInterrupt:
            for move, (lower, upper) in zip(running, bounds, strict=True):
                known[move] = (-int(upper), -int(lower))
            raise SolvingStopped({move: known[move] for move in moves}) from None
        for move, (lower, _) in zip(running, bounds, strict=True):
            known[move] = (-int(lower), -int(lower))
        return {move: known[move][0] for move in moves}

    def best_line(self, state: State) -> list[int]:
        """Best play to the end: soonest wins, latest losses, from the centre outwards if equal."""
        line: list[int] = []
        while outcome(self.game, state) == RUNNING:
            scores = self.score_moves(state)
            centre = (action_count(self.game) - 1) / 2
            move = max(scores, key=lambda move: (scores[move], -abs(move - centre)))
            line.append(move)
            state = transition(self.game, state, move)
        return line

    def _score_moves_by_alphabeta(self, state: State) -> dict[int, int]:
        left = plies_left(self.game, state)
        table = alphabeta.make_table(self.megabytes)
        found = interrupt.run(alphabeta.score_moves, self.game, Even(), state, max(1, left), table)
        self.nodes += int(table.counts[0])
        scores = {}
        for move in legal_moves(self.game, state):
            plies = alphabeta.plies_to_end(int(found[move]))
            scores[move] = 0 if plies is None else score_of(left, plies, found[move] > 0)
        return scores

    def _first_bounds(self, states: Sequence[State]) -> np.ndarray:
        """What is known of scores without looking: a win or loss as soon as can be."""
        left = [plies_left(self.game, state) for state in states]
        return np.array([(-(n >> 1), (n + 1) >> 1) for n in left], np.int64).reshape(-1, 2)

    def _narrow(self, states: Sequence[State], bounds: np.ndarray) -> None:
        """Make the bounds of ConnectX positions equal; on Ctrl-C they are as near as they got."""
        mines = np.array([state.mine for state in states], np.uint64)
        filleds = np.array([state.filled for state in states], np.uint64)

        def alone(flag: np.ndarray) -> None:
            scratch = solver.make_scratch(self.game, flag)
            solver.narrow_all(self._field, mines, filleds, bounds, self._table, scratch)
            self.nodes += int(scratch.nodes[0])

        def together(flag: np.ndarray) -> None:
            _Team(self, mines, filleds, bounds).work(flag)

        interrupt.run(alone if self.threads == 1 else together)


def _score_nim(game: Nim, stones: int) -> dict[int, int]:
    """Of every legal move; move m takes m + 1 stones. No search: a heap is only its size."""
    plies = _nim_plies(game.n, game.k)
    return {
        move: score_of(stones, plies[stones - move - 1] + 1, plies[stones - move - 1] % 2 == 0)
        for move in range(min(game.k, stones))
    }


@lru_cache(maxsize=64)
def _nim_plies(n: int, k: int) -> list[int]:
    """For every heap up to n: plies of best play to its end. Even: whoever is to move loses."""
    plies = [0]
    for stones in range(1, n + 1):
        after = plies[-min(k, stones) :]
        won = [number for number in after if number % 2 == 0]
        plies.append(1 + (min(won) if won else max(after)))
    return plies


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


class _Team:
    """Threads that share a solver's table and a list of positions.

    Whoever finds no position that nobody works on helps with one that is not finished: the same
    search in another order, through the same table and with the same bounds.
    """

    def __init__(
        self, owner: Solver, mines: np.ndarray, filleds: np.ndarray, bounds: np.ndarray
    ) -> None:
        self.owner, self.mines, self.filleds, self.bounds = owner, mines, filleds, bounds
        self.lock = threading.Lock()
        self.helpers = [0] * len(mines)

    def work(self, flag: np.ndarray) -> None:
        errors: list[BaseException] = []

        def run(number: int) -> None:
            try:
                self._worker(number, flag)
            except BaseException as error:
                errors.append(error)

        workers = [
            threading.Thread(target=run, args=(number,), daemon=True)
            for number in range(self.owner.threads)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        if errors:
            raise errors[0]

    def _worker(self, number: int, flag: np.ndarray) -> None:
        scratch = solver.make_scratch(self.owner.game, flag, seed=number)
        while (index := self._take()) is not None and not flag[0]:
            solver.narrow(
                self.owner._field,
                self.mines[index],
                self.filleds[index],
                self.bounds[index],
                self.owner._table,
                scratch,
            )
        with self.lock:
            self.owner.nodes += int(scratch.nodes[0])

    def _take(self) -> int | None:
        """The position with the fewest helpers that is not finished."""
        with self.lock:
            open_ones = np.flatnonzero(self.bounds[:, 0] < self.bounds[:, 1])
            if not open_ones.size:
                return None
            index = int(min(open_ones, key=lambda index: self.helpers[index]))
            self.helpers[index] += 1
            return index


def shared_solver(game: Game, megabytes: float = MEGABYTES, threads: int = 1) -> Solver:
    """One solver per game and size, so that its table serves every move of every match."""
    return _shared(game, float(megabytes), threads)


@lru_cache(maxsize=4)
def _shared(game: Game, megabytes: float, threads: int) -> Solver:
    return Solver(game, megabytes, threads, usual_book(game))


def usual_book(game: Game) -> Book | None:
    """The book that comes with the package, if it has one for this game.

    A damaged one is noticed, told by a warning, and costs only time.
    """
    if not isinstance(game, ConnectX):
        return None
    try:
        return shipped_book(game)
    except DamagedBookError as error:
        warnings.warn(str(error), stacklevel=2)
        return None
