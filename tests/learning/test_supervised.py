"""Value nets that learn from data: what they learn, and that stopping them changes nothing."""

import csv
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from spielwerk.arena.net_data import make_net_data
from spielwerk.arena.net_training import begin_net_run, net_settings_of
from spielwerk.arena.resuming import resume
from spielwerk.arena.trainings import all_kinds_of, kinds_of, known_presets, measure_of, settings_of
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.kernels.interrupt import stoppable
from spielwerk.learning.nets.config import NetConfig, net_config_from
from spielwerk.learning.runs import CHECKPOINT, CURVE, begin_folder, train
from spielwerk.learning.td import DivergedError
from spielwerk.values.model import read_tensors
from spielwerk.values.net import NET, open_net

SPEC = "connectx:rows=4,cols=4,k=3"


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Some 6,600 positions of random games, with exact values."""
    path = tmp_path_factory.mktemp("data") / "data.safetensors"
    settings = NetConfig(str(path), players="random", matches=1000, held_out=0.2, exact=True)
    make_net_data(SPEC, settings, 1, threads=2).save(path)
    return path


def make(data, **changes):
    settings = {"architecture": "dense:24-16", "representation": "own", "examples": 600}
    settings |= {"epochs": 4, "batch": 50, "rate": "0.003"}
    texts = [f"{name}={value}" for name, value in (settings | changes).items()]
    return begin_net_run(SPEC, net_settings_of(SPEC, None, None, texts, str(data))[0], 4)


def trained(run, folder=None):
    if folder is not None:
        begin_folder(run, folder)
    train(run, measure_of(run), folder)
    return run


def files(folder):
    return {name: (folder / name).read_bytes() for name in (CURVE, NET, CHECKPOINT)}


@pytest.mark.parametrize(
    "architecture", ["dense:24-16", "conv:8x2-16", "residual:8x1-8"], ids=lambda text: text[:4]
)
def test_a_stopped_run_ends_like_one_that_was_not(architecture, data, tmp_path, monkeypatch):
    whole = trained(make(data, architecture=architecture), tmp_path / "whole")
    stopped = make(data, architecture=architecture)
    monkeypatch.setattr(type(stopped), "CHUNK", 5)
    begin_folder(stopped, tmp_path / "parts")
    flag = np.zeros(1, np.uint8)

    def stop(run):
        flag[0] = run.done >= whole.every + 5  # in the midst of the second epoch

    with stoppable(flag), pytest.raises(KeyboardInterrupt):
        train(stopped, measure_of(stopped), tmp_path / "parts", stop)
    assert not (tmp_path / "parts" / NET).exists()
    again = resume(tmp_path / "parts")
    assert again.done == stopped.done == whole.every + 5
    assert again.done % again.every
    train(again, measure_of(again), tmp_path / "parts")
    assert files(tmp_path / "parts") == files(tmp_path / "whole")


KILLED = """
import sys
from pathlib import Path
from spielwerk.arena.net_training import begin_net_run, net_settings_of
from spielwerk.arena.trainings import measure_of
from spielwerk.learning.runs import begin_folder, train

