"""Skip-Bo tables that one player cannot tell apart."""

from spielwerk.games.skipbo import (
    DECK,
    DRAW,
    HAND,
    HAND_SIZE,
    HANDS,
    HELD,
    MOST_STOCK,
    SEAT,
    SEATS,
    SEED,
    STOCK,
    STOCKS,
    SkipBoState,
)


def shuffle_hidden(game, state, viewer, rng):
    """The same table for this viewer: all that it cannot see is dealt anew."""
    table, closed = bytearray(state.open), bytearray(state.closed)
    mover = table[0]
    places = [(closed, DECK + card) for card in range(table[DRAW])]
    for seat in range(game.players):
        below = range(table[SEATS + seat * SEAT + STOCK] - 1)
        places += [(closed, STOCKS + seat * MOST_STOCK + card) for card in below]
    hands = []
    for seat in range(game.players):
        if seat != viewer:
            row, first = (table, HAND) if seat == mover else (closed, HANDS + seat * HAND_SIZE)
            hand = [(row, first + card) for card in range(table[SEATS + seat * SEAT + HELD])]
            hands.append(hand)
            places += hand
    cards = [row[place] for row, place in places]
    for last in range(len(cards) - 1, 0, -1):
        other = rng.below(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    for (row, place), card in zip(places, cards, strict=True):
        row[place] = card
    for hand in hands:
        for (row, place), card in zip(hand, sorted(r[p] for r, p in hand), strict=True):
            row[place] = card
    for byte in range(8):
        closed[SEED + byte] = rng.below(256)
    return SkipBoState(bytes(table), bytes(closed))
