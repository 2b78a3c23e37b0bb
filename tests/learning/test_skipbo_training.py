"""Training runs of Skip-Bo players: stopped, resumed, measured, kept."""

import csv

import numpy as np
import pytest

from spielwerk.agents.catalogue import parse_agent
from spielwerk.arena.resuming import resume
from spielwerk.arena.skipbo_learning import begin_skipbo_run, skipbo_measure
from spielwerk.arena.tournament import round_robin
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.kernels.rng import derive_seed
from spielwerk.learning.runs import CURVE, begin_folder, play_until, train
from spielwerk.learning.skipbo_config import LEARNERS, skipbo_config_from
from spielwerk.learning.skipbo_training import RUNAWAY, initial_weights
from spielwerk.learning.td import DivergedError
from spielwerk.search.skipbo_policies import WEIGHTS
from spielwerk.values.model import MODEL, load_model

GAME = "skip-bo:stock=2,turns=200"


def config_for(learner, **changes):
    settings = {"learner": learner, "games": 30, "evaluate_every": 12, "evaluation_games": 20}
    return skipbo_config_from(settings | changes)


def measure_of(run):
    return skipbo_measure(run.game, run.config, derive_seed(run.seed, 2))


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_resumed_run_is_the_same_to_the_last_byte(learner, tmp_path):
    against = "skipbo-mature" if learner == "lea" else "self"
    config = config_for(
        learner,
        average=4,
        against=against,
        self_games=7 if learner == "lea" else 0,
        keep="best",
        step="tcl",
        epsilon="linear:0.5,end=0",
    )
    whole = begin_skipbo_run(GAME, config, seed=3)
    begin_folder(whole, tmp_path / "whole")
    train(whole, measure_of(whole), tmp_path / "whole")
    parts = begin_skipbo_run(GAME, config, seed=3)
    begin_folder(parts, tmp_path / "parts")

    def stop(run):
        if run.games >= 12 and len(run.rows) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(parts, measure_of(parts), tmp_path / "parts", stop, checkpoint_seconds=0)
    again = resume(tmp_path / "parts")
    assert again.games == 12
    train(again, measure_of(again), tmp_path / "parts")
    names = sorted(path.name for path in (tmp_path / "whole").iterdir())
    assert {MODEL, CURVE} <= set(names)
    for name in names:
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "parts" / name).read_bytes()
    model = load_model(tmp_path / "whole" / MODEL)
    assert model.features == f"skipbo-{learner}"
    assert np.abs(model.weights).max() > 0
    rows = list(csv.DictReader((tmp_path / "whole" / CURVE).read_text().splitlines()))
    assert [int(row["games"]) for row in rows] == [0, 12, 24, 30]
    assert ("w1" in rows[0]) == (learner != "search")  # the weights go to the file, if few
    assert float(rows[-1]["turns"]) > 1


def test_a_stop_between_two_rows_changes_nothing():
    """Ctrl-C inside a chunk of games: rates belong to games, not to chunks."""
    config = config_for("td", games=40, epsilon="linear:0.9,end=0", alpha="linear:0.01,end=0.001")
    whole, parts = (begin_skipbo_run(GAME, config, seed=8) for _ in range(2))
    play_until(whole, 40)
    for games in (3, 17, 18, 40):
        play_until(parts, games)
    assert (whole.weights == parts.weights).all()
    assert np.abs(whole.weights).max() > 0


def test_the_best_measured_weights_are_kept():
    run = begin_skipbo_run(GAME, config_for("td", keep="best"), seed=1)
    seen = []
    for success in (0.2, 0.6, 0.4):
        play_until(run, run.games + 5)
        seen.append(run.learned.weights)
        run.rows.append(run.row({"success": success}))
    assert len(set(seen)) == 3
    assert run.kept.weights == seen[1]
    assert tuple(run.model().weights.tolist()) == seen[1]


def test_what_is_measured_is_what_the_arena_measures(tmp_path):
    game = parse_game("skip-bo:players=3,stock=2")
    run = begin_skipbo_run("skip-bo:players=3,stock=2", config_for("lea", alpha=0.01), seed=2)
    play_until(run, 10)
    found = skipbo_measure(game, run.config, 77)(run.learned)
    run.model().save(tmp_path / MODEL)
    specs = [f"skipbo-lea:{tmp_path / MODEL}", "skipbo-basic", "skipbo-basic"]
    table = round_robin(game, specs, 20, 77)
    assert found["success"] == pytest.approx(table.share(0))
    assert found["cards"] == pytest.approx(table.left[0] / 20)


def test_equal_weights_in_groups_make_moves_alike():
    """§4.4.2: laying is worth 2 wherever it goes, discarding as well, helping the next one 0."""
    weights = initial_weights(config_for("lea", start="groups"))
    laying = weights[0] + weights[5]
    assert laying == weights[3] + weights[6] == weights[2] + weights[5]
    assert weights[1] + weights[8] + weights[13] + weights[25] == pytest.approx(laying)
    assert weights[29] == laying
    raised = initial_weights(config_for("lea", start="groups", stock=3.0))
    assert raised[2] == 3
    assert (np.delete(raised, 2) == np.delete(weights, 2)).all()
    assert initial_weights(config_for("search")).shape == (WEIGHTS[6],)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"learner": "ted"}, "Did you mean"),
        ({"start": "groups"}, "start=groups is for lea"),
        ({"beta": 0.0}, "beta must be above 0"),
        ({"stock": 30.0}, "stock raises a weight of start=groups"),
        ({"self_games": 5}, "self_games come before"),
        ({"keep": "bets"}, "best"),
        ({"against": "mcts"}, "games of two with nothing hidden"),
        ({"opponent": "human"}, "cannot sit"),
        ({"alpha": "0"}, "alpha must begin above 0"),
        ({"gamma": 1.0}, "gamma"),
    ],
)
def test_wrong_settings_are_answered(changes, message):
    settings = {"learner": "td", "games": 5} | changes
    with pytest.raises(SpielwerkError, match=message):
        begin_skipbo_run(GAME, skipbo_config_from(settings), seed=1)


def test_divergence_is_noticed():
    run = begin_skipbo_run(GAME, config_for("td", alpha="1e6", beta=1.0), seed=1)
    with pytest.raises(DivergedError, match=f"larger than {RUNAWAY:g}"):
        play_until(run, 30)


def test_models_of_others_are_refused(tmp_path):
    run = begin_skipbo_run(GAME, config_for("td"), seed=1)
    run.model().save(tmp_path / MODEL)
    agent = parse_agent(f"skipbo-lea:{tmp_path / MODEL}")
    with pytest.raises(SpielwerkError, match="skipbo-lea needs one of its own"):
        agent.check(parse_game("skip-bo"))
    with pytest.raises(SpielwerkError, match="No model"):
        parse_agent("skipbo-td:nowhere").check(parse_game("skip-bo"))
