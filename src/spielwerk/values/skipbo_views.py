"""What a Skip-Bo player can say of a table after a move of its own, before any new card is seen."""

import numpy as np

from spielwerk.games.skipbo import (
    DISCARD,
    DISCARDS,
    FROM_DISCARD,
    FROM_HAND,
    FROM_STOCK,
    HAND,
    HAND_SIZE,
    HEIGHTS,
    PASS,
    PILE,
    PILE_COUNT,
    PILES,
    PLAYED,
    SEAT,
    SEATS,
    STOCK,
    TOP,
    TOP_VALUE,
    TURN,
    WILD,
    discard_top,
    take_from_hand,
)
from spielwerk.kernels.jit import kernel

UNKNOWN = 0
"""The top of a stock from which a card has just been laid."""


@kernel
def imagine(table: np.ndarray, move: int, after: np.ndarray) -> None:
    """The open part of the table after a move, as far as the player to move can know it.

    Nothing is drawn, the next card of the stock is unknown, and the turn is not passed on.
    """
    after[:] = table
    base = SEATS + int(table[TURN]) * SEAT
    if move == PASS:
        return
    pile = move & 3
    if move >= DISCARD:
        card = take_from_hand(after, (move - DISCARD) >> 2)
        height = int(after[base + HEIGHTS + pile])
        after[base + DISCARDS + pile * PILE + height] = card
        after[base + HEIGHTS + pile] += 1
        return
    lay_openly(after, move)


@kernel
def imagine_laying(table: np.ndarray, move: int, after: np.ndarray) -> None:
    """`imagine` for a card that is laid, where `after` is a table of the same turn already."""
    base = SEATS + int(table[TURN]) * SEAT
    for place in range(SEATS):
        after[place] = table[place]
    for place in range(base, base + DISCARDS):
        after[place] = table[place]
    lay_openly(after, move)


@kernel
def lay_openly(after: np.ndarray, move: int) -> None:
    """Lay a card, in place. What was in a discard pile stays above its height."""
    base, pile, source = SEATS + int(after[TURN]) * SEAT, move & 3, move >> 2
    if source == FROM_STOCK:
        after[base + STOCK] -= 1
        after[base + TOP] = UNKNOWN
    elif source < FROM_HAND:
        after[base + HEIGHTS + source - FROM_DISCARD] -= 1
    else:
        take_from_hand(after, source - FROM_HAND)
    after[PILES + pile] = (int(after[PILES + pile]) + 1) % TOP_VALUE
    if after[PLAYED] < 255:
        after[PLAYED] += 1


@kernel
def next_seat(table: np.ndarray, players: int) -> int:
    seat = int(table[TURN]) + 1
    return seat if seat < players else 0


@kernel
def distance(table: np.ndarray, pile: int, value: int) -> int:
    """How many cards must be laid on a building pile before `value` fits."""
    return (value - 1 - int(table[PILES + pile])) % TOP_VALUE


@kernel
def nearest(table: np.ndarray, value: int) -> int:
    """The distance of the building pile that is nearest to a value; 0 for wild and unknown."""
    if value in (WILD, UNKNOWN):
        return 0
    least = TOP_VALUE
    for pile in range(PILE_COUNT):
        least = min(least, distance(table, pile, value))
    return least


@kernel
def count_in_hand(table: np.ndarray, card: int) -> int:
    found = 0
    for slot in range(HAND_SIZE):
        found += int(table[HAND + slot]) == card
    return found


@kernel
def tops_on(table: np.ndarray, seat: int) -> int:
    """The values on top of a player's discard piles, as a set of bits."""
    found = 0
    for pile in range(PILE_COUNT):
        found |= 1 << discard_top(table, seat, pile)
    return found & ~1


@kernel
def hand_values(table: np.ndarray) -> int:
    """The values in the hand of the player to move, as a set of bits."""
    found = 0
    for slot in range(HAND_SIZE):
        found |= 1 << int(table[HAND + slot])
    return found & ~1
