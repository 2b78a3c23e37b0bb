"""Games of a policy-value net against itself, many side by side (Silver et al. 2017).

Every move is chosen by a search with PUCT. What the search says of a position is what the net is to
learn: how often each move was visited, and how the game ended. Games differ by noise at the root,
by moves chosen in proportion to their visits, and by some random moves at the beginning, which also
show the net positions that good players avoid.

Every game has a seed of its own: which games are played does not depend on how many are played side
by side, but for the last bits of what the net says.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from spielwerk.games.rules import (
    DRAWN,
    RUNNING,
    Game,
    State,
    action_count,
    actions,
    initial,
    outcome,
    pack,
    transition,
    unpack,
)
from spielwerk.kernels.bits import ONE, U64, ZERO, nth_bit, popcount, signed
from spielwerk.kernels.jit import inlined, kernel
from spielwerk.kernels.rng import below, derive_seed, next_random, unit
from spielwerk.search.mcts.search import Evaluator
from spielwerk.search.puct import Forest, Puct, gather, make_forest, make_waiting, plant, settle

LONGEST = 64
"""Plies of a game: ConnectX boards have no more cells."""


class Examples(NamedTuple):
    """Positions to learn from, and what to learn of each."""

    words: np.ndarray  # uint64 [n]: packed positions
    policies: np.ndarray  # float32 [n, moves]
    values: np.ndarray  # float32 [n]: for the player to move


def no_examples(game: Game) -> Examples:
    moves = action_count(game)
    return Examples(
        np.zeros(0, np.uint64), np.zeros((0, moves), np.float32), np.zeros(0, np.float32)
    )


def joined(parts: Sequence[Examples]) -> Examples:
    return Examples(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


class SelfPlay(NamedTuple):
    """How games are played."""

    simulations: int
    puct: Puct
    noise: float = 0.25  # the share of Dirichlet noise in the priors of the root,
    alpha: float = 1.0  # and its parameter: the smaller, the more it favours single moves
    warm: int = 12  # plies in which moves are chosen in proportion to their visits
    random_share: float = 0.5  # games that begin with random moves, as a share,
    random_plies: int = 16  # so many at most
    lookahead: float = 0.5  # values to learn: so much from the search, the rest from the end


class Tables(NamedTuple):
    """Games that are being played, and what was seen in each."""

    numbers: np.ndarray  # int64 [tables]
    seeds: np.ndarray  # uint64 [tables]
    words: np.ndarray  # uint64 [tables]: positions
    plies: np.ndarray  # int64 [tables]: positions seen
    seen: np.ndarray  # uint64 [tables, LONGEST]
    policies: np.ndarray  # float32 [tables, LONGEST, moves]
    values: np.ndarray  # float32 [tables, LONGEST]
    ended: np.ndarray  # bool [tables]
    worth: np.ndarray  # float64 [tables]: what the end is worth to the player of the last position


def make_tables(game: Game, tables: int) -> Tables:
    return Tables(
        numbers=np.zeros(tables, np.int64),
        seeds=np.zeros(tables, np.uint64),
        words=np.zeros(tables, np.uint64),
        plies=np.zeros(tables, np.int64),
        seen=np.zeros((tables, LONGEST), np.uint64),
        policies=np.zeros((tables, LONGEST, action_count(game)), np.float32),
        values=np.zeros((tables, LONGEST), np.float32),
        ended=np.zeros(tables, np.bool_),
        worth=np.zeros(tables),
    )


def play_games(
    game: Game,
    play: SelfPlay,
    numbers: Sequence[int],
    seed: int,
    evaluator: Callable[[], Evaluator],
    side_by_side: int = 64,
    threads: int = 1,
) -> Examples:
    """The games with these numbers, in their order."""
    teams = [numbers[start::threads] for start in range(threads)]
    teams = [team for team in teams if len(team)]
    evaluators = [evaluator() for _ in teams]

    def work(team: Sequence[int], evaluate: Evaluator) -> dict[int, Examples]:
        return _play_team(game, play, team, seed, evaluate, side_by_side)

    if len(teams) <= 1:
        found = [work(*one) for one in zip(teams, evaluators, strict=True)]
    else:
        with ThreadPoolExecutor(len(teams)) as pool:
            found = list(pool.map(work, teams, evaluators))
    games = {number: examples for part in found for number, examples in part.items()}
    return joined([games[number] for number in numbers]) if games else no_examples(game)


def _play_team(
    game: Game,
    play: SelfPlay,
    numbers: Sequence[int],
    seed: int,
    evaluate: Evaluator,
    side_by_side: int,
) -> dict[int, Examples]:
    """Some games on one thread: as many at once as there are trees; then the next ones."""
    left, done = list(reversed(numbers)), dict[int, Examples]()
    size = min(side_by_side, len(numbers))
    forest, waiting = make_forest(game, size, play.simulations + 2), make_waiting(size)
    tables, count = make_tables(game, size), 0
    while True:
        while left and count < size:
            number = left.pop()
            sit_down(game, play, tables, count, number, U64(derive_seed(seed, number)))
            count += 1
        if count == 0:
            return done
        plant_all(game, forest, tables, count)
        for step in range(play.simulations):
            made, behind = gather(game, play.puct, forest, 0, count, 1, waiting, 0)
            if made == 0:
                break
            if behind:
                said = evaluate(waiting.leaves[:behind])
                settle(play.puct, forest, waiting, 0, behind, said)
            if step == 0:
                add_noise(play, forest, tables, count)
        move_on(game, play, forest, tables, count)
        for table in np.flatnonzero(tables.ended[:count])[::-1].tolist():
            done[int(tables.numbers[table])] = _examples(play, tables, table)
            count -= 1
            for column in tables:  # the last one takes its place
                column[table] = column[count]


def _examples(play: SelfPlay, tables: Tables, table: int) -> Examples:
    """What is to be learned from a game: players take turns, so what it is worth changes sign."""
    plies = int(tables.plies[table])
    signs = np.where((plies - 1 - np.arange(plies)) % 2 == 0, 1.0, -1.0)
    share = play.lookahead
    values = share * tables.values[table, :plies] + (1 - share) * signs * tables.worth[table]
    return Examples(
        tables.seen[table, :plies].copy(),
        tables.policies[table, :plies].copy(),
        values.astype(np.float32),
    )


@kernel
def sit_down(
    game: Game, play: SelfPlay, tables: Tables, table: int, number: int, seed: np.uint64
) -> None:
    """Begin a game: from the first position, or after some random moves."""
    tables.numbers[table], tables.plies[table] = number, 0
    bits, seed = next_random(seed)
    state = initial(game)
    if play.random_plies > 0 and unit(bits) < play.random_share:
        bits, seed = next_random(seed)
        plies = 1 + signed(below(bits, U64(play.random_plies)))
        state, seed = random_position(game, plies, seed)
    tables.words[table], tables.seeds[table] = pack(game, state), seed


@inlined
def random_position(game: Game, plies: int, seed: np.uint64) -> tuple[State, np.uint64]:
    """After random moves, with the game still going on; fewer where that fails time and again."""
    tries = 0
    while True:
        state, made = initial(game), 0
        while made < plies and outcome(game, state) == RUNNING:
            moves = actions(game, state)
            bits, seed = next_random(seed)
            state = transition(game, state, signed(nth_bit(moves, below(bits, popcount(moves)))))
            made += 1
        if outcome(game, state) == RUNNING:
            return state, seed
        tries += 1
        if tries % 100 == 0:
            plies -= 1


@kernel
def plant_all(game: Game, forest: Forest, tables: Tables, count: int) -> None:
    for table in range(count):
        plant(game, forest, table, tables.words[table])


@kernel
def add_noise(play: SelfPlay, forest: Forest, tables: Tables, count: int) -> None:
    """Mix the priors of the roots with noise of Dirichlet's distribution."""
    moves = forest.prior.shape[2]
    noise = np.zeros(moves)
    if play.noise == 0.0:
        return
    for table in range(count):
        total = 0.0
        for edge in range(moves):
            noise[edge] = 0.0
            if (forest.moves[table, 0] >> U64(edge)) & ONE != ZERO:
                noise[edge], tables.seeds[table] = gamma(play.alpha, tables.seeds[table])
                total += noise[edge]
        for edge in range(moves):
            prior = forest.prior[table, 0, edge]
            forest.prior[table, 0, edge] = (1.0 - play.noise) * prior + play.noise * (
                noise[edge] / total
            )


