"""How a playout is played (the default policy), and what a leaf is worth."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from spielwerk.games.connectx import ConnectState, ConnectX, winning_cells
from spielwerk.games.rules import (
    DRAWN,
    RUNNING,
    WON,
    Game,
    State,
    actions,
    cell,
    outcome,
    player,
    transition,
)
from spielwerk.kernels.bits import ONE, U64, ZERO, lowest_bit, nth_bit, popcount, signed
from spielwerk.kernels.dispatch import generic, generic_with_default, implement
from spielwerk.kernels.jit import inlined
from spielwerk.kernels.rng import below, next_random
from spielwerk.search.mcts.tree import LONGEST, Tree
from spielwerk.values.value import ValueFunction, value

Policy: TypeAlias = Any
Leaf: TypeAlias = Any


class RandomPlayout(NamedTuple):
    """Every legal move is equally likely."""

    unused: int = 0


class LastGoodReply(NamedTuple):
    """Answers that won the last time they were given (Drake 2009; Göppert 2020, §2.4.3, §3.4.3).

    A reply is used only where it does the same: its stone must come to lie in the same cell. With
    `forget`, replies of the loser are dropped (Baier & Drake 2010).
    """

    forget: bool


class Decisive(NamedTuple):
    """Win now if you can, else stop the opponent from winning now, else any move."""

    unused: int = 0


@generic_with_default
def learns_replies(policy: Policy) -> bool:
    return False


@implement(learns_replies, LastGoodReply)
def _(policy: LastGoodReply) -> bool:
    return True


@generic
def choose_move(
    policy: Policy, game: Game, state: State, last: int, seed: np.uint64, tree: Tree
) -> tuple[int, np.uint64]:
    """A move of a playout, and the seed to go on with.

    `last` is the move before, as `written` by the other player; −1 at the beginning of the playout.
    """


@inlined
def _any(moves: np.uint64, seed: np.uint64) -> tuple[int, np.uint64]:
    bits, seed = next_random(seed)
    return signed(nth_bit(moves, below(bits, popcount(moves)))), seed


@implement(choose_move, RandomPlayout)
def _(
    policy: RandomPlayout, game: Game, state: State, last: int, seed: np.uint64, tree: Tree
) -> tuple[int, np.uint64]:
    return _any(actions(game, state), seed)


@implement(choose_move, Decisive)
def _(
    policy: Decisive, game: Game, state: State, last: int, seed: np.uint64, tree: Tree
) -> tuple[int, np.uint64]:
    return _any(urgent_moves(game, state), seed)


@implement(choose_move, LastGoodReply)
def _(
    policy: LastGoodReply, game: Game, state: State, last: int, seed: np.uint64, tree: Tree
) -> tuple[int, np.uint64]:
    legal = actions(game, state)
    if last >= 0:
        reply = signed(tree.replies[player(game, state), last & 63])
        if reply >= 0:
            move = reply >> 6
            if (legal >> U64(move)) & ONE and cell(game, state, move) == reply & 63:
                return move, seed
    return _any(legal, seed)


@generic_with_default
def urgent_moves(game: Game, state: State) -> np.uint64:
    """The moves that win at once; else those after which the opponent cannot; else all."""
    legal = actions(game, state)
    winning, safe = ZERO, ZERO
    rest = legal
    while rest != ZERO:
        move = rest & ~(rest - ONE)
        rest ^= move
        after = transition(game, state, signed(lowest_bit(move)))
        end = outcome(game, after)
        if end == WON:
            winning |= move
        if end == RUNNING:
            replies = actions(game, after)
            lost = False
            while replies != ZERO and not lost:
                reply = signed(lowest_bit(replies))
                replies &= replies - ONE
                lost = outcome(game, transition(game, after, reply)) == WON
            if not lost:
                safe |= move
        if end == DRAWN:
            safe |= move
    if winning != ZERO:
        return winning
    return safe if safe != ZERO else legal


@implement(urgent_moves, ConnectX)
def _(game: ConnectX, state: ConnectState) -> np.uint64:
    """Wins, else cells in which the opponent would win; without looking what opens above them."""
    possible = (state.filled + game.bottom) & game.board
    cells = winning_cells(game, state.mine) & possible
    if cells == ZERO:
        cells = winning_cells(game, state.mine ^ state.filled) & possible
    if cells == ZERO:
        return actions(game, state)
    moves = ZERO
    while cells != ZERO:
        moves |= ONE << (lowest_bit(cells) // game.stride)
        cells &= cells - ONE
    return moves


@inlined
def play_out(
    policy: Policy, game: Game, state: State, seed: np.uint64, tree: Tree, record: bool
) -> tuple[float, np.uint64, np.uint64, np.uint64]:
    """Play to the end.

    What the end is worth to the player to move in `state`; the seed to go on with; and, if
    `record`, the cells of the moves that this player made, and of those the other made.
    """
    first = player(game, state)
    mine, theirs = ZERO, ZERO
    last, count, end = -1, 0, outcome(game, state)
    while end == RUNNING:
        move, seed = choose_move(policy, game, state, last, seed, tree)
        if record or learns_replies(policy):
            last = (move << 6) | cell(game, state, move)
            bit = ONE << U64(last & 63)
            if count & 1 == 0:
                mine |= bit
            else:
                theirs |= bit
            if count < LONGEST:
                tree.played[count] = last
        count += 1
        state = transition(game, state, move)
        end = outcome(game, state)
    if end == DRAWN:
        return 0.0, seed, mine, theirs
    if learns_replies(policy):
        _learn(policy, tree, first, count)
    return -1.0 if player(game, state) == first else 1.0, seed, mine, theirs


@generic_with_default
def _learn(policy: Policy, tree: Tree, first: int, count: int) -> None:
    """Keep the winner's answers of the playout just played (its last move won)."""


@implement(_learn, LastGoodReply)
def _(policy: LastGoodReply, tree: Tree, first: int, count: int) -> None:
    for place in range(1, min(count, LONGEST)):
        who = (first + place) & 1
        if (count - 1 - place) & 1 == 0:
            tree.replies[who, tree.played[place - 1] & 63] = tree.played[place]
        elif policy.forget:
            tree.replies[who, tree.played[place - 1] & 63] = -1


class PlayoutOnly(NamedTuple):
    """A leaf is worth what its playout says."""

    unused: int = 0


class Blend(NamedTuple):
    """Eq. 14: r* = weight · value + (1 − weight) · playout. With weight 1 nothing is played out."""

    function: ValueFunction
    weight: float


@generic
def value_weight(leaf: Leaf) -> float:
    """How much the value function counts."""


@implement(value_weight, PlayoutOnly)
def _(leaf: PlayoutOnly) -> float:
    return 0.0


@implement(value_weight, Blend)
def _(leaf: Blend) -> float:
    return leaf.weight


@generic
def leaf_value(leaf: Leaf, game: Game, state: State) -> float:
    """What the value function says of a running game, for the player to move."""


@implement(leaf_value, PlayoutOnly)
def _(leaf: PlayoutOnly, game: Game, state: State) -> float:
    return 0.0


@implement(leaf_value, Blend)
def _(leaf: Blend, game: Game, state: State) -> float:
    return value(leaf.function, game, state)
