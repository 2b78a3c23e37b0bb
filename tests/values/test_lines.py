"""Open lines, counted by hand and by a twin."""

import pytest
from twins import random_states

from spielwerk.errors import SpielwerkError
from spielwerk.games import rules
from spielwerk.games.catalogue import parse_game
from spielwerk.games.connectx_notation import to_kaggle
from spielwerk.games.notation import replay
from spielwerk.games.rules import initial
from spielwerk.games.tictactoe import TicTacToe, to_list
from spielwerk.values.lines import GROWTH, open_lines
from spielwerk.values.value import value


@pytest.mark.parametrize(
    ("spec", "lines"),
    [("connect-four", 69), ("connectx:4x4", 10), ("connectx:3x3,k=3", 8), ("tic-tac-toe", 8)],
)
def test_number_of_lines(spec, lines):
    assert len(open_lines(parse_game(spec)).masks) == lines


def value_twin(game, state):
    rows, cols, k = (3, 3, 3) if isinstance(game, TicTacToe) else (game.rows, game.cols, game.k)
    cells = (to_list if isinstance(game, TicTacToe) else to_kaggle)(game, state)
    me = rules.player(game, state) + 1
    difference = 0
    for row in range(rows):
        for col in range(cols):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_row, last_col = row + down * (k - 1), col + right * (k - 1)
                if last_row < rows and 0 <= last_col < cols:
                    line = [cells[(row + i * down) * cols + col + i * right] for i in range(k)]
                    mine, theirs = line.count(me), line.count(3 - me)
                    if mine and not theirs:
                        difference += GROWTH ** (mine - 1)
                    elif theirs and not mine:
                        difference -= GROWTH ** (theirs - 1)
    return difference / (abs(difference) + GROWTH ** (k - 1))


@pytest.mark.parametrize("spec", ["connect-four", "connectx:5x4,k=3", "tic-tac-toe"])
def test_value_equals_the_twin(spec):
    game = parse_game(spec)
    for state in random_states(game, initial(game), 20, seed=8):
        assert value(open_lines(game), game, state) == pytest.approx(value_twin(game, state))


def test_the_centre_is_worth_more_than_the_corner():
    game = parse_game("connect-four")
    centre, corner = replay(game, "4")[0], replay(game, "1")[0]
    function = open_lines(game)
    assert value(function, game, centre) < value(function, game, corner) < 0  # for the opponent


def test_nim_has_no_lines():
    with pytest.raises(SpielwerkError, match="Nim has no lines to count"):
        open_lines(parse_game("nim"))