@kernel
def gamma(shape: float, seed: np.uint64) -> tuple[float, np.uint64]:
    """A number of the gamma distribution, never 0 (Marsaglia & Tsang 2000)."""
    boost = 1.0
    if shape < 1.0:
        bits, seed = next_random(seed)
        boost = (1.0 - unit(bits)) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / np.sqrt(9.0 * d)
    while True:
        first, seed = next_random(seed)
        second, seed = next_random(seed)
        third, seed = next_random(seed)
        # Two uniform numbers make a normal one (Box & Muller).
        x = np.sqrt(-2.0 * np.log(1.0 - unit(first))) * np.cos(2.0 * np.pi * unit(second))
        v = (1.0 + c * x) ** 3
        if v > 0.0 and np.log(1.0 - unit(third)) < 0.5 * x * x + d - d * v + d * np.log(v):
            return max(d * v * boost, 1e-30), seed


@kernel
def move_on(game: Game, play: SelfPlay, forest: Forest, tables: Tables, count: int) -> None:
    """Write down what the searches found, and make a move at every table.

    A game ends when it is over, or when the search has proven what it is worth.
    """
    for table in range(count):
        ply = tables.plies[table]
        policy = tables.policies[table, ply]
        value, proven = read_root(forest, table, policy)
        tables.seen[table, ply] = tables.words[table]
        tables.values[table, ply] = value
        tables.plies[table] = ply + 1
        tables.ended[table], tables.worth[table] = proven, value
        if proven:
            continue
        move = int(np.argmax(policy))
        if ply < play.warm:
            bits, tables.seeds[table] = next_random(tables.seeds[table])
            move = drawn(policy, unit(bits))
        state = transition(game, unpack(game, tables.words[table]), move)
        tables.words[table] = pack(game, state)
        end = outcome(game, state)
        if end != RUNNING:
            tables.ended[table] = True
            tables.worth[table] = 0.0 if end == DRAWN else 1.0


