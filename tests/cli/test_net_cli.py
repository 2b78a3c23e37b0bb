"""`spielwerk train GAME net`, from the outside."""

import csv
import json
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from shlex import split

import pytest

SPIELWERK = Path(sys.executable).parent / "spielwerk"
GAME = "connectx:rows=4,cols=4,k=3"


def spielwerk(*words, cwd, status=0):
    result = subprocess.run([SPIELWERK, *words], cwd=cwd, capture_output=True, text=True)
    assert result.returncode == status, result.stderr
    return result.stdout if status == 0 else result.stderr


def test_a_net_is_trained_and_plays(tmp_path):
    words = split(f"train {GAME} net --data d.safetensors --set players=random matches=50 epochs=2")
    found = json.loads(spielwerk(*words, "--seed", "3", "--json", cwd=tmp_path))
    run = tmp_path / "runs" / "connectx-rows-4-cols-4-k-3-net-3"
    assert found["run"] == str(run.relative_to(tmp_path))
    assert (found["epochs"], found["seed"], found["data"]) == (2, 3, "d.safetensors")
    assert 0 < found["held_out_mse"] < 0.3
    assert {file.name for file in run.iterdir()} >= {
        "config.toml",
        "curve.csv",
        "curve.png",
        "net.onnx",
    }
    assert "already holds a run" in spielwerk(*words, "--seed", "3", cwd=tmp_path, status=2)
    kept = (run / "net.onnx").read_bytes()
    spielwerk("train", "--resume", str(run), cwd=tmp_path)  # there is nothing left to do
    assert (run / "net.onnx").read_bytes() == kept
    words_of_match = split(f"arena {GAME} net:{run} random --games 4 --seed 1 --json")
    assert f"net:{run}" in spielwerk(*words_of_match, cwd=tmp_path)
    told = spielwerk(*words[:5], "--set", "matches=51", cwd=tmp_path, status=2)
    assert "d.safetensors was made with matches=50, not 51" in told


SEARCH = split(
    f"train {GAME} net --data d.safetensors --set players=random matches=50 epochs=2 --seed 3 "
    "--out s --search"
)


@pytest.mark.thorough
def test_a_search_is_shown_and_its_best_net_trained(tmp_path):
    told = spielwerk(*SEARCH, "2", cwd=tmp_path)
    best = tomllib.loads((tmp_path / "s" / "best.toml").read_text())
    with (tmp_path / "s" / "trials.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2
    for row in rows:
        shown = next(line for line in told.splitlines() if row["architecture"] in line)
        assert f"{float(row['held_out_mse']):.4f}" in shown
        assert f"{int(row['parameters']):,}" in shown
        assert ("*" in shown) == (row["architecture"] == best["architecture"])
    command = next(line for line in told.splitlines() if line.startswith("train the best"))
    words = split(command.partition(": spielwerk ")[2])
    found = json.loads(spielwerk(*words, "--out", "full", "--json", cwd=tmp_path))
    assert found["seed"] == 3
    assert f"{found['held_out_mse']:.6g}" == min((row["held_out_mse"] for row in rows), key=float)
    assert "already holds a run" in spielwerk(*SEARCH, "2", cwd=tmp_path, status=2)


@pytest.mark.thorough
def test_a_search_that_is_killed_goes_on(tmp_path):
    """kill -9 in the second trial; the files are those of a search that nothing stopped."""
    words = [*SEARCH, "3", "--progress", "p"]
    spielwerk(*words, cwd=tmp_path)
    assert (tmp_path / "p").read_text() == "3\n"
    (tmp_path / "s").rename(tmp_path / "whole")
    process = subprocess.Popen([SPIELWERK, *words], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if line.startswith("trial 1 of 3"):
            break
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    found = json.loads(spielwerk("train", "--resume", "s", "--json", cwd=tmp_path))
    for name in ("trials.csv", "best.toml", "net.onnx"):
        assert (tmp_path / "s" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert (len(found["trials"]), found["seed"], found["run"]) == (3, 3, "s")
    errors = [trial["held_out_mse"] for trial in found["trials"]]
    assert errors[found["best"] - 1] == min(errors)
    words = split("train --resume s --search 4 --json")
    longer = json.loads(spielwerk(*words, cwd=tmp_path))
    assert longer["trials"][:3] == found["trials"]
    assert len(longer["trials"]) == 4


@pytest.mark.thorough
def test_ctrl_c_stops_a_search(tmp_path):
    process = subprocess.Popen(
        [SPIELWERK, *SEARCH, "99"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    for line in process.stderr:
        if line.startswith("trial 1 of 99"):
            break
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "Go on with: spielwerk train --resume s" in " ".join(errors.split())


def test_ctrl_c_while_data_are_made_leaves_none(tmp_path):
    words = split(f"train {GAME} net --data d.safetensors --seed 1 --set players=mcts matches=9999")
    process = subprocess.Popen(
        [SPIELWERK, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert "9,999 games of mcts" in process.stderr.readline()
    time.sleep(3.0)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Stopped. The games for the data are not kept." in errors
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("train connect-four net", "A net learns from data: --data FILE"),
        ("train connect-four net --preset deep --data d", "No preset for connect-four"),
        ("train connect-four td --data d", "--data is for the kind net"),
        ("train nim net --data d", "No kind of training"),
        ("train connect-four td --search 3", "--search is for the kind net, not for td"),
        ("train connect-four net --data d --search 0", "A search has 1 trial at least, not 0"),
        (
            "train connect-four net --data d --search 3 --set rate=1 batch=9 architecture=dense:4",
            "There is nothing to search",
        ),
        ("train --resume . --search 3", "holds no search that --search could make longer"),
        ("train --resume x --data d", "give nothing else with it"),
    ],
)
def test_wrong_words_are_answered(words, message, tmp_path):
    assert message in " ".join(spielwerk(*split(words), cwd=tmp_path, status=2).split())
