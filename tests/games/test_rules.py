"""Every game keeps the contract of the rules, and agrees with its slow twin move by move."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import ConnectXTwin, NimTwin, TicTacToeTwin

from spielwerk.games import rules
from spielwerk.games.catalogue import GAMES, game_spec, parse_game
from spielwerk.games.connectx import connectx
from spielwerk.games.connectx_notation import to_kaggle
from spielwerk.games.nim import nim
from spielwerk.games.rules import RUNNING, WON, legal_moves
from spielwerk.games.symmetry import canonical, cell_symmetries
from spielwerk.games.tictactoe import TicTacToe, to_list

SPECS = [
    "connect-four",
    "connectx:4x4",
    "connectx:3x3,k=3",
    "connectx:1x32,k=3",
    "connectx:31x2,k=4",
    "connectx:63x1,k=5",
    "connectx:2x21,k=3",
    "connectx:7x8,k=5",
    "connectx:15x4,k=7",
    "connectx:5x4,k=1",
    "connectx:3x3,k=4",
    "connectx:5x10,k=4",
    "tic-tac-toe",
    "nim",
    "nim:n=50,k=35",
    "nim:n=7,k=1",
]


def twin_of(game):
    if isinstance(game, TicTacToe):
        return TicTacToeTwin()
    if hasattr(game, "rows"):
        return ConnectXTwin(game.rows, game.cols, game.k)
    return NimTwin(game.n, game.k)


def test_every_game_has_a_case_here():
    """Skip-Bo has chance, hidden cards and more players: `test_skipbo`."""
    assert {spec.partition(":")[0] for spec in SPECS} == set(GAMES) - {"skip-bo"}


@pytest.mark.parametrize("spec", SPECS)
def test_random_games_agree_with_the_twin(spec, chance):
    game = parse_game(spec)
    for _ in range(20):
        play_beside_twin(game, chance)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_connectx_of_any_size_agrees_with_the_twin(data):
    cols = data.draw(st.integers(1, 32))
    rows = data.draw(st.integers(1, 64 // cols - 1))
    k = data.draw(st.integers(1, max(rows, cols) + 1))
    play_beside_twin(connectx(rows, cols, k), random.Random(data.draw(st.integers(0, 999))))


def play_beside_twin(game, chance):
    state, twin = rules.initial(game), twin_of(game)
    while True:
        assert rules.player(game, state) == twin.player()
        assert rules.outcome(game, state) == twin.outcome()
        if hasattr(twin, "flat"):
            as_list = to_list if isinstance(game, TicTacToe) else to_kaggle
            assert as_list(game, state) == twin.flat()
        assert rules.unpack(game, rules.pack(game, state)) == state
        if twin.outcome() != RUNNING:
            break
        assert legal_moves(game, state) == tuple(twin.actions())
        move = chance.choice(twin.actions())
        state = rules.transition(game, state, move)
        twin.play(move)
    assert legal_moves(game, state) == ()
    utilities = [rules.utility(game, state, who) for who in (0, 1)]
    winner = 1 - twin.player()
    if twin.outcome() == WON:
        assert (utilities[winner], utilities[1 - winner]) == (1, -1)
    else:
        assert utilities == [0, 0]


@pytest.mark.parametrize("spec", SPECS)
def test_symmetries_commute_with_the_rules(spec, chance):
    """image(transition(s, m)) = transition(image(s), move_image(m)); the end is the same too."""
    game = parse_game(spec)
    state = rules.initial(game)
    while rules.outcome(game, state) == RUNNING:
        move = chance.choice(legal_moves(game, state))
        after = rules.transition(game, state, move)
        for s in range(rules.symmetry_count(game)):
            seen = rules.image(game, state, s)
            there = rules.move_image(game, move, s)
            assert rules.transition(game, seen, there) == rules.image(game, after, s)
            assert rules.outcome(game, rules.image(game, after, s)) == rules.outcome(game, after)
            assert canonical(game, seen) == canonical(game, state)
        state = after


@pytest.mark.parametrize("spec", ["connect-four", "connectx:5x4,k=3", "tic-tac-toe"])
def test_symmetries_as_data_say_what_image_does(spec, chance):
    game = parse_game(spec)
    table, state = cell_symmetries(game), rules.initial(game)
    as_list = to_list if isinstance(game, TicTacToe) else to_kaggle
    assert len(table) == rules.symmetry_count(game)
    assert sorted(map(tuple, table)) == sorted(set(map(tuple, table)))
    for _ in range(5):
        state = rules.transition(game, state, chance.choice(legal_moves(game, state)))
        cells = as_list(game, state)
        for s, places in enumerate(table):
            moved = [0] * len(cells)
            for cell, place in enumerate(places):
                moved[place] = cells[cell]
            assert as_list(game, rules.image(game, state, s)) == moved


def test_different_states_pack_into_different_words():
    for game in (parse_game("tic-tac-toe"), parse_game("connectx:3x3,k=3"), nim(9, 3)):
        seen, pending = {}, [rules.initial(game)]
        while pending:
            state = pending.pop()
            word = rules.pack(game, state)
            if word in seen:
                assert seen[word] == state
                continue
            seen[word] = state
            pending += [rules.transition(game, state, move) for move in legal_moves(game, state)]
        assert len(set(seen.values())) == len(seen)


@pytest.mark.parametrize(
    "spec", ["connect-four", "connectx:5x4,k=3", "tic-tac-toe", "nim", "nim:n=9,k=2"]
)
def test_the_spec_of_a_game_names_it(spec):
    assert game_spec(parse_game(spec)) == spec


def test_a_rule_that_a_game_lacks_is_named():
    with pytest.raises(ValueError, match="tuple has no version of transition"):
        rules.transition((), (), 0)


def test_a_second_version_and_a_misspelt_rule_are_refused():
    with pytest.raises(TypeError, match="TicTacToe already has a version of player"):

        @rules.rule(TicTacToe)
        def player(game, state): ...

    with pytest.raises(ValueError, match='No rule "transitoin"'):

        @rules.rule(TicTacToe)
        def transitoin(game, state, move): ...


def test_a_version_with_other_parameters_is_refused():
    with pytest.raises(TypeError, match="must have the parameters of transition"):

        @rules.rule(TicTacToe)
        def transition(game, state): ...


@pytest.mark.parametrize("spec", SPECS)
def test_a_cell_names_what_a_move_does(spec, chance):
    """Different moves, different cells; and a symmetry takes the cell where it takes the move."""
    game = parse_game(spec)
    state = rules.initial(game)
    while rules.outcome(game, state) == RUNNING:
        moves = legal_moves(game, state)
        cells = [rules.cell(game, state, move) for move in moves]
        assert len(set(cells)) == len(cells)
        assert all(0 <= place < 64 for place in cells)
        for s in range(rules.symmetry_count(game)):
            seen = rules.image(game, state, s)
            for move, place in zip(moves, cells, strict=True):
                there = rules.move_image(game, move, s)
                assert rules.cell(game, seen, there) == rules.cell_image(game, place, s)
        state = rules.transition(game, state, chance.choice(moves))
