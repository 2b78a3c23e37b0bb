"""Nim with one heap: take 1 … k stones; whoever takes the last one wins.

Konen's Nim-3 (2015, eq. 4) is k = 3. Move m takes m + 1 stones. The player to move loses exactly
when the number of stones is a multiple of k + 1.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.errors import SpecError
from spielwerk.games.notation import draw, move_noun, why_illegal
from spielwerk.games.rules import RUNNING, WON, rule
from spielwerk.kernels.bits import ONE, U64, ZERO, signed

MOST_STONES = 1000
MOST_TAKEN = 35
"""As many as there are one-letter names for moves."""


class Nim(NamedTuple):
    n: int  # stones at the beginning
    k: int  # the most that may be taken at once


class NimState(NamedTuple):
    stones: np.uint64
    turn: np.uint64  # 0 if the player who began is to move, else 1


def nim(n: int = 21, k: int = 3) -> Nim:
    """The game with n stones of which 1 … k may be taken."""
    if not 1 <= n <= MOST_STONES:
        raise SpecError(f"n must be 1 to {MOST_STONES} stones, not {n}.")
    if not 1 <= k <= MOST_TAKEN:
        raise SpecError(f"k must be 1 to {MOST_TAKEN} stones, not {k}.")
    return Nim(n, k)


@rule(Nim)
def initial(game: Nim) -> NimState:
    return NimState(U64(game.n), ZERO)


@rule(Nim)
def action_count(game: Nim) -> int:
    return game.k


@rule(Nim)
def player(game: Nim, state: NimState) -> int:
    return signed(state.turn)


@rule(Nim)
def actions(game: Nim, state: NimState) -> np.uint64:
    return (ONE << min(U64(game.k), state.stones)) - ONE


@rule(Nim)
def transition(game: Nim, state: NimState, move: int) -> NimState:
    return NimState(state.stones - U64(move) - ONE, state.turn ^ ONE)


@rule(Nim)
def outcome(game: Nim, state: NimState) -> int:
    return WON if state.stones == ZERO else RUNNING


@rule(Nim)
def pack(game: Nim, state: NimState) -> np.uint64:
    return (state.stones << ONE) | state.turn


@rule(Nim)
def unpack(game: Nim, word: np.uint64) -> NimState:
    return NimState(word >> ONE, word & ONE)


@draw.register
def _(game: Nim, state: NimState) -> str:
    stones = int(state.stones)
    groups = ["|" * min(5, stones - start) for start in range(0, stones, 5)]
    lines = [" ".join(groups[start : start + 10]) for start in range(0, len(groups), 10)]
    return "\n".join([*lines, f"{stones} stone{'s' if stones != 1 else ''}"])


@move_noun.register
def _(game: Nim) -> str:
    return "take"


@why_illegal.register
def _(game: Nim, state: NimState, move: int) -> str:
    left = int(state.stones)
    return f"You cannot take {move + 1} stones: there {'is' if left == 1 else 'are'} only {left}"
