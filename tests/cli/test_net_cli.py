"""`spielwerk train GAME net`, from the outside."""

import json
import signal
import subprocess
import sys
import time
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
        ("train connect-four td --data d", "--data is for nets"),
        ("train nim net --data d", "No kind of training"),
        ("train --resume x --data d", "give nothing else with it"),
    ],
)
def test_wrong_words_are_answered(words, message, tmp_path):
    assert message in " ".join(spielwerk(*split(words), cwd=tmp_path, status=2).split())
