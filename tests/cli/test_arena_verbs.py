"""`arena`, `ladder` and `history` as a user types them: results, remarks, wrong input."""

import json

import pytest
from typer.testing import CliRunner

from spielwerk.cli.main import app
from spielwerk.errors import SpielwerkError


@pytest.fixture
def call(tmp_path, monkeypatch):
    """Calls with a store of their own; returns what was printed."""
    monkeypatch.setenv("SPIELWERK_DATABASE_URL", f"sqlite:///{tmp_path / 'store.sqlite'}")
    monkeypatch.chdir(tmp_path)

    def call(*arguments, code=0):
        result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
        assert result.exit_code == code, result.output
        return result.output if code else result.stdout

    return call


def test_a_tournament_from_the_first_game_to_the_last_file(call, tmp_path):
    command = ("arena", "tic-tac-toe", "random", "alphabeta:depth=1", "--games", "6", "--seed", "2")
    found = json.loads(call(*command, "--openings", "random:2", "--out", "files", "--json"))
    assert found["run"] == 1
    assert found["games"] == 6
    assert found["players"][0]["elo"] == pytest.approx(-found["players"][1]["elo"])
    assert sorted(path.name for path in (tmp_path / "files").iterdir()) == [
        "games.csv",
        "heat-map.png",
        "pairs.csv",
        "players.csv",
        "tournament.json",
    ]
    shown = call(*command)
    assert "first player" in shown
    assert "run 2" in shown
    assert "run" not in call(*command, "--no-store").split("first player")[1]
    again = json.loads(call(*command, "--resume", "--json"))
    assert again["run"] == 2
    assert again["games"] == 6
    listed = json.loads(call("history", "--json"))
    assert [run["state"] for run in listed] == ["finished", "finished"]
    assert listed[0]["players"] == ["random", "alphabeta:depth=1"]


def test_openings_are_rounded_up_and_that_is_said(call):
    found = CliRunner().invoke(
        app,
        ["arena", "nim:n=9", "random", "random", "--games", "7", "--openings", "1-ply"],
    )
    assert "12 games instead of 7" in found.output  # both seats of three openings, twice


def test_certainty_is_said_either_way(call):
    words = "arena connect-four random alphabeta:depth=2 --games 200 --seed 1 --until 95%"
    strong = call(*words.split())
    assert "The order is certain (95 %): ended early, after" in strong
    words = "arena nim random random --games 20 --seed 1 --until 99"
    equal = call(*words.split())
    assert "The order is not certain (99 % wanted) after 20 of 20 games." in equal
    assert "The order is certain" in call("history", "1")


def test_games_are_replayed(call):
    call("arena", "tic-tac-toe", "random", "random", "--games", "2", "--seed", "1")
    row = json.loads(call("history", "1", "--json"))["list"][1]
    shown = call("history", "1", "1")
    assert shown.count("plays") == len(row["moves"])
    assert ("has won" in shown) or ("drawn" in shown)
    boards = json.loads(call("history", "1", "1", "--json"))["boards"]
    assert len(boards) == len(row["moves"]) + 1
    assert "… 2 games" in call("history", "1", "--games", "1")
    stepped = CliRunner().invoke(app, ["history", "1", "0", "--step"], input="\n\n")
    assert stepped.stdout.count("plays") == 2  # the input ended there


def test_a_ladder(call):
    join = ("ladder", "nim", "--join", "random", "alphabeta:depth=2", "--games", "6", "--json")
    found = json.loads(call(*join))
    assert found["played"] == 6
    assert sum(member["points"] for member in found["members"]) == pytest.approx(1200)
    assert "6 games" in call("ladder", "nim")
    with pytest.raises(SpielwerkError, match="begun with seed"):
        call("ladder", "nim", "--seed", str(found["seed"] + 1))
    again = CliRunner().invoke(app, ["ladder", "nim", "--join", "random"])
    assert "random is on it already" in again.output
    left = json.loads(call("ladder", "nim", "--leave", "random", "--json"))
    assert [member["spec"] for member in left["members"]] == ["alphabeta:depth=2"]
    assert "ladder" in call("history")
    assert "nim" in call("history", "1")


def test_nothing_has_been_stored(call):
    assert "Nothing has been stored yet" in call("history")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("arena", "nim", "random", "random", "--openings", "none"), "there is no file"),
        (("arena", "nim", "random", "random", "--resume"), "There is no tournament"),
        (("arena", "nim", "random", "random", "--on", "moon"), "neither threads"),
        (("arena", "nim", "alphabeta", "random", "--time-of", "mcts"), "has no iterations"),
        (("history", "5"), "There is no run 5"),
        (("ladder", "nim", "--leave", "random"), 'There is no ladder "nim" yet'),
        (("ladder", "nim", "--join", "radnom"), "Did you mean"),
        (("ladder", "nim", "--join", "random", "--games", "2"), "needs 2 members"),
    ],
)
def test_wrong_input_is_answered_with_a_sentence(call, arguments, message):
    with pytest.raises(SpielwerkError, match=message):
        call(*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("arena", "nim", "random", "random", "--until", "120%"), "no probability"),
        (("arena", "nim", "random", "random", "--resume", "--no-store"), "needs the store"),
        (("history", "1", "1", "--export", "x.csv"), "all games of a run"),
        (("history", "1", "--step"), "walks through one game"),
    ],
)
def test_options_that_do_not_go_together(call, arguments, message):
    assert message in call(*arguments, code=2)


def test_a_missing_game_is_named(call):
    call("arena", "nim", "random", "random", "--games", "2", "--seed", "1")
    with pytest.raises(SpielwerkError, match="Run 1 has no game 7; it has 2, from 0 on"):
        call("history", "1", "7")
