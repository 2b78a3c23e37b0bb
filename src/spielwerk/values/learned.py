"""A learned value function: features, an approximator over them, and what its numbers mean.

Inside, V(s) is the reward White can expect (Konen 2015, §3), which White makes as large and Black
as small as possible. To everybody else it is a value function like any other: the expected outcome
for the player to move, from −1 to 1.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.rules import (
    RUNNING,
    Game,
    State,
    actions,
    outcome,
    player,
    transition,
    unpack,
    utility,
)
from spielwerk.kernels.bits import ONE, U64, ZERO, lowest_bit, signed
from spielwerk.kernels.dispatch import implement
from spielwerk.kernels.jit import kernel
from spielwerk.values.approximators import Approximator, response
from spielwerk.values.features import Features, active
from spielwerk.values.sparse import Sparse, clear, make_sparse
from spielwerk.values.value import value


class Learned(NamedTuple):
    features: Features
    function: Approximator
    room: int  # features that can be active at once
    gamma: float  # the discount of positions against ends
    win: float  # White's reward for winning, …
    draw: float
    loss: float


def make_learned(
    features: Features,
    function: Approximator,
    gamma: float = 1.0,
    rewards: tuple[float, float, float] = (1.0, 0.5, 0.0),
) -> Learned:
    """`rewards` are White's for a win, a draw and a loss."""
    win, draw, loss = (float(reward) for reward in rewards)
    return Learned(features, function, features.most_active, float(gamma), win, draw, loss)


@kernel
def white_value(learned: Learned, game: Game, state: State, inputs: Sparse) -> float:
    """f(w; s), for any state, final or not. `inputs` is scratch; it holds g(s) afterwards."""
    clear(inputs)
    active(learned.features, game, state, inputs)
    return response(learned.function, inputs)


@kernel
def white_reward(learned: Learned, game: Game, state: State) -> float:
    """r(s): 0 while the game goes on."""
    if outcome(game, state) == RUNNING:
        return 0.0
    result = utility(game, state, 0)
    return learned.win if result > 0 else learned.loss if result < 0 else learned.draw


@kernel
def after_state_value(learned: Learned, game: Game, after: State, inputs: Sparse) -> float:
    """r(s) + γ V(s), where V of a final state is 0: what players compare moves by."""
    if outcome(game, after) != RUNNING:
        return white_reward(learned, game, after)
    return learned.gamma * white_value(learned, game, after, inputs)


@kernel
def after_state_values(learned: Learned, game: Game, state: State, into: np.ndarray) -> None:
    """`into[move]` ← r + γV of the position after each legal move."""
    inputs = make_sparse(learned.room)
    rest = actions(game, state)
    while rest != ZERO:
        move = signed(lowest_bit(rest))
        rest &= rest - ONE
        into[move] = after_state_value(learned, game, transition(game, state, move), inputs)


@kernel
def best_moves_of(learned: Learned, game: Game, words: np.ndarray) -> np.ndarray:
    """For packed positions: the set of moves that the value function holds for best."""
    inputs = make_sparse(learned.room)
    best = np.zeros(words.size, np.uint64)
    for number in range(words.size):
        state = unpack(game, words[number])
        if outcome(game, state) != RUNNING:
            continue
        sign = 1.0 if player(game, state) == 0 else -1.0
        highest = -np.inf
        rest = actions(game, state)
        while rest != ZERO:
            move = signed(lowest_bit(rest))
            rest &= rest - ONE
            after = transition(game, state, move)
            score = sign * after_state_value(learned, game, after, inputs)
            if score > highest:
                highest = score
                best[number] = ZERO
            if score == highest:
                best[number] |= ONE << U64(move)
    return best


@kernel
def outcome_for_white(learned: Learned, reward: float) -> float:
    """An expected reward on the scale from −1 (Black wins) to 1 (White wins)."""
    middle, half = (learned.win + learned.loss) / 2, (learned.win - learned.loss) / 2
    return min(max((reward - middle) / half, -1.0), 1.0)


@implement(value, Learned)
def _(function: Learned, game: Game, state: State) -> float:
    white = outcome_for_white(
        function, white_value(function, game, state, make_sparse(function.room))
    )
    return white if player(game, state) == 0 else -white
