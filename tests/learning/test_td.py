"""Algorithms 1 and 2 against their twin, the λ-return and Monte Carlo; gradients, divergence."""

import numpy as np
import pytest
from td_twin import Twin, divisibility, line_counts, raw, tuples

from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.graph import game_graph
from spielwerk.games.rules import initial, legal_moves, pack, transition, unpack
from spielwerk.games.symmetry import canonical
from spielwerk.kernels.rng import Rng
from spielwerk.learning.averaging import make_average
from spielwerk.learning.referee import Rules
from spielwerk.learning.returns import make_episode
from spielwerk.learning.rules import parse_step, parse_trace
from spielwerk.learning.self_play import Play, make_tally, self_play
from spielwerk.learning.step_sizes import Fixed
from spielwerk.learning.td import learn_sequence, learn_step, make_learner, slope_at
from spielwerk.learning.traces import Accumulating
from spielwerk.values.approximators import gradient_room
from spielwerk.values.feature_catalogue import parse_features
from spielwerk.values.features import with_bias
from spielwerk.values.function_catalogue import initial_weights, parse_shape
from spielwerk.values.learned import (
    after_state_value,
    make_learned,
    white_reward,
    white_value,
)
from spielwerk.values.sparse import make_sparse, to_dense

TTT, NIM = parse_game("tic-tac-toe"), parse_game("nim:n=23")
NO_START, GO_ON = np.zeros(0, np.uint64), np.zeros(1, np.uint8)


def make_value(
    game, features, function="linear", gamma=1.0, rewards=(1, 0.5, 0), spread=0.3, bias=False
):
    made = parse_features(features, game)
    made = with_bias(made) if bias else made
    shape = parse_shape(function)
    weights = initial_weights(shape, made.width, spread, 5)
    return make_learned(made, shape.make(made.width, weights), gamma, rewards)


def play_games(
    learner,
    game,
    starts,
    random_plies,
    epsilons,
    alphas,
    tally,
    stop=GO_ON,
    learn_explored=False,
    siblings=0.0,
):
    """`self_play` with both players' ε the same, and without what these tests do not need."""
    return self_play(
        learner,
        game,
        starts,
        Play(random_plies, 1, learn_explored, False, siblings),
        Rules(),
        make_episode(30, learner.here.indices.size),
        make_average(learner.learned.function.weights, 0),
        np.column_stack([epsilons, epsilons]),
        alphas,
        tally,
        stop,
    )


def table_vector(words):
    def vector(state):
        g = np.zeros(len(words))
        g[np.searchsorted(words, canonical(TTT, state))] = 1
        return g

    return vector


def cells(text):
    return [[int(cell) - 1 for cell in one] for one in text.split("/")]


