"""Benchmarks measure what they say, with a peer and without; how fast is not tested."""

import sys

import pytest
from conftest import peer

from spielwerk.bench import BENCHMARKS
from spielwerk.bench.line import Line, rates_in_turn
from spielwerk.bench.solver import random_position
from spielwerk.games.connectx import connectx
from spielwerk.games.notation import format_moves, replay


def test_playouts_beside_open_spiel():
    peer("pyspiel")
    lines = list(BENCHMARKS["playouts"](0.1))
    assert [line.name for line in lines] == [
        "random playouts, connect-four",
        "random playouts, tic-tac-toe",
    ]
    for line in lines:
        assert line.ours > 0
        assert line.ratio == pytest.approx(line.ours / line.peer)
        assert f"ratio {line.ratio:.2f}" in line.in_words()


def test_without_the_peer_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    for line in BENCHMARKS["playouts"](0.05):
        assert (line.peer, line.ratio) == (None, None)
        assert "pip install open_spiel" in line.missing


def test_the_solver_beside_bitbully(monkeypatch):
    peer("bitbully")
    monkeypatch.setattr("spielwerk.bench.solver.STONES", (20, 12))
    monkeypatch.setattr("spielwerk.bench.solver.SLOW", 0.0)
    *lines, threads = BENCHMARKS["solver"](0.1)
    assert [line.name.split(",")[1] for line in lines if ", all," in line.name] == [
        " 20 stones",
        " 12 stones",
    ]
    for line in lines:
        assert line.ours > 0
        assert line.peer > 0
        assert line.ratio > 0
    assert "2 threads" in threads.name
    assert threads.ours > 0


def test_random_positions_are_what_they_say():
    moves, state = random_position(20, seed=1)
    assert len(moves) == 20
    assert replay(connectx(), format_moves(moves))[0] == state
    assert random_position(20, seed=1) == (moves, state) != random_position(20, seed=2)


def test_skip_bo_beside_the_same_games_move_by_move(monkeypatch):
    tables = (("skipbo-basic", "skipbo-mature"), ("skipbo-lea", "skipbo-basic"))
    monkeypatch.setattr("spielwerk.bench.skipbo.TABLES", tables)
    lines = list(BENCHMARKS["skipbo"](0.1))
    assert [line.name for line in lines] == ["skip-bo, basic – mature", "skip-bo, lea – basic"]
    for line in lines:
        assert line.ours > 0
        assert line.ratio == pytest.approx(line.ours / line.peer)


def test_start_to_first_move():
    (line,) = BENCHMARKS["startup"](0.1)
    assert line.unit == "s"
    assert 0 < line.ours < 60


def test_programs_take_turns_with_the_same_share_of_time():
    order = []

    def program(name):
        return lambda amount: order.append(name) or sum(range(200 * amount))

    ours, theirs = rates_in_turn(program("a"), program("b"), seconds=0.02, rounds=3)
    assert "".join(order).endswith("ababab")
    assert ours > 0
    assert theirs > 0


def test_numbers_read_well():
    assert Line("x", "s", 0.6543).in_words() == "x: 0.6543 s"
    assert Line("x", "games/s", 4_000_000.4).in_words() == "x: 4,000,000 games/s"


def test_the_arena_with_and_without_the_store():
    lines = list(BENCHMARKS["arena"](0.2))
    assert [line.name.rpartition(", ")[2] for line in lines] == ["not stored", "stored"]
    for line in lines:
        assert line.ours > 0
        assert line.ratio == pytest.approx(line.ours / line.peer)


def test_nets_alone_and_in_searches(monkeypatch):
    monkeypatch.setattr("spielwerk.bench.nets.ITERATIONS", 500)
    lines = {line.name: line.ours for line in BENCHMARKS["nets"](0.05)}
    assert len(lines) == 12
    assert all(rate > 0 for rate in lines.values())
    assert any("DenseNet" in name and "thesis: 909" in name for name in lines)
