"""What learners see of a game: arrays of whole numbers, and a mask of the legal actions.

An encoding is made of a `view` and of nothing else, and a view holds what one player may know. Both
are chosen by the type of the game; boards of two kinds of stones share one encoding.
"""

from collections.abc import Sequence
from functools import singledispatch
from typing import TypeAlias

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.games.nim import Nim, NimState
from spielwerk.games.rules import (
    DRAWN,
    Game,
    State,
    action_count,
    legal_moves,
    observation,
    outcome,
    player,
    public,
)
from spielwerk.games.skipbo import (
    ASIDE,
    CARDS,
    DISCARDS,
    DRAW,
    HAND,
    HAND_SIZE,
    HEIGHTS,
    HELD,
    PASSES,
    PILE,
    PILE_COUNT,
    PILES,
    SEAT,
    SEATS,
    STOCK,
    TOP,
    TOP_VALUE,
    TURN,
    WILD,
    WILDS,
    SkipBo,
    SkipBoState,
    hand_of,
)
from spielwerk.games.symmetry import board_shape, cell_bits
from spielwerk.kernels.bits import ONE
from spielwerk.kernels.dispatch import implements

Observation: TypeAlias = dict[str, np.ndarray]
"""Of one agent: "observation", its encoding, and "action_mask", 1 for each legal action."""


@singledispatch
def view(game: Game, state: State, who: int) -> State:
    """What player `who` may know: who is to move its observation, all others what is public."""
    if player(game, state) == who:
        return observation(game, state)
    if implements(observation, game) and not implements(public, game):
        raise SpielwerkError(
            f"{type(game).__name__} hides something and does not say what others may see: "
            "it needs a version of the rule `public`, or of `view`."
        )
    return public(game, state)


@singledispatch
def encode(game: Game, seen: State, who: int) -> np.ndarray:
    """The view of player `who` as an array within `encoding_limits`.

    Of a board [row, column, 2], rows from the top: 1 where an own stone lies, then where one of the
    other's does.
    """
    rows, cols = _board(game)
    theirs = seen.mine ^ seen.filled
    mine = (seen.mine, theirs) if player(game, seen) == who else (theirs, seen.mine)
    stones = np.array(mine, np.uint64) >> cell_bits(game).astype(np.uint64)[:, None]
    return (stones & ONE).astype(np.int8).reshape(rows, cols, 2)


@singledispatch
def encoding_limits(game: Game) -> np.ndarray:
    """The largest number at each place of an encoding, in its shape and type; the least is 0."""
    return np.ones((*_board(game), 2), np.int8)


@singledispatch
def is_cut_short(game: Game, final: State) -> bool:
    """Whether a game was ended from outside, not by its rules: PettingZoo calls that truncated."""
    return False


def observe(game: Game, seen: State, who: int) -> Observation:
    """What an environment shows to player `who`, given its view."""
    mask = np.zeros(action_count(game), np.int8)
    if player(game, seen) == who:
        mask[list(legal_moves(game, seen))] = 1
    return {"observation": encode(game, seen, who), "action_mask": mask}


def _board(game: Game) -> tuple[int, int]:
    try:
        return board_shape(game)
    except SpielwerkError:
        raise SpielwerkError(
            f"{type(game).__name__} has no encoding for learners: register versions of `encode` "
            "and `encoding_limits` for it."
        ) from None


# Nim: a place for each stone of the beginning, 1 as long as it lies there.


@encode.register
def _(game: Nim, seen: NimState, who: int) -> np.ndarray:
    return (np.arange(game.n) < int(seen.stones)).astype(np.int8)


@encoding_limits.register
def _(game: Nim) -> np.ndarray:
    return np.ones(game.n, np.int8)


