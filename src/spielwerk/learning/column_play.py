"""Self-play with column tuples, arranged for speed: the algorithm of `self_play`, with less work.

Thill (2012, §4.1.2) found his time in the indexing function. Here no index is computed twice:

* A *slot* is a tuple on the board or on its mirror image. A move changes one column, so what it
  adds to the index of a slot depends on the content of that column alone: a row of a table, for all
  slots side by side.
* Slots are sorted by the columns they cover, so those that a move touches lie in a range. The sum
  of an after-state's weights is that of the range plus those before and behind it, which are summed
  once for all moves.
* A winning move needs no sums, and comparing needs no squashing, which keeps the order.
* With a table for each player a step does not change the value of the position it leads to.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.connectx import ConnectState, ConnectX, winning_cells
from spielwerk.games.rules import actions, transition
from spielwerk.kernels.bits import ONE, U64, ZERO, lowest_bit, popcount, signed
from spielwerk.kernels.dispatch import generic, implement
from spielwerk.kernels.jit import inlined, kernel
from spielwerk.kernels.rng import below, next_random, unit
from spielwerk.learning.averaging import Average, advance
from spielwerk.learning.referee import Referee, end_reward, has_ended, most_stones
from spielwerk.learning.self_play import Play, Tally, any_move, start_position
from spielwerk.learning.step_sizes import Fixed, StepRule, TemporalCoherence
from spielwerk.values.approximators import squashed, steepness
from spielwerk.values.column_tuples import ColumnTuples
from spielwerk.values.learned import Learned

BLOCK = 4
"""Slots are summed four at a time: additions that need not wait for each other."""
SHARES = 4096
"""Entries of the table that stands for an exponential function."""


class Slots(NamedTuple):
    """Every tuple on every image of the board, by the columns it covers."""

    begin: np.ndarray  # [slots] int32: indices of the empty board
    steps: np.ndarray  # int32, flat [cols, 2 players, codes, slots]: what a stone adds to indices
    first: np.ndarray  # [cols] int64: the range of slots that a column can touch, in whole blocks
    last: np.ndarray  # [cols] int64
    codes: int
    table: int  # entries of one player's tables; 0 if there is one for both


class Course(NamedTuple):
    """Scratch memory of a game: a row per position, and rows to work in."""

    indices: np.ndarray  # [plies, slots] int32
    values: np.ndarray  # [plies] float64
    errors: np.ndarray  # [plies] float64
    broken: np.ndarray  # [plies] bool
    now: np.ndarray  # [slots] int32: indices of the position
    tried: np.ndarray  # [slots] int32: indices after a move
    before: np.ndarray  # [blocks + 1] float32: sums of the weights before each block
    shares: np.ndarray  # [SHARES + 1] float64: the transfer function of temporal coherence


class ColumnLearner(NamedTuple):
    """Like `Learner`, for the fast way. Only the arrays inside change."""

    learned: Learned
    slots: Slots
    step_rule: StepRule
    at_the_end: bool  # λ-returns; else λ = 0
    resetting: bool
    lam: float
    course: Course


def make_slots(game: ConnectX, tuples: ColumnTuples) -> Slots:
    cols, codes = tuples.partial.shape[:2]
    columns = np.arange(cols)
    seen = [columns, columns[::-1]][: tuples.images]
    # [cols, codes, slots]: what the content of a column adds to the index of a slot
    adds = np.concatenate([tuples.partial[where] for where in seen], axis=2).astype(np.int64)
    touches = adds.max(axis=1) > 0
    leftmost = np.where(touches, columns[:, None], cols).min(axis=0)
    rightmost = np.where(touches, columns[:, None], -1).max(axis=0)
    order = np.argsort(leftmost + rightmost, kind="stable")
    adds, touches = adds[:, :, order], touches[:, order]
    begin = np.tile(tuples.first[:-1], tuples.images)[order] + adds[:, 1].sum(axis=0)
    steps = np.zeros((cols, 2, codes // 2, adds.shape[2]), np.int64)
    for code in range(1, codes // 2):
        stone = 1 << (code.bit_length() - 1)
        for mover in range(2):
            after = code + stone + (stone if mover == 0 else 0)
            steps[:, mover, code] = adds[:, after] - adds[:, code]
    slots = len(order)
    places = [np.flatnonzero(touches[col]) for col in range(cols)]
    first = [int(place.min()) // BLOCK * BLOCK if place.size else 0 for place in places]
    last = [
        min(slots, -(-int(place.max() + 1) // BLOCK) * BLOCK) if place.size else 0
        for place in places
    ]
    return Slots(
        begin.astype(np.int32),
        steps.astype(np.int32).ravel(),
        np.array(first),
        np.array(last),
        codes // 2,
        int(tuples.first[-1]) if tuples.tables == 2 else 0,
    )


def make_column_learner(
    game: ConnectX,
    learned: Learned,
    step_rule: StepRule,
    at_the_end: bool,
    resetting: bool,
    lam: float,
) -> ColumnLearner:
    slots = make_slots(game, learned.features)
    count, plies = slots.begin.size, game.rows * game.cols
    power = getattr(step_rule, "steepness", 0.0)
    shares = np.linspace(0, 1, SHARES + 1)
    course = Course(
        np.zeros((plies, count), np.int32),
        np.zeros(plies),
        np.zeros(plies),
        np.zeros(plies, np.bool_),
        np.zeros(count, np.int32),
        np.zeros(count, np.int32),
        np.zeros(-(-count // BLOCK) + 1, np.float32),
        np.exp(power * (shares - 1)) if power > 0 else shares,
    )
    return ColumnLearner(learned, slots, step_rule, at_the_end, resetting, float(lam), course)


@inlined
def sum_of(
    weights: np.ndarray, table: np.uint64, indices: np.ndarray, first: int, last: int
) -> np.float32:
    """Σ weights[table + indices[s]] over a range of slots."""
    whole = first + (last - first) // BLOCK * BLOCK
    a, b, c, d = np.float32(0), np.float32(0), np.float32(0), np.float32(0)
    for s in range(U64(first), U64(whole), U64(BLOCK)):
        a += weights[table + U64(indices[s])]
        b += weights[table + U64(indices[s + ONE])]
        c += weights[table + U64(indices[s + U64(2)])]
        d += weights[table + U64(indices[s + U64(3)])]
    for s in range(U64(whole), U64(last)):
        a += weights[table + U64(indices[s])]
    return (a + b) + (c + d)


@inlined
def sum_blocks(
    weights: np.ndarray, table: np.uint64, indices: np.ndarray, before: np.ndarray
) -> None:
    """before[i] ← the sum over the first i blocks of slots."""
    total = np.float32(0)
    before[0] = total
    blocks = indices.size // BLOCK
    for block in range(blocks):
        s = U64(block * BLOCK)
        a = weights[table + U64(indices[s])] + weights[table + U64(indices[s + ONE])]
        b = weights[table + U64(indices[s + U64(2)])] + weights[table + U64(indices[s + U64(3)])]
        total += a + b
        before[block + 1] = total
    if blocks * BLOCK < indices.size:
        total += sum_of(weights, table, indices, blocks * BLOCK, indices.size)
        before[blocks + 1] = total


@inlined
def step_row(
    slots: Slots, game: ConnectX, state: ConnectState, white: np.uint64, mover: int, move: int
) -> np.uint64:
    """Where in `slots.steps` the row for this move begins."""
    shift = U64(move) * game.stride
    column = (ONE << U64(game.rows)) - ONE
    code = ((state.filled >> shift) & column) + ONE + ((white >> shift) & column)
    return U64(((move * 2 + mover) * slots.codes + signed(code)) * slots.begin.size)


@inlined
def move_indices(
    slots: Slots, row: np.uint64, move: int, indices: np.ndarray, into: np.ndarray
) -> None:
    """Indices after a move, in the range of slots that it touches."""
    for s in range(U64(slots.first[move]), U64(slots.last[move])):
        into[s] = indices[s] + slots.steps[row + s]


@inlined
def table_of(slots: Slots, mover: int) -> np.uint64:
    """Where the tables of the player to move begin."""
    return U64(mover * slots.table)


@kernel
def greedy_column(
    learner: ColumnLearner,
    referee: Referee,
    game: ConnectX,
    state: ConnectState,
    mover: int,
    seed: np.uint64,
) -> tuple[int, float, np.uint64]:
    """The best move, White's r + γV after it, and the next seed; see `self_play.greedy_move`."""
    learned, slots, course = learner.learned, learner.slots, learner.course
    weights = learned.function.weights
    chosen, equals = -1, 0
    sign = 1.0 - 2.0 * mover
    rest = actions(game, state)
    if signed(popcount(state.filled)) + 1 == most_stones(referee, game):
        highest = -np.inf
        while rest != ZERO:
            move = signed(lowest_bit(rest))
            rest &= rest - ONE
            score = sign * end_reward(referee, learned, game, transition(game, state, move))
            if score > highest:
                highest, chosen, equals = score, move, 1
            elif score == highest:
                equals += 1
                bits, seed = next_random(seed)
                if below(bits, U64(equals)) == ZERO:
                    chosen = move
        return chosen, sign * highest, seed
    theirs = state.mine ^ state.filled
    floor = (state.filled + game.bottom) & game.board
    wins = winning_cells(game, state.mine) & floor & ~state.filled
    if wins != ZERO:
        while wins != ZERO:
            move = signed(lowest_bit(wins)) // (game.rows + 1)
            wins &= wins - ONE
            equals += 1
            if equals == 1:
                chosen = move
            else:
                bits, seed = next_random(seed)
                if below(bits, U64(equals)) == ZERO:
                    chosen = move
        return chosen, learned.win if mover == 0 else learned.loss, seed
    white = state.mine if mover == 0 else theirs
    table = table_of(slots, 1 - mover)
    now, tried, before = course.now, course.tried, course.before
    sum_blocks(weights, table, now, before)
    total = before[before.size - 1]
    best = -np.inf
    while rest != ZERO:
        move = signed(lowest_bit(rest))
        rest &= rest - ONE
        move_indices(slots, step_row(slots, game, state, white, mover, move), move, now, tried)
        first, last = slots.first[move], slots.last[move]
        outside = before[first // BLOCK] + (total - before[(last + BLOCK - 1) // BLOCK])
        score = sign * float(sum_of(weights, table, tried, first, last) + outside)
        if score > best:
            best, chosen, equals = score, move, 1
        elif score == best:
            equals += 1
            bits, seed = next_random(seed)
            if below(bits, U64(equals)) == ZERO:
                chosen = move
    if chosen < 0:  # every value is nan
        chosen = signed(lowest_bit(actions(game, state)))
    return chosen, learned.gamma * squashed(learned.function, sign * best), seed


@generic
def change_weights(
    rule: StepRule,
    weights: np.ndarray,
    table: np.uint64,
    indices: np.ndarray,
    signal: float,
    alpha: float,
    shares: np.ndarray,
) -> None:
    """w_i ← w_i + α_i · signal for the weights of a position; `signal` is δ times the slope."""


@implement(change_weights, Fixed)
def _(
    rule: Fixed,
    weights: np.ndarray,
    table: np.uint64,
    indices: np.ndarray,
    signal: float,
    alpha: float,
    shares: np.ndarray,
) -> None:
    step = np.float32(alpha * signal)
    for s in range(U64(0), U64(indices.size)):
        weights[table + U64(indices[s])] += step


@implement(change_weights, TemporalCoherence)
def _(
    rule: TemporalCoherence,
    weights: np.ndarray,
    table: np.uint64,
    indices: np.ndarray,
    signal: float,
    alpha: float,
    shares: np.ndarray,
) -> None:
    step, change, size = alpha * signal, np.float32(signal), np.float32(abs(signal))
    for s in range(U64(0), U64(indices.size)):
        i = table + U64(indices[s])
        share = 1.0
        if rule.absolute[i] > 0.0:
            share = shares[U64(SHARES * abs(rule.net[i]) / rule.absolute[i])]
        weights[i] += np.float32(step * share)
    # Apart: an index that comes twice has its changes from the same shares.
    for s in range(U64(0), U64(indices.size)):
        i = table + U64(indices[s])
        rule.net[i] += change
        rule.absolute[i] += size


@kernel
def column_self_play(
    learner: ColumnLearner,
    game: ConnectX,
    starts: np.ndarray,
    play: Play,
    referee: Referee,
    average: Average,
    epsilons: np.ndarray,
    alphas: np.ndarray,
    tally: Tally,
    stop: np.ndarray,
) -> bool:
    """What `self_play` does, with λ = 0 or λ-returns; greedy moves look one ply ahead."""
    learned, slots, course, rule = learner.learned, learner.slots, learner.course, learner.step_rule
    function, weights, now = learned.function, learned.function.weights, course.now
    seed = tally.seed[0]
    for number in range(alphas.size):
        if stop[0]:
            break
        alpha = alphas[number]
        state, seed = start_position(referee, game, starts, play.random_plies, seed)
        set_indices(slots, game, state, now)
        v_old, is_current, final, t = 0.0, False, False, 0
        while not final:
            mover = signed(popcount(state.filled) & ONE)
            bits, seed = next_random(seed)
            explored = unit(bits) < epsilons[number, mover]
            target = 0.0
            move = 0
            if not explored or play.learn_explored:
                move, target, seed = greedy_column(learner, referee, game, state, mover, seed)
            if explored:
                move, seed = any_move(game, state, seed)
            after = transition(game, state, move)
            final = has_ended(referee, game, after)
            if final and not play.learn_explored:
                target = end_reward(referee, learned, game, after)
            teaches = final or not explored or play.learn_explored
            table = table_of(slots, mover)
            delta = 0.0
            if not is_current and (teaches or learner.at_the_end):
                v_old = squashed(function, float(sum_of(weights, table, now, 0, now.size)))
            if teaches:
                delta = target - v_old
                tally.learned[0] += 1
                tally.squares[0] += delta * delta
            if learner.at_the_end:
                for s in range(now.size):
                    course.indices[t, s] = now[s]
                course.values[t] = v_old
                course.errors[t] = delta
                course.broken[t] = explored and learner.resetting
            elif teaches:
                signal = delta * steepness(function, v_old)
                change_weights(rule, weights, table, now, signal, alpha, course.shares)
            tally.plies[0] += 1
            t += 1
            if not final:
                white = state.mine if mover == 0 else state.mine ^ state.filled
                row = step_row(slots, game, state, white, mover, move)
                move_indices(slots, row, move, now, now)
                # What was found for the greedy move still holds, unless learning has changed it.
                is_current = (
                    not explored
                    and (learner.at_the_end or slots.table > 0)
                    and learned.gamma == 1.0
                )
                v_old = target
                state = after
        if learner.at_the_end:
            learn_course(learner, signed(popcount(state.filled) & ONE), t, alpha)
        tally.games[0] += 1
        tally.seed[0] = seed
        advance(average, weights, tally.games[0])
    return True


@kernel
def set_indices(slots: Slots, game: ConnectX, state: ConnectState, into: np.ndarray) -> None:
    """The indices of a position, stone by stone from below."""
    into[:] = slots.begin
    column = (ONE << U64(game.rows)) - ONE
    mover = signed(popcount(state.filled) & ONE)
    white = state.mine if mover == 0 else state.mine ^ state.filled
    for move in range(game.cols):
        shift = U64(move) * game.stride
        filled, stones = (state.filled >> shift) & column, (white >> shift) & column
        code = 1
        for height in range(signed(popcount(filled))):
            owner = 1 - signed((stones >> U64(height)) & ONE)
            row = U64(((move * 2 + owner) * slots.codes + code) * slots.begin.size)
            move_indices(slots, row, move, into, into)
            code += (1 << height) * (2 - owner)


@kernel
def learn_course(learner: ColumnLearner, mover: int, plies: int, alpha: float) -> None:
    """`returns.learn_returns`: from the last position, in which `mover` moved, to the first."""
    learned, course, slots = learner.learned, learner.course, learner.slots
    factor = learned.gamma * learner.lam
    total = 0.0
    for back in range(plies):
        t = plies - 1 - back
        total = course.errors[t] + (0.0 if course.broken[t] else factor * total)
        if total != 0.0:
            signal = total * steepness(learned.function, course.values[t])
            change_weights(
                learner.step_rule,
                learned.function.weights,
                table_of(slots, mover),
                course.indices[t],
                signal,
                alpha,
                course.shares,
            )
        mover = 1 - mover
