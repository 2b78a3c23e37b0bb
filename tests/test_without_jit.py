"""Uncompiled, and without Numba, the results are the same, bit for bit."""

import json
import os
import subprocess
import sys

PROGRAM = """
import json
import numpy as np
from spielwerk import Rng, parse_agent, parse_game, play_match
from spielwerk.games.rules import initial
from spielwerk.kernels.bits import U64
from spielwerk.kernels.jit import ENABLED
from spielwerk.learning.config import config_from
from spielwerk.learning.training import make_run
from spielwerk.learning.runs import train
from spielwerk.search.alphabeta import make_table, score_moves
from spielwerk.search.enumeration import perft, positions
from spielwerk.search.playout import playouts
from spielwerk.values.lines import open_lines
from spielwerk.values.value import Even

results = {}
for spec in ("connect-four", "connectx:2x21,k=3", "connectx:31x2,k=4", "tic-tac-toe", "nim:n=30"):
    game = parse_game(spec)
    start = initial(game)
    functions = [Even()] if spec.startswith("nim") else [Even(), open_lines(game)]
    found = []
    for function in functions:
        table = make_table(0.02)
        scores = score_moves(game, function, start, 3, table, np.zeros(1, np.uint8))
        found.append([scores.tolist(), table.counts.tolist(), table.history.tolist()])
    agents = [parse_agent("alphabeta:depth=2"), parse_agent("random")]
    results[spec] = {
        "playouts": playouts(game, start, U64(2**64 - 3), 20).tolist(),
        "perft": [list(ply) for ply in perft(game, 3)],
        "positions": [list(ply) for ply in positions(game, 3, symmetric=True)],
        "alphabeta": found,
        "match": play_match(game, agents, seed=4).moves,
    }
for spec, options in (
    ("connect-four", "select=uct2,amaf=rave,playout=lgr"),
    ("tic-tac-toe", "select=uct3,playout=decisive,solver=yes"),
):
    game = parse_game(spec)
    choice = parse_agent(f"mcts:iterations=60,{options}").choose(game, initial(game), Rng(5))
    results[options] = [dict(choice.values), dict(choice.statistics)]
for spec, settings in (
    ("nim:n=23", {"features": "divisibility:most=6"}),
    (
        "tic-tac-toe",
        {"features": "tuples:123", "function": "tanh", "step": "tcl", "trace": "replacing"},
    ),
):
    config = config_from({"games": 12, "lambda": 0.5, "epsilon": 0.3, **settings})
    run = make_run(spec, config, seed=3)
    train(run, lambda learned: {"success": 0.0})
    results["td " + spec] = [run.rows, run.learner.learned.function.weights.tolist()]
from spielwerk.arena.skipbo_learning import begin_skipbo_run
from spielwerk.learning.skipbo_config import LEARNERS, skipbo_config_from

cards = parse_game("skip-bo:stock=2,turns=40")
programs = [parse_agent(name) for name in ("skipbo-mature", "skipbo-basic-minus")]
results["skip-bo"] = play_match(cards, programs, seed=4).moves
for learner in LEARNERS:
    settings = {"learner": learner, "games": 2, "step": "tcl", "epsilon": 0.1}
    run = begin_skipbo_run("skip-bo:stock=2,turns=40", skipbo_config_from(settings), seed=3)
    train(run, lambda learned: {"success": 0.0})
    results["skip-bo " + learner] = [run.rows[-1], run.weights.tolist()]
deep = parse_game("nim:n=1000,k=1")
table = make_table(0.02)
score_moves(deep, Even(), initial(deep), 1000, table, np.zeros(1, np.uint8))
results["deep"] = table.counts.tolist()
print(json.dumps({"jit": ENABLED, "results": results}))
"""


LACKING = """
import sys
sys.modules.update(dict.fromkeys(["numba", "llvmlite", "safetensors", "platformdirs"]))
import json
from spielwerk import Rng, parse_agent, parse_game, parse_position
game = parse_game("connect-four")
ours = [
    parse_agent(spec).choose(game, parse_position(game, "4453"), Rng(3)).values
    for spec in ("ntuple", "mcts:iterations=50,amaf=rave")
]
print(json.dumps([list(values.items()) for values in ours]))
"""


def run(program=PROGRAM, **environment):
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_results_are_identical():
    compiled, plain = run(NUMBA_DISABLE_JIT="0"), run(NUMBA_DISABLE_JIT="1")
    assert (compiled["jit"], plain["jit"]) == (True, False)
    assert compiled["results"] == plain["results"]


def test_numba_and_safetensors_may_be_missing():
    """As where a submission to Kaggle may run: NumPy is enough to play."""
    line = next(line for line in LACKING.splitlines() if line.startswith("sys.modules"))
    assert run(LACKING) == run(LACKING.replace(line, ""))
