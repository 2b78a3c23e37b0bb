"""Published counts of positions and move sequences."""

import pytest

from spielwerk.games import rules
from spielwerk.games.catalogue import parse_game
from spielwerk.games.notation import replay
from spielwerk.search.enumeration import perft, positions


def numbers(plies):
    return [ply.number for ply in plies]


def test_connect_four_positions():
    """OEIS A212693."""
    found = numbers(positions(parse_game("connect-four"), 8))
    assert found == [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]


def test_connect_four_sequences():
    found = numbers(perft(parse_game("connect-four"), 8))
    assert found == [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234]


def test_all_positions_on_4x4():
    assert sum(numbers(positions(parse_game("connectx:4x4")))) == 161029


def test_tic_tac_toe():
    game = parse_game("tic-tac-toe")
    plies = list(positions(game))
    assert sum(numbers(plies)) == 5478
    running = [ply.number - ply.ended for ply in plies]
    assert running == [1, 9, 72, 252, 756, 1140, 1372, 696, 222, 0]
    assert sum(running) == 4520
    assert sum(numbers(positions(game, symmetric=True))) == 765
    assert sum(ply.ended for ply in perft(game)) == 255168


def test_half_of_the_connect_four_positions_are_mirror_images():
    """Known for 8 stones: with n positions and s symmetric ones, (n + s) / 2 are left."""
    game = parse_game("connect-four")
    layer = {rules.initial(game)}
    for _ in range(6):
        layer = {
            rules.transition(game, state, move)
            for state in layer
            for move in rules.legal_moves(game, state)
        }
    alike = sum(rules.image(game, state, 1) == state for state in layer)
    *_, last = positions(game, 6, symmetric=True)
    assert last.number == (len(layer) + alike) // 2


@pytest.mark.parametrize(
    ("spec", "start"), [("connectx:3x4,k=3", "12"), ("tic-tac-toe", "51"), ("nim:n=9", "1")]
)
def test_counts_from_any_position_equal_those_of_a_plain_walk(spec, start):
    game = parse_game(spec)
    state, _ = replay(game, start)
    layer, expected_sequences, expected_positions = [state], [], []
    while layer:
        expected_sequences.append(len(layer))
        expected_positions.append(len(set(layer)))
        layer = [
            rules.transition(game, state, move)
            for state in layer
            for move in rules.legal_moves(game, state)
        ]
    assert numbers(perft(game, start=state)) == expected_sequences
    assert numbers(positions(game, start=state)) == expected_positions
