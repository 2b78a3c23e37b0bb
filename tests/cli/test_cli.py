"""The command line as users call it: a process, its output, its exit status."""

import json
import os
import signal
import subprocess
import time
from shlex import split

import pytest
from command_line import SPIELWERK, spielwerk


def last_line(text):
    return text.strip().split("\n")[-1]


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("positions connect-four 8", "184275"),
        ("perft connect-four 8", "5673234"),
        ("positions connectx:4x4 all", "161029"),
        ("positions tic-tac-toe all", "5478"),
        ("positions tic-tac-toe all --symmetric", "765"),
        ("perft tic-tac-toe all", "255168"),
        ("perft tic-tac-toe 12", "0"),
        ("perft tic-tac-toe 1 --start 123", "6"),
        ("positions nim:n=3 all", "7"),
    ],
)
def test_the_last_line_is_the_number(words, number):
    assert last_line(spielwerk(*words.split())) == number


def test_counts_as_json():
    found = json.loads(spielwerk("positions", "tic-tac-toe", "2", "--json"))
    assert found == {
        "plies": [{"ply": p, "number": n, "ended": 0} for p, n in enumerate([1, 9, 72])],
        "number": 72,
        "complete": True,
    }


def test_a_match_as_json_is_the_same_for_the_same_seed():
    words = split("play connect-four --players alphabeta:depth=3 random --seed 7 --json")
    first, second = (json.loads(spielwerk(*words)) for _ in range(2))
    first.pop("seconds"), second.pop("seconds")
    assert first == second
    assert first["utilities"] in ([1, -1], [-1, 1], [0, 0])
    assert len(first["board"]) == 7


def test_a_match_is_shown_move_by_move():
    text = spielwerk(*split("play connect-four --players alphabeta:depth=3 random --seed 7"))
    assert text.startswith("connect-four: alphabeta:depth=3 – random   (seed 7)")
    assert "yellow (alphabeta:depth=3) plays" in text
    assert "red (random) plays" in text
    assert " after " in last_line(text)
    quiet = spielwerk(
        *split("play connect-four --players alphabeta:depth=3 random --seed 7 --quiet")
    )
    assert last_line(quiet) == last_line(text)
    assert quiet.count("1 2 3 4 5 6 7") == 1


def test_step_waits_for_enter_each_time():
    words = split("play nim:n=3,k=1 --players random random --seed 1 --step")
    assert "wins after 3 moves" in last_line(spielwerk(*words, stdin="\n" * 4))
    assert "Left after 11" in spielwerk(*words, stdin="\n" * 2, status=1)


def test_start_takes_moves_drawings_and_standard_input():
    words = split("play connect-four --players alphabeta:depth=1 random --seed 1 --json --start")
    drawing = "......./......./......./OOO..../XXX..../XXXOOO."
    for start, stdin in (("112233", ""), ("-", "112233\n"), (drawing, "")):
        found = json.loads(spielwerk(*words, start, stdin=stdin))
        assert found["utilities"] == [1, -1]
        if start != drawing:
            assert found["moves"] == "4"


def test_the_arena_as_json():
    words = split("arena tic-tac-toe alphabeta random alphabeta:depth=2 --games 10 --seed 3 --json")
    found = json.loads(spielwerk(*words))
    assert (found["games"], found["seed"], found["complete"]) == (30, 3, True)
    assert [player["games"] for player in found["players"]] == [20, 20, 20]
    assert found["players"][-1]["spec"] == "random"
    pairs = [(pair["player"], pair["opponent"]) for pair in found["pairs"]]
    assert len(set(pairs)) == 6
    assert ("alphabeta", "random") in pairs
    for player in found["players"]:
        assert 0 <= player["low"] <= player["score"] <= player["high"] <= 1
        assert player["elo_low"] < player["elo"] < player["elo_high"]
        assert player.pop("moves_per_second") > 0
    again = json.loads(spielwerk(*words, "--threads", "1"))
    for player in again["players"]:
        del player["moves_per_second"]
    assert again.pop("run") > found.pop("run")
    assert found == again


def test_the_arena_as_a_table():
    words = split("arena tic-tac-toe alphabeta random --games 10 --seed 3")
    text = spielwerk(*words)
    assert "10 games, seed 3" in text
    assert "alphabeta" in text
    assert "95 % interval" in " ".join(text.split())


