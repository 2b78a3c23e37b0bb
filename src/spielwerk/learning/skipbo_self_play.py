"""TD(λ) at the end of a game of Skip-Bo (Jahnke 2007, §4.3, eq. 1).

Every learning player has a sequence x_1 … x_N of what it chose: tables after a move, moves, or
leaves of turns. r(x) = tanh(β J(x)), J = w·x; the last one is followed by the result of the game:
1 for winning, −1 otherwise, so that nobody learns to prevent a decision.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.rules import RUNNING, WON
from spielwerk.games.skipbo import TURN, SkipBo, legal_set, make_move, result_of, turns_of
from spielwerk.kernels.bits import nth_bit, popcount, signed
from spielwerk.kernels.jit import kernel
from spielwerk.kernels.rng import below, derive, next_random, unit
from spielwerk.learning.averaging import Average, advance
from spielwerk.search.skipbo_policies import (
    MOST_FEATURES,
    TURNS,
    Policies,
    Table,
    Thought,
    begin_game,
    decide,
)
from spielwerk.search.skipbo_turn import ends_here

MOST_CHOICES = 4000
"""Choices of one player in one game that are learned from; later ones are not."""


class Sequences(NamedTuple):
    """What was chosen in a game, by seats."""

    indices: np.ndarray  # [seats, MOST_CHOICES, MOST_FEATURES]
    amounts: np.ndarray
    counts: np.ndarray  # [seats, MOST_CHOICES]
    rewards: np.ndarray  # [seats, MOST_CHOICES] r(x_i)
    lengths: np.ndarray  # [seats]


class Lesson(NamedTuple):
    """How players learn."""

    lam: float
    beta: float
    norm: float  # the largest weight is never larger than this; 0: not bounded
    coherent: bool  # temporal coherence: weights that are pulled to and fro move less


class Tally(NamedTuple):
    """What has been played; sums since they were last read."""

    games: np.ndarray  # [1] in all
    turns: np.ndarray  # [1]
    choices: np.ndarray  # [1] that were learned from
    squares: np.ndarray  # [1] of temporal differences


def make_tally() -> Tally:
    return Tally(np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1))


def make_sequences(players: int) -> Sequences:
    return Sequences(
        np.zeros((players, MOST_CHOICES, MOST_FEATURES), np.int64),
        np.zeros((players, MOST_CHOICES, MOST_FEATURES)),
        np.zeros((players, MOST_CHOICES), np.int64),
        np.zeros((players, MOST_CHOICES)),
        np.zeros(players, np.int64),
    )


@kernel
def play_and_record(
    game: SkipBo,
    policies: Policies,
    seats: np.ndarray,
    learns: np.ndarray,
    beta: float,
    epsilon: float,
    seed: np.uint64,
    table: Table,
    thought: Thought,
    sequences: Sequences,
) -> int:
    """`play_game`, keeping what the players that learn have chosen. Now and then (`epsilon`) they
    make any legal move, which is not learned from.

    Whoever searches turns follows its plan to the leaf without searching again; among equally good
    leaves it may so come to another one than in `play_game`.
    """
    begin_game(game, table, seed)
    sequences.lengths[:] = 0
    result = RUNNING
    plan = thought.search.plan
    planned, place, active = 0, 0, 0
    while result == RUNNING:
        seat = int(table.open[TURN])
        player = seats[seat]
        bits, table.streams[seat] = next_random(table.streams[seat])
        thought.active[0] = 0
        explores = False
        if learns[player] and epsilon > 0.0:
            chance, table.streams[seat] = next_random(table.streams[seat])
            explores = unit(chance) < epsilon
        if explores:
            planned = 0
            moves = legal_set(game, table.open)
            move = signed(nth_bit(moves, below(bits, popcount(moves))))
        elif place < planned:
            move = plan[place]
            place += 1
            thought.active[0] = active
        else:
            move, _ = decide(game, policies, player, table.open, thought, bits)
            planned = thought.search.counts[3] if policies.kinds[player] == TURNS else 0
            place, active = 1, thought.active[0]
        length = sequences.lengths[seat]
        counts = policies.kinds[player] != TURNS or ends_here(table.open, move)
        if learns[player] and thought.active[0] > 0 and counts and length < MOST_CHOICES:
            for feature in range(thought.active[0]):
                sequences.indices[seat, length, feature] = thought.indices[feature]
                sequences.amounts[seat, length, feature] = thought.amounts[feature]
            sequences.counts[seat, length] = thought.active[0]
            sequences.rewards[seat, length] = np.tanh(beta * thought.total[0])
            sequences.lengths[seat] += 1
        make_move(game, table.open, table.closed, move)
        result = result_of(game, table.open)
    return int(table.open[TURN]) if result == WON else -1


@kernel
def learn_sequence(
    sequences: Sequences,
    seat: int,
    final: float,
    lesson: Lesson,
    alpha: float,
    change: np.ndarray,
) -> float:
    """Add eq. (1) for one seat to `change`, all with the weights of the beginning.

    Returns the sum of the squared temporal differences.
    """
    following, total, squares = final, 0.0, 0.0
    for back in range(sequences.lengths[seat]):
        i = sequences.lengths[seat] - 1 - back
        reward = sequences.rewards[seat, i]
        difference = following - reward
        total = difference + lesson.lam * total
        squares += difference * difference
        slope = alpha * total * lesson.beta * (1.0 - reward * reward)
        for place in range(sequences.counts[seat, i]):
            feature = sequences.indices[seat, i, place]
            change[feature] += slope * sequences.amounts[seat, i, place]
        following = reward
    return squares


@kernel
def learn_games(
    game: SkipBo,
    policies: Policies,
    learner: int,
    lesson: Lesson,
    average: Average,
    pulls: np.ndarray,
    alphas: np.ndarray,
    epsilons: np.ndarray,
    seed: np.uint64,
    table: Table,
    thought: Thought,
    sequences: Sequences,
    change: np.ndarray,
    tally: Tally,
    stop: np.ndarray,
) -> None:
    """A game and an update for each step size; seats rotate with the number of the game.

    Player `learner` learns: in every seat if it is alone, else in one, and another player in all
    others. `pulls` are the sums of all changes that
    were called for, and of their amounts (Beal & Smith 1999; here a game at a time).
    """
    many = game.players
    seats = np.zeros(many, np.int64)
    learns = np.zeros(policies.kinds.size, np.bool_)
    learns[learner] = True
    weights = policies.weights[learner]
    for number in range(alphas.size):
        if stop[0]:
            return
        for seat in range(many):
            is_learner = policies.kinds.size == 1 or (seat + tally.games[0]) % many == 0
            seats[seat] = learner if is_learner else 1 - learner
        winner = play_and_record(
            game,
            policies,
            seats,
            learns,
            lesson.beta,
            epsilons[number],
            derive(seed, tally.games[0]),
            table,
            thought,
            sequences,
        )
        change[:] = 0.0
        for seat in range(many):
            if seats[seat] == learner:
                final = 1.0 if winner == seat else -1.0
                squares = learn_sequence(sequences, seat, final, lesson, alphas[number], change)
                tally.squares[0] += squares
                tally.choices[0] += sequences.lengths[seat]
        largest = 0.0
        for feature in range(weights.size):
            share = 1.0
            if lesson.coherent and pulls[1, feature] > 0.0:
                share = abs(pulls[0, feature]) / pulls[1, feature]
            pulls[0, feature] += change[feature]
            pulls[1, feature] += abs(change[feature])
            weights[feature] += share * change[feature]
            largest = max(largest, abs(weights[feature]))
        if 0.0 < lesson.norm < largest:
            for feature in range(weights.size):
                weights[feature] *= lesson.norm / largest
        tally.games[0] += 1
        tally.turns[0] += turns_of(table.open)
        advance(average, weights, tally.games[0])
