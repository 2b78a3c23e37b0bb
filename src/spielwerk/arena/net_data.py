"""Data for value nets: self-play, and what became of every position (Göppert 2020, §5.3)."""

from collections.abc import Callable
from contextlib import closing
from typing import Any

import numpy as np

from spielwerk.agents.agent import check_agent, is_person
from spielwerk.agents.catalogue import parse_agent
from spielwerk.arena.match import play_match
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import game_spec, parse_game
from spielwerk.games.connectx import ConnectX
from spielwerk.games.rules import initial, pack, player, transition, unpack
from spielwerk.kernels.jit import kernel
from spielwerk.kernels.rng import derive_seed
from spielwerk.learning.nets.config import NetConfig
from spielwerk.learning.nets.data import MAKING, NetData, Rows
from spielwerk.learning.nets.shuffling import shuffled
from spielwerk.search.solving import rough_seconds, shared_solver, usual_book
from spielwerk.threads import each_as_done
from spielwerk.values.net_inputs import mirror

GAMES, DRAWING, ORDER = range(3)
"""Streams of chance."""
SOLVED_AT_ONCE = 64
LONGEST_SOLVING = 60.0
"""Seconds that the empty board may take, by a rough estimate, where there is no book."""

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is, and how much there is."""


def make_net_data(
    spec: str,
    config: NetConfig,
    seed: int,
    command: str = "",
    threads: int = 1,
    progress: Progress = lambda what, done, total: None,
) -> NetData:
    """Play `matches` games, and keep the positions that they came through. Threads change nothing.

    Every position of every game counts, the empty board and the last one too. Its value is the
    outcome for its owner, the player who has moved into it; the empty board is nobody's, and worth
    0. A position and its mirror image share the mean of all their outcomes, and are a row each.
    Of these rows `positions` are drawn, and a share `held_out` of them set apart.

    A position and its mirror image are always on the same side. In the thesis positions were told
    apart only after mirroring, so that the image of a position for training could be held out: its
    errors on what was held out are those of an easier task than ours. Positions of one game, which
    share its outcome, may be on both sides, there as here.
    """
    game = _checked(spec, config)
    words, outcomes = _play(game, config, seed, threads, progress)
    images = np.empty_like(words)
    mirror(game, words, images)
    keys, places, counts = np.unique(
        np.minimum(words, images), return_inverse=True, return_counts=True
    )
    means = np.bincount(places, weights=outcomes) / counts
    others = np.empty_like(keys)
    mirror(game, keys, others)
    mirrored = int(keys.size + (keys != others).sum())

    order = shuffled(keys.size, derive_seed(seed, DRAWING))
    keys, others, means = keys[order], others[order], means[order]
    ends = np.cumsum(1 + (keys != others))  # rows of the first 1, 2, 3 … pairs
    drawn = min(config.positions, mirrored)
    pairs = int(np.searchsorted(ends, drawn)) + 1
    keys, others, means, ends = keys[:pairs], others[:pairs], means[:pairs], ends[:pairs]
    if config.exact:
        means = _solved(game, keys, threads, progress)
    rows = _rows(keys, others, means, drawn)
    # Up to the end of a pair; the last one, of which a half may be drawn, is for training.
    held_out = int(ends[np.searchsorted(ends, max(1, round(drawn * config.held_out)))])
    if held_out >= drawn:
        raise SpielwerkError(
            f"{drawn} positions are too few to train on some and hold out others: more matches are "
            "needed, or a smaller share held_out."
        )
    rest = held_out + shuffled(drawn - held_out, derive_seed(seed, ORDER))
    return NetData(
        game_spec(game),
        Rows(rows.words[rest], rows.values[rest]),
        Rows(rows.words[:held_out], rows.values[:held_out]),
        {
            "command": command,
            "seed": seed,
            **{name: getattr(config, name) for name in MAKING},
            "counts": {
                "states": int(words.size),
                "unique": int(np.unique(words).size),
                "mirrored": mirrored,
                "training": drawn - held_out,
                "held_out": held_out,
            },
        },
    )


def _checked(spec: str, config: NetConfig) -> ConnectX:
    """The game, if the players can play it and, where that is asked for, the solver can."""
    game = parse_game(spec)
    if not isinstance(game, ConnectX):
        raise SpielwerkError(f"Nets are for ConnectX boards, not for {spec}.")
    agent = parse_agent(config.players)
    check_agent(agent, game)
    if is_person(agent):
        raise SpielwerkError(f"Data are made by programs that play; {config.players} is none.")
    slow = usual_book(game) is None and rough_seconds(game, initial(game)) > LONGEST_SOLVING
    if config.exact and slow:
        raise SpielwerkError(f"{spec} is too large to be solved: set exact=no.")
    return game


def _play(
    game: ConnectX, config: NetConfig, seed: int, threads: int, progress: Progress
) -> tuple[np.ndarray, np.ndarray]:
    """All positions of all games, packed, and the outcomes for their owners."""
    agent = parse_agent(config.players)
    longest = game.rows * game.cols
    moves = np.zeros((config.matches, longest), np.uint8)
    plies = np.zeros(config.matches, np.int64)
    results = np.zeros(config.matches, np.int8)

    def play(number: int) -> int:
        match = play_match(game, [agent, agent], derive_seed(seed, GAMES, number))
        plies[number] = len(match.moves)
        moves[number, : plies[number]] = match.moves
        results[number] = int(match.utilities[0])
        return number

    done: Any = each_as_done(play, range(config.matches), threads)
    with closing(done):
        for played, _ in enumerate(done, start=1):
            progress("games", played, config.matches)
    words = np.zeros(int(plies.sum()) + config.matches, np.uint64)
    outcomes = np.zeros(words.size, np.int8)
    write_states(game, moves, plies, results, words, outcomes)
    return words, outcomes


@kernel
def write_states(
    game: ConnectX,
    moves: np.ndarray,
    plies: np.ndarray,
    results: np.ndarray,
    words: np.ndarray,
    outcomes: np.ndarray,
) -> None:
    """The positions of each game, packed; `results` are the first player's, `outcomes` the
    owners'."""
    row = 0
    for number in range(plies.size):
        state = unpack(game, pack(game, initial(game)))
        words[row], outcomes[row] = pack(game, state), 0
        row += 1
        for ply in range(plies[number]):
            owner = player(game, state)
            state = transition(game, state, int(moves[number, ply]))
            words[row] = pack(game, state)
            outcomes[row] = results[number] if owner == 0 else -results[number]
            row += 1


