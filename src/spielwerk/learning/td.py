"""TD(λ): Konen's two algorithms (2015, §4.2 and §4.3), in the order in which he writes them.

V(s) is the expected reward for White, the player who begins: `response` of the features of s, 0 if
s is final. The rewards are those of the end, e.g. 1 / 0.5 / 0 for White's win, a draw, Black's win.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.games.rules import (
    RUNNING,
    Game,
    State,
    actions,
    initial,
    outcome,
    player,
    transition,
    unpack,
)
from spielwerk.kernels.bits import ONE, U64, WORD, ZERO, lowest_bit, nth_bit, popcount, signed
from spielwerk.kernels.jit import kernel
from spielwerk.kernels.rng import below, next_random, unit
from spielwerk.learning.step_sizes import Fixed, Signal, StepRule, looks_ahead, move_weights
from spielwerk.learning.traces import TraceRule, Traces, make_traces, reset, update_traces
from spielwerk.values.approximators import gradient, gradient_room
from spielwerk.values.features import active
from spielwerk.values.learned import Learned, after_state_value, white_reward, white_value
from spielwerk.values.sparse import Sparse, clear, make_sparse

NONSENSE = 1000.0
"""Rewards are 1 at most: an error signal beyond this means that the weights run away."""


class DivergedError(SpielwerkError):
    """The weights have run away: the step size is too large."""


class Learner(NamedTuple):
    """A value function and how it learns. Only the arrays inside change."""

    learned: Learned
    trace_rule: TraceRule
    step_rule: StepRule
    lam: float
    traces: Traces
    inputs: Sparse  # scratch: the features of a position
    here: Sparse  # scratch: ∇f(s_t)
    there: Sparse  # scratch: ∇f(s_{t+1})


class Tally(NamedTuple):
    """How far self-play has come. It goes on from here, bit for bit."""

    seed: np.ndarray  # [1] uint64: of the next random number
    games: np.ndarray  # [1] int64: games played
    plies: np.ndarray  # [1] int64: moves since the last report
    learned: np.ndarray  # [1] int64: error signals since then, not counting those set to zero
    squares: np.ndarray  # [1] float64: the sum of their squares


def make_tally(seed: int) -> Tally:
    return Tally(
        np.array([seed & WORD], np.uint64),
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
        np.zeros(1),
    )


def make_learner(
    learned: Learned, trace_rule: TraceRule, step_rule: StepRule, lam: float = 0.0
) -> Learner:
    room = gradient_room(learned.function, learned.room)
    return Learner(
        learned,
        trace_rule,
        step_rule,
        float(lam),
        make_traces(learned.function.weights.size),
        make_sparse(learned.room),
        make_sparse(room),
        make_sparse(room),
    )


@kernel
def slope_at(learner: Learner, game: Game, state: State, into: Sparse) -> None:
    """∇_w f(w; s)."""
    clear(learner.inputs)
    active(learner.learned.features, game, state, learner.inputs)
    gradient(learner.learned.function, learner.inputs, into)


@kernel
def begin_game(learner: Learner, game: Game, state: State) -> None:
    """e_0 ← ∇f(w; s_0)."""
    reset(learner.traces)
    slope_at(learner, game, state, learner.here)
    update_traces(learner.trace_rule, learner.traces, 0.0, learner.here)


@kernel
def learn_step(
    learner: Learner,
    weights: np.ndarray,
    game: Game,
    before: State,
    after: State,
    reward: float,
    final: bool,
    explored: bool,
    alpha: float,
) -> float:
    """One pass of the loop in Algorithms 1 and 2, from s_t = `before` to s_{t+1} = `after`.

    Returns δ_t. `weights` is what is changed: the learner's own, or a copy to collect changes in.
    """
    learned, gamma = learner.learned, learner.learned.gamma
    # Anew in each pass: the weights have changed.
    v_old = white_value(learned, game, before, learner.inputs)
    v_next = 0.0 if final else white_value(learned, game, after, learner.inputs)
    delta = reward + gamma * v_next - v_old
    if explored and not final:
        delta = 0.0  # a random move says nothing of how good the position before it was
    else:
        if looks_ahead(learner.step_rule):
            slope_at(learner, game, before, learner.here)
            clear(learner.there)
            if not final:
                slope_at(learner, game, after, learner.there)
        signal = Signal(delta, alpha, gamma, learner.here, learner.there)
        move_weights(learner.step_rule, weights, learner.traces, signal)
    if not final:
        if explored and learner.trace_rule.resetting:
            reset(learner.traces)
        slope_at(learner, game, after, learner.here)
        update_traces(learner.trace_rule, learner.traces, gamma * learner.lam, learner.here)
    return delta


def learn_sequence(
    learner: Learner,
    game: Game,
    states: Sequence[State],
    rewards: Sequence[float],
    alpha: float,
    offline: bool = False,
) -> list[float]:
    """Algorithm 1: learn from a given course of a game; returns the error signals δ_t.

    `states` are s_0 … s_N, the last one final; `rewards` are r(s_1) … r(s_N). Offline, the changes
    are collected and made at the end: that is the forward view of the λ-return, exactly.
    """
    if len(states) < 2 or len(rewards) != len(states) - 1:
        raise SpielwerkError(
            f"{len(states)} states need {max(len(states) - 1, 1)} rewards, one for each but the "
            f"first, not {len(rewards)}."
        )
    if offline and not isinstance(learner.step_rule, Fixed):
        raise SpielwerkError("Offline learning is for a fixed step size: others adapt as they go.")
    weights = learner.learned.function.weights
    changed = weights.copy() if offline else weights
    begin_game(learner, game, states[0])
    deltas: list[float] = []
    for t, reward in enumerate(rewards):
        before, after, final = states[t], states[t + 1], t == len(rewards) - 1
        delta = learn_step(
            learner, changed, game, before, after, float(reward), final, False, float(alpha)
        )
        if not abs(delta) <= NONSENSE:
            raise DivergedError(
                f"The learning diverged at step {t}: the error signal is {delta:.3g}. Try a "
                f"smaller alpha than {alpha:g}."
            )
        deltas.append(float(delta))
    weights[:] = changed
    return deltas


@kernel
def greedy_move(
    learner: Learner, game: Game, state: State, seed: np.uint64
) -> tuple[int, np.uint64]:
    """The move to the after-state with the best p · (r + γV); equally good ones by chance."""
    sign = 1.0 if player(game, state) == 0 else -1.0
    best, chosen, equals = -np.inf, -1, 0
    rest = actions(game, state)
    while rest != ZERO:
        move = signed(lowest_bit(rest))
        rest &= rest - ONE
        after = transition(game, state, move)
        score = sign * after_state_value(learner.learned, game, after, learner.inputs)
        if score > best:
            best, chosen, equals = score, move, 1
        elif score == best:
            equals += 1
            bits, seed = next_random(seed)
            if below(bits, U64(equals)) == ZERO:
                chosen = move
    if chosen < 0:  # every value is nan
        chosen = signed(lowest_bit(actions(game, state)))
    return chosen, seed


@kernel
def any_move(game: Game, state: State, seed: np.uint64) -> tuple[int, np.uint64]:
    moves = actions(game, state)
    bits, seed = next_random(seed)
    return signed(nth_bit(moves, below(bits, popcount(moves)))), seed


@kernel
def start_position(
    game: Game, starts: np.ndarray, random_plies: int, seed: np.uint64
) -> tuple[State, np.uint64]:
    """One of the packed `starts` (the initial position if there are none), then up to
    `random_plies` random moves that do not end the game."""
    state = initial(game)
    if starts.size > 0:
        bits, seed = next_random(seed)
        state = unpack(game, starts[below(bits, U64(starts.size))])
    if random_plies > 0:
        bits, seed = next_random(seed)
        for _ in range(signed(below(bits, U64(random_plies + 1)))):
            move, seed = any_move(game, state, seed)
            after = transition(game, state, move)
            if outcome(game, after) != RUNNING:
                break
            state = after
    return state, seed


@kernel
def self_play(
    learner: Learner,
    game: Game,
    starts: np.ndarray,
    random_plies: int,
    epsilons: np.ndarray,
    alphas: np.ndarray,
    tally: Tally,
    stop: np.ndarray,
) -> bool:
    """Algorithm 2, once for each ε and α given, until `stop` is raised between two games.

    Returns False, in the middle of a game, if the weights run away.
    """
    seed = tally.seed[0]
    for number in range(epsilons.size):
        if stop[0]:
            break
        state, seed = start_position(game, starts, random_plies, seed)
        begin_game(learner, game, state)
        final = False
        while not final:
            bits, seed = next_random(seed)
            explored = unit(bits) < epsilons[number]
            if explored:
                move, seed = any_move(game, state, seed)
            else:
                move, seed = greedy_move(learner, game, state, seed)
            after = transition(game, state, move)
            final = outcome(game, after) != RUNNING
            delta = learn_step(
                learner,
                learner.learned.function.weights,
                game,
                state,
                after,
                white_reward(learner.learned, game, after),
                final,
                explored,
                alphas[number],
            )
            tally.plies[0] += 1
            if final or not explored:
                tally.learned[0] += 1
                tally.squares[0] += delta * delta
            if not abs(delta) <= NONSENSE:
                return False
            state = after
        tally.games[0] += 1
        tally.seed[0] = seed
    return True
