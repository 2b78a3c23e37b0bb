"""The Connect Four solver beside bitbully's C++, on the same random positions, without books."""

import time
from collections.abc import Callable, Iterator

import numpy as np

from spielwerk.bench.line import Line
from spielwerk.games.connectx import ConnectState, connectx
from spielwerk.games.rules import RUNNING, initial, legal_moves, outcome, transition
from spielwerk.kernels.clock import ticks, ticks_per_second
from spielwerk.kernels.jit import kernel
from spielwerk.kernels.rng import Rng, derive_seed
from spielwerk.search import solver
from spielwerk.search.solving import Solver

STONES = (20, 16, 14, 12, 10, 8)
SEED = 20261115
MEGABYTES = 128.0
BATCH = 4
HARD = 0.0005
SLOW = 0.2


def random_position(stones: int, seed: int) -> tuple[tuple[int, ...], ConnectState]:
    """Moves drawn evenly; games that end too soon are drawn again."""
    game, rng = connectx(), Rng(seed)
    while True:
        state, moves = initial(game), list[int]()
        while len(moves) < stones and outcome(game, state) == RUNNING:
            legal = legal_moves(game, state)
            moves.append(legal[rng.below(len(legal))])
            state = transition(game, state, moves[-1])
        if len(moves) == stones and outcome(game, state) == RUNNING:
            return tuple(moves), state


@kernel
def timed(
    field: solver.Field,
    mines: np.ndarray,
    filleds: np.ndarray,
    table: np.ndarray,
    scratch: solver.Scratch,
    scores: np.ndarray,
    taken: np.ndarray,
) -> None:
    """Scores of many positions, and the ticks each took; everything is forgotten before each."""
    bounds = np.empty(2, np.int64)
    for i in range(mines.size):
        table[:], bounds[0], bounds[1] = 0, -100, 100
        began = ticks()
        solver.narrow(field, mines[i], filleds[i], bounds, table, scratch)
        taken[i], scores[i] = ticks() - began, bounds[0]


def measure(seconds: float) -> Iterator[Line]:
    """For each number of stones: geometric mean of the peer's time over ours.

    Both forget everything before each position. Ours is called with a batch of positions, as users
    do who have many. The peer has no such form: a call from Python is part of its time, which
    decides where a position is trivial. So the positions that the peer needs more than `HARD`
    seconds for are also shown by themselves. `seconds` are spent on each number of stones.
    """
    peer = bitbully_score()
    for stones in STONES:
        ours, theirs = _times(stones, peer, seconds)
        yield _line(f"solver, {stones} stones, all", ours, theirs if peer else None)
        if peer and (theirs > HARD).any():
            yield _line(
                f"solver, {stones} stones, hard", ours[theirs > HARD], theirs[theirs > HARD]
            )
    yield _two_threads(seconds)


def _two_threads(seconds: float) -> Line:
    """How much faster two threads solve single positions of 8 stones that take one a while."""
    ratios: list[float] = []
    begin, number = time.perf_counter(), 0
    while not ratios or time.perf_counter() - begin < seconds:
        _, state = random_position(8, derive_seed(SEED, 2, number))
        number += 1
        taken = []
        for threads in (1, 2):
            own = Solver(connectx(), MEGABYTES, threads)
            started = time.perf_counter()
            own.score(state)
            taken.append(time.perf_counter() - started)
        if taken[0] > SLOW:
            ratios.append(taken[0] / taken[1])
    ratio = float(np.exp(np.mean(np.log(ratios))))
    return Line(
        f"solver, 2 threads, 8 stones, {len(ratios)} positions", "times as fast as 1", ratio
    )


def _line(name: str, ours: np.ndarray, theirs: np.ndarray | None) -> Line:
    return Line(
        f"{name}, {ours.size} positions",
        "ms on average",
        float(ours.mean()) * 1e3,
        peer_name="bitbully",
        peer=None if theirs is None else float(theirs.mean()) * 1e3,
        ratio=None if theirs is None else float(np.exp(np.mean(np.log(theirs / ours)))),
        missing="bitbully is not installed: pip install bitbully" if theirs is None else None,
    )


def _times(
    stones: int, peer: Callable[[tuple[int, ...]], tuple[int, float]] | None, seconds: float
) -> tuple[np.ndarray, np.ndarray]:
    game = connectx()
    field, table = solver.make_field(game), solver.make_table(game, MEGABYTES)
    scratch = solver.make_scratch(game, np.zeros(1, np.uint8))
    ours: list[float] = []
    theirs: list[float] = []
    begin = time.perf_counter()
    while not ours or time.perf_counter() - begin < seconds:
        batch = [
            random_position(stones, derive_seed(SEED, stones, len(ours) + i)) for i in range(BATCH)
        ]
        scores, taken = np.zeros(BATCH, np.int64), np.zeros(BATCH, np.int64)
        mines = np.array([state.mine for _, state in batch])
        filleds = np.array([state.filled for _, state in batch])
        timed(field, mines, filleds, table, scratch, scores, taken)
        ours += (np.maximum(taken, 1) / ticks_per_second()).tolist()
        if peer is not None:
            for (moves, _), ours_says in zip(batch, scores, strict=True):
                score, duration = peer(moves)
                theirs.append(max(duration, 1e-7))
                if score != ours_says:
                    raise AssertionError(f"bitbully says {score}, we {ours_says} for {moves}")
    return np.array(ours), np.array(theirs)


def bitbully_score() -> Callable[[tuple[int, ...]], tuple[int, float]] | None:
    """bitbully's score of a position and its seconds, its table empty; None if not installed."""
    try:
        from bitbully import bitbully_core
    except ImportError:
        return None
    core = bitbully_core.BitBullyCore()

    def score(moves: tuple[int, ...]) -> tuple[int, float]:
        board = bitbully_core.BoardCore()
        for move in moves:
            board.play(move)
        core.resetTranspositionTable()
        started = time.perf_counter()
        found = core.mtdf(board, 0)
        return int(found), time.perf_counter() - started

    return score