def _rows(keys: np.ndarray, others: np.ndarray, means: np.ndarray, drawn: int) -> Rows:
    """A row for each position, its image next to it if that is another one."""
    both = np.column_stack([keys, others]).ravel()
    wanted = np.column_stack([np.ones(keys.size, np.bool_), keys != others]).ravel()
    values = np.repeat(means, 2).astype(np.float32)
    return Rows(both[wanted][:drawn], values[wanted][:drawn])


def _solved(game: ConnectX, keys: np.ndarray, threads: int, progress: Progress) -> np.ndarray:
    """What positions are worth to their owners if both sides play perfectly."""
    solver = shared_solver(game)
    values = np.zeros(keys.size)

    def solve(begin: int) -> int:
        part = keys[begin : begin + SOLVED_AT_ONCE]
        # For the player to move, who is not the owner; the empty board is worth 0 to nobody.
        values[begin : begin + part.size] = [
            -solver.sign(unpack(game, word)) if word != empty else 0 for word in part
        ]
        return int(part.size)

    empty = pack(game, initial(game))
    found: Any = each_as_done(solve, range(0, keys.size, SOLVED_AT_ONCE), threads)
    done = 0
    with closing(found):
        for count in found:
            done += count
            progress("positions solved", done, keys.size)
    return values
