"""A^Lea's thirty-three features of a Skip-Bo move (Jahnke 2007, §4.4.2, figure 4.11).

As we read it: the best pile is any that is nearest to the stock's top; a card that follows a wild
lies in the hand, on a discard pile or on the stock; the three ways to keep the next player from
laying its top are to lay that value oneself from the stock, the hand, or a discard pile.
"""

import numpy as np

from spielwerk.games.skipbo import (
    DISCARD,
    DISCARDS,
    FROM_DISCARD,
    FROM_HAND,
    FROM_STOCK,
    HAND,
    HEIGHTS,
    PASS,
    PILE,
    PILES,
    SEAT,
    SEATS,
    TOP,
    TOP_VALUE,
    TURN,
    WILD,
    SkipBo,
    card_from,
    discard_top,
    fits,
)
from spielwerk.kernels.jit import kernel
from spielwerk.values.skipbo_views import (
    count_in_hand,
    distance,
    hand_values,
    nearest,
    next_seat,
    tops_on,
)

NAMES = (
    "from the hand to a building pile",
    "from the hand to a discard pile",
    "from the stock",
    "from a discard pile",
    "the card below then fits too",
    "on the best pile",
    "not on the best pile, where it does not fit",
    "not on the best pile, where it would fit",
    "discarded on an empty pile",
    "discarded on an equal card",
    "discarded as a street",
    "discarded on a lower card",
    "discarded on a higher card",
    *(f"discarded: {value}" for value in range(1, TOP_VALUE + 1)),
    "equal cards in the hand",
    "a wild where the card itself lies ready",
    "a wild and no card to follow",
    "a wild and nothing but wilds",
    "the next player can lay its top",
    "and we can lay it from the stock",
    "and we can lay it from the hand",
    "and we can lay it from a discard pile",
)
WIDTH = len(NAMES)
SOURCE_STOCK, STRATEGY, VALUES, EQUALS, WILDS, NEXT = 2, 8, 13, 25, 26, 29


@kernel
def action_features(game: SkipBo, table: np.ndarray, move: int, found: np.ndarray) -> None:
    """Of a legal move, before it is made."""
    found[:WIDTH] = 0.0
    if move == PASS:
        return
    seat = int(table[TURN])
    base, pile = SEATS + seat * SEAT, move & 3
    if move >= DISCARD:
        card = int(table[HAND + ((move - DISCARD) >> 2)])
        top = discard_top(table, seat, pile)
        found[1] = 1.0
        if top == 0:
            found[8] = 1.0
        elif top == card:
            found[9] = 1.0
        elif top == WILD or card == WILD:
            pass  # neither lower nor higher
        elif top == card + 1:
            found[10] = 1.0
        elif top < card:
            found[11] = 1.0
        else:
            found[12] = -1.0
        if card <= TOP_VALUE:
            found[VALUES + card - 1] = 1.0
        found[EQUALS] = count_in_hand(table, card)
        return
    source = move >> 2
    card, stock = card_from(table, source), int(table[base + TOP])
    laid = int(table[PILES + pile]) + 1
    if source == FROM_STOCK:
        found[2] = 1.0
    elif source >= FROM_HAND:
        found[0] = 1.0
    else:
        found[3] = 1.0
        own = source - FROM_DISCARD
        height = int(table[base + HEIGHTS + own])
        below = int(table[base + DISCARDS + own * PILE + height - 2]) if height > 1 else 0
        then_fits = below == WILD or (below > 0 and below == laid % TOP_VALUE + 1)
        for other in range(4):
            then_fits |= other != pile and below > 0 and fits(table, below, other)
        found[4] = 1.0 if then_fits else 0.0
    least = nearest(table, stock)
    if stock == WILD or source == FROM_STOCK or distance(table, pile, stock) == least:
        found[5] = 1.0
    else:
        possible = False
        for other in range(4):
            possible |= distance(table, other, stock) == least and fits(table, card, other)
        if possible:
            found[7] = -1.0
        else:
            found[6] = 1.0
    tops, hand = tops_on(table, seat), hand_values(table)
    if card == WILD:
        ready = tops | hand | (1 << stock if source != FROM_STOCK else 0)
        if (ready >> laid) & 1:
            found[WILDS] = -1.0
        if not (ready >> (laid % TOP_VALUE + 1)) & 1:
            found[WILDS + 1] = -1.0
        if table[HAND] == WILD:
            found[WILDS + 2] = 1.0
    wanted = int(table[SEATS + next_seat(table, game.players) * SEAT + TOP])
    if wanted != WILD and laid % TOP_VALUE == wanted - 1:
        found[NEXT] = -1.0
        if source != FROM_STOCK and stock == wanted:
            found[NEXT + 1] = 1.0
        elif (hand >> wanted) & 1:
            found[NEXT + 2] = 1.0
        elif (tops >> wanted) & 1:
            found[NEXT + 3] = 1.0
