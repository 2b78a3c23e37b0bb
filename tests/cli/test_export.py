"""`spielwerk export`, as users call it."""

import json

from command_line import spielwerk
from conftest import peer


def test_a_submission_is_written_and_can_be_played(tmp_path):
    file = tmp_path / "made" / "submission.py"
    told = spielwerk("export", "kaggle", "random", "-o", str(file), "--seed", "1")
    assert told.startswith(f"{file}: random, 0.2")
    found = json.loads(spielwerk("export", "kaggle", "ntuple", "-o", str(file), "--json"))
    assert found["file"] == str(file)
    assert found["bytes"] == file.stat().st_size
    assert (found["spec"], len(found["models"]), found["checks"]) == ("ntuple", 1, [])


def test_the_check_reports_and_fails_if_something_is_wrong(tmp_path):
    peer("kaggle_environments")
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text("def agent(o, c):\n    return o.board[: c.columns].index(0)\n")
    bad.write_text("def agent(o, c):\n    return 0\n")
    words = ["export", "kaggle", "--check", "--games", "2", "--board", "2x4/9", "--timeout", "9"]
    told = json.loads(spielwerk(*words, "-o", str(good), "--against", "random", str(bad), "--json"))
    assert [check["opponent"] for check in told["checks"]] == ["random", str(bad)]
    assert [check["gifts"] for check in told["checks"]] == [0, 2]
    spielwerk(*words, "-o", str(bad), "--against", "random", status=1)
    assert "2x4/9" in spielwerk(*words, "-o", str(good), "--against", "itself")


def test_what_a_submission_prints_is_not_taken_for_a_result(tmp_path):
    """Nor does it fill a pipe that nobody reads, and wait for ever."""
    peer("kaggle_environments")
    noisy = tmp_path / "noisy.py"
    noisy.write_text(
        "import os\ndef agent(o, c):\n    os.write(2, b'x' * 200_000)\n"
        "    os.write(1, b'{hello}\\n')\n    return o.board[: c.columns].index(0)\n"
    )
    words = ["export", "kaggle", "--check", "-o", str(noisy), "--games", "1", "--board", "2x3/2"]
    (found,) = json.loads(spielwerk(*words, "--against", "random", "--json"))["checks"]
    assert (found["games"], found["errors"], found["invalid"]) == (1, 0, 0)


def test_wrong_words_are_answered_with_a_sentence(tmp_path):
    file = str(tmp_path / "s.py")
    assert "Say who is to play" in spielwerk("export", "kaggle", "-o", file, status=2)
    without = spielwerk("export", "kaggle", "random", "-o", file, "--games", "3", status=2)
    assert "--processes mean" in without
    alone = spielwerk("export", "kaggle", "--check", "-o", file, "--seed", "3", status=2)
    assert "mean nothing without a SPEC" in alone
    assert "cannot be exported" in spielwerk("export", "kaggle", "human", "-o", file, status=2)
    assert "cannot be written" in spielwerk(
        "export", "kaggle", "random", "-o", "/proc/s.py", status=2
    )
    peer("kaggle_environments")
    check = ["export", "kaggle", "--check", "-o", file]
    assert "There is no submission" in spielwerk(*check, status=2)
    assert "A board is ROWSxCOLUMNS/INAROW" in spielwerk(*check, "--board", "6", status=2)
    assert "neither random, negamax or itself nor a file" in spielwerk(
        *check, "--against", "me", status=2
    )
