"""A player in plain Python: any board, any number in a row, within any time.

It needs nothing but Python, so it opens every submission: it plays boards that are too large for
machine words, and it answers where something else was too late or failed. Alpha-beta, a ply deeper
each time until the clock stops it, with lines that are still open as the value of the horizon.

Stones are sets of bits in Python's integers, column by column with one empty bit above each, as in
`spielwerk.games.connectx`.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any


class TimeIsUpError(Exception):
    """Raised inside the search; whoever called it answers with the best move so far."""


def entry(things: Any, name: str, usual: Any) -> Any:
    """A field of Kaggle's observation or configuration, which are dictionaries with attributes."""
    if isinstance(things, Mapping):
        return things.get(name, usual)
    return getattr(things, name, usual)


class PlainPlayer:
    """Chooses moves on one size of board."""

    WON = 1_000_000
    WORTH = (0, 1, 4, 16, 64, 256, 1024)
    """Of so many stones in a line that is still open."""

    def __init__(self, rows: int, columns: int, inarow: int) -> None:
        self.rows, self.columns, self.inarow = rows, columns, inarow
        stride = rows + 1
        self.bottoms = [1 << stride * column for column in range(columns)]
        self.tops = [bottom << rows - 1 for bottom in self.bottoms]
        self.steps = (1, stride, stride - 1, stride + 1)
        middle = (columns - 1) / 2
        self.order = sorted(range(columns), key=lambda column: abs(column - middle))
        self.lines = self._lines()
        self.deadline = 0.0
        self.visited = 0

    def choose(self, board: Sequence[int], mark: int, deadline: float) -> int:
        """A column for the player of `mark`, before `deadline` on `time.perf_counter`."""
        mine, theirs = self.stones(board, mark)
        empty = self.rows * self.columns - (mine | theirs).bit_count()
        self.deadline, self.visited = deadline, 0
        best = self._by_sight(mine, theirs)
        try:
            for depth in range(1, empty + 1):
                best, value = self._best(mine, theirs, depth, best)
                if abs(value) > self.WON - 1000:  # decided, however deep one looks
                    break
        except TimeIsUpError:
            pass
        return best

    def stones(self, board: Sequence[int], mark: int) -> tuple[int, int]:
        """Kaggle's list, row by row from the top, as two sets of bits: mine, theirs."""
        mine = theirs = 0
        for place, owner in enumerate(board):
            row, column = divmod(place, self.columns)
            if owner:
                bit = self.bottoms[column] << self.rows - 1 - row
                if owner == mark:
                    mine |= bit
                else:
                    theirs |= bit
        return mine, theirs

    def wins(self, stones: int) -> bool:
        """Whether these stones hold so many in a row."""
        for step in self.steps:
            run, length = stones, 1
            while run and length < self.inarow:
                more = min(length, self.inarow - length)
                run &= run >> step * more
                length += more
            if run:
                return True
        return False

    def value(self, mine: int, theirs: int) -> int:
        """By the lines that only one side has stones in: the more stones, the better."""
        total = 0
        for line in self.lines:
            ours, others = mine & line, theirs & line
            if ours:
                if not others:
                    total += self.WORTH[min(ours.bit_count(), 6)]
            elif others:
                total -= self.WORTH[min(others.bit_count(), 6)]
        return max(-self.WON // 2, min(self.WON // 2, total))

    def _lines(self) -> list[int]:
        found = []
        for column in range(self.columns):
            for row in range(self.rows):
                for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    last = column + right * (self.inarow - 1), row + up * (self.inarow - 1)
                    if last[0] < self.columns and 0 <= last[1] < self.rows:
                        cells = range(self.inarow)
                        found.append(
                            sum(self.bottoms[column + right * i] << row + up * i for i in cells)
                        )
        return found

    def _moves(self, filled: int) -> list[tuple[int, int]]:
        """Column and new stone of every legal move, the middle first."""
        return [
            (column, (filled + self.bottoms[column]) & ~filled)
            for column in self.order
            if not filled & self.tops[column]
        ]

    def _by_sight(self, mine: int, theirs: int) -> int:
        """Win, else block, else the middle."""
        moves = self._moves(mine | theirs)
        if not moves:
            return 0  # nobody should ask: no answer is right
        for stones in (mine, theirs):
            for column, stone in moves:
                if self.wins(stones | stone):
                    return column
        return moves[0][0]

    def _best(self, mine: int, theirs: int, depth: int, first: int) -> tuple[int, int]:
        best, alpha = first, -2 * self.WON
        moves = sorted(self._moves(mine | theirs), key=lambda move: move[0] != first)
        for column, stone in moves:
            value = self._after(mine, theirs, stone, depth, alpha, 2 * self.WON)
            if value > alpha:
                best, alpha = column, value
        return best, alpha

    def _after(self, mine: int, theirs: int, stone: int, depth: int, alpha: int, beta: int) -> int:
        """What the move is worth to the player who makes it."""
        self.visited += 1
        if self.visited % 16 == 0 and time.perf_counter() > self.deadline:
            raise TimeIsUpError
        mine |= stone
        if self.wins(mine):
            return self.WON + depth  # the sooner, the better
        moves = self._moves(mine | theirs)
        if not moves:
            return 0
        if depth == 1:
            return self.value(mine, theirs)
        worst = beta
        for _, reply in moves:
            worst = min(worst, -self._after(theirs, mine, reply, depth - 1, -worst, -alpha))
            if worst <= alpha:
                break
        return worst


def answer_plainly(observation: Any, configuration: Any, share: float) -> int:
    """The plain player's column, after this share of the time for a move at most."""
    began = time.perf_counter()
    rows, columns = entry(configuration, "rows", 6), entry(configuration, "columns", 7)
    player = PlainPlayer(rows, columns, entry(configuration, "inarow", 4))
    deadline = began + share * entry(configuration, "actTimeout", 2)
    return player.choose(entry(observation, "board", []), entry(observation, "mark", 1), deadline)
