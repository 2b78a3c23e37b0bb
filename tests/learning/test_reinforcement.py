"""Policy-value nets that learn from their own games: whole generations, resumed to the byte."""

import numpy as np
import pytest
import torch

from spielwerk.arena.net_learning import gate_of, puct_measure, solved_positions
from spielwerk.arena.puct_training import begin_puct_run, measure_of_puct, remake_puct_run
from spielwerk.errors import SpielwerkError
from spielwerk.games.connectx import connectx
from spielwerk.games.rules import unpack
from spielwerk.kernels.bits import bit_indices
from spielwerk.learning.nets.puct_config import PuctConfig, puct_config_from
from spielwerk.learning.runs import CHECKPOINT, CURVE, begin_folder, resume_run, train
from spielwerk.search.solving import shared_solver
from spielwerk.values.net import NET, open_net, use_net

GAME = "connectx:4x5,k=3"
SMALL = connectx(4, 5, 3)
TINY = {
    "games": 60,
    "generation": 20,
    "evaluate_every": 20,
    "simulations": 16,
    "architecture": "residual:8x1-8",
    "batch": 64,
    "evaluation_positions": 30,
}


def config(**changes):
    return puct_config_from(TINY | changes)


def test_it_learns(monkeypatch):
    """The losses fall, and it keeps more values than it did at first, on rather empty boards."""
    monkeypatch.setattr("spielwerk.arena.net_learning.LEAST", 0.1)
    monkeypatch.setattr("spielwerk.arena.net_learning.MOST", 0.4)
    run = begin_puct_run(GAME, config(games=400, generation=100, evaluate_every=100, passes=8.0), 3)
    train(run, measure_of_puct(run))
    first, second, *_, last = run.rows
    assert last["games"] == 400
    assert last["policy_loss"] < second["policy_loss"]
    assert last["value_loss"] < second["value_loss"]
    assert last["success"] > first["success"] + 0.05


def test_stopped_and_resumed_it_ends_the_same(tmp_path):
    class StoppedError(Exception):
        pass

    def stop_after(games):
        def progress(run):
            if run.games == games:
                raise StoppedError

        return progress

    whole, parts = tmp_path / "whole", tmp_path / "parts"
    run = begin_puct_run(GAME, config(), 7, "spielwerk train …")
    begin_folder(run, whole)
    train(run, measure_of_puct(run), whole)
    run = begin_puct_run(GAME, config(), 7, "spielwerk train …")
    begin_folder(run, parts)
    with pytest.raises(StoppedError):
        train(run, measure_of_puct(run), parts, stop_after(40), checkpoint_seconds=0)
    run = resume_run(parts, {run.KIND: remake_puct_run})
    assert 0 < run.games < 60
    train(run, measure_of_puct(run), parts)
    for name in (CURVE, CHECKPOINT, NET):
        assert (whole / name).read_bytes() == (parts / name).read_bytes()
    net = open_net(whole / NET, SMALL)
    assert net.header.origin["seed"] == 7
    assert net.header.policy


def test_ctrl_c_gives_up_the_generation_it_comes_in():
    run = begin_puct_run(GAME, config(), 1)
    run.play_on(20)
    before = {name: array.copy() for name, array in run.memory().items()}
    descend, calls = type(run)._descend, []

    def interrupted(self, examples, new, flag):
        flag[0] = 1
        calls.append(new)
        return descend(self, examples, new, flag)

    run._descend = interrupted.__get__(run)
    with pytest.raises(KeyboardInterrupt):
        run.play_on(20)
    assert calls
    assert run.games == 20
    for name, array in run.memory().items():
        assert np.array_equal(array, before[name])


def test_only_so_many_positions_are_remembered():
    run = begin_puct_run(GAME, config(buffer=100), 2)
    run.play_on(20)
    run.play_on(20)
    assert run.state.remembered.words.size == 100


def test_a_gate_keeps_the_best_net():
    run = begin_puct_run(GAME, config(gate=0.55, gate_games=2), 2)
    assert run.gate is not None
    first = {name: array.copy() for name, array in run.memory().items() if name[:4] == "best"}
    seen = []

    def points(new, old, seed):
        seen.append(seed)
        return 0.5 if len(seen) == 1 else 0.6

    run.gate = points
    run.play_on(20)
    assert all(np.array_equal(run.memory()[name], array) for name, array in first.items())
    assert run.state.passed == 0
    run.play_on(20)
    assert run.state.passed == 1
    assert len(set(seen)) == 2
    best = {name[4:]: array for name, array in run.memory().items() if name[:4] == "best"}
    assert all(np.array_equal(run.memory()[f"net{name}"], array) for name, array in best.items())


def test_a_gate_finds_the_stronger_net():
    game = connectx()
    strong = use_net("connect-four", game)
    weak = begin_puct_run("connect-four", config(), 1).learned
    gate = gate_of(game, 4)
    assert (gate(strong, weak, 5), gate(weak, strong, 5)) == (1.0, 0.0)


def test_positions_to_be_measured_by_are_solved():
    words, keeping = solved_positions(SMALL, 25, 3)
    assert words.size == 25
    solver = shared_solver(SMALL)
    for word, moves in zip(words, keeping, strict=True):
        signs = solver.sign_moves(unpack(SMALL, word))
        best = {move for move, sign in signs.items() if sign == max(signs.values())}
        assert set(bit_indices(moves)) == best
        assert len(best) < len(signs)


def test_the_measure_of_a_net_that_knows_nothing_is_what_its_ties_deserve():
    run = begin_puct_run(GAME, config(), 1)
    measured = puct_measure(SMALL, 25, 3)(run.learned)
    assert set(measured) == {"success", "policy"}
    assert all(0 < share < 1 for share in measured.values())


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"games": 30}, "games must be whole generations of 20"),
        ({"evaluate_every": 30}, "evaluate_every must be whole generations"),
        ({"simulations": 1}, "simulations must be 2 at least"),
        ({"noise": 1.5}, "noise must be 0 to 1"),
        ({"alpha": 0.0}, "alpha must be above 0"),
        ({"rate": "0"}, "rate must be above 0"),
        ({"gate_games": 0}, "gate_games must be even"),
        ({"gate_games": 3}, "gate_games must be even"),
        ({"warm": -1}, "warm must not be negative"),
        ({"evaluation_positions": 1}, "evaluation_positions must be 10"),
        ({"nonsense": 1}, 'No setting "nonsense"'),
    ],
)
def test_settings_that_make_no_sense(changes, complaint):
    with pytest.raises(SpielwerkError, match=complaint):
        config(**changes)


def test_nets_are_for_connectx():
    with pytest.raises(SpielwerkError, match="not nim"):
        begin_puct_run("nim", PuctConfig(games=500), 1)


def test_the_random_numbers_of_others_are_left_alone():
    """A run draws from its own seed, whatever was drawn before, and takes nothing from others."""
    torch.manual_seed(1)
    before = torch.random.get_rng_state()
    one = begin_puct_run(GAME, config(), 5).memory()
    assert torch.random.get_rng_state().equal(before)
    torch.manual_seed(2)
    other = begin_puct_run(GAME, config(), 5).memory()
    assert all(np.array_equal(array, other[name]) for name, array in one.items())
