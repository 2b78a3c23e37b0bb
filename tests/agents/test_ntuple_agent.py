"""The agent `ntuple`: greedy, searching, exact in the endgame; the verbs that go with it."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from spielwerk.agents import ntuple
from spielwerk.agents.catalogue import parse_agent
from spielwerk.agents.ntuple import NTuple
from spielwerk.arena.leaks import find_leaks
from spielwerk.cli.main import app
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.notation import parse_position
from spielwerk.games.rules import RUNNING, initial, legal_moves, outcome, pack, transition
from spielwerk.kernels.rng import Rng
from spielwerk.learning.config import config_from
from spielwerk.learning.training import make_run
from spielwerk.search.solving import shared_solver

GAME = "connectx:rows=4,cols=5"
BOARD = parse_game(GAME)
POSITIONS = ["", "3", "33", "331", "12345", "3232"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    config = config_from(
        {
            "features": "walk:count=15,length=4",
            "games": 300,
            "function": "tanh",
            "rewards": "1/0/-1",
            "alpha": 0.05,
            "step": "tcl",
        }
    )
    run = make_run(GAME, config, seed=1, command="spielwerk train …")
    run.play_on(300)
    path = tmp_path_factory.mktemp("model") / "model.safetensors"
    run.model().save(path)
    return str(path)


def run_cli(*arguments):
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    return result.exit_code, result.stdout


def test_what_it_chooses_is_among_its_candidates(model):
    for agent in (NTuple(model), NTuple(model, depth=4), NTuple(model, endgame=18)):
        for moves in POSITIONS:
            state = parse_position(BOARD, moves)
            choice = agent.choose(BOARD, state, Rng(1))
            assert choice.move in agent.candidates(BOARD, state)
            assert set(choice.values) >= {choice.move}


def test_sets_of_moves_are_the_candidates(model):
    agent = NTuple(model)
    states = [parse_position(BOARD, moves) for moves in POSITIONS]
    sets = agent.best_moves(BOARD, np.array([pack(BOARD, state) for state in states], np.uint64))
    for state, word in zip(states, sets, strict=True):
        assert sorted(agent.candidates(BOARD, state)) == [
            move for move in range(5) if int(word) >> move & 1
        ]
    assert NTuple(model, depth=2).best_moves(BOARD, sets) is None


def test_the_endgame_is_exact(model):
    agent = NTuple(model, endgame=15)
    late, early = parse_position(BOARD, "33221"), parse_position(BOARD, "33")
    assert agent.plays_exactly(BOARD, late)
    assert not agent.plays_exactly(BOARD, early)
    scores = shared_solver(BOARD).score_moves(late)
    assert scores[agent.choose(BOARD, late, Rng(1)).move] == max(scores.values())


def test_by_proof_it_plays_its_favourite_of_those_that_keep_the_value(model, monkeypatch, chance):
    monkeypatch.setattr(ntuple, "EXACT", 0)
    agent, solver = NTuple(model, endgame=20), shared_solver(BOARD)
    second_choices = 0
    for _ in range(60):
        state = initial(BOARD)
        for _ in range(chance.randrange(14)):
            if outcome(BOARD, state) == RUNNING:
                state = transition(BOARD, state, chance.choice(legal_moves(BOARD, state)))
        if outcome(BOARD, state) != RUNNING:
            continue
        signs = solver.sign_moves(state)
        assert solver.sign(state) == max(signs.values())
        move = agent.choose(BOARD, state, Rng(1)).move
        assert agent.candidates(BOARD, state) == [move]
        liked = NTuple(model).choose(BOARD, state, Rng(1)).values
        keeping = [other for other in signs if signs[other] == max(signs.values())]
        assert liked[move] == max(liked[other] for other in keeping)
        second_choices += liked[move] < max(liked.values())
    assert second_choices > 0


def test_who_plays_exactly_from_the_start_has_no_leaks(model):
    report = find_leaks(BOARD, NTuple(model, endgame=20), "all")
    assert (report.positions, report.proven, report.leaks) == (0, 1, [])
    later = find_leaks(BOARD, NTuple(model, endgame=17), "all", seat=1)
    assert later.positions > 0
    assert later.proven > 0


def test_models_without_tuples_are_for_td():
    with pytest.raises(SpielwerkError, match="play it as td:nim"):
        parse_agent("ntuple:nim").check(parse_game("nim:n=50"))


def test_inspecting_tuples(model):
    code, text = run_cli("inspect", model, "--top", "2")
    assert code == 0
    assert "15 tuples, 2 tables each" in text
    assert "… and 13 more" in text
    code, text = run_cli("inspect", model, "--json")
    found = json.loads(text)
    assert len(found["tuples"]) == 15
    assert sum(one["states"] for one in found["tuples"]) * 2 == found["weights"]
    code, text = run_cli("inspect", model, "--tuple", "3", "--top", "2", "--json")
    found = json.loads(text)
    assert (found["tuple"], len(found["entries"])) == (3, 2)
    pattern = found["entries"][0]["pattern"]
    code, text = run_cli("inspect", model, "--tuple", "3", "--pattern", pattern)
    assert f"{found['entries'][0]['weights'][0]:+.4f}" in text
    assert pattern in text
    code, text = run_cli("inspect", model, "--position", "332", "--json")
    found = json.loads(text)
    assert len(found["contributions"]) == 30  # fifteen tuples, two images
    total = sum(one["weight"] for one in found["contributions"])
    assert found["sum"] == pytest.approx(total)
    assert found["value"] == pytest.approx(np.tanh(total), abs=1e-5)
    code, text = run_cli("inspect", model, "--position", "332", "--top", "3")
    assert "27 more" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tuple", "16"], "tuples 1 to 15, not 16"),
        (["--pattern", "X"], "--pattern needs --tuple"),
    ],
)
def test_wrong_questions_about_tuples(model, arguments, message):
    with pytest.raises(SpielwerkError, match=message):
        run_cli("inspect", model, *arguments)


def test_evaluation_protocols_on_the_command_line(model):
    spec = f"ntuple:{model}"
    for protocol in ("second", "moves"):
        code, text = run_cli(
            "evaluate", GAME, spec, "--protocol", protocol, "--games", "6", "--seed", "1", "--json"
        )
        found = json.loads(text)
        assert code == 0
        assert (found["protocol"], found["games"], found["seed"]) == (protocol, 6, 1)
        assert found["low"] <= found["success"] <= found["high"]
    code, text = run_cli(
        "evaluate", GAME, spec, "--protocol", "leaks", "--replies", "all", "--plies", "4", "--json"
    )
    found = json.loads(text)
    assert found["positions"] >= 1
    assert {leak["before"] > leak["after"] for leak in found["leaks"]} <= {True}
    code, text = run_cli("evaluate", GAME, spec, "--protocol", "leaks")
    assert "as first player, every best reply followed to its end" in text
    with pytest.raises(SpielwerkError, match='Did you mean "thesis"'):
        run_cli("evaluate", GAME, spec, "--protocol", "thesys")
    with pytest.raises(SpielwerkError, match="with --opponent there is none"):
        run_cli("evaluate", GAME, spec, "--protocol", "thesis", "--opponent", "random")


@pytest.mark.thorough
def test_solving_in_the_order_of_a_model(model):
    code, text = run_cli("solve", GAME, "33", "--order", model, "--json")
    usual = run_cli("solve", GAME, "33", "--json")
    assert code == 0
    assert json.loads(text)["scores"] == json.loads(usual[1])["scores"]


def test_features_that_are_no_tuples_are_for_td():
    with pytest.raises(SpielwerkError, match="raw are no tuples"):
        run_cli("train", GAME, "ntuple", "--set", "features=raw")
