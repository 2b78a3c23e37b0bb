"""Learning Skip-Bo at the end of a game: eq. (1) as it stands, beside the kernel."""

import numpy as np
import pytest

from spielwerk.games.skipbo import SkipBo
from spielwerk.lab.skipbo_random_games import is_whole
from spielwerk.learning.averaging import make_average
from spielwerk.learning.skipbo_self_play import (
    Lesson,
    learn_games,
    make_sequences,
    make_tally,
    play_and_record,
)
from spielwerk.search.skipbo_policies import (
    ACTIONS,
    BASIC,
    MOST_WEIGHTS,
    STATES,
    TURNS,
    Policy,
    make_policies,
    make_table,
    make_thought,
    play_game,
)

GAME = SkipBo(stock=3, turns=200)
NOTHING = np.zeros(0, np.uint8)


def dense(sequences, seat):
    """The rows x_1 … x_N of a seat."""
    rows = np.zeros((sequences.lengths[seat], MOST_WEIGHTS))
    for i in range(sequences.lengths[seat]):
        for place in range(sequences.counts[seat, i]):
            rows[i, sequences.indices[seat, i, place]] += sequences.amounts[seat, i, place]
    return rows


def equation_1(rows, weights, beta, lam, alpha, final):
    r = np.append(np.tanh(beta * rows @ weights), final)
    d = np.diff(r)
    change = np.zeros_like(weights)
    for i in range(len(rows)):
        later = sum(lam ** (j - i) * d[j] for j in range(i, len(rows)))
        change += alpha * beta * (1 - r[i] ** 2) * rows[i] * later
    return change


@pytest.mark.parametrize("kind", [STATES, ACTIONS, TURNS])
def test_one_game_changes_the_weights_by_equation_1(kind):
    random = np.random.default_rng(3)
    start = random.normal(scale=0.05, size=MOST_WEIGHTS)
    beta, lam, alpha, seed = 0.2, 0.7, 1e-3, np.uint64(11)
    memory = make_table(GAME), make_thought(GAME)
    sequences, change = make_sequences(2), np.zeros(MOST_WEIGHTS)
    policies = make_policies([Policy(kind, weights=tuple(start))])
    never = np.zeros(1, np.uint8)
    lesson, pulls = Lesson(lam, beta, 0.0, False), np.zeros((2, MOST_WEIGHTS))
    tally, average = make_tally(), make_average(policies.weights[0], 0)
    alphas, never_any = np.array([alpha]), np.zeros(1)
    before = GAME, policies, 0, lesson, average, pulls, alphas, never_any, seed
    learn_games(*before, *memory, sequences, change, tally, never)
    assert tally.games[0] == 1
    # The same game once more, with the weights of the beginning.
    policies.weights[0] = start
    seats, learns = np.zeros(2, np.int64), np.ones(1, np.bool_)
    from spielwerk.kernels.rng import derive

    winner = play_and_record(
        GAME, policies, seats, learns, beta, 0.0, np.uint64(derive(seed, 0)), *memory, sequences
    )
    expected = sum(
        equation_1(dense(sequences, seat), start, beta, lam, alpha, 1 if seat == winner else -1)
        for seat in range(2)
    )
    assert np.abs(expected).max() > 0
    assert tally.choices[0] == sum(sequences.lengths)
    differences = [
        np.diff(np.append(sequences.rewards[s, : sequences.lengths[s]], 1 if s == winner else -1))
        for s in range(2)
    ]
    assert tally.squares[0] == pytest.approx(sum((d**2).sum() for d in differences))
    np.testing.assert_allclose(change, expected, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("stock", [3, 30])
@pytest.mark.parametrize("kind", [STATES, TURNS])
def test_what_is_recorded_is_the_game_that_is_played(kind, stock):
    """Where turns are searched, another of equally good ends may be reached, by the rules."""
    game = SkipBo(stock=stock, turns=400)
    weights = np.random.default_rng(stock).normal(size=MOST_WEIGHTS)
    weights[3 : 3 + 31] = np.linspace(40, 0, 31)  # few cards in the own stock are good
    policies = make_policies([Policy(kind, weights=tuple(weights))])
    seats, learns = np.zeros(2, np.int64), np.ones(1, np.bool_)
    first, second, counts = make_table(game), make_table(game), np.zeros(14, np.int64)
    thought, sequences = make_thought(game), make_sequences(2)
    for number in range(30):
        seed = np.uint64(number)
        recorded = play_and_record(
            game, policies, seats, learns, 0.1, 0.0, seed, first, thought, sequences
        )
        assert is_whole(game, first.open, first.closed, counts)
        if kind != TURNS:
            assert recorded == play_game(game, policies, seats, seed, second, thought, NOTHING)[0]
            assert (first.open == second.open).all()
        assert sequences.lengths.min() > 0


def test_only_who_learns_changes_and_weights_are_bounded():
    policies = make_policies([Policy(ACTIONS, weights=(3.0,) * 33), Policy(BASIC)])
    before = policies.weights.copy()
    memory = make_table(GAME), make_thought(GAME), make_sequences(2), np.zeros(MOST_WEIGHTS)
    lesson = Lesson(0.7, 0.2, norm=3.0, coherent=False)
    never, alphas = np.zeros(1, np.uint8), np.full(20, 0.01)
    tally, average = make_tally(), make_average(policies.weights[0], 5)
    behind = (
        np.zeros((2, MOST_WEIGHTS)),
        alphas,
        np.full(20, 0.2),
        np.uint64(5),
        *memory,
        tally,
        never,
    )
    learn_games(GAME, policies, 0, lesson, average, *behind)
    assert tally.games[0] == 20
    assert np.abs(average.weights - policies.weights[0]).max() > 0
    assert (policies.weights[1] == before[1]).all()
    assert (policies.weights[0] != before[0]).any()
    assert np.abs(policies.weights[0]).max() <= 3.0 + 1e-12
    never[0] = 1
    learn_games(GAME, policies, 0, lesson, average, *behind)
    assert tally.games[0] == 20


def test_weights_that_are_pulled_to_and_fro_move_less():
    """Temporal coherence beside its definition, game by game."""
    weights, pulls = np.zeros(MOST_WEIGHTS), np.zeros((2, MOST_WEIGHTS))
    policies = make_policies([Policy(STATES)])
    tally, change = make_tally(), np.zeros(MOST_WEIGHTS)
    memory = make_table(GAME), make_thought(GAME), make_sequences(2), change, tally
    lesson, never = Lesson(0.7, 0.2, 0.0, True), np.zeros(1, np.uint8)
    net, absolute = np.zeros(MOST_WEIGHTS), np.zeros(MOST_WEIGHTS)
    average = make_average(policies.weights[0], 0)
    for _ in range(15):
        one = np.full(1, 0.01)
        before = GAME, policies, 0, lesson, average, pulls, one, np.zeros(1)
        learn_games(*before, np.uint64(3), *memory, never)
        share = np.ones(MOST_WEIGHTS)
        np.divide(np.abs(net), absolute, out=share, where=absolute > 0)
        weights += share * change
        net, absolute = net + change, absolute + np.abs(change)
        np.testing.assert_allclose(policies.weights[0], weights, rtol=1e-12)
    assert (share < 0.9).any()