def test_solve_as_json():
    found = json.loads(spielwerk(*split("solve connect-four 44444435555333 --json --line")))
    assert found["moves"] == "44444435555333"
    assert found["score"] == 1
    assert found["scores"] == {"1": 1, "2": 1, "3": 1, "5": -4, "6": -13, "7": -4}
    assert len(found["line"]) == 27
    assert found["nodes"] > 0


def test_solve_in_words():
    text = spielwerk(*split("solve connect-four 44444435555333"))
    assert "yellow to move: yellow wins in 14 moves (27 plies); score 1" in text
    assert " * 1     1  wins in 27 plies" in text
    over = spielwerk(*split("solve connect-four 1122334"))
    assert "The game is over: yellow has won." in over


def test_solve_a_file_of_positions(tmp_path):
    file = tmp_path / "positions.txt"
    file.write_text("44444435555333\n444444355553336\n")
    lines = spielwerk("solve", "connect-four", "--file", str(file), "--threads", "2", "--json")
    found = [json.loads(line) for line in lines.splitlines()]
    assert [position["moves"] for position in found] == file.read_text().split()
    assert [position["score"] for position in found] == [1, 13]
    assert spielwerk("solve", "connect-four", "--file", str(file)).splitlines()[0].endswith(" 1")
    file.write_text("44\n4444444\n")
    error = spielwerk("solve", "connectx:4x4", "--file", str(file), status=2)
    assert "Line 2: Column 4 is full after 4444." in error


def test_analyse_as_json():
    words = "analyse connect-four 44444435555333 --agent mcts:iterations=300 --seed 1 --json"
    found = json.loads(spielwerk(*words.split()))
    assert set(found["values"]) == set("123567")
    assert sum(found["statistics"]["visits"].values()) == 300
    assert found["exact"] == {"1": 1, "2": 1, "3": 1, "5": -4, "6": -13, "7": -4}
    assert found["seed"] == 1


def test_analyse_in_words():
    words = "analyse connect-four 11223 --agent alphabeta:depth=4 --seed 1 --no-exact"
    text = spielwerk(*words.split())
    assert "alphabeta:depth=4 plays 4" in text
    assert text.count("loses in 2 plies") == 6
    assert "exact" not in text


@pytest.mark.thorough  # the same without processes: test_reproduce.py
def test_tables_are_listed_and_reproduced(tmp_path):
    out = ("--out", str(tmp_path))
    assert "goeppert-table-13" in spielwerk("reproduce", *out)
    words = ("reproduce", "goeppert-table-10", "--games", "4", *out)
    text = spielwerk(*words)
    assert "2 numbers: " in text
    folder = tmp_path / "goeppert-table-10"
    assert {path.name for path in folder.iterdir()} == {
        "about.txt",
        "cells.csv",
        "plot.png",
        "plot.svg",
    }
    (folder / "plot.png").unlink()
    spielwerk("reproduce", "goeppert-table-10", "--plot", *out)
    assert (folder / "plot.png").exists()
    listed = json.loads(spielwerk("reproduce", "--list", "--json", *out))
    shown = {row["name"]: row for row in listed}
    assert shown["goeppert-table-10"]["sample"] == "4 games a cell"
    assert shown["goeppert-table-10"]["measured"] == 2
    assert shown["goeppert-table-9"]["state"] == "not run"


def test_a_book_is_built_and_shown(tmp_path):
    file = str(tmp_path / "small.book")
    words = split("book build connectx:4x5 --stones 4 --threads 2 --memory 16 --path")
    expected = "small.book: connectx:4x5,k=4, 4 stones, 177 of 177 positions (100.0%)"
    assert last_line(spielwerk(*words, file)) == expected
    assert last_line(spielwerk("book", "info", "connectx:4x5", "--path", file)) == expected
    other = split("book build connectx:4x5 --stones 3 --path")
    assert "is a book of connectx:4x5,k=4 with 4 stones" in spielwerk(*other, file, status=2)
    assert "cannot be written" in spielwerk(*words, "/proc/small.book", status=2)
    (tmp_path / "small.book").write_bytes(b"nothing")
    error = spielwerk("book", "info", "connectx:4x5", "--path", file, status=2)
    assert "The book small.book is damaged" in error
    assert "There is no book" in spielwerk("book", "info", "connectx:4x5", status=2)
    assert "Books are for ConnectX" in spielwerk("book", "build", "nim", status=2)


