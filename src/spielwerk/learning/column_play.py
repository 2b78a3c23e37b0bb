"""Self-play with column tuples, arranged for speed: the algorithm of `self_play`, with less work.

Thill (2012, §4.1.2) found his time in the indexing function. Here no index is computed twice:

* A move changes the indices of a range of slots by a look-up (`values.column_slots`).
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
from spielwerk.kernels.rng import next_random, takes_place, unit
from spielwerk.learning.averaging import Average, advance
from spielwerk.learning.referee import Referee, end_reward, has_ended, most_stones
from spielwerk.learning.self_play import Play, Tally, any_move, start_position
from spielwerk.learning.step_sizes import Fixed, StepRule, TemporalCoherence
from spielwerk.search.alphabeta import UNIT, WIN
from spielwerk.search.tuple_search import TupleSearch, make_tuple_search, search_root
from spielwerk.values.approximators import squashed, steepness
from spielwerk.values.column_slots import (
    Scratch,
    Slots,
    make_scratch,
    make_slots,
    move_indices,
    set_indices,
    step_row,
    sum_moves,
    sum_of,
    table_of,
)
from spielwerk.values.learned import Learned

SHARES = 4096
"""Entries of the table that stands for an exponential function."""


class Course(NamedTuple):
    """Scratch memory of a game: a row per position, and rows to work in."""

    indices: np.ndarray  # [plies, slots] int32
    values: np.ndarray  # [plies] float64
    errors: np.ndarray  # [plies] float64
    gaps: np.ndarray  # [plies] float64: see `returns.Episode`
    broken: np.ndarray  # [plies] bool
    now: np.ndarray  # [slots] int32: indices of the position
    here: np.ndarray  # [slots] int32: the same, while `now` looks at what may follow
    scratch: Scratch
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
    search: TupleSearch
    never: np.ndarray  # a flag that nobody raises: a game is played to its end, or not at all


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
        np.zeros(plies),
        np.zeros(plies, np.bool_),
        np.zeros(count, np.int32),
        np.zeros(count, np.int32),
        make_scratch(game, slots),
        np.exp(power * (shares - 1)) if power > 0 else shares,
    )
    search = make_tuple_search(game, learned, slots, megabytes=0)
    return ColumnLearner(
        learned,
        slots,
        step_rule,
        at_the_end,
        resetting,
        float(lam),
        course,
        search,
        np.zeros(1, np.uint8),
    )


@inlined
def best_of(scores: np.ndarray, moves: np.uint64, seed: np.uint64) -> tuple[int, np.uint64]:
    """The move with the highest score; equally good ones by chance, the lowest if all are nan."""
    best, chosen, equals = -np.inf, signed(lowest_bit(moves)), 0
    while moves != ZERO:
        move = signed(lowest_bit(moves))
        moves &= moves - ONE
        if scores[move] > best:
            best, chosen, equals = scores[move], move, 1
        elif scores[move] == best:
            equals += 1
            instead, seed = takes_place(equals, seed)
            if instead:
                chosen = move
    return chosen, seed


@inlined
def greedy_column(
    learner: ColumnLearner,
    referee: Referee,
    game: ConnectX,
    state: ConnectState,
    mover: int,
    seed: np.uint64,
) -> tuple[int, float, np.uint64]:
    """The best move, White's r + γV after it, and the next seed; see `self_play.greedy_move`."""
    learned, scratch = learner.learned, learner.course.scratch
    sign, scores, moves = 1.0 - 2.0 * mover, scratch.sums, actions(game, state)
    if signed(popcount(state.filled)) + 1 == most_stones(referee, game):
        for move in range(game.cols):
            if (moves >> U64(move)) & ONE:
                after = transition(game, state, move)
                scores[move] = sign * end_reward(referee, learned, game, after)
        chosen, seed = best_of(scores, moves, seed)
        return chosen, sign * scores[chosen], seed
    floor = (state.filled + game.bottom) & game.board
    wins = winning_cells(game, state.mine) & floor
    if wins != ZERO:
        winning = ZERO
        for move in range(game.cols):
            column = ((ONE << game.stride) - ONE) << (U64(move) * game.stride)
            if wins & column != ZERO:
                winning |= ONE << U64(move)
            scores[move] = 1.0
        chosen, seed = best_of(scores, winning, seed)
        return chosen, learned.win if mover == 0 else learned.loss, seed
    now, weights = learner.course.now, learned.function.weights
    sum_moves(learner.slots, weights, game, state, mover, now, scratch, scores)
    for move in range(game.cols):
        scores[move] *= sign
    chosen, seed = best_of(scores, moves, seed)
    return chosen, learned.gamma * squashed(learned.function, sign * scores[chosen]), seed


