"""The submission as a file: what Kaggle's environment is known to trip over, each a test."""

import json
import subprocess
import sys
import time
from types import ModuleType

import pytest
from conftest import peer

from spielwerk import parse_agent, parse_game
from spielwerk.adapters.kaggle import export
from spielwerk.adapters.kaggle.check import (
    Board,
    Played,
    check_submission,
    parse_board,
    summarise,
)
from spielwerk.adapters.kaggle.export import make_submission, needed_modules
from spielwerk.agents.kaggle import kaggle_board
from spielwerk.agents.kaggle_child import Struct
from spielwerk.errors import SpielwerkError
from spielwerk.files import DATA
from spielwerk.games.rules import RUNNING, initial, legal_moves, outcome, player, transition
from spielwerk.kernels.rng import Rng

QUICK = "alphabeta:depth=3,value=lines"
ODD = ["4x5/3", "5x4/4", "3x3/3", "1x4/2", "10x5/4"]
LARGE = "8x9/5"


@pytest.fixture(scope="module")
def submission(tmp_path_factory):
    file = tmp_path_factory.mktemp("kaggle") / "submission.py"
    file.write_text(make_submission(QUICK, "random", seed=1).text)
    return file


def run(code, *arguments):
    """A program of its own; what it prints, as JSON."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


ALONE = """
import json, sys
sys.modules.update(dict.fromkeys({blocked!r}))
names = {{}}
exec(compile(open(sys.argv[1]).read(), "submission", "exec"), names)
last = [name for name, value in names.items() if callable(value)][-1]
class Struct(dict):
    __getattr__ = dict.__getitem__
moves, kinds = [], set()
for rows, columns, inarow in ((6, 7, 4), (4, 5, 3), (8, 9, 5)):
    board = [0] * (rows * columns)
    for ply in range(6):
        observation = Struct(board=board, mark=1 + ply % 2, remainingOverageTime=60.0)
        size = Struct(rows=rows, columns=columns, inarow=inarow, actTimeout=0.3)
        move = names[last](observation, size)
        kinds.add(type(move).__name__)
        row = max(r for r in range(rows) if board[columns * r + move] == 0)
        board[columns * row + move] = 1 + ply % 2
        moves.append(move)
