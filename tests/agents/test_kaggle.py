"""A submission file as a player: in a process of its own, with Kaggle's limits."""

import gc
import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from spielwerk import parse_agent, parse_game, play_match
from spielwerk.agents import kaggle_process
from spielwerk.agents.kaggle import kaggle_board
from spielwerk.arena.plan import Plan
from spielwerk.arena.tournament import play_tournament
from spielwerk.arena.workers import Threads
from spielwerk.errors import SpielwerkError
from spielwerk.games.connectx import connectx
from spielwerk.games.rules import initial, legal_moves, transition
from spielwerk.kernels import interrupt
from spielwerk.kernels.rng import Rng

C4 = parse_game("connect-four")

BY_CHANCE = """
import random
print("loading prints")
def helper(board):
    return [c for c, owner in enumerate(board) if owner == 0]
def mine(observation, configuration):
    print("and thinking prints")
    return random.choice(helper(observation.board[: configuration["columns"]]))
"""
LEFTMOST = """
calls = []
def mine(observation):
    calls.append(1)
    assert len(calls) <= 21, "run anew for each game"
    return next(c for c in range(7) if observation["board"][c] == 0)
"""


@pytest.fixture(autouse=True)
def no_leftovers():
    yield
    kaggle_process.stop_idle()


def idle_processes():
    return [process for kept in kaggle_process._idle.values() for process in kept]


@pytest.fixture
def write(tmp_path):
    def write(text, options=""):
        file = tmp_path / "submission.py"
        file.write_text(text)
        return parse_agent(f"kaggle:{file}{options}")

    return write


def lost_by(agent, game=C4):
    """Why it gave up its game against chance."""
    match = play_match(game, [agent, parse_agent("random")], seed=1)
    assert match.utilities == (-1.0, 1.0)
    assert match.resigned == 0
    return match.reason.partition("submission.py: ")[2]


def test_the_same_seed_gives_the_same_game(write):
    players = [write(BY_CHANCE), parse_agent("random")]
    matches = [play_match(C4, players, seed=seed) for seed in (1, 1, 2)]
    assert matches[0] == matches[1] != matches[2]
    assert matches[0].reason == ""


def test_it_is_asked_as_kaggle_asks(write, tmp_path):
    """Every field of the observation and of the configuration, on both seats."""
    spy = f"""
import json
def mine(observation, configuration):
    with open({str(tmp_path / "seen")!r}, "a") as file:
        file.write(json.dumps([observation, configuration]) + "\\n")
    return observation.board.index(0) % configuration.columns
"""
    game = connectx(2, 3, 3)
    play_match(game, [parse_agent("random"), write(spy, ",timeout=3,overage=7")], seed=1)
    seen = [json.loads(line) for line in (tmp_path / "seen").read_text().splitlines()]
    first, settings = seen[0]
    assert (len(first["board"]), first["board"].count(1), first["mark"]) == (6, 1, 2)
    assert (first["step"], first["remainingOverageTime"]) == (1, 7.0)
    assert (settings["rows"], settings["columns"], settings["inarow"]) == (2, 3, 3)
    assert (settings["actTimeout"], settings["agentTimeout"]) == (3, 7.0)
    assert [observation["step"] for observation, _ in seen][:2] == [1, 3]
    assert settings["__raw_path__"].endswith("submission.py")


def test_the_board_is_kaggles():
    state = initial(C4)
    for move in (0, 0, 6):
        state = transition(C4, state, move)
    board = kaggle_board(C4, state)
    assert {place: owner for place, owner in enumerate(board) if owner} == {28: 2, 35: 1, 41: 1}


def test_a_process_serves_many_games_and_each_runs_the_file_anew(write):
    agent = write(LEFTMOST)
    for seed in range(3):
        assert play_match(C4, [agent, parse_agent("random")], seed=seed).reason == ""
    gc.collect()
    assert [len(processes) for processes in kaggle_process._idle.values()] == [1]