def test_what_there_is():
    assert "connectx" in spielwerk("games")
    assert "alphabeta" in spielwerk("agents", "nim")
    games = json.loads(spielwerk("games", "--json"))
    assert [game["name"] for game in games] == [
        "connect-four",
        "connectx",
        "tic-tac-toe",
        "nim",
        "skip-bo",
    ]
    agents = json.loads(spielwerk("agents", "--json"))
    options = {agent["name"]: agent["options"] for agent in agents}
    assert options["alphabeta"]["depth"]["default"] == 8
    assert spielwerk("--version").startswith("spielwerk 0.")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("play connect-for --players random random", 'Did you mean "connect-four"?'),
        ("play connect-four --players random mtcs", 'No agent "mtcs".'),
        ("play connect-four --players random", "for 2 players, not 1"),
        ("play connect-four --players random random random", "for 2 players, not 3"),
        (
            "play connect-four --players random random --start 4444444",
            "Column 4 is full after 444444",
        ),
        ("play connect-four --players random random --start 48", 'There is no column "8"'),
        ("play nim --players random alphabeta:value=lines", "Nim has no lines"),
        ("play connect-four --players human random --json", "A person must see the board"),
        ("play connect-four --players random random --step --json", "--step shows every move"),
        ("arena connect-four random", "at least two players"),
        ("arena connect-four random human", "A person cannot play"),
        ("solve connect-four 4444444", "Column 4 is full after 444444"),
        ("solve connect-four 4 --file x", "one position, or a file"),
        ("solve connect-four --file nowhere.txt", "cannot be read"),
        ("analyse connect-four 1122334", "The game is over"),
        ("analyse connect-four --agent human", "Only programs"),
        ("analyse connect-four --agent mcts:k=5", "k means nothing without"),
        ("reproduce goeppert-table-14", "No table or figure"),
        ("reproduce goeppert-table-3 --quick --games 5", "give no number as well"),
        ("reproduce goeppert-table-3 --full --games 5", "give no number as well"),
        ("reproduce goeppert-table-3 --list", "give no name as well"),
        ("reproduce goeppert-table-3 --seeds 5", "it takes --games, not --seeds"),
        ("reproduce konen-nim --games 5", "it takes --seeds, not --games"),
        ("reproduce konen-nim --plot --out nowhere", "holds no results"),
        ("train", "Say what to train"),
        ("train nim ntupel", 'Did you mean "ntuple"?'),
        ("train nim ntuple", "does not say which features"),
        ("train nim td --preset list-all", "No preset for nim"),
        ("train connectx:5x4 td", "does not say which features"),
        ("train nim td --config nowhere.toml", "cannot be read"),
        ("train nim td --set games=-1", "games must be 1 at least"),
        ("train nim td --resume x", "give nothing else with it"),
        ("train --resume nowhere", "There is no folder nowhere"),
        ("train chess td --preset list", "No game"),
        ("inspect tic-tac-toe --position 14253", "The game is over (X has won): the reward is 1"),
        ("evaluate nim td:nowhere", "No model"),
        ("evaluate tic-tac-toe human", "Only programs"),
        ("inspect nowhere", "No model"),
        ("inspect nim --tuple 1", "is no n-tuple system"),
        ("solve tic-tac-toe --order tic-tac-toe", "--order is for ConnectX"),
        ("evaluate tic-tac-toe random --protocol leaks", "does not say which moves"),
        ("evaluate tic-tac-toe random --protocol leaks --replies some", "No replies"),
        ("reproduce goeppert-table-3 --plot --out nowhere", "holds no results"),
        ("perft connect-four many", 'neither a number of plies nor "all"'),
        ("perft connect-four -1", "No such option"),
        ("bench playout", 'Did you mean "playouts"?'),
        ("plya connect-four", "play"),
        ("--plugin nowhere.py games", "There is no Python file nowhere.py to load."),
    ],
)
def test_wrong_input_is_answered_with_a_sentence(words, message):
    assert message in spielwerk(*words.split(), status=2).replace("\n", " ")


def test_a_broken_plugin_is_named(tmp_path):
    (tmp_path / "broken.py").write_text("1 / 0")
    error = spielwerk("--plugin", str(tmp_path / "broken.py"), "games", status=2)
    assert "broken.py cannot be loaded: ZeroDivisionError" in error.replace("\n", "")