ours = [m for m in sys.modules if m == "spielwerk"]
print(json.dumps([last, "__file__" in names, sorted(kinds), ours, moves]))
"""


@pytest.mark.parametrize("blocked", [[], ["numba", "llvmlite", "safetensors", "platformdirs"]])
def test_the_file_stands_alone(submission, blocked):
    """The last callable is the agent; there is no `__file__`; a move is an int; nothing of the
    installed Spielwerk is used; NumPy is enough, and the moves are the same."""
    last, has_file, kinds, ours, moves = run(ALONE.format(blocked=blocked), submission)
    assert (last, has_file, kinds, ours) == ("agent", False, ["int"], [])
    assert len(moves) == 18
    agent, game = parse_agent(QUICK), parse_game("connect-four")
    state = initial(game)
    for move in moves[:6]:  # those of the same agent here
        assert move in agent.candidates(game, state)
        state = transition(game, state, move)


def test_without_even_numpy_the_plain_player_answers(submission):
    blocked = ["numpy", "numba"]
    last, _, kinds, _, moves = run(ALONE.format(blocked=blocked), submission)
    assert (last, kinds, len(moves)) == ("agent", ["int"], 18)


def test_a_model_is_embedded_and_plays_as_it_does_here(chance):
    """Beside another submission and the installed Spielwerk, in one process."""
    ours, other = {}, {}
    exec(make_submission("ntuple").text, ours)
    exec(make_submission("random").text, other)
    assert ours["PACKAGE"] != other["PACKAGE"]
    game, agent = parse_game("connect-four"), parse_agent("ntuple")
    state = initial(game)
    while outcome(game, state) == RUNNING:
        board, mark = kaggle_board(game, state), player(game, state) + 1
        asked = Struct(board=board, mark=mark, remainingOverageTime=60.0)
        settings = Struct(rows=6, columns=7, inarow=4, actTimeout=2)
        assert other["agent"](asked, settings) in legal_moves(game, state)
        assert ours["agent"](asked, settings) == agent.choose(game, state, Rng(1)).move
        state = transition(game, state, chance.choice(legal_moves(game, state)))


def test_the_clock_begins_with_the_file_only_if_it_is_asked_at_once(monkeypatch):
    """At Kaggle it is; in a notebook the file may have been read long ago."""
    names, told = {}, []
    exec(make_submission("random").text, names)
    spy = ModuleType(names["PACKAGE"])
    spy.players = {1: lambda observation, configuration, began: told.append(began) or 2}
    monkeypatch.setitem(sys.modules, names["PACKAGE"], spy)
    asked = Struct(board=[0] * 42, mark=1, remainingOverageTime=60.0)
    now = time.perf_counter()
    for ago in (1.0, 100.0):
        names["BEGAN"] = now - ago
        assert names["agent"](asked, Struct(rows=6, columns=7, inarow=4, actTimeout=2)) == 2
    assert told[0] == now - 1.0
    assert told[1] >= now


def test_equal_exports_are_equal_files_of_a_moderate_size():
    first, again = (make_submission("ntuple:depth=8,endgame=34") for _ in range(2))
    assert first == again
    assert [name[:6] for name in first.models] == ["model-"]
    assert 2_000_000 < first.size < 5_000_000
    assert make_submission("mcts").size < 300_000
    assert make_submission("perfect").size > make_submission("mcts").size + 50_000  # the book
    assert len(make_submission("alphabeta:value=connect-four", "ntuple").models) == 1


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("human", "human cannot be exported; what can: alphabeta, mcts"),
        ("puct", "puct cannot be exported"),
        ("mcts:value=net:dense", "its net needs ONNX Runtime"),
        ("ntuple:nothing", 'No model "nothing"'),
        ("td:tic-tac-toe", "tic-tac-toe was trained for tic-tac-toe, not for ConnectX"),
        ("ntuple:depth=x", "depth must be a whole number"),
    ],
)
def test_what_cannot_be_exported_is_refused(spec, message):
    with pytest.raises(SpielwerkError, match=message.replace("(", r"\(")):
        make_submission(spec)


def test_a_submission_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(export, "MOST_BYTES", 100_000)
    with pytest.raises(SpielwerkError, match=r"would have 0\.2 MB; 0 MB is the most"):
        make_submission("random")


def test_only_what_is_needed_is_packed():
    names = needed_modules(export.ENTRANCE)
    assert {"spielwerk.agents.mcts", "spielwerk.search.solver", "spielwerk.values"} <= set(names)
    unwanted = ("cli", "web", "store", "lab", "bench", "arena")
    assert not [name for name in names if name.split(".")[1:2] in [[part] for part in unwanted]]


def test_boards_are_written_as_rows_columns_inarow():
    assert parse_board("4x5/3") == Board(4, 5, 3)
    assert str(Board()) == "6x7/4"
    for wrong in ("6x7", "6/7/4", "0x7/4", "6x7/-1", ""):
        with pytest.raises(SpielwerkError, match="A board is ROWSxCOLUMNS/INAROW"):
            parse_board(wrong)


def test_games_are_counted_from_the_view_of_the_submission():
    def played(status, points, other="DONE"):
        return Played("random", "6x7/4", 0, status, points, 1.0, 0.5, 59.0, 12, other, 2)

    games = [played("DONE", 1.0), played("DONE", 0.5), played("DONE", 0.0), played("ERROR", None)]
    games += [played("TIMEOUT", None), played("INVALID", None), played("DONE", 1.0, "TIMEOUT")]
    found = summarise(games)
    assert (found.won, found.drawn, found.lost, found.games) == (2, 1, 1, 7)
    assert (found.timeouts, found.invalid, found.errors, found.gifts) == (1, 1, 1, 1)
    assert found.stand_ins == 14
    assert not found.sound
    assert summarise(games[:3]).sound


def test_a_file_that_is_not_there_and_an_environment_that_is_not(tmp_path, monkeypatch):
    peer("kaggle_environments")
    with pytest.raises(SpielwerkError, match="There is no submission"):
        check_submission(tmp_path / "none.py")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SpielwerkError, match="kaggle-environments is not installed: pip install"):
        check_submission(tmp_path / "none.py")


def test_in_the_real_environment(submission):
    """Odd boards against chance and itself: no invalid move, no timeout, no error."""
    peer("kaggle_environments")
    boards = [parse_board(text) for text in ("6x7/4", *ODD)]
    found = check_all(submission, boards, ["random", "itself"], games=2, seconds=0.5)
    assert len(found) == 12
    assert all(summary.sound for summary in found), found
    assert sum(summary.stand_ins for summary in found) == 0
    ordinary = found[0]
    assert (ordinary.board, ordinary.opponent, ordinary.won) == ("6x7/4", "random", 2)


def test_a_large_board_in_the_real_environment(submission):
    peer("kaggle_environments")
    (found,) = check_all(submission, [parse_board(LARGE)], ["random"], games=2, seconds=0.2)
    assert (found.sound, found.won, found.stand_ins) == (True, 2, 0)


def test_a_submission_that_cannot_load_its_agent_is_seen_through(submission, tmp_path):
    """The plain player answers, and the check says so."""
    peer("kaggle_environments")
    text = submission.read_text()
    (tmp_path / "damaged.py").write_text(text.replace("adapters.kaggle.player", "nothing"))
    (found,) = check_all(tmp_path / "damaged.py", [parse_board("3x3/3")], ["random"], 1, 0.2)
    assert found.sound
    assert found.stand_ins > 0


def test_paths_with_any_characters_can_be_exported(tmp_path):
    model = tmp_path / 'odd """ \\N {x} name.safetensors'
    model.write_bytes((DATA / "models" / "connect-four.safetensors").read_bytes())
    names = {}
    exec(make_submission(f"ntuple:({model})").text, names)
    assert names["SPEC"].startswith("ntuple:model=model-")
    assert str(tmp_path) not in make_submission(f"ntuple:({model})").text


