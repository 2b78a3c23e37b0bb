"""The search for a net: what it proposes, what it keeps, and that stopping it changes nothing."""

import csv
import tomllib
from contextlib import closing

import numpy as np
import optuna
import pytest
import torch

from spielwerk.arena.net_data import make_net_data
from spielwerk.arena.net_training import begin_net_run, net_settings_of, not_searched
from spielwerk.arena.trainings import measure_of
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.kernels.interrupt import stoppable
from spielwerk.learning.nets.architecture_search import (
    BEST,
    RANDOM_TRIALS,
    TRIAL,
    TRIALS,
    WARM_UP,
    begin_search,
    proposed,
    resume_search,
)
from spielwerk.learning.nets.architectures import BoardNet, parse_architecture
from spielwerk.learning.nets.config import STUDY, NetConfig, check_search
from spielwerk.learning.nets.supervised import NetRun
from spielwerk.learning.runs import CONFIG, train
from spielwerk.learning.td import DivergedError
from spielwerk.values.net import NET, open_net

SPEC = "connectx:rows=4,cols=4,k=3"
FILES = (CONFIG, TRIALS, BEST, NET)


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """These nets are so small that threads would only wait for each other."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Some 2,000 positions of random games, with exact values."""
    path = tmp_path_factory.mktemp("data") / "data.safetensors"
    settings = NetConfig(str(path), players="random", matches=200, held_out=0.2, exact=True)
    make_net_data(SPEC, settings, 1, threads=2).save(path)
    return path


def begin(data, folder, trials, seed=4, fixed=(), **changes):
    texts = [f"{name}={value}" for name, value in ({"epochs": 5} | changes).items()]
    config, _ = net_settings_of(SPEC, None, None, texts, str(data))
    return begin_search(begin_net_run(SPEC, config, seed), folder, fixed, trials)


def searched(data, folder, trials, **changes):
    with closing(begin(data, folder, trials, **changes)) as search:
        search.go_on()
        return search.results(), search.best()


def files(folder):
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.fixture(scope="module")
def whole(data, tmp_path_factory):
    """The folder of a search that nothing stopped, what it found, and its best."""
    folder = tmp_path_factory.mktemp("search") / "whole"
    return folder, *searched(data, folder, 8)


def test_a_search_keeps_its_trials_and_the_best_net(whole, data):
    folder, results, best = whole
    assert [result.trial for result in results] == list(range(1, 9))
    assert best.held_out_mse == min(
        result.held_out_mse for result in results if result.outcome == "trained"
    )
    with (folder / TRIALS).open() as file:
        rows = list(csv.DictReader(file))
    assert [row["architecture"] for row in rows] == [result.architecture for result in results]
    assert float(rows[2]["held_out_mae"]) == pytest.approx(results[2].held_out_mae, rel=1e-5)
    header = open_net(folder / NET, parse_game(SPEC)).header.origin
    assert header["held_out_mse"] == best.held_out_mse
    assert header["config"]["architecture"] == best.architecture
    assert not (folder / TRIAL).exists()
    for result in results:
        net = BoardNet(result.architecture, "regular", parse_game(SPEC), "normal", policy=False)
        assert result.parameters == sum(weights.numel() for weights in net.parameters())


def test_best_toml_trains_the_very_same_net(whole, data):
    folder, _, best = whole
    config, seed = net_settings_of(SPEC, None, folder / BEST, [])
    run = begin_net_run(SPEC, config, seed)
    train(run, measure_of(run))
    assert tuple(run.errors) == (best.held_out_mse, best.held_out_mae)
    assert (run.epoch, run.best_epoch) == (best.epochs, best.best_epoch)


def test_what_is_worse_than_the_median_ends_early(whole):
    _, results, _ = whole
    pruned = [result for result in results if result.outcome == "pruned"]
    assert pruned
    trained = [result.held_out_mse for result in results if result.outcome == "trained"]
    for result in pruned:
        assert result.trial > RANDOM_TRIALS
        assert WARM_UP <= result.epochs < 5
        assert result.held_out_mse > min(trained)
    assert all(result.epochs == 5 for result in results if result.outcome == "trained")


def test_a_stopped_search_ends_like_one_that_was_not(whole, data, tmp_path):
    """Stopped in trial 6, in which the trials before have a say."""
    folder, results, _ = whole
    flag, seen = np.zeros(1, np.uint8), []

    def stop(number, run):
        flag[0] = number == 6 and run.epoch == 1

    with (
        closing(begin(data, tmp_path / "parts", 8)) as search,
        stoppable(flag),
        pytest.raises(KeyboardInterrupt),
    ):
        search.go_on(stop)
    assert (tmp_path / "parts" / TRIAL).exists()
    with closing(resume_search(tmp_path / "parts")) as search:
        assert search.results() == results[:5]
        search.go_on(lambda number, run: seen.append((number, run.epoch)))
        assert search.results() == results
    assert seen[0] == (6, 2)  # the trial went on where it was
    assert files(tmp_path / "parts") == files(folder)


@pytest.mark.thorough
def test_a_longer_search_begins_like_a_shorter_one(whole, data, tmp_path):
    _, results, _ = whole
    short = tmp_path / "short"
    assert searched(data, short, 2)[0] == results[:2]
    with closing(resume_search(short, 5)) as search:
        search.go_on()
        assert search.results() == results[:5]
    with closing(resume_search(short)) as search:
        assert search.trials == 5
    with pytest.raises(SpielwerkError, match="has 5 trials already, not 4"):
        resume_search(short, 4)


