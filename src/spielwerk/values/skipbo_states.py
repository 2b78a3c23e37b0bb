"""A^TD's fourteen features of a Skip-Bo table after a move (Jahnke 2007, figure 4.8).

What the text leaves open, as we read it: the top of a stock that has just been laid from is unknown
and counts as fitting; feature 8 is 0 if all cards at the bottom differ; shares are of the cards
that lie on another one; feature 12 counts the cards laid in this turn. Wilds on discard piles,
where that is allowed, belong to no street and have no value.
"""

import numpy as np

from spielwerk.games.skipbo import (
    DISCARDS,
    HAND_SIZE,
    HEIGHTS,
    PILE,
    PILE_COUNT,
    PLAYED,
    SEAT,
    SEATS,
    STOCK,
    TOP,
    TURN,
    WILD,
    SkipBo,
)
from spielwerk.kernels.jit import kernel
from spielwerk.values.skipbo_views import UNKNOWN, count_in_hand, distance, nearest, next_seat

NAMES = (
    "cards of the own stock",
    "cards missing for its top, on the nearest pile",
    "cards missing for its top, on average",
    "naturals in the hand",
    "wilds in the hand",
    "cards on discard piles",
    "mean of the cards at the bottom of discard piles",
    "how many of them are equal",
    "share of discards on an equal card",
    "share of discards in a street",
    "share of other discards",
    "cards laid in this turn",
    "cards of the next player's stock",
    "cards missing for its top",
)
WIDTH = len(NAMES)


@kernel
def state_features(game: SkipBo, table: np.ndarray, found: np.ndarray) -> None:
    """Of a table as `imagine` leaves it, for the player whose turn it is."""
    base = SEATS + int(table[TURN]) * SEAT
    next_base = SEATS + next_seat(table, game.players) * SEAT
    top = int(table[base + TOP])
    found[:WIDTH] = 0.0
    found[0] = table[base + STOCK]
    found[1] = nearest(table, top)
    if top != UNKNOWN and top != WILD:
        for pile in range(PILE_COUNT):
            found[2] += distance(table, pile, top) / PILE_COUNT
    wilds = count_in_hand(table, WILD)
    found[3] = HAND_SIZE - count_in_hand(table, 0) - wilds
    found[4] = wilds
    bottoms, begun, most_equal = 0, 0, 0
    upon, equal, street = 0, 0, 0
    for pile in range(PILE_COUNT):
        height, place = int(table[base + HEIGHTS + pile]), base + DISCARDS + pile * PILE
        found[5] += height
        if height == 0:
            continue
        if table[place] != WILD:
            bottoms += int(table[place])
            begun += 1
        alike = 0
        for other in range(PILE_COUNT):
            other_place = base + DISCARDS + other * PILE
            alike += table[base + HEIGHTS + other] > 0 and table[other_place] == table[place]
        most_equal = max(most_equal, alike)
        for level in range(1, height):
            lower, upper = int(table[place + level - 1]), int(table[place + level])
            upon += 1
            equal += upper == lower
            street += upper == lower - 1 and lower != WILD
    if begun > 0:
        found[6] = bottoms / begun
    if most_equal > 1:
        found[7] = most_equal
    if upon > 0:
        found[8], found[9] = equal / upon, street / upon
        found[10] = (upon - equal - street) / upon
    found[11] = table[PLAYED]
    found[12] = table[next_base + STOCK]
    found[13] = nearest(table, int(table[next_base + TOP]))
