"""The solver is exact: beside plain minimax, brute force on whole boards, and bitbully."""

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import peer
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import ConnectXTwin, random_states

from spielwerk.games.catalogue import parse_game
from spielwerk.games.connectx import connectx, winning_cells
from spielwerk.games.nim import NimState, nim
from spielwerk.games.notation import format_moves, replay
from spielwerk.games.rules import (
    RUNNING,
    WON,
    action_count,
    actions,
    image,
    initial,
    legal_moves,
    outcome,
    pack,
    transition,
    unpack,
)
from spielwerk.kernels.bits import U64
from spielwerk.kernels.interrupt import stoppable
from spielwerk.kernels.jit import kernel
from spielwerk.search import solver
from spielwerk.search.enumeration import expand
from spielwerk.search.solving import Solver, SolvingStopped, plies_left, plies_of, score_of

C4 = parse_game("connect-four")


def score_twin(game, state, known):
    """The score by looking at everything, with the definition written out."""
    if state not in known:
        stones = int(state.filled).bit_count()
        left = game.rows * game.cols - stones
        end = outcome(game, state)
        if end == WON:  # by the last stone: the mover has lost at 0 plies
            known[state] = -((left + 2) // 2)
        elif end != RUNNING:
            known[state] = 0
        else:
            known[state] = max(
                -score_twin(game, transition(game, state, move), known)
                for move in legal_moves(game, state)
            )
    return known[state]


@pytest.mark.parametrize(
    "spec",
    [
        "connectx:3x4,k=3",
        "connectx:4x3,k=3",
        "connectx:4x4",
        "connectx:5x3,k=3",
        "connectx:2x5,k=2",
        "connectx:3x3,k=1",
        "connectx:3x4,k=5",
        "connectx:1x9,k=3",
    ],
)
def test_every_position_of_small_boards(spec):
    game = parse_game(spec)
    known = {}
    score_twin(game, initial(game), known)
    states = [state for state in known if outcome(game, state) == RUNNING]
    mines = np.array([state.mine for state in states])
    filleds = np.array([state.filled for state in states])
    scratch = solver.make_scratch(game, np.zeros(1, np.uint8))
    field, table = solver.make_field(game), solver.make_table(game, 1)
    for order in (slice(None), slice(None, None, -1)):  # a table filled from below and from above
        table[:] = 0
        bounds = np.full((len(states), 2), (-100, 100))
        solver.narrow_all(field, mines[order], filleds[order], bounds, table, scratch)
        expected = np.array([known[state] for state in states])[order]
        assert (bounds[:, 0] == expected).all()
        assert (bounds[:, 1] == expected).all()


@kernel
def brute_force(game, words, after, after_scores, left):
    """Scores of a layer of packed positions from those of the next: the definition, no search."""
    scores = np.zeros(words.size, np.int64)
    for i in range(words.size):
        state = unpack(game, words[i])
        end = outcome(game, state)
        if end == WON:
            scores[i] = -((left + 2) >> 1)
        elif end == RUNNING:
            best = -100
            for move in range(action_count(game)):
                if (actions(game, state) >> U64(move)) & U64(1):
                    word = pack(game, transition(game, state, move))
                    best = max(best, -after_scores[np.searchsorted(after, word)])
            scores[i] = best
    return scores


@kernel
def take_apart(game, words):
    mines, filleds = np.empty_like(words), np.empty_like(words)
    running = np.empty(words.size, np.bool_)
    for i in range(words.size):
        state = unpack(game, words[i])
        mines[i], filleds[i] = state.mine, state.filled
        running[i] = outcome(game, state) == RUNNING
    return mines, filleds, running


@pytest.mark.parametrize(
    ("spec", "positions"), [("connectx:5x4", 1_706_255), ("connectx:4x5,k=3", None)]
)
def test_every_position_of_a_larger_board_by_brute_force(spec, positions):
    game = parse_game(spec)
    layers = [np.array([pack(game, initial(game))], np.uint64)]
    while layers[-1].size:
        layers.append(np.unique(expand(game, layers[-1], False)[0]))
    layers.pop()
    assert positions is None or sum(map(len, layers)) == positions
    field, table = solver.make_field(game), solver.make_table(game, 16)
    scratch = solver.make_scratch(game, np.zeros(1, np.uint8))
    after, after_scores = np.empty(0, np.uint64), np.empty(0, np.int64)
    compared = 0
    for stones in reversed(range(len(layers))):
        words = layers[stones]
        scores = brute_force(game, words, after, after_scores, 20 - stones)
        mines, filleds, running = take_apart(game, words)
        bounds = np.full((running.sum(), 2), (-100, 100))
        solver.narrow_all(field, mines[running], filleds[running], bounds, table, scratch)
        assert (bounds[:, 0] == scores[running]).all()
        assert (bounds[:, 1] == scores[running]).all()
        compared += len(bounds)
        after, after_scores = words, scores
    assert compared > 100_000 if positions else compared > 1000


@pytest.mark.parametrize(
    "spec", ["connect-four", "connectx:5x6", "connectx:5x5", "connectx:7x6", "connectx:4x7,k=5"]
)
def test_late_positions_equal_plain_search(spec):
    """Every pruning rule at once, on 60 to 150 random positions with at most 11 empty cells."""
    game = parse_game(spec)
    own, known, tried = Solver(game, 1), {}, 0
    for state in random_states(game, initial(game), 6000, seed=5):
        if plies_left(game, state) <= 11:
            assert own.score(state) == score_twin(game, state, known)
            tried += 1
            if tried == 150:
                break
    assert tried >= 60


def test_random_positions_equal_bitbully():
    """2,000 positions of 8–30 stones."""
    core = peer("bitbully.bitbully_core")
    theirs, own, chance = core.BitBullyCore(), Solver(C4, 64), iter(range(10**6))
    rounds = {8: 5, 10: 10, 12: 20, 14: 50, 16: 180, 18: 250, 20: 300, 22: 300, 24: 300}
    rounds |= {26: 300, 28: 150, 30: 135}
    assert sum(rounds.values()) == 2000
    from spielwerk.bench.solver import random_position

    for stones, count in rounds.items():
        for _ in range(count):
            moves, state = random_position(stones, seed=next(chance))
            board = core.BoardCore()
            for move in moves:
                board.play(move)
            assert own.score(state) == theirs.mtdf(board, 0), format_moves(moves)


def test_scores_of_moves_and_of_mirrored_moves():
    state, _ = replay(C4, "44444435555333")
    scores = Solver(C4, 16).score_moves(state)
    assert scores == {0: 1, 1: 1, 2: 1, 4: -4, 5: -13, 6: -4}
    mirrored = Solver(C4, 16).score_moves(image(C4, state, 1))
    assert mirrored == {6 - move: score for move, score in scores.items()}


def test_a_line_of_best_play_keeps_its_promise():
    own = Solver(C4, 16)
    state, _ = replay(C4, "44444435555333")
    score, line = own.score(state), own.best_line(state)
    assert len(line) == plies_of(plies_left(C4, state), score)
    sign = 1
    for move in line:
        assert own.score(state) * sign == score
        state, sign = transition(C4, state, move), -sign
    assert outcome(C4, state) == WON


def test_scores_and_plies_tell_the_same():
    for left in range(1, 43):
        for plies in range(1, left + 1):
            won = plies % 2 == 1
            assert plies_of(left, score_of(left, plies, won)) == plies
        assert plies_of(left, 0) is None


@pytest.mark.parametrize("spec", ["tic-tac-toe", "nim:n=12"])
def test_other_games_are_solved_by_the_generic_search(spec):
    game = parse_game(spec)
    own = Solver(game, 1)
    if spec == "tic-tac-toe":
        assert set(own.score_moves(initial(game)).values()) == {0}
        assert own.score_moves(replay(game, "124")[0])[6] == max(
            own.score_moves(replay(game, "124")[0]).values()
        )
    else:
        assert own.score(initial(game)) < 0  # 12 is a multiple of 4
        assert len(own.best_line(initial(game))) == 6


@pytest.mark.parametrize("threads", [2, 4])
def test_threads_find_the_same_scores(threads):
    for moves in ("44444435555", "44443333222", "1234567123456"):
        state, _ = replay(C4, moves)
        alone, team = Solver(C4, 16), Solver(C4, 16, threads)
        assert team.score_moves(state) == alone.score_moves(state)
        assert team.score(state) == alone.score(state)


def test_a_tiny_table_costs_only_time():
    state, _ = replay(C4, "44444435555333")
    assert Solver(C4, 0.01).score(state) == Solver(C4, 64).score(state)


def test_memory_is_bounded():
    for megabytes in (1, 3, 64, 100):
        assert solver.make_table(C4, megabytes).nbytes <= megabytes * 2**20


@pytest.mark.parametrize("threads", [1, 2])
def test_stopping_keeps_the_bounds_found_so_far(threads):
    flag, seen = np.zeros(1, np.uint8), []
    own = Solver(C4, 16, threads)
    own.score(replay(C4, "444444355553336")[0])  # compiled by now

    def work():
        with stoppable(flag):
            try:
                own.score_moves(initial(C4))
            except SolvingStopped as stopped:
                seen.append(stopped.bounds)

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.3)
    flag[0] = 1
    thread.join(30)
    (bounds,) = seen
    truth = dict(enumerate([-2, -1, 0, 1, 0, -1, -2]))
    assert set(bounds) == set(truth)
    for move, (lower, upper) in bounds.items():
        assert lower <= truth[move] <= upper
    assert any(lower < upper for lower, upper in bounds.values())


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_winning_cells_equal_trying_each_cell(data):
    """On any board of columns filled from below, by either player."""
    cols = data.draw(st.integers(1, 9))
    rows = data.draw(st.integers(1, min(9, 64 // cols - 1)))
    game = connectx(rows, cols, data.draw(st.integers(1, 5)))
    column = st.lists(st.integers(1, 2), max_size=rows)
    columns = data.draw(st.lists(column, min_size=cols, max_size=cols))
    twin, stones = ConnectXTwin(rows, cols, game.k), 0
    for col, owners in enumerate(columns):
        for row, owner in enumerate(owners):
            twin.cells[row][col] = owner
            stones |= (owner == 1) << (col * (rows + 1) + row)
    if twin.has_line(1):
        return
    cells = int(winning_cells(game, U64(stones)))
    for col, owners in enumerate(columns):
        for row in range(len(owners), rows):
            twin.cells[row][col] = 1
            assert bool(cells >> (col * (rows + 1) + row) & 1) == twin.has_line(1)
            twin.cells[row][col] = 0


def test_without_jit_the_search_visits_the_same_nodes():
    program = (
        "from spielwerk.search.solving import Solver; from spielwerk import parse_game;"
        "from spielwerk.games.notation import replay; g = parse_game('connect-four');"
        "s = Solver(g, 0.1); print(s.score_moves(replay(g, '4444443555533362117712')[0]), s.nodes)"
    )
    results = {
        subprocess.check_output(
            [sys.executable, "-W", "error", "-c", program],
            text=True,
            env={**os.environ, "NUMBA_DISABLE_JIT": off},
        )
        for off in ("0", "1")
    }
    assert len(results) == 1


@pytest.mark.parametrize("k", [1, 2, 3, 7])
def test_nim_by_its_size_is_nim_by_search(k):
    game = nim(30, k)
    own = Solver(game, 1)
    for stones in range(1, 31):
        for turn in (0, 1):
            state = NimState(U64(stones), U64(turn))
            assert own.score_moves(state) == own._score_moves_by_alphabeta(state)


def test_large_heaps_take_no_time():
    game = nim(1000, 35)
    scores = Solver(game, 1).score_moves(initial(game))
    assert [move + 1 for move, score in scores.items() if score > 0] == [1000 % 36]