@pytest.mark.thorough
def test_another_seed_tries_other_nets(whole, data, tmp_path):
    _, results, _ = whole
    others, _ = searched(data, tmp_path / "other", 3, seed=5, epochs=1)
    assert [one.architecture for one in others] != [one.architecture for one in results[:3]]


def test_what_the_settings_say_is_not_searched(data, tmp_path):
    changes = {"architecture": "dense:16", "batch": 100, "epochs": 1}
    results, best = searched(data, tmp_path / "s", 3, fixed=("architecture", "batch"), **changes)
    assert {(result.architecture, result.batch) for result in results} == {("dense:16", 100)}
    assert len({result.rate for result in results}) == 3
    known = tomllib.loads((tmp_path / "s" / BEST).read_text())
    assert (known["architecture"], known["rate"]) == ("dense:16", best.rate)


def test_which_settings_are_said(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("rate = 0.001\nepochs = 3\n")
    assert not_searched(SPEC, None, None, ["epochs=2"]) == ()
    assert not_searched(SPEC, None, file, ["batch=64"]) == ("rate", "batch")
    assert set(not_searched("connect-four", "dense", None, [])) >= {"architecture"}
    with pytest.raises(SpielwerkError, match="There is nothing to search"):
        check_search(("architecture", "rate", "batch"), 3)
    with pytest.raises(SpielwerkError, match="1 trial at least, not 0"):
        check_search((), 0)


@pytest.mark.parametrize("representation", ["naive", "regular", "planes", "own"])
def test_the_nets_that_are_proposed(representation):
    """Both ends of each range occur in 400 proposals, and nothing beyond them."""
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
    given = NetConfig("d", representation=representation, epochs=7)
    found = [proposed(study.ask(), given, ()) for _ in range(400)]
    assert {(one.representation, one.epochs) for one in found} == {(representation, 7)}
    assert {one.batch for one in found} == {128, 256, 512, 1024}
    starts = [float(one.rate.split(":")[1].split(",")[0]) for one in found]
    assert 3e-4 <= min(starts) < 4e-4
    assert 8e-3 < max(starts) <= 1e-2
    nets = [parse_architecture(one.architecture) for one in found]
    one_plane = representation in ("naive", "regular")
    assert {net.kind for net in nets} == ({"dense", "conv"} if one_plane else {"conv"})
    conv = [net for net in nets if net.kind == "conv"]
    assert {net.filters for net in conv} == {8, 16, 32, 64}
    assert {net.layers for net in conv} == {1, 2, 3, 4}
    assert {len(net.dense) for net in conv} == {0, 1, 2}
    assert {size for net in nets for size in net.dense} == {32, 64, 128, 256, 512}
    if one_plane:
        assert {len(net.dense) for net in nets if net.kind == "dense"} == {1, 2, 3, 4}


def test_a_trial_that_diverges_is_none_to_keep(data, tmp_path, monkeypatch):
    row, first = NetRun.row, []

    def diverging(run, measured):
        if run.epoch == 1 and run.config.architecture in first[:1]:
            raise DivergedError("The error is not a number any more.")
        first.append(run.config.architecture)
        return row(run, measured)

    monkeypatch.setattr(NetRun, "row", diverging)
    results, best = searched(data, tmp_path / "s", 2, epochs=1)
    assert [result.outcome for result in results] == ["diverged", "trained"]
    assert best == results[1]
    monkeypatch.setattr(NetRun, "row", row)
    with closing(resume_search(tmp_path / "s")) as search:
        search.go_on()  # nothing is left to do
        assert search.results() == results


def test_a_search_without_a_best(data, tmp_path, monkeypatch):
    row = NetRun.row

    def diverging(run, measured):
        if run.epoch == 1:
            raise DivergedError("The error is not a number any more.")
        return row(run, measured)

    monkeypatch.setattr(NetRun, "row", diverging)
    results, best = searched(data, tmp_path / "s", 1)
    assert (len(results), best) == (1, None)
    assert not (tmp_path / "s" / BEST).exists()
    assert not (tmp_path / "s" / NET).exists()


def test_a_folder_is_used_once(whole, data):
    folder, _, _ = whole
    with pytest.raises(SpielwerkError, match="already holds a run"):
        begin(data, folder, 2)


def test_what_cannot_go_on_is_told(data, tmp_path):
    with pytest.raises(SpielwerkError, match="holds no search to go on with"):
        resume_search(tmp_path)
    copy = tmp_path / "copy.safetensors"
    copy.write_bytes(data.read_bytes())
    begin(copy, tmp_path / "s", 2).close()
    resume_search(tmp_path / "s").close()
    make_net_data(SPEC, NetConfig("d", players="random", matches=200), 1).save(copy)
    with pytest.raises(SpielwerkError, match="has other positions than when the search began"):
        resume_search(tmp_path / "s")
    (tmp_path / "s" / STUDY).write_text("no database, but long enough to be read as one" * 9)
    with pytest.raises(SpielwerkError, match=r"study.sqlite cannot be used: .*not a database"):
        resume_search(tmp_path / "s")
    (tmp_path / "s" / STUDY).unlink()
    (tmp_path / "s" / STUDY).touch()
    with pytest.raises(SpielwerkError, match=r"study.sqlite is damaged: 'search' is not there"):
        resume_search(tmp_path / "s")