texts = ["architecture=dense:24-16", "epochs=60", "batch=20", "patience=0"]
config, _ = net_settings_of(sys.argv[1], None, None, texts, sys.argv[2])
run = begin_net_run(sys.argv[1], config, 5)
folder = Path(sys.argv[3])
begin_folder(run, folder)
train(run, measure_of(run), folder, checkpoint_seconds=0)
"""


@pytest.mark.thorough
def test_killing_a_run_loses_nothing(data, tmp_path):
    """kill -9 in the middle: the resumed run ends with the same bytes as an uninterrupted one."""
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    words = [sys.executable, "-c", KILLED, SPEC, str(data)]
    subprocess.run([*words, str(whole)], check=True)
    process = subprocess.Popen([*words, str(parts)])
    deadline, steps = time.monotonic() + 60, 0
    while steps < 100 and time.monotonic() < deadline:
        time.sleep(0.005)
        if (parts / CHECKPOINT).exists():
            steps = int(read_tensors(parts / CHECKPOINT)[1]["counters"][0])
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not (parts / NET).exists(), "it was too fast to be killed"
    run = resume(parts)
    assert 100 <= run.done < run.total
    train(run, measure_of(run), parts)
    assert files(parts) == files(whole)


@pytest.mark.parametrize("target", ["normal", "minimax"])
def test_the_file_holds_the_best_weights_and_means_what_was_learned(target, data, tmp_path):
    """A net far too large for its data gets worse again; the file has the epoch before that."""
    changes = {"epochs": 60, "patience": 6, "architecture": "dense:256-256", "rate": 0.001}
    run = trained(make(data, target=target, **changes), tmp_path)
    errors = [row["held_out_mse"] for row in run.rows]
    assert run.best_epoch == int(np.argmin(errors)) > 0
    assert run.epoch == run.best_epoch + 6 < 60
    with (tmp_path / CURVE).open() as file:
        assert [int(row["epoch"]) for row in csv.DictReader(file)] == list(range(run.epoch + 1))
    net = open_net(tmp_path / NET, parse_game(SPEC))
    held_out = run.data.held_out
    owner = -net.evaluate(held_out.words, symmetric=False)[:, 0]
    wrong = (owner - held_out.values) * (0.5 if target == "normal" else 1)
    assert np.mean(wrong**2) == pytest.approx(min(errors), abs=1e-5)
    assert np.mean(np.abs(wrong)) == pytest.approx(run.errors[1], abs=1e-5)
    assert net.header.origin["held_out_mse"] == min(errors)
    assert net.header.origin["data"] == run.data.origin
    assert (net.header.mover, net.header.policy) == (False, False)


def test_it_learns_what_positions_are_worth(data):
    """Exact values, 30 epochs, seed 4: an error of 0.33 on 1,300 positions that were held out,
    where the best constant has 0.97."""
    changes = {"examples": 0, "batch": 100, "epochs": 30, "target": "minimax"}
    run = trained(make(data, architecture="dense:64-32", **changes))
    assert run.errors[0] < 0.5 * run.data.held_out.values.var()
    assert run.rows[-1]["mse"] < run.rows[1]["mse"]


def test_examples_are_the_first_ones(data):
    run = make(data, examples=123, batch=50)
    assert (len(run.training), run.every) == (123, 3)
    whole = make(data, examples=0)
    assert len(whole.training) == whole.data.origin["counts"]["training"]
    assert run.training.inputs.equal(whole.training.inputs[:123])
    with pytest.raises(SpielwerkError, match=r"examples, not 1,000,000"):
        make(data, examples=1_000_000)


def test_a_seed_decides_and_leaves_others_alone(data):
    import torch

    torch.manual_seed(3)
    before = torch.random.get_rng_state()
    one, two = make(data), make(data)
    assert torch.random.get_rng_state().equal(before)
    trained(one), trained(two)
    assert one.rows == two.rows


def test_other_data_are_noticed(data, tmp_path):
    copy = tmp_path / "copy.safetensors"
    copy.write_bytes(data.read_bytes())
    begin_folder(make(copy), tmp_path / "run")
    resume(tmp_path / "run")
    make_net_data(SPEC, NetConfig("d", players="random", matches=200), 1).save(copy)
    with pytest.raises(SpielwerkError, match="has other positions than when the run began"):
        resume(tmp_path / "run")
    copy.unlink()
    with pytest.raises(SpielwerkError, match="the file is not there"):
        resume(tmp_path / "run")


def test_divergence_is_told(data):
    run = make(data, rate=1)
    run.net.value[-2].weight.data.fill_(float("nan"))
    with pytest.raises(DivergedError, match="Try a rate that begins below 1"):
        trained(run)


def test_every_preset_can_be_run(tmp_path):
    path = tmp_path / "data.safetensors"
    settings = NetConfig(str(path), players="random", matches=20)
    make_net_data("connect-four", settings, 1).save(path)
    known = known_presets("connect-four", "net")
    assert [one.name for one in known] == ["conv-minimax", "conv", "dense-minimax", "dense"]
    for one in known:
        changes = ["epochs=1"]
        config, _ = net_settings_of("connect-four", one.name, None, changes, str(path))
        assert (config.target == "minimax") == one.name.endswith("minimax")
        assert config.architecture.partition(":")[0] == one.name.partition("-")[0]
        run = trained(begin_net_run("connect-four", config, 1))
        assert [row["epoch"] for row in run.rows] == [0, 1]


def test_nets_are_for_connectx_on_the_command_line():
    assert "net" in all_kinds_of(SPEC)
    assert "net" not in all_kinds_of("nim")
    assert "net" not in kinds_of(SPEC)  # pages must not name files
    with pytest.raises(SpielwerkError, match="No kind of training"):
        settings_of(SPEC, "net", None, None, [])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "learns from data: --data FILE"),
        ({"data": ""}, "data must be a file"),
        ({"data": "d", "target": "norm"}, 'Did you mean "normal"'),
        ({"data": "d", "representation": "plane"}, 'Did you mean "planes"'),
        ({"data": "d", "epochs": 0}, "epochs must be 1 at least"),
        ({"data": "d", "batch": 1}, "batch must be 2 at least"),
        ({"data": "d", "held_out": 1.0}, "held_out must be between 0 and 1"),
        ({"data": "d", "rate": 0}, "rate must begin above 0"),
        ({"data": "d", "rate": "linear:0.1,end=2"}, "rate must be 1 at most"),
        ({"data": "d", "patience": -1}, "patience must not be negative"),
        ({"data": "d", "epcohs": 1}, 'Did you mean "epochs"'),
    ],
)
def test_wrong_settings_are_answered(settings, message):
    with pytest.raises(SpielwerkError, match=message):
        net_config_from(settings)


@pytest.mark.parametrize(
    ("architecture", "message"),
    [
        ("dens:3", "is no architecture"),
        ("conv:8", "is no architecture"),
        ("dense:4-", "is no architecture"),
        ("dense:0", "layers have 1 to 4096 neurons"),
        ("conv:8x65", "there are 64 at most"),
        ("conv:8x0-4", "has no layer of filters"),
    ],
)
def test_a_wrong_architecture_is_told_before_games_are_played(architecture, message, tmp_path):
    path = tmp_path / "data.safetensors"
    with pytest.raises(SpielwerkError, match=message):
        make(path, architecture=architecture)
    assert not path.exists()