@kernel
def drawn(policy: np.ndarray, chance: float) -> int:
    """A move with the probability that it has in the policy."""
    chosen, sum_ = 0, 0.0
    for move in range(policy.size):
        if policy[move] > 0.0:
            chosen = move
            sum_ += policy[move]
            if chance < sum_:
                break
    return chosen


@kernel
def read_root(forest: Forest, tree: int, policy: np.ndarray) -> tuple[float, bool]:
    """What a search says of its root: the value, whether it is proven, and a share for each move.

    Shares are those of the visits; a move that is proven to be worse than another gets nothing.
    Where the value is proven, the moves that keep it share alike.
    """
    lower, upper = signed(forest.bounds[tree, 0, 0]), signed(forest.bounds[tree, 0, 1])
    proven = lower == upper
    total = 0.0
    for move in range(policy.size):
        policy[move] = 0.0
        if (forest.moves[tree, 0] >> U64(move)) & ONE == ZERO:
            continue
        child = forest.child[tree, 0, move]
        sure, possible = -1, 1
        if child != 0:
            sure = -signed(forest.bounds[tree, child, 1])
            possible = -signed(forest.bounds[tree, child, 0])
        if proven:
            policy[move] = 1.0 if sure >= lower else 0.0
        elif possible > lower or sure == lower:
            policy[move] = forest.tried[tree, 0, move]
        total += policy[move]
    if total == 0.0:  # all that was tried is worse than what is sure by a move not tried
        for move in range(policy.size):
            policy[move] = forest.tried[tree, 0, move]
            total += policy[move]
    for move in range(policy.size):
        policy[move] /= total
    if proven:
        return 1.0 * lower, True
    value = forest.total[tree, 0] / forest.visits[tree, 0]
    return min(max(value, 1.0 * lower), 1.0 * upper), False