def test_a_fresh_one_takes_no_used_process_and_leaves_none_behind(write, tmp_path):
    tell = f"""
import os, tempfile
tempfile.mkdtemp()
open({str(tmp_path / "pids")!r}, "a").write(str(os.getpid()) + " ")
def a(o): return next(c for c in range(7) if o["board"][c] == 0)
"""
    for options in ("", ",fresh=yes", ",fresh=yes"):
        play_match(C4, [write(tell, options), parse_agent("random")], seed=1)
        gc.collect()
        idle = idle_processes()
    assert len(set((tmp_path / "pids").read_text().split())) == 3
    assert len(idle) == 1
    scratch = Path(idle[0]._scratch)
    assert any(scratch.iterdir())
    kaggle_process.stop_idle()
    assert not scratch.exists()


def test_an_edited_file_is_read_again(write):
    chosen = []
    for text in ("def a(o): return 2", "def a(o):  return 5"):
        agent = write(text)
        chosen.append(agent.choose(C4, initial(C4), Rng(1)).move)
        gc.collect()
        time.sleep(0.02)  # another time of change
    assert chosen == [2, 5]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import numpy as np\ndef a(o): return np.int64(3)", "np.int64(3) is a int64, not an int."),
        ("def a(o): return None", "None is a NoneType, not an int."),
        ("def a(o): return True", "True is a bool, not an int."),
        ("def a(o): return 7", "7 is no column that is open"),
        ("def a(o): return -1", "-1 is no column that is open"),
        ("def a(o): raise ValueError('no')", "ValueError: no"),
        ("x = 1", "TypeError: It defines no function."),
        ("def a(o) return 1", "SyntaxError: expected ':' (submission.py, line 1)"),
        ("print(__file__)\ndef a(o): return 1", "NameError: name '__file__' is not defined"),
        ("import os\ndef a(o): os._exit(3)", "its process has ended"),
        ("def a(o): raise ValueError('x' * 10**6)", "ValueError: " + "x" * 288),
        ("import os\ndef a(o): os.write(4, b'{}\\n'); return 3", "it meddles with the answers"),
        ("import os\ndef a(o): os.write(4, b'no\\n'); return 3", "it meddles with the answers"),
    ],
)
def test_whoever_breaks_the_rules_gives_up(write, text, reason):
    assert lost_by(write(text)).startswith(reason)


LEGAL = {
    "reads": "import sys\ndef a(o):\n    assert not sys.stdin.read()\n    return FREE",
    "forks": "import os\ndef a(o):\n    os.fork()\n    return FREE",
    "counts with names": "import enum\nC = enum.IntEnum('C', list('abcdefg'), start=0)\n"
    "def a(o): return C(FREE)",
}


@pytest.mark.parametrize("text", LEGAL.values(), ids=LEGAL)
def test_odd_habits_are_no_fault(write, text):
    free = "next(c for c in range(7) if o['board'][c] == 0)"
    match = play_match(C4, [write(text.replace("FREE", free)), parse_agent("random")], seed=1)
    assert match.reason == ""


def test_a_process_that_ends_between_two_moves_gives_up_too(write):
    text = "import os, threading\ndef a(o):\n    threading.Timer(0.05, os._exit, [3]).start()\n"
    player = write(text + "    return 3").for_match()
    assert player.choose(C4, initial(C4), Rng(1)).move == 3
    time.sleep(0.5)
    assert player.choose(C4, initial(C4), Rng(1)).reason.endswith("its process has ended")


def test_a_move_that_is_interrupted_leaves_nothing_to_the_next_game(write):
    """Its late answer must not be taken for that of a later question."""
    slow = write("import time\ndef a(o):\n    time.sleep(0.5)\n    return 3")
    player, flag = slow.for_match(), np.zeros(1, np.uint8)
    player.choose(C4, initial(C4), Rng(1))
    threading.Timer(0.1, lambda: flag.__setitem__(0, 1)).start()
    with interrupt.stoppable(flag), pytest.raises(KeyboardInterrupt):
        player.choose(C4, initial(C4), Rng(1))
    del player
    gc.collect()
    assert not idle_processes()
    assert slow.choose(C4, initial(C4), Rng(1)).move == 3


