"""The fast way of column tuples goes the way of the general one, move by move."""

import numpy as np
import pytest

from spielwerk.games.catalogue import parse_game
from spielwerk.games.rules import initial, legal_moves, transition
from spielwerk.kernels.rng import Rng
from spielwerk.learning.averaging import advance, make_average
from spielwerk.learning.column_play import ColumnLearner
from spielwerk.learning.config import config_from
from spielwerk.learning.training import make_run
from spielwerk.values.column_slots import make_slots, set_indices
from spielwerk.values.feature_catalogue import parse_features
from spielwerk.values.learned import make_sparse, white_value

BASE = {
    # Mirrored moves in a symmetric position are equal but for rounding, which would decide.
    "features": "walk:count=30,length=4,symmetric=no",
    "games": 60,
    "function": "tanh:slope=0.7",
    "rewards": "1/0/-1",
    "spread": 0.1,
    "alpha": "linear:0.05,end=0.02",
    "epsilon": "linear:0.6,end=0.1",
}
CASES = {
    "thesis": {},
    "one table": {"features": "walk:count=30,length=4,tables=1,symmetric=no,m=3"},
    "mirrored": {"features": "walk:count=30,length=4", "games": 20, "start": "1"},
    "sigmoid, discounted": {"function": "sigmoid", "rewards": "1/0.5/0", "gamma": 0.9},
    "coherence": {"step": "tcl"},
    "returns": {"trace": "returns", "lambda": 0.8},
    "returns, reset, coherence": {"trace": "returns:reset=yes", "lambda": 0.8, "step": "tcl"},
    "explored moves": {"trace": "returns:reset=yes", "lambda": 0.8, "explored": "learn"},
    "explored moves, λ = 0": {"explored": "learn", "epsilon_first": "0.05"},
    "averaged, random starts": {"average": 20, "random_plies": 5},
    "cut": {"cut": 12},
    "siblings": {"siblings": 0.5, "games": 20},
    "siblings, returns, coherence": {
        "siblings": 0.3,
        "games": 20,
        "trace": "returns:reset=yes",
        "lambda": 0.8,
        "step": "tcl",
        "gamma": 0.98,
        "explored": "learn",
    },
    "two plies ahead": {"depth": 2},
    "a search, nothing learned beside explored moves": {
        "games": 6,
        "depth": 2,
        "target": "search",
        "trace": "returns",
        "lambda": 0.8,
    },
    # Two orders of the same moves are exactly equal only in the general way: few games.
    "learning from a search": {
        "games": 10,
        "depth": 3,
        "target": "search",
        "trace": "returns:reset=yes",
        "lambda": 0.8,
        "explored": "learn",
    },
}


@pytest.mark.parametrize("case", CASES)
def test_the_fast_way_equals_the_general_one(case):
    config = config_from(BASE | CASES[case])
    game = "connectx:rows=4,cols=5" if case != "cut" else "connectx:rows=4,cols=4"
    fast = make_run(game, config, seed=3)
    assert isinstance(fast.learner, ColumnLearner)
    general = make_run(game, config, seed=3, fast=False)
    assert not isinstance(general.learner, ColumnLearner)
    start = general.learner.learned.function.weights.copy()
    for run in (fast, general):
        run.play_on(config.games - 7)
        run.play_on(7)
    assert fast.tally.seed[0] == general.tally.seed[0]  # the same chances were drawn
    assert fast.tally.plies[0] == general.tally.plies[0]
    assert fast.tally.learned[0] == general.tally.learned[0]
    slow = general.learner.learned.function.weights
    assert np.abs(slow - start).max() > 1e-2
    # Sums of float32 in another order; TCL's exponential and searched values are rounded.
    close = 2e-4 if "coh" in case or "search" in case else 2e-6
    np.testing.assert_allclose(fast.learner.learned.function.weights, slow, rtol=0, atol=close)
    np.testing.assert_allclose(fast.average.weights, general.average.weights, rtol=0, atol=2e-6)


def test_indices_moved_stone_by_stone_are_those_of_the_position():
    game = parse_game("connect-four")
    value = make_run("connect-four", config_from(BASE), seed=1).learned
    slots = make_slots(game, value.features)
    rng, state, inputs = Rng(5), initial(game), make_sparse(value.room)
    into = np.zeros(slots.begin.size, np.int32)
    while moves := legal_moves(game, state):
        white_value(value, game, state, inputs)
        set_indices(slots, game, state, into)
        mover = int(state.filled).bit_count() % 2
        found = into.astype(np.int64) + mover * slots.table
        assert sorted(found.tolist()) == sorted(inputs.indices[: inputs.size[0]].tolist())
        state = transition(game, state, moves[rng.below(len(moves))])


def test_slots_that_a_column_touches_lie_in_its_range():
    game = parse_game("connect-four")
    for features in ("walk:count=9,length=6", "points:count=7,length=5,symmetric=no"):
        slots = make_slots(game, parse_features(features, game))
        steps = slots.steps.reshape(7, 2, slots.codes, -1)
        for col in range(7):
            touched = np.flatnonzero(steps[col].any(axis=(0, 1)))
            assert slots.first[col] <= touched.min()
            assert touched.max() < slots.last[col] <= slots.begin.size


def test_averages_begin_as_a_mean_and_then_forget():
    weights = np.array([1.0], np.float32)
    average = make_average(np.zeros(1, np.float32), 100)
    assert average.every == 2
    advance(average, weights, 1)
    assert average.weights[0] == 0  # not yet
    advance(average, weights, 2)
    assert average.weights[0] == 1  # the first is the mean of one
    weights[0] = 0.0
    for games in range(4, 1000, 2):
        advance(average, weights, games)
    assert 0 < average.weights[0] < 1e-3