def check_all(file, boards, opponents, games, seconds):
    """As `check_submission`, in one process: kernels are compiled once."""
    code = (
        "import json, sys; from pathlib import Path; "
        "from spielwerk.adapters.kaggle.check import play_here, parse_board; "
        "boards, others = json.loads(sys.argv[2]); "
        "print(json.dumps([[vars(g) for g in play_here(Path(sys.argv[1]), parse_board(b), o, "
        f"{games}, {seconds})] for b in boards for o in others]))"
    )
    # The environment imports much that warns.
    code = "import warnings; warnings.simplefilter('ignore'); " + code
    found = run(code, file, json.dumps([[str(board) for board in boards], opponents]))
    return [summarise([Played(**game) for game in games]) for games in found]


WRONG = {
    "returns_numpy.py": "import numpy as np\ndef act(o, c):\n    return np.int64(0)\n",
    "full_column.py": "def act(o, c):\n    return 0\n",
    "raises.py": "def act(o, c):\n    raise ValueError('no')\n",
}


def test_the_check_sees_what_is_wrong_with_a_submission(tmp_path):
    """Each trap is one in the environment itself; else the tests above would show nothing."""
    peer("kaggle_environments")
    statuses = {}
    for name, text in WRONG.items():
        (tmp_path / name).write_text(text)
        (found,) = check_all(tmp_path / name, [parse_board("2x4/9")], ["random"], 1, 2.0)
        statuses[name] = (found.invalid, found.errors, found.timeouts)
    assert statuses["returns_numpy.py"] == (1, 0, 0)
    assert statuses["full_column.py"] == (1, 0, 0)
    assert statuses["raises.py"] == (0, 1, 0)


@pytest.mark.thorough
@pytest.mark.parametrize("spec", ["ntuple:depth=8,endgame=34", "mcts:amaf=rave,solver=yes"])
def test_exports_beat_negamax(spec, tmp_path):
    peer("kaggle_environments")
    (tmp_path / "submission.py").write_text(make_submission(spec).text)
    (games,) = check_submission(tmp_path / "submission.py", opponents=["negamax"], games=4)
    found = summarise(games)
    assert found.sound
    assert found.won == 4