def test_what_a_submission_starts_ends_with_it(write, tmp_path):
    text = "import subprocess\ndef a(o):\n    p = subprocess.Popen(['sleep', '600'])\n"
    agent = write(
        text + f"    open({str(tmp_path / 'pid')!r}, 'w').write(str(p.pid))\n    return 3"
    )
    agent.choose(C4, initial(C4), Rng(1))
    gc.collect()
    kaggle_process.stop_idle()
    child = int((tmp_path / "pid").read_text())
    _wait_for(lambda: not _runs(child))


def test_whoever_is_late_gives_up_when_the_bank_is_empty(write):
    """Two moves of 0.1 s cost half of the bank each; the file loads for as long in the first."""
    late = "import time\ndef a(o):\n    time.sleep(30)\n    return 3"
    began = time.monotonic()
    assert lost_by(write(late, ",timeout=0.05,overage=0.1")) == "no move within 0.2 s"
    assert time.monotonic() - began < 20
    slow = "import time\ndef a(o):\n    time.sleep(0.2)\n    return 3"
    player = write(slow, ",timeout=0.05,overage=60").for_match()
    banks = [player.choose(C4, initial(C4), Rng(1)).statistics["bank"] for _ in range(2)]
    assert 60 - 5 < banks[1] < banks[0] - 0.14 < 60 - 0.28


def test_memory_is_limited(write):
    greedy = "def a(o):\n    x = bytearray(2**31)\n    return 3"
    assert lost_by(write(greedy, ",memory=900")) == "MemoryError: "
    assert lost_by(write(greedy, ",memory=5")) == "its process has ended"


def test_what_it_cannot_play(write, tmp_path):
    agent = write(BY_CHANCE)
    with pytest.raises(SpielwerkError, match="kaggle plays ConnectX, not TicTacToe"):
        agent.check(parse_game("tic-tac-toe"))
    with pytest.raises(SpielwerkError, match="There is no submission"):
        parse_agent(f"kaggle:{tmp_path}/none.py").check(C4)
    with pytest.raises(SpielwerkError, match=r"There is no submission ~nobody/x\.py"):
        parse_agent("kaggle:~nobody/x.py").check(C4)


def test_in_a_tournament_a_failure_is_a_loss_that_is_told(write, caplog):
    bad = write("def a(o): return 9")
    plan = Plan("connectx:4x4,k=3", (f"kaggle:{bad.file}", "random"), 6, 1)
    tournament = play_tournament(plan, Threads(2), lambda tournament: None)
    assert tournament.total(0).losses == 6
    assert "is lost without being played out" in caplog.text
    assert "9 is no column that is open" in caplog.text


def test_nothing_outlives_the_program(tmp_path):
    """Not even a submission that thinks for ever, after a kill that nobody can handle."""
    (tmp_path / "endless.py").write_text(
        f"import os, time\ndef a(o):\n    open({str(tmp_path / 'pid')!r}, 'w')"
        ".write(str(os.getpid()))\n    while True: time.sleep(0.01)\n"
    )
    code = (
        "import sys; from spielwerk import *; "
        "play_match(parse_game('connect-four'), "
        "[parse_agent('kaggle:' + sys.argv[1]), parse_agent('random')], 1)"
    )
    program = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "endless.py")])
    _wait_for(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
    child = int((tmp_path / "pid").read_text())
    program.kill()
    program.wait()
    _wait_for(lambda: not _runs(child))


def _runs(process):
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def _wait_for(condition):
    for _ in range(1500):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("It did not happen within 30 seconds.")


def test_moves_of_a_submission_are_legal_ones(write):
    agent, state = write(BY_CHANCE).for_match(), initial(C4)
    for _ in range(6):
        move = agent.choose(C4, state, Rng(3)).move
        assert move in legal_moves(C4, state)
        state = transition(C4, state, move)
