"""Building a book: which positions it needs, in which order, and the work in slices.

The aim is every position with the wanted number of stones, up to symmetry, that is not over, not
decided by the next stone or by two threats at once. Those that are likely to be used come
first: reached when one side plays sensibly (two best moves of a shallow search) and the other
anything. Among these, and among the others, neighbours follow each other.
"""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import game_spec
from spielwerk.games.connectx import ConnectState, ConnectX, winning_cells
from spielwerk.games.rules import (
    RUNNING,
    initial,
    legal_moves,
    outcome,
    player,
    transition,
    unpack,
)
from spielwerk.games.symmetry import canonical
from spielwerk.kernels import interrupt
from spielwerk.kernels.bits import U64
from spielwerk.search import alphabeta, solver
from spielwerk.search.book import Book, read_book
from spielwerk.search.enumeration import expand
from spielwerk.values.lines import open_lines

SENSIBLE_DEPTH = 6
SENSIBLE_MOVES = 2
SAVE_EVERY = 60.0


def wanted_positions(game: ConnectX, stones: int) -> np.ndarray:
    """The packed positions that a complete book holds, ascending."""
    layer = np.array([canonical(game, initial(game))], np.uint64)
    for _ in range(stones):
        successors, _ = expand(game, layer, True)
        layer = np.unique(successors)
    undecided = [word for word in layer if is_undecided(game, unpack(game, word))]
    return np.array(undecided, np.uint64)


def is_undecided(game: ConnectX, state: ConnectState) -> bool:
    """Whether the game goes on, the next stone cannot win it, and at most one threat is to be met.

    Positions with a forced move belong to it: a search that had to go past them met hundreds of
    times as many behind them.
    """
    if outcome(game, state) != RUNNING:
        return False
    possible = int((state.filled + game.bottom) & game.board)
    theirs = state.mine ^ state.filled
    if possible & int(winning_cells(game, state.mine)):
        return False
    return (possible & int(winning_cells(game, theirs))).bit_count() <= 1


def likely_positions(game: ConnectX, stones: int) -> set[int]:
    """Positions, packed, that arise when one side, either one, plays sensibly and the other
    anyhow."""
    found: set[int] = set()
    for sensible in (0, 1):
        layer = {int(canonical(game, initial(game)))}
        for _ in range(stones):
            following: set[int] = set()
            for word in layer:
                state = unpack(game, U64(word))
                if outcome(game, state) != RUNNING:
                    continue
                moves = legal_moves(game, state)
                if player(game, state) == sensible:
                    moves = _sensible_moves(game, state)
                following |= {int(canonical(game, transition(game, state, m))) for m in moves}
            layer = following
        found |= layer
    return found


def _sensible_moves(game: ConnectX, state: ConnectState) -> tuple[int, ...]:
    table = alphabeta.make_table(1)
    never = np.zeros(1, np.uint8)
    scores = alphabeta.score_moves(game, open_lines(game), state, SENSIBLE_DEPTH, table, never)
    moves = sorted(legal_moves(game, state), key=lambda move: -scores[move])
    return tuple(moves[:SENSIBLE_MOVES])


class BookBuilder:
    """Solves what a book lacks, the likely positions first, and saves as it goes."""

    def __init__(self, game: ConnectX, stones: int, path: Path) -> None:
        self.game, self.stones, self.path = game, stones, path
        wanted = wanted_positions(game, stones)
        self.aim = len(wanted)
        self.known: dict[int, int] = {}
        if path.exists():
            book = read_book(path)
            if (book.game, book.stones) != (game_spec(game), stones):
                raise SpielwerkError(
                    f"{path.name} is a book of {book.game} with {book.stones} stones; "
                    "give another --path."
                )
            self.known = dict(zip(book.keys.tolist(), book.scores.tolist(), strict=True))
        likely = likely_positions(game, stones)
        missing = [word for word in wanted.tolist() if word not in self.known]
        # Neighbours together: a position finds parts of its tree in the table of the one before.
        self.missing = sorted(missing, key=lambda word: (word not in likely, word))

    def book(self) -> Book:
        keys = np.array(sorted(self.known), np.uint64)
        scores = np.array([self.known[key] for key in keys.tolist()], np.int8)
        return Book(game_spec(self.game), self.stones, self.aim, keys, scores)

    def run(
        self,
        seconds: float | None,
        threads: int,
        megabytes: float,
        progress: Callable[[int, int], None],
    ) -> None:
        """Work until nothing is missing, the time is over, or Ctrl-C. What is solved is saved."""
        try:
            self.book().save(self.path)
        except OSError as error:
            raise SpielwerkError(f"{self.path} cannot be written: {error.strerror}.") from None
        deadline = time.monotonic() + seconds if seconds is not None else None
        field = solver.make_field(self.game)
        table = solver.make_table(self.game, megabytes)
        queue, lock = iter(self.missing), threading.Lock()

        def worker(flag: np.ndarray) -> None:
            scratch = solver.make_scratch(self.game, flag)
            while not flag[0]:
                with lock:
                    word = next(queue, None)
                if word is None:
                    return
                state = unpack(self.game, U64(word))
                bounds = np.array([-100, 100])
                solver.narrow(field, state.mine, state.filled, bounds, table, scratch)
                if bounds[0] == bounds[1]:
                    with lock:
                        self.known[word] = int(bounds[0])

        def team(flag: np.ndarray) -> None:
            own = np.zeros(1, np.uint8)
            workers = [
                threading.Thread(target=worker, args=(own,), daemon=True) for _ in range(threads)
            ]
            for thread in workers:
                thread.start()
            saved = time.monotonic()
            while any(thread.is_alive() for thread in workers):
                time.sleep(0.2)
                progress(len(self.known), self.aim)
                if flag[0] or (deadline is not None and time.monotonic() > deadline):
                    own[0] = 1
                if time.monotonic() - saved > SAVE_EVERY:
                    saved = time.monotonic()
                    with lock:
                        book = self.book()
                    book.save(self.path)

        try:
            interrupt.run(team)
        finally:
            self.book().save(self.path)
