"""Slow, obvious versions of the rules and of the kernels, to compare with.

A twin of a game is a list of cells or a number, with methods that read like the rules on the box.
"""

from spielwerk.games.rules import DRAWN, RUNNING, WON, legal_moves, outcome, transition
from spielwerk.kernels.rng import Rng


class BoardTwin:
    """A board of rows of cells: 0 empty, 1 and 2 the players; k in a row win."""

    def __init__(self, rows, cols, k):
        self.rows, self.cols, self.k = rows, cols, k
        self.cells = [[0] * cols for _ in range(rows)]  # row 0 is the lowest (or the top one)
        self.moved = 0

    def player(self):
        return self.moved % 2

    def has_line(self, who):
        for row in range(self.rows):
            for col in range(self.cols):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    line = [(row + i * down, col + i * right) for i in range(self.k)]
                    if all(
                        0 <= r < self.rows and 0 <= c < self.cols and self.cells[r][c] == who
                        for r, c in line
                    ):
                        return True
        return False

    def outcome(self):
        if self.has_line(2 - self.moved % 2):  # who has just moved
            return WON
        full = all(cell for row in self.cells for cell in row)
        return DRAWN if full else RUNNING


class ConnectXTwin(BoardTwin):
    def actions(self):
        return [col for col in range(self.cols) if self.cells[-1][col] == 0]

    def play(self, col):
        row = next(row for row in range(self.rows) if self.cells[row][col] == 0)
        self.cells[row][col] = self.player() + 1
        self.moved += 1

    def flat(self):
        return [cell for row in reversed(self.cells) for cell in row]


class TicTacToeTwin(BoardTwin):
    def __init__(self):
        super().__init__(3, 3, 3)

    def actions(self):
        return [cell for cell in range(9) if self.cells[cell // 3][cell % 3] == 0]

    def play(self, cell):
        self.cells[cell // 3][cell % 3] = self.player() + 1
        self.moved += 1

    def flat(self):
        return [cell for row in self.cells for cell in row]


class NimTwin:
    def __init__(self, stones, most):
        self.stones, self.most, self.moved = stones, most, 0

    def player(self):
        return self.moved % 2

    def actions(self):
        return [take - 1 for take in range(1, self.most + 1) if take <= self.stones]

    def play(self, move):
        self.stones -= move + 1
        self.moved += 1

    def outcome(self):
        return WON if self.stones == 0 else RUNNING


def minimax(game, state, known=None):
    """The value for the player to move, by looking at everything."""
    known = {} if known is None else known
    if state not in known:
        end = outcome(game, state)
        if end != RUNNING:
            known[state] = -1 if end == WON else 0
        else:
            known[state] = max(
                -minimax(game, transition(game, state, move), known)
                for move in legal_moves(game, state)
            )
    return known[state]


def random_states(game, start, count, seed):
    """Running states met in random games, one of each game."""
    rng, found = Rng(seed), []
    while len(found) < count:
        state, line = start, []
        while outcome(game, state) == RUNNING:
            line.append(state)
            moves = legal_moves(game, state)
            state = transition(game, state, moves[rng.below(len(moves))])
        found.append(line[rng.below(len(line))])
    return found
