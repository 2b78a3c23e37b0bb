"""Self-play: whole games, the same however they are played side by side, and what they teach."""

import numpy as np
import pytest

from spielwerk.games.connectx import connectx
from spielwerk.games.rules import (
    RUNNING,
    actions,
    initial,
    outcome,
    pack,
    transition,
    unpack,
)
from spielwerk.kernels.bits import U64, bit_indices
from spielwerk.kernels.rng import scramble
from spielwerk.learning.nets.self_play import SelfPlay, drawn, gamma, play_games
from spielwerk.search.puct import Puct
from spielwerk.search.solving import shared_solver

SMALL = connectx(4, 5, 3)
C4 = connectx()


def opinion(words):
    """A value and logits that depend on nothing but the position."""
    said = np.zeros((len(words), 1 + SMALL.cols), np.float32)
    for row, word in enumerate(words):
        bits = [int(scramble(U64((int(word) * 31 + one) % 2**64))) for one in range(6)]
        said[row] = [(one % 2001 - 1000) / 1000 for one in bits]
    return said


def play(simulations=20, **changes):
    return SelfPlay(simulations, Puct(1.5, 0.2, True), **changes)


def games_of(examples):
    """The positions of each game: a new one begins where no move leads from one to the next."""
    found = []
    for word in examples.words:
        if found:
            before = unpack(SMALL, U64(found[-1][-1]))
            after = [
                int(pack(SMALL, transition(SMALL, before, move)))
                for move in bit_indices(actions(SMALL, before))
            ]
            if int(word) in after:
                found[-1].append(int(word))
                continue
        found.append([int(word)])
    return found


@pytest.mark.parametrize(("side_by_side", "threads"), [(1, 1), (7, 1), (64, 3)])
def test_the_same_games_however_they_are_played_side_by_side(side_by_side, threads):
    wanted = play_games(SMALL, play(), range(20), 5, lambda: opinion, 64, 1)
    found = play_games(SMALL, play(), range(20), 5, lambda: opinion, side_by_side, threads)
    for one, other in zip(wanted, found, strict=True):
        assert np.array_equal(one, other)
    other = play_games(SMALL, play(), range(20), 6, lambda: opinion)
    assert not np.array_equal(wanted.words, other.words)


def test_examples_are_legal_and_whole():
    examples = play_games(SMALL, play(), range(60), 1, lambda: opinion)
    assert np.allclose(examples.policies.sum(axis=1), 1, atol=1e-5)
    assert (np.abs(examples.values) <= 1).all()
    for word, policy in zip(examples.words, examples.policies, strict=True):
        state = unpack(SMALL, word)
        assert outcome(SMALL, state) == RUNNING
        legal = set(bit_indices(actions(SMALL, state)))
        assert {move for move, share in enumerate(policy) if share > 0} <= legal


def test_random_beginnings_and_none():
    usual = play_games(SMALL, play(random_share=0.0), range(30), 1, lambda: opinion)
    begin = int(pack(SMALL, initial(SMALL)))
    assert [game[0] for game in games_of(usual)] == [begin] * 30
    mixed = play_games(SMALL, play(random_share=1.0, random_plies=4), range(60), 1, lambda: opinion)
    stones = [game[0] for game in games_of(mixed)]
    assert begin not in stones
    assert len(set(stones)) > 10


def test_a_game_that_is_proven_ends_with_what_it_is_worth():
    """With all of the weight on the end, the last position of a game has its true value."""
    examples = play_games(
        SMALL, play(200, lookahead=0.0, random_share=0.0), range(30), 2, lambda: opinion
    )
    solver, place, signs = shared_solver(SMALL), 0, set()
    for game in games_of(examples):
        values = examples.values[place : place + len(game)]
        place += len(game)
        assert np.array_equal(values, values[-1] * (-1.0) ** (len(game) - 1 - np.arange(len(game))))
        last = unpack(SMALL, U64(game[-1]))
        assert values[-1] == solver.sign(last)
        policy = examples.policies[place - 1]
        best = solver.sign_moves(last)
        for move, share in enumerate(policy):
            if share > 0:
                assert best[move] == solver.sign(last)
        signs.add(float(values[-1]))
    assert len(signs) > 1


def test_warm_play_varies_and_cold_play_does_not():
    cold = play(random_share=0.0, noise=0.0, warm=0)
    games = games_of(play_games(SMALL, cold, range(10), 3, lambda: opinion))
    assert len({tuple(game) for game in games}) == 1
    for changes in ({"warm": 6}, {"noise": 0.5}):
        other = cold._replace(**changes)
        games = games_of(play_games(SMALL, other, range(10), 3, lambda: opinion))
        assert len({tuple(game) for game in games}) > 2


@pytest.mark.parametrize("shape", [0.3, 1.0, 4.0])
def test_the_gamma_distribution(shape):
    """Its mean and its variance are its shape."""
    seed, numbers = U64(7), []
    for _ in range(20_000):
        number, seed = gamma(shape, seed)
        seed = U64(seed)
        numbers.append(number)
    assert min(numbers) > 0
    assert np.mean(numbers) == pytest.approx(shape, rel=0.05)
    assert np.var(numbers) == pytest.approx(shape, rel=0.1)


def test_moves_are_drawn_by_their_shares():
    policy = np.array([0.0, 0.25, 0.0, 0.75, 0.0], np.float32)
    assert [drawn(policy, chance) for chance in (0.0, 0.2, 0.3, 0.9, 0.9999999)] == [1, 1, 3, 3, 3]