CASES = {
    "nim": (
        (NIM, "divisibility:most=6", "linear"),
        {"trace": "accumulating", "step": "fixed", "alpha": 0.05, "lam": 0.0, "gamma": 1.0},
        lambda value: lambda state: divisibility(NIM, state, 6),
        {},
    ),
    "tuples, tanh, replacing, TCL": (
        (TTT, "tuples:123/1245,symmetric=no", "tanh:slope=0.7"),
        {"trace": "replacing:reset=yes", "step": "tcl", "alpha": 0.02, "lam": 0.8, "gamma": 0.9},
        lambda value: lambda state: tuples(TTT, state, cells("123/1245"), False),
        {
            "kind": "tanh",
            "slope": 0.7,
            "replacing": True,
            "resetting": True,
            "step": "tcl",
            "steepness": 2.7,
        },
    ),
    "table, resetting, IDBD": (
        (TTT, "table", "linear"),
        {
            "trace": "accumulating:reset=yes",
            "step": "idbd",
            "alpha": 0.05,
            "lam": 0.6,
            "gamma": 1.0,
        },
        lambda value: table_vector(value.features.words),
        {"resetting": True, "step": "idbd", "theta": 3.0},
    ),
    "raw board, sigmoid, K1": (
        (TTT, "raw", "sigmoid"),
        {"trace": "accumulating", "step": "k1", "alpha": 0.05, "lam": 0.5, "gamma": 0.95},
        lambda value: lambda state: raw(TTT, state),
        {"kind": "sigmoid", "step": "k1", "theta": 6.0},
    ),
    "lines, net, Autostep": (
        (TTT, "lines", "net:hidden=3"),
        {"trace": "replacing", "step": "autostep:mu=0.01", "alpha": 0.05, "lam": 0.7, "gamma": 1.0},
        lambda value: lambda state: line_counts(TTT, state),
        {"kind": "net", "hidden": 3, "replacing": True, "step": "autostep", "mu": 0.01},
    ),
    "α-bounds": (
        (NIM, "divisibility:most=6", "linear"),
        {"trace": "accumulating", "step": "alpha-bounds", "alpha": 1.0, "lam": 0.9, "gamma": 0.9},
        lambda value: lambda state: divisibility(NIM, state, 6),
        {"step": "alpha-bounds"},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_self_play_equals_the_twin(case):
    (game, features, function), settings, vector_of, twin_settings = CASES[case]
    value = make_value(game, features, function, settings["gamma"])
    alpha, lam = settings["alpha"], settings["lam"]
    step = parse_step(settings["step"]).make(value.function.weights.size, alpha)
    learner = make_learner(value, parse_trace(settings["trace"]), step, lam)
    twin = Twin(
        game,
        vector_of(value),
        value.function.weights,
        gamma=settings["gamma"],
        lam=lam,
        alpha=alpha,
        **twin_settings,
    )
    starts = game_graph(game).words[game_graph(game).running] if game is NIM else NO_START
    epsilons = np.linspace(0.6, 0.1, 25)
    tally, rng = make_tally(11), Rng(11)
    assert play_games(learner, game, starts, 2, epsilons, np.full(25, alpha), tally)
    for epsilon in epsilons:
        twin.self_play(rng, epsilon, alpha, starts, 2)
    assert int(tally.seed[0]) == rng.copy()._seed  # the same chances were drawn
    assert (
        np.abs(twin.w - initial_weights(parse_shape(function), value.features.width, 0.3, 5)).max()
        > 1e-4
    )
    np.testing.assert_allclose(value.function.weights, twin.w, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("case", ["nim", "tuples, tanh, replacing, TCL"])
def test_siblings_learn_as_in_the_twin(case):
    (game, features, function), settings, vector_of, twin_settings = CASES[case]
    alpha, gamma = settings["alpha"], settings["gamma"]
    value = make_value(game, features, function, gamma=gamma)
    begun = value.function.weights.copy()
    step = parse_step(settings["step"]).make(value.features.width, alpha)
    learner = make_learner(value, parse_trace(settings["trace"]), step)
    twin = Twin(game, vector_of(value), begun, gamma=gamma, alpha=alpha, **twin_settings)
    epsilons, tally, rng = np.linspace(0.6, 0.1, 25), make_tally(11), Rng(11)
    alphas = np.full(25, alpha)
    assert play_games(learner, game, NO_START, 2, epsilons, alphas, tally, siblings=0.4)
    for epsilon in epsilons:
        twin.self_play(rng, epsilon, alpha, (), 2, siblings=0.4)
    assert int(tally.seed[0]) == rng.copy()._seed
    assert np.abs(twin.w - begun).max() > 1e-3
    np.testing.assert_allclose(value.function.weights, twin.w, rtol=1e-9, atol=1e-11)


def positions(game, count=40, seed=3):
    graph = game_graph(game)
    words = graph.words[graph.running]
    rng = Rng(seed)
    return [unpack(game, words[rng.below(len(words))]) for _ in range(count)]


@pytest.mark.parametrize(
    ("game", "features", "twin"),
    [
        (NIM, "divisibility:most=9", lambda state: divisibility(NIM, state, 9)),
        (TTT, "raw", lambda state: raw(TTT, state)),
        (TTT, "lines", lambda state: line_counts(TTT, state)),
        (TTT, "tuples:123/5-9", lambda state: tuples(TTT, state, [[0, 1, 2], [4, 8]])),
    ],
)
def test_features_equal_their_twin(game, features, twin):
    value = make_value(game, features, bias=True)
    inputs = make_sparse(value.room)
    for state in positions(game):
        white_value(value, game, state, inputs)
        assert to_dense(inputs, value.features.width).tolist() == [*twin(state), 1.0]


@pytest.mark.parametrize("function", ["linear", "sigmoid", "tanh:slope=0.6", "net:hidden=4"])
def test_gradients_equal_finite_differences(function):
    value = make_value(TTT, "raw", function, bias=True)
    learner = make_learner(value, Accumulating(False), Fixed())
    weights, inputs = value.function.weights, make_sparse(value.room)
    slope = make_sparse(gradient_room(value.function, value.room))
    for state in positions(TTT, count=5):
        slope_at(learner, TTT, state, slope)
        exact = to_dense(slope, weights.size)
        for i in range(weights.size):
            kept, sides = weights[i], []
            for shift in (1e-6, -1e-6):
                weights[i] = kept + shift
                sides.append(white_value(value, TTT, state, inputs))
            weights[i] = kept
            assert exact[i] == pytest.approx((sides[0] - sides[1]) / 2e-6, abs=1e-8)


def course(game, seed):
    """The states of a random game."""
    rng, states = Rng(seed), [initial(game)]
    while moves := legal_moves(game, states[-1]):
        states.append(transition(game, states[-1], moves[rng.below(len(moves))]))
    return states


def lambda_return_change(value, game, states, rewards, lam):
    """Σ_t (G_t^λ − V(s_t)) ∇V(s_t): the forward view, from its definition."""
    inputs = make_sparse(value.room)
    n = len(rewards)
    v = [white_value(value, game, state, inputs) for state in states[:n]] + [0.0]

    def steps(t, k):
        """The k-step return from t."""
        gamma = value.gamma
        return sum(gamma**i * rewards[t + i] for i in range(k)) + gamma**k * v[t + k]

    learner = make_learner(value, Accumulating(False), Fixed())
    change = np.zeros(value.function.weights.size)
    slope = make_sparse(gradient_room(value.function, value.room))
    for t in range(n):
        target = (1 - lam) * sum(lam ** (k - 1) * steps(t, k) for k in range(1, n - t))
        target += lam ** (n - t - 1) * steps(t, n - t)
        slope_at(learner, game, states[t], slope)
        change += (target - v[t]) * to_dense(slope, change.size)
    return change


@pytest.mark.parametrize("lam", [0.0, 0.3, 0.9, 1.0])
def test_offline_learning_is_the_lambda_return(lam):
    value = make_value(TTT, "raw", "tanh:slope=0.6", gamma=0.9, bias=True)
    learner = make_learner(value, Accumulating(False), Fixed(), lam)
    for seed in range(6):
        states = course(TTT, seed)
        rng = Rng(seed + 100)
        rewards = [rng.unit() - 0.5 for _ in states[1:]]  # rewards on the way as well
        before = value.function.weights.copy()
        expected = lambda_return_change(value, TTT, states, rewards, lam)
        learn_sequence(learner, TTT, states, rewards, alpha=0.2, offline=True)
        np.testing.assert_allclose(
            value.function.weights - before, 0.2 * expected, rtol=0, atol=1e-12
        )


def test_lambda_1_is_monte_carlo():
    """Konen's appendix A: δ_t = r(s_N) − V(s_t) for all states, when γ = 1."""
    value = make_value(TTT, "raw", "linear", bias=True)
    learner = make_learner(value, Accumulating(False), Fixed(), 1.0)
    states = course(TTT, 4)
    rewards = [0.0] * (len(states) - 2) + [0.5]
    before, expected = value.function.weights.copy(), 0.0
    inputs = make_sparse(value.room)
    for state in states[:-1]:
        error = 0.5 - white_value(value, TTT, state, inputs)
        expected = expected + error * to_dense(inputs, before.size)
    learn_sequence(learner, TTT, states, rewards, alpha=0.1, offline=True)
    np.testing.assert_allclose(value.function.weights - before, 0.1 * expected, atol=1e-12)


def test_online_learning_uses_the_weights_of_the_moment():
    """V_old is computed anew after each step: two positions that share all weights show it."""
    value = make_value(NIM, "divisibility:most=3", spread=0.0)
    learner = make_learner(value, Accumulating(False), Fixed())
    states = [
        unpack(NIM, np.uint64(stones << 1 | turn)) for stones, turn in ((7, 0), (6, 1), (0, 0))
    ]
    deltas = learn_sequence(learner, NIM, states, [1.0, 1.0], alpha=0.5)
    # s_0: Black left 7: g_2, g_3 = 1, 1. s_1: White left 6: 1, 1. The first step makes w = ½, ½.
    assert deltas == [1.0, 0.0]
    assert value.function.weights.tolist() == [0.5, 0.5]


def test_sequences_that_make_no_sense_are_refused():
    value = make_value(NIM, "divisibility:most=3")
    learner = make_learner(value, Accumulating(False), Fixed())
    with pytest.raises(SpielwerkError, match="3 states need 2 rewards"):
        learn_sequence(learner, NIM, [initial(NIM)] * 3, [0.0] * 3, alpha=0.1)
    adaptive = make_learner(value, Accumulating(False), parse_step("tcl").make(2, 0.1))
    with pytest.raises(SpielwerkError, match="Offline learning is for a fixed step size"):
        learn_sequence(adaptive, NIM, [initial(NIM)] * 2, [0.0], alpha=0.1, offline=True)


@pytest.mark.parametrize(("lam", "gamma"), [(0.0, 1.0), (0.7, 0.9), (1.0, 1.0)])
def test_returns_are_the_forward_view(lam, gamma):
    """A game of greedy moves, learned from at its end, changes the weights as defined."""
    value = make_value(TTT, "raw", "tanh", gamma, rewards=(1, 0, -1), bias=True)
    learner = make_learner(value, parse_trace("returns"), Fixed(), lam)
    before = value.function.weights.copy()
    play_games(learner, TTT, NO_START, 0, np.zeros(1), np.full(1, 0.1), make_tally(4))
    learned = value.function.weights.copy()
    value.function.weights[:] = before
    states = [initial(TTT)]
    rng = Rng(4)
    while legal_moves(TTT, states[-1]):
        scores = {}
        sign = 1 if len(states) % 2 else -1
        for move in legal_moves(TTT, states[-1]):
            after = transition(TTT, states[-1], move)
            scores[move] = sign * after_state_value(value, TTT, after, make_sparse(value.room))
        rng.unit()
        states.append(transition(TTT, states[-1], max(scores, key=scores.get)))
    rewards = [white_reward(value, TTT, state) for state in states[1:]]
    change = lambda_return_change(value, TTT, states, rewards, lam)
    np.testing.assert_allclose(learned - before, 0.1 * change, atol=1e-12)
    assert np.abs(change).max() > 1e-3


def test_after_a_random_move_nothing_is_learned_unless_it_ended_the_game():
    value = make_value(NIM, "divisibility:most=3")
    learner = make_learner(value, Accumulating(False), Fixed())
    weights = value.function.weights
    before = weights.copy()
    start = initial(NIM)
    after = transition(NIM, start, 0)
    learn_sequence(learner, NIM, [start, after], [0.0], 0.0)  # fills the traces, changes nothing
    assert learn_step(learner, weights, NIM, start, after, 0.0, False, True, 0.5) == 0.0
    assert weights.tolist() == before.tolist()
    assert learn_step(learner, weights, NIM, start, after, 1.0, True, True, 0.5) != 0.0
    assert weights.tolist() != before.tolist()


def trace_of(kind, lam, pulses):
    """The trace of one weight that is activated at some moments (Konen's figure 2)."""
    from spielwerk.learning.traces import make_traces, update_traces
    from spielwerk.values.sparse import append, clear

    traces, slope, course = make_traces(2), make_sparse(2), []
    for pulse in pulses:
        clear(slope)
        if pulse:
            append(slope, 1, 1.0)
        update_traces(parse_trace(kind), traces, lam, slope)
        course.append(float(traces.e[1]))
    return course


def test_traces_accumulate_or_replace():
    pulses = [0, 1, 1, 0, 1]
    assert trace_of("accumulating", 0.5, pulses) == [0, 1, 1.5, 0.75, 1.375]
    assert trace_of("replacing", 0.5, pulses) == [0, 1, 1, 0.5, 1]
    assert trace_of("accumulating", 1.0, pulses) == [0, 1, 2, 2, 3]  # a staircase
    assert trace_of("accumulating", 0.0, pulses) == [0, 1, 1, 0, 1]


def test_only_active_weights_are_touched():
    value = make_value(TTT, "tuples:123456789", spread=0.0)
    learner = make_learner(value, Accumulating(False), Fixed(), 0.5)
    tally = make_tally(3)
    play_games(learner, TTT, NO_START, 0, np.full(400, 0.5), np.full(400, 0.01), tally)
    changed = int((value.function.weights != 0).sum())
    assert 1000 < changed <= 4520  # Thill 2012, §4.2.1: no more than there are running positions
    assert learner.traces.size[0] < 8 * 9  # what one game leaves


def test_a_stop_lies_between_two_games():
    value = make_value(NIM, "divisibility:most=6")
    learner = make_learner(value, Accumulating(False), Fixed())
    tally = make_tally(1)
    stop = np.ones(1, np.uint8)
    assert play_games(learner, NIM, NO_START, 0, np.ones(5), np.ones(5), tally, stop)
    assert tally.games[0] == 0


def test_start_positions():
    value = make_value(NIM, "divisibility:most=6")
    learner = make_learner(value, Accumulating(False), Fixed())
    last = np.array([pack(NIM, unpack(NIM, np.uint64(1 << 1)))], np.uint64)  # one stone left
    tally = make_tally(1)
    play_games(learner, NIM, last, 5, np.ones(10), np.full(10, 0.1), tally)
    assert (tally.games[0], tally.plies[0]) == (10, 10)


def test_symmetric_positions_have_one_weight():
    value = make_value(TTT, "table")
    inputs = make_sparse(value.room)
    corners = {
        white_value(value, TTT, transition(TTT, initial(TTT), corner), inputs)
        for corner in (0, 2, 6, 8)
    }
    edges = {
        white_value(value, TTT, transition(TTT, initial(TTT), edge), inputs)
        for edge in (1, 3, 5, 7)
    }
    assert len(corners) == len(edges) == 1 != len(corners | edges)


def test_idbd_that_does_not_adapt_is_the_fixed_step():
    """With θ = 0 IDBD adapts nothing."""
    courses = {}
    for step in ("fixed", "idbd:theta=0"):
        value = make_value(NIM, "divisibility:most=6", spread=0.0)
        learner = make_learner(
            value, Accumulating(False), parse_step(step).make(value.function.weights.size, 0.05)
        )
        play_games(learner, NIM, NO_START, 0, np.full(20, 0.3), np.full(20, 0.05), make_tally(2))
        courses[step] = value.function.weights
    np.testing.assert_allclose(courses["fixed"], courses["idbd:theta=0"], rtol=1e-12)