@kernel
def searched_column(
    learner: ColumnLearner,
    game: ConnectX,
    state: ConnectState,
    mover: int,
    depth: int,
    seed: np.uint64,
) -> tuple[int, float, np.uint64]:
    """The same by alpha-beta. A win is a win, soon or late."""
    learned, search, scores = learner.learned, learner.search, learner.course.scratch.sums
    found = np.full(64, -2 * WIN, np.int64)
    search.names[:] = ZERO  # what it knows of other weights
    search.indices[0] = learner.course.now
    search_root(search, game, state, depth, found, learner.never)
    for move in range(game.cols):
        scores[move] = min(max(found[move] / UNIT, -1.0), 1.0)
    chosen, seed = best_of(scores, actions(game, state), seed)
    middle, half = (learned.win + learned.loss) / 2, (learned.win - learned.loss) / 2
    return chosen, middle + half * scores[chosen] * (1 - 2 * mover), seed


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
    """What `self_play` does, with λ = 0 or λ-returns."""
    learned, slots, course, rule = learner.learned, learner.slots, learner.course, learner.step_rule
    function, weights, now = learned.function, learned.function.weights, course.now
    searches = play.learn_search and play.depth > 1
    seed = tally.seed[0]
    for number in range(alphas.size):
        if stop[0]:
            break
        alpha = alphas[number]
        state, seed = start_position(referee, game, starts, play.random_plies, seed)
        set_indices(slots, game, state, now)
        v_old, found, t = 0.0, 0.0, 0
        was_searched, is_current, final = False, False, False
        while not final:
            stones = signed(popcount(state.filled))
            mover = stones & 1
            if play.siblings > 0.0:
                learn_column_siblings(learner, referee, game, state, mover, alpha * play.siblings)
                is_current = False
            bits, seed = next_random(seed)
            explored = unit(bits) < epsilons[number, mover]
            target = 0.0
            move = 0
            if not explored or play.learn_explored:
                if play.depth > 1 and stones + 1 < most_stones(referee, game):
                    move, target, seed = searched_column(
                        learner, game, state, mover, play.depth, seed
                    )
                else:
                    move, target, seed = greedy_column(learner, referee, game, state, mover, seed)
            if explored:
                move, seed = any_move(game, state, seed)
            after = transition(game, state, move)
            final = has_ended(referee, game, after)
            if not (explored or final or play.learn_search) and play.depth > 1:
                # What the look found chose the move; learned from is the position it leads to.
                target = after_value(learner, game, state, mover, move)
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
                course.gaps[t] = 0.0
                if was_searched:
                    course.gaps[t - 1] = learned.gamma * v_old - found
                found, was_searched = target, searches and teaches
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
                    not (explored or searches)
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
def learn_column_siblings(
    learner: ColumnLearner,
    referee: Referee,
    game: ConnectX,
    state: ConnectState,
    mover: int,
    alpha: float,
) -> None:
    """See `self_play.learn_siblings`."""
    learned, slots, course = learner.learned, learner.slots, learner.course
    function, weights, now = learned.function, learned.function.weights, course.now
    white = state.mine if mover == 0 else state.mine ^ state.filled
    table = table_of(slots, 1 - mover)
    here = course.here
    here[:] = now
    moves = actions(game, state)
    for move in range(game.cols):
        if (moves >> U64(move)) & ONE:
            after = transition(game, state, move)
            if not has_ended(referee, game, after):
                row = step_row(slots, game, state, white, mover, move)
                move_indices(slots, row, move, here, now)
                _, best, _ = greedy_column(learner, referee, game, after, 1 - mover, ZERO)
                value = squashed(function, float(sum_of(weights, table, now, 0, now.size)))
                signal = (best - value) * steepness(function, value)
                change_weights(learner.step_rule, weights, table, now, signal, alpha, course.shares)
                now[:] = here


@kernel
def after_value(
    learner: ColumnLearner, game: ConnectX, state: ConnectState, mover: int, move: int
) -> float:
    """γV of the position after a move."""
    learned, sums = learner.learned, learner.course.scratch.sums
    weights, scratch = learned.function.weights, learner.course.scratch
    sum_moves(learner.slots, weights, game, state, mover, learner.course.now, scratch, sums)
    return learned.gamma * squashed(learned.function, sums[move])


@kernel
def learn_course(learner: ColumnLearner, mover: int, plies: int, alpha: float) -> None:
    """`returns.learn_returns`: from the last position, in which `mover` moved, to the first."""
    learned, course, slots = learner.learned, learner.course, learner.slots
    total = 0.0
    for back in range(plies):
        t = plies - 1 - back
        later = 0.0 if course.broken[t] else learner.lam * (course.gaps[t] + learned.gamma * total)
        total = course.errors[t] + later
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
