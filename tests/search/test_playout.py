"""The playout kernel plays the games that a plain loop plays with the same seed."""

import pytest

from spielwerk.games.catalogue import parse_game
from spielwerk.games.rules import RUNNING, WON, initial, legal_moves, outcome, player, transition
from spielwerk.kernels.bits import U64
from spielwerk.kernels.rng import Rng
from spielwerk.search.playout import playouts


def playouts_twin(game, start, seed, count):
    rng, results = Rng(seed), [0, 0, 0]
    for _ in range(count):
        state = start
        while outcome(game, state) == RUNNING:
            moves = legal_moves(game, state)
            state = transition(game, state, moves[rng.below(len(moves))])
        results[1 - player(game, state) if outcome(game, state) == WON else 2] += 1
    return results


@pytest.mark.parametrize(
    "spec", ["connect-four", "connectx:2x21,k=3", "connectx:5x4,k=3", "tic-tac-toe", "nim:n=50,k=7"]
)
def test_same_seed_same_games(spec):
    game = parse_game(spec)
    for seed in (0, 1, 2**64 - 1):
        expected = playouts_twin(game, initial(game), seed, 50)
        assert playouts(game, initial(game), U64(seed), 50).tolist() == expected


def test_the_first_player_of_connect_four_wins_about_55_percent():
    """A million random games: 55.6 % won, 44.2 % lost, 0.25 % drawn (error bar 0.1)."""
    game = parse_game("connect-four")
    won, lost, drawn = playouts(game, initial(game), U64(5), 1_000_000) / 1e6
    assert won == pytest.approx(0.556, abs=0.002)
    assert lost == pytest.approx(0.442, abs=0.002)
    assert drawn == pytest.approx(0.0025, abs=0.0005)
