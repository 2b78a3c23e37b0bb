"""TD(λ): the learning step, and Konen's Algorithm 1 (2015, §4.2) in the order he writes it in.

V(s) is the expected reward for White, the player who begins: `response` of the features of s, 0 if
s is final. The rewards are those of the end, e.g. 1 / 0.5 / 0 for White's win, a draw, Black's win.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.games.rules import (
    Game,
    State,
)
from spielwerk.kernels.jit import kernel
from spielwerk.learning.step_sizes import Fixed, Signal, StepRule, looks_ahead, move_weights
from spielwerk.learning.traces import TraceRule, Traces, make_traces, reset, update_traces
from spielwerk.values.approximators import gradient, gradient_room
from spielwerk.values.features import active
from spielwerk.values.learned import Learned, white_value
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
    # A random move says nothing of how good the position before it was.
    teaches = final or not explored
    delta = reward + gamma * v_next - v_old if teaches else 0.0
    learn_signal(learner, weights, game, before, after, delta, teaches, final, explored, alpha)
    return delta


@kernel
def learn_signal(
    learner: Learner,
    weights: np.ndarray,
    game: Game,
    before: State,
    after: State,
    delta: float,
    teaches: bool,
    final: bool,
    explored: bool,
    alpha: float,
) -> None:
    """Move the weights by an error signal, if it teaches anything; let the traces go on."""
    gamma = learner.learned.gamma
    if teaches:
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
