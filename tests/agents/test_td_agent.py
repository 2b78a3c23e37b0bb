"""Learned value functions as players, and as the values of searches."""

import shutil
from pathlib import Path

import pytest

from spielwerk.agents.agent import check_agent
from spielwerk.agents.catalogue import agent_spec, parse_agent
from spielwerk.arena.evaluation import evaluate_agent
from spielwerk.arena.match import play_match
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.notation import replay
from spielwerk.games.rules import initial
from spielwerk.kernels.rng import Rng
from spielwerk.learning.runs import check_folder
from spielwerk.values.model import find_model, shipped_models
from spielwerk.values.net import find_net, shipped_nets

TTT = parse_game("tic-tac-toe")


@pytest.mark.parametrize("name", ["nim", "tic-tac-toe"])
def test_shipped_models_of_small_games_are_perfect(name):
    game = parse_game(name)
    found = evaluate_agent(game, parse_agent(f"td:{name}"), games=1, seed=1)
    assert found.exact.is_perfect


def test_it_wins_at_once_and_says_so():
    state, _ = replay(TTT, "14253"[:4])  # X 1, O 4, X 2, O 5: X wins in cell 3
    choice = parse_agent("td:tic-tac-toe").choose(TTT, state, Rng(1))
    assert (choice.move, choice.values[2], choice.notes[2]) == (2, 1.0, "ends the game")
    black, _ = replay(TTT, "14259")  # O has 4 and 5
    answer = parse_agent("td:tic-tac-toe").choose(TTT, black, Rng(1))
    assert (answer.move, answer.values[5]) == (5, 1.0)


def test_equally_good_moves_are_drawn_by_chance():
    agent = parse_agent("td:tic-tac-toe")
    state, _ = replay(TTT, "5")  # the corners are one position
    moves = {agent.choose(TTT, state, Rng(seed)).move for seed in range(40)}
    assert moves == {0, 2, 6, 8}


def test_looking_ahead_uses_the_values_at_the_horizon():
    game = parse_game("nim:n=30")
    deep = parse_agent("td:nim,depth=3").choose(game, initial(game), Rng(1))
    assert deep.move == 1  # 28 left
    assert deep.values[1] == pytest.approx(1.0, abs=1e-3)
    assert agent_spec(parse_agent("td:nim,depth=3")) == "td:model=nim,depth=3"


@pytest.mark.parametrize("spec", ["alphabeta:depth=2,value=nim", "mcts:iterations=500,value=nim"])
def test_searches_take_models(spec):
    game = parse_game("nim:n=21")
    match = play_match(game, [parse_agent(spec), parse_agent("perfect")], seed=1)
    assert match.utilities[0] == 1.0


def test_a_model_for_another_game_is_refused():
    with pytest.raises(SpielwerkError, match="divisibility is for Nim"):
        check_agent(parse_agent("td:nim"), TTT)
    with pytest.raises(SpielwerkError, match='Did you mean "nim"'):
        check_agent(parse_agent("td:nin"), TTT)


def test_wrong_files_are_answered(tmp_path):
    with pytest.raises(SpielwerkError, match="holds no finished model"):
        find_model(str(tmp_path))
    bad = tmp_path / "bad.safetensors"
    bad.write_bytes(b"not a model")
    with pytest.raises(SpielwerkError, match="no file of Spielwerk's, or damaged"):
        check_agent(parse_agent(f"td:{bad}"), TTT)


def test_a_folder_that_is_called_as_a_shipped_model_is_not_taken_for_it(tmp_path, monkeypatch):
    """Experiments play with shipped models by name, wherever they are run."""
    monkeypatch.chdir(tmp_path)
    for name in ("nim", "dense"):
        Path(name).mkdir()
    shutil.copy(find_model("tic-tac-toe"), tmp_path / "nim" / "model.safetensors")
    assert find_model("nim") == shipped_models()["nim"]
    assert find_model("./nim") == Path("nim") / "model.safetensors"
    assert find_net("dense") == shipped_nets()["dense"]
    with pytest.raises(SpielwerkError, match="holds no finished net"):
        find_net("./dense")


@pytest.mark.parametrize("name", ["connect-four", "./conv"])
def test_no_run_is_called_as_a_shipped_model(name):
    with pytest.raises(SpielwerkError, match="comes with Spielwerk: --out takes another folder"):
        check_folder(Path(name))
