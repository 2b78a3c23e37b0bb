"""Moves ordered by a value function: the same scores, found in another order."""

import pytest
from twins import random_states

from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.rules import initial
from spielwerk.learning.config import config_from
from spielwerk.learning.training import make_run
from spielwerk.search.move_order import by_value
from spielwerk.search.solving import Solver

SETTINGS = {
    "features": "walk:count=4,length=4",
    "games": 5,
    "function": "tanh",
    "rewards": "1/0/-1",
    "spread": 0.5,
}


def test_scores_do_not_depend_on_the_order():
    game = parse_game("connectx:rows=4,cols=5")
    learned = make_run("connectx:rows=4,cols=5", config_from(SETTINGS), seed=2).learned
    usual, other = Solver(game, 1), Solver(game, 1, order=by_value(learned, stones=20, seats=3))
    for state in random_states(game, initial(game), 30, seed=4):
        assert usual.score_moves(state) == other.score_moves(state)
    assert usual.nodes != other.nodes


def test_a_model_orders_for_one_thread():
    game = parse_game("connectx:rows=4,cols=5")
    learned = make_run("connectx:rows=4,cols=5", config_from(SETTINGS), seed=2).learned
    with pytest.raises(SpielwerkError, match="one thread"):
        Solver(game, 1, threads=2, order=by_value(learned))
