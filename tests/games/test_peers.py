"""Our rules beside OpenSpiel's, on the same random games."""

import pytest
from conftest import peer

from spielwerk.games.catalogue import parse_game
from spielwerk.games.rules import (
    RUNNING,
    initial,
    legal_moves,
    outcome,
    player,
    transition,
    utility,
)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("connect-four", "connect_four"),
        ("connectx:5x4,k=3", "connect_four(rows=5,columns=4,x_in_row=3)"),
        ("tic-tac-toe", "tic_tac_toe"),
    ],
)
def test_open_spiel_plays_by_the_same_rules(spec, name, chance):
    game, theirs = parse_game(spec), peer("pyspiel").load_game(name)
    for _ in range(200):
        state, other = initial(game), theirs.new_initial_state()
        while outcome(game, state) == RUNNING:
            assert not other.is_terminal()
            assert other.current_player() == player(game, state)
            assert tuple(other.legal_actions()) == legal_moves(game, state)
            move = chance.choice(legal_moves(game, state))
            state = transition(game, state, move)
            other.apply_action(move)
        assert other.is_terminal()
        assert other.returns() == [utility(game, state, who) for who in (0, 1)]
