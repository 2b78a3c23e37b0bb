"""Alpha-beta finds what plain minimax finds."""

import numpy as np
import pytest
from twins import minimax, random_states

from spielwerk.games.catalogue import parse_game
from spielwerk.games.nim import NimState, nim
from spielwerk.games.notation import replay
from spielwerk.games.rules import RUNNING, WON, initial, legal_moves, outcome, transition
from spielwerk.kernels.bits import U64
from spielwerk.kernels.rng import Rng
from spielwerk.search.alphabeta import (
    UNIT,
    WIN,
    make_table,
    negamax,
    outcome_of,
    plies_to_end,
    score_moves,
)
from spielwerk.values.lines import open_lines
from spielwerk.values.value import Even, value

NEVER = np.zeros(1, np.uint8)


def scores(game, function, state, depth, megabytes=1.0):
    found = score_moves(game, function, state, depth, make_table(megabytes), NEVER)
    return {move: int(found[move]) for move in legal_moves(game, state)}


def minimax_score(game, function, state, depth, ply):
    """Plain minimax to a depth, with the scores of `negamax`."""
    end = outcome(game, state)
    if end != RUNNING:
        return ply - WIN if end == WON else 0
    if depth == 0:
        return int(UNIT * value(function, game, state))
    return max(
        -minimax_score(game, function, transition(game, state, move), depth - 1, ply + 1)
        for move in legal_moves(game, state)
    )


def test_every_tic_tac_toe_state_has_its_minimax_value():
    game = parse_game("tic-tac-toe")
    known = {}
    assert minimax(game, initial(game), known) == 0
    assert len(known) == 5478
    table = make_table(4)
    for state, expected in known.items():
        if outcome(game, state) == RUNNING:
            found = score_moves(game, Even(), state, 9, table, NEVER)
            best = max(int(found[move]) for move in legal_moves(game, state))
            assert outcome_of(best) == expected


@pytest.mark.parametrize("k", [1, 2, 3, 4, 7])
def test_nim_follows_the_known_rule(k):
    """The player to move loses exactly when the stones are a multiple of k + 1."""
    game = nim(50, k)
    for stones in range(1, 51):
        state = NimState(U64(stones), U64(0))
        best = max(scores(game, Even(), state, 60).values())
        assert outcome_of(best) == (-1 if stones % (k + 1) == 0 else 1)


@pytest.mark.parametrize(
    "spec", ["connect-four", "connectx:4x4", "connectx:4x5,k=3", "tic-tac-toe"]
)
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_scores_to_a_depth_equal_plain_minimax(spec, depth):
    game = parse_game(spec)
    for function in (Even(), open_lines(game)):
        for state in random_states(game, initial(game), 6, seed=depth):
            expected = {
                move: -minimax_score(game, function, transition(game, state, move), depth - 1, 1)
                for move in legal_moves(game, state)
            }
            # The smallest table: entries are overwritten all the time.
            assert scores(game, function, state, depth, megabytes=0.01) == expected


def test_a_window_bounds_the_score_as_promised():
    game = parse_game("connectx:4x4,k=3")
    function, rng = open_lines(game), Rng(11)
    for state in random_states(game, initial(game), 40, seed=4):
        depth = 1 + rng.below(5)
        exact = minimax_score(game, function, state, depth, 0)
        low, high = sorted(rng.below(2 * UNIT) - UNIT for _ in range(2))
        if low == high:
            continue
        table = make_table(0.01)
        found = int(negamax(game, function, state, depth, 0, low, high, table, NEVER))
        if exact <= low:
            assert exact <= found <= low
        elif exact >= high:
            assert high <= found <= exact
        else:
            assert found == exact


def test_small_boards_have_their_known_values():
    """4 × 4 is drawn after every first move; on 4 × 5 the outer columns lose."""
    four, five = parse_game("connectx:4x4"), parse_game("connectx:4x5")
    drawn = scores(four, Even(), initial(four), 16)
    assert [outcome_of(score) for score in drawn.values()] == [0, 0, 0, 0]
    outer = scores(five, Even(), initial(five), 20, megabytes=16)
    assert [outcome_of(score) for score in outer.values()] == [-1, 0, 0, 0, -1]


@pytest.mark.parametrize("spec", ["connectx:3x4,k=3", "connectx:3x3,k=3", "connectx:4x3,k=3"])
def test_whole_small_games_equal_minimax(spec):
    game = parse_game(spec)
    found = scores(game, Even(), initial(game), 12)
    assert max(map(outcome_of, found.values())) == minimax(game, initial(game))


def test_wins_come_soon_and_losses_late():
    game = parse_game("connect-four")
    state, _ = replay(game, "112233")  # column 4 wins at once
    found = scores(game, Even(), state, 5)
    assert plies_to_end(found[3]) == 1
    assert max(found, key=found.get) == 3
    open_three, _ = replay(game, "33445")  # red can stop it at one end only
    assert {
        (outcome_of(s), plies_to_end(s)) for s in scores(game, Even(), open_three, 6).values()
    } == {(-1, 2)}


def test_the_search_ends_when_everything_is_seen():
    """A depth beyond the end of the game costs nothing more."""
    game = parse_game("connectx:4x4")
    nodes = []
    for depth in (16, 900):
        table = make_table(16)
        score_moves(game, Even(), initial(game), depth, table, NEVER)
        nodes.append(table.counts[0])
    assert nodes[0] == nodes[1]


def test_the_same_search_visits_the_same_nodes():
    """A signature: it changes when, and only when, the search changes."""
    game = parse_game("connect-four")
    signature = {}
    for name, function in (("even", Even()), ("lines", open_lines(game))):
        table = make_table(16)
        score_moves(game, function, replay(game, "444")[0], 9, table, NEVER)
        signature[name] = int(table.counts[0])
    assert signature == {"even": 46712, "lines": 82436}
