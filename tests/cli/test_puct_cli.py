"""`spielwerk train connect-four puct`, from the outside."""

import json
import signal
import subprocess
import sys
import time

import pytest

TINY = [
    *("games=60", "generation=20", "evaluate_every=20", "simulations=8", "batch=32"),
    *("architecture=residual:8x1-8", "evaluation_positions=20"),
]
CODE = "from spielwerk.cli.main import main; main()"


def spielwerk(*words):
    return subprocess.run(
        [sys.executable, "-c", CODE, *words], capture_output=True, text=True, timeout=300
    )


def test_a_net_learns_from_its_games_and_plays(tmp_path):
    folder, killed = tmp_path / "run", tmp_path / "killed"
    begin = ["train", "connect-four", "puct", "--seed", "1"]
    ended = spielwerk(*begin, "--json", "--out", str(folder), "--set", *TINY)
    assert ended.returncode == 0, ended.stderr
    result = json.loads(ended.stdout)
    assert result["games"] == 60
    assert 0 < result["success"] <= 1
    assert 0 < result["policy"] <= 1
    names = {path.name for path in folder.iterdir()}
    assert {"config.toml", "curve.csv", "curve.png", "curve.svg", "net.onnx"} <= names
    played = spielwerk(
        "play", "connect-four", "--players", f"puct:{folder},iterations=10", f"net:{folder}"
    )
    assert played.returncode == 0, played.stderr

    # Killed in the middle, and resumed.
    words = [*begin, "--out", str(killed), "--set", *TINY]
    process = subprocess.Popen([sys.executable, "-c", CODE, *words], stderr=subprocess.DEVNULL)
    for _ in range(600):
        if (killed / "curve.csv").exists() or process.poll() is not None:
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    ended = spielwerk("train", "--resume", str(killed))
    assert ended.returncode == 0, ended.stderr
    assert "by its policy" in ended.stdout
    assert (killed / "curve.csv").read_bytes() == (folder / "curve.csv").read_bytes()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("train connect-four puct --data x", "--data is for the kind net"),
        ("train connect-four puct --preset nothing", 'No preset for connect-four "nothing"'),
        ("train nim puct", 'No kind of training "puct"'),
        ("train connect-four puct --set games=10", "games must be whole generations"),
        ("train connect-four puct --set architecture=tree:3", '"tree:3" is no architecture'),
        ("evaluate connect-four net --stones 4-30", "--stones is for --protocol moves"),
        ("evaluate connect-four net --protocol moves --stones 9-3", "wants two numbers"),
        ("evaluate connect-four net --protocol moves --stones 9-42", "41 at most"),
    ],
)
def test_wrong_words(tmp_path, words, complaint):
    ended = spielwerk(*words.split())
    assert ended.returncode == 2
    assert complaint in " ".join(ended.stderr.split())


def test_positions_with_given_stones():
    words = ["evaluate", "connect-four", "net", "--protocol", "moves", "--stones", "20-30"]
    ended = spielwerk(*words, "--games", "30", "--seed", "1")
    assert ended.returncode == 0, ended.stderr
    assert "in 30 random positions of 20 to 30 stones" in ended.stdout


def test_presets_are_listed():
    listed = spielwerk("train", "connect-four", "puct", "--preset", "list").stdout
    assert "strong" in listed
    assert "393,216 games" in listed
