"""Who says that a training game is over, and what it is worth.

The rules do. Where only an opening is to be learned (Thill 2012, §4.2.2), games are also cut at a
number of stones, and the perfect player tells what the position is worth.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.games.connectx import ConnectState, ConnectX
from spielwerk.games.rules import RUNNING, Game, State, outcome, player
from spielwerk.kernels.bits import popcount, signed
from spielwerk.kernels.dispatch import generic, implement
from spielwerk.kernels.jit import kernel
from spielwerk.search.solver import (
    Field,
    Scratch,
    has_won_next,
    make_field,
    make_scratch,
    make_table,
    null_window,
)
from spielwerk.search.solving import usual_book
from spielwerk.values.learned import Learned, white_reward

Referee: TypeAlias = Any


class Rules(NamedTuple):
    """A game is over when the rules say so."""

    unused: int = 0


class Cut(NamedTuple):
    """A ConnectX game is also over with so many stones, as perfect players would end it."""

    stones: int
    field: Field
    table: np.ndarray
    scratch: Scratch
    unknown: np.ndarray  # bounds of a score of which nothing is known


def make_referee(game: Game, cut: int) -> Referee:
    """`cut` is a number of stones, 0 for none."""
    if cut == 0:
        return Rules()
    if not isinstance(game, ConnectX):
        raise SpielwerkError("cut is for ConnectX: games are cut there by the solver's judgement.")
    if cut >= game.rows * game.cols:
        raise SpielwerkError(f"cut must be less than the {game.rows * game.cols} stones of a game.")
    return Cut(
        cut,
        make_field(game, usual_book(game)),
        make_table(game, 128),
        make_scratch(game, np.zeros(1, np.uint8)),
        np.array([-1000, 1000]),
    )


@generic
def has_ended(referee: Referee, game: Game, state: State) -> bool:
    """Whether the game is over."""


@generic
def end_reward(referee: Referee, learned: Learned, game: Game, state: State) -> float:
    """White's reward in a position in which the game is over."""


@generic
def most_stones(referee: Referee, game: ConnectX) -> int:
    """A ConnectX game is over with so many stones at the latest."""


@implement(most_stones, Rules)
def _(referee: Rules, game: ConnectX) -> int:
    return game.rows * game.cols


@implement(most_stones, Cut)
def _(referee: Cut, game: ConnectX) -> int:
    return referee.stones


@implement(has_ended, Rules)
def _(referee: Rules, game: Game, state: State) -> bool:
    return outcome(game, state) != RUNNING


@implement(end_reward, Rules)
def _(referee: Rules, learned: Learned, game: Game, state: State) -> float:
    return white_reward(learned, game, state)


@implement(has_ended, Cut)
def _(referee: Cut, game: ConnectX, state: ConnectState) -> bool:
    return signed(popcount(state.filled)) >= referee.stones or outcome(game, state) != RUNNING


@implement(end_reward, Cut)
def _(referee: Cut, learned: Learned, game: ConnectX, state: ConnectState) -> float:
    if outcome(game, state) != RUNNING:
        return white_reward(learned, game, state)
    result = sign_of_score(referee, state.mine, state.filled)
    if player(game, state) == 1:
        result = -result
    return learned.win if result > 0 else learned.loss if result < 0 else learned.draw


@kernel
def sign_of_score(referee: Cut, mine: np.uint64, filled: np.uint64) -> int:
    """1, 0 or −1 for the player to move, by perfect play of both."""
    field, table, scratch = referee.field, referee.table, referee.scratch
    if has_won_next(field, mine, filled):
        return 1
    if null_window(field, mine, filled, 0, referee.unknown, table, scratch) > 0:
        return 1
    if null_window(field, mine, filled, -1, referee.unknown, table, scratch) > -1:
        return 0
    return -1