@pytest.mark.parametrize(
    "verb",
    split(
        "games agents models nets play solve analyse train evaluate inspect perft positions arena "
        "reproduce bench"
    ),
)
def test_help_shows_an_example_that_works(verb, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = spielwerk(verb, "--help")
    example = next(line for line in text.split("\n") if "Example:" in line)
    words = example.partition("spielwerk ")[2].strip(" `│").split()
    spielwerk(*words)


def test_a_plugin_cannot_take_the_name_of_a_module(tmp_path):
    (tmp_path / "statistics.py").write_text("")
    error = spielwerk("--plugin", str(tmp_path / "statistics.py"), "games", status=2)
    assert "Python has a module statistics of its own" in error


def test_weights_that_are_all_tiny_are_shown_with_their_digits():
    """Of A^TD by the thesis only the direction counts: α is a ten-millionth."""
    words = ["inspect", "skip-bo-td-thesis", "--top", "2"]
    assert "cards of the own stock       -1.204e-05\n" in spielwerk(*words)
    assert "cards of the own stock       -0.5959\n" in spielwerk("inspect", "skip-bo-td")


def test_a_long_result_stays_on_one_line():
    text = spielwerk(*split("play nim:n=200,k=1 --players random random --seed 1 --quiet"))
    assert last_line(text).endswith("after 200 moves: " + "1" * 200)


def test_characters_a_terminal_lacks_are_no_error(tmp_path):
    words = f"{SPIELWERK} play nim:n=3 --players random random --quiet"
    result = subprocess.run(
        words.split(), capture_output=True, env={**os.environ, "PYTHONIOENCODING": "latin-1"}
    )
    assert result.returncode == 0, result.stderr
    words = f"{SPIELWERK} play nim --players random random --start -"
    result = subprocess.run(words.split(), input=b"\xff\xfe", capture_output=True)
    assert result.returncode == 2
    assert b"There is no take" in result.stderr


def test_a_closed_pipe_is_no_error():
    result = subprocess.run(
        f"{SPIELWERK} perft connect-four 6 | head -1", shell=True, capture_output=True, text=True
    )
    assert "Traceback" not in result.stderr


def test_results_go_to_standard_output_alone():
    result = subprocess.run(
        [SPIELWERK, *split("arena nim random random --games 4 --json")],
        capture_output=True,
        text=True,
    )
    json.loads(result.stdout)


def test_a_training_run_from_the_outside(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = split("train nim:n=23 td --set games=300 --seed 5 --json")
    found = json.loads(spielwerk(*words))
    assert (found["games"], found["seed"], found["success"]) == (300, 5, 1.0)
    run = tmp_path / "runs" / "nim-n-23-td-5"
    assert {file.name for file in run.iterdir()} >= {
        "config.toml",
        "curve.csv",
        "curve.png",
        "model.safetensors",
    }
    assert "already holds a run" in spielwerk(*words, status=2)
    kept = (run / "model.safetensors").read_bytes()
    spielwerk("train", "--resume", str(run))  # there is nothing left to do
    assert (run / "model.safetensors").read_bytes() == kept
    (tmp_path / "runs" / "junk").mkdir()
    (tmp_path / "runs" / "junk" / "model.safetensors").write_text("junk")
    models = json.loads(spielwerk("models", "--json"))
    assert [model["name"] for model in models] == [
        "connect-four",
        "nim",
        "skip-bo-lea",
        "skip-bo-lea-thesis",
        "skip-bo-search",
        "skip-bo-td",
        "skip-bo-td-thesis",
        "tic-tac-toe",
        str(run.relative_to(tmp_path)),
    ]
    exact = json.loads(spielwerk("evaluate", "nim:n=23", f"td:{run}", "--json"))
    assert (exact["success"], exact["mistakes"], exact["games"]) == (1.0, 0, 0)
    shown = json.loads(spielwerk("inspect", str(run), "--position", "111", "--json"))
    assert shown["weights"]["g_4"] == pytest.approx(1, abs=0.2)
    assert set(shown["contributions"]) == {"g_2", "g_4", "g_5", "g_10"}  # White left 20 stones
    assert shown["value"] == pytest.approx(sum(shown["contributions"].values()))


def test_a_training_stopped_by_ctrl_c_goes_on(tmp_path):
    words = ["train", "nim:n=23", "td", "--set", "games=3000000", "--seed", "1", "--out", "run"]
    process = subprocess.Popen(
        [SPIELWERK, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while not (tmp_path / "run" / "curve.csv").exists():
        time.sleep(0.05)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Go on with: spielwerk train --resume run" in errors
    assert not (tmp_path / "run" / "model.safetensors").exists()