# Skip-Bo: a row of 14 numbers for everything on the table. Number 0 says how many cards it is,
# 1 … 12 how many of them are of that value, 13 how many are wilds. The rows:
#
#     0              cards to draw, cards set aside, whose turn it is (0 the viewer's, 1 the next
#                    one's, …), turns in a row in which nobody could do anything
#     1 … 4          the building piles
#     then for each player, the viewer first, 22 rows:
#     stock          all of its cards are counted, only the seen one has a value
#     hand           the same: of other hands only how many cards they are
#     4 × discards   the whole pile, then its top card, and the three cards below that

KINDS = WILD + 1
DEPTH = 4
"""So many cards of a discard pile are shown in their order."""
DISCARD_ROWS = 1 + DEPTH
FIRST_SEAT = 1 + PILE_COUNT
SEAT_ROWS = 2 + PILE_COUNT * DISCARD_ROWS
ANY_CARDS = np.array([CARDS, *[12] * TOP_VALUE, 18], np.uint8)
"""No more than there are in the pack."""


@view.register
def _(game: SkipBo, state: SkipBoState, who: int) -> SkipBoState:
    """The hand in a view is the viewer's, whoever is to move."""
    if state.open[TURN] == who:
        return observation(game, state)
    seen = bytearray(public(game, state).open)
    seen[HAND : HAND + HAND_SIZE] = hand_of(state, who)
    return SkipBoState(bytes(seen), b"")


@encode.register
def _(game: SkipBo, seen: SkipBoState, who: int) -> np.ndarray:
    table = seen.open
    rows = np.zeros((FIRST_SEAT + game.players * SEAT_ROWS, KINDS), np.uint8)
    turn = (table[TURN] - who) % game.players
    rows[0, :4] = table[DRAW], table[ASIDE], turn, table[PASSES]
    for pile in range(PILE_COUNT):
        rows[1 + pile] = _counted(_building_pile(table, pile))
    for place in range(game.players):
        seat = (who + place) % game.players
        base, own = SEATS + seat * SEAT, rows[FIRST_SEAT + place * SEAT_ROWS :][:SEAT_ROWS]
        own[0] = _counted([table[base + TOP]])
        own[0, 0] = table[base + STOCK]
        own[1] = _counted(table[HAND : HAND + HAND_SIZE] if seat == who else ())
        own[1, 0] = table[base + HELD]
        for pile in range(PILE_COUNT):
            cards = table[base + DISCARDS + pile * PILE :][: table[base + HEIGHTS + pile]]
            part = own[2 + pile * DISCARD_ROWS :]
            part[0] = _counted(cards)
            for depth, card in enumerate(cards[::-1][:DEPTH]):
                part[1 + depth] = _counted([card])
    return rows


@encoding_limits.register
def _(game: SkipBo) -> np.ndarray:
    limits = np.ones((FIRST_SEAT + game.players * SEAT_ROWS, KINDS), np.uint8)
    limits[0, :4] = CARDS, CARDS, game.players - 1, game.players
    limits[1:FIRST_SEAT] = ANY_CARDS
    for place in range(game.players):
        own = limits[FIRST_SEAT + place * SEAT_ROWS :][:SEAT_ROWS]
        own[0, 0] = game.stock
        own[1] = HAND_SIZE
        own[2::DISCARD_ROWS] = ANY_CARDS
    return limits


@is_cut_short.register
def _(game: SkipBo, final: SkipBoState) -> bool:
    """By the limit of turns, which is ours: by the rules only whoever is stuck has drawn."""
    return outcome(game, final) == DRAWN and final.open[PASSES] < game.players


def _building_pile(table: bytes, pile: int) -> list[int]:
    wilds = int.from_bytes(table[WILDS + 2 * pile :][:2], "little")
    return [
        WILD if wilds >> (value - 1) & 1 else value for value in range(1, table[PILES + pile] + 1)
    ]


def _counted(cards: Sequence[int]) -> np.ndarray:
    """How many cards, and how many of each kind; 0 is no card."""
    counts = np.bincount(np.array([card for card in cards if card], np.int64), minlength=KINDS)
    counts[0] = counts.sum()
    return counts
