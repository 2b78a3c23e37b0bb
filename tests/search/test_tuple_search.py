"""Alpha-beta over column tuples gives the scores of the general alpha-beta."""

import numpy as np
import pytest
from twins import random_states

from spielwerk.games.catalogue import parse_game
from spielwerk.games.rules import initial, legal_moves
from spielwerk.learning.config import config_from
from spielwerk.learning.training import make_run
from spielwerk.search.alphabeta import DECIDED, make_table, score_moves
from spielwerk.search.tuple_search import make_tuple_search, score_moves_by_tuples
from spielwerk.values.column_slots import make_slots

GO_ON = np.zeros(1, np.uint8)
SETTINGS = {
    "features": "walk:count=9,length=4",
    "games": 5,
    "function": "tanh",
    "rewards": "1/0/-1",
    "spread": 0.5,
}


@pytest.mark.parametrize("spec", ["connectx:rows=4,cols=5", "connect-four"])
def test_the_scores_are_those_of_the_general_search(spec):
    game = parse_game(spec)
    learned = make_run(spec, config_from(SETTINGS), seed=2).learned
    slots = make_slots(game, learned.features)
    for state in random_states(game, initial(game), 12, seed=4):
        for depth in (1, 2, 3, 5):
            usual = score_moves(game, learned, state, depth, make_table(1), GO_ON)
            search = make_tuple_search(game, learned, slots, 1)
            found = score_moves_by_tuples(search, game, state, depth, GO_ON)
            for move in legal_moves(game, state):
                if abs(usual[move]) > DECIDED:
                    assert found[move] == usual[move]
                else:  # sums of float32 in another order
                    assert abs(found[move] - usual[move]) <= 4
