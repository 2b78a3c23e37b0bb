"""What a turn of Skip-Bo is worth where it ends or where new cards come: features of our own.

A turn runs without surprises until one of three things happens: it ends by a discard, a card of the
stock is laid (and the next is seen), or the hand is empty (and five are drawn). What the table
looks like there, before the surprise, is a *leaf*. Its value is tanh of the sum of the weights of
its features. The kinds of leaves share most of them: with weights of its own throughout, a kind
that is rarely met lags behind, is avoided for that, and is then never learned.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.skipbo import (
    DISCARDS,
    HAND,
    HAND_SIZE,
    HEIGHTS,
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
    SkipBo,
    discard_top,
)
from spielwerk.kernels.bits import ONE, U64, ZERO, lowest_bit, popcount, signed
from spielwerk.kernels.jit import inlined, kernel
from spielwerk.values.skipbo_views import next_seat

TURN_OVER, STOCK_LAID, HAND_EMPTY = 0, 1, 2
KINDS = 3
ACTIVE = 64
"""Features of a leaf, at most."""

# Groups of features, of which one is active each, one behind the other. The end of a turn, wilds,
# cards in the hand and cards that fit are counted for each kind of leaf by itself. What is missing
# matters more the fewer cards a stock has: it is also counted for five sizes of stocks.
_SIZES = {
    "end of a turn": 3,
    "own stock": 31,
    "next player's stock": 31,
    "least stock of the others": 31,
    "cards to the own stock": 12,
    "of them missing": 12,
    "cards to the next one's stock": 13,
    "of them missing there": 13,
    "wilds in the hand": 18,
    "cards in the hand": 18,
    "different cards in the hand": 6,
    "empty discard piles": 5,
    "cards on discard piles": 16,
    "equal cards or streets": 16,
    "higher cards on lower ones": 16,
    "own discards that fit": 15,
    "next one's discards that fit": 5,
    "tops in the own way": 13,
    "same top as the next one": 2,
    "missing, by the own stock": 30,
    "missing there, by its stock": 30,
    "cards in the hand that fit": 18,
    "piles so far from the own stock": 12,
    "piles so far from the next one's stock": 12,
    "in the hand, so far below the own stock": 12,
    "on discard piles, so far below the own stock": 12,
    "in the hand, so far from fitting": 36,
    "on discard piles, so far from fitting": 36,
    "on the next one's discard piles, so far from fitting": 12,
}
NAMES = tuple(f"{name}: {n}" for name, size in _SIZES.items() for n in range(size))
WIDTH = len(NAMES)
_BEGIN = np.cumsum([0, *_SIZES.values()])
(
    _KIND,
    _OWN_STOCK,
    _NEXT_STOCK,
    _LEAST_STOCK,
    _DISTANCE,
    _MISSING,
    _NEXT_DISTANCE,
    _NEXT_MISSING,
    _WILDS,
    _HELD,
    _DIFFERENT,
    _EMPTY,
    _DISCARDED,
    _ORDERLY,
    _BURYING,
    _OWN_FIT,
    _NEXT_FIT,
    _USEFUL,
    _SAME_TOP,
    _MISSING_BY_STOCK,
    _NEXT_MISSING_BY_STOCK,
    _HAND_FIT,
    _PILES_FAR,
    _NEXT_PILES_FAR,
    _HAND_BELOW,
    _TOPS_BELOW,
    _HAND_FAR,
    _TOPS_FAR,
    _NEXT_TOPS_FAR,
) = (int(place) for place in _BEGIN[:-1])


class Stand(NamedTuple):
    """What the features of tables are made of, a row for each. All ways to end a turn share it."""

    sizes: np.ndarray  # [rows, _SIZE]: the counts below
    tops: np.ndarray  # [rows, PILE_COUNT] of the own discard piles
    ways: np.ndarray  # [rows, PILE_COUNT] what lies between a building pile and our top: see `way`
    next_far: np.ndarray  # [rows, PILE_COUNT] how many cards lie between it and the next one's top
    missing: np.ndarray  # [rows, TOP_VALUE + 1] how many are missing until a value fits somewhere


# Places in `sizes`.
(
    STOCK_LEFT,
    NEXT_LEFT,
    LEAST_LEFT,
    NEAREST,
    OWN_TOP,
    NEXT_TOP,
    NEXT_NEAREST,
    NEXT_LACKS,
    NEXT_FITTING,
    WILDS_HELD,
    CARDS_HELD,
    KINDS_HELD,
    NEXT_TOPS,
    EMPTY_PILES,
    CARDS_DISCARDED,
    IN_ORDER,
    BURIED,
    IN_HAND,
    FITTING,
    _SIZE,
) = range(20)


def make_stand(rows: int) -> Stand:
    return Stand(
        np.zeros((rows, _SIZE), np.int64),
        np.zeros((rows, PILE_COUNT), np.int64),
        np.zeros((rows, PILE_COUNT), np.int64),
        np.zeros((rows, PILE_COUNT), np.int64),
        np.zeros((rows, TOP_VALUE + 1), np.int64),
    )


@inlined
def bits_of(number: int) -> int:
    """How many bits are set."""
    return signed(popcount(U64(number)))


@kernel
def take_stand(game: SkipBo, table: np.ndarray, stand: Stand, row: int) -> None:
    """Everything that the features of a table need, but for their numbers."""
    me, following = int(table[TURN]), next_seat(table, game.players)
    base, next_base = SEATS + me * SEAT, SEATS + following * SEAT
    sizes, own_tops, ways = stand.sizes[row], stand.tops[row], stand.ways[row]
    top, next_top = int(table[base + TOP]), int(table[next_base + TOP])
    sizes[STOCK_LEFT], sizes[NEXT_LEFT] = table[base + STOCK], table[next_base + STOCK]
    sizes[OWN_TOP], sizes[NEXT_TOP] = top, next_top
    least = 30
    for seat in range(game.players):
        if seat != me:
            least = min(least, int(table[SEATS + seat * SEAT + STOCK]))
    sizes[LEAST_LEFT] = least
    fitting = 1 << WILD
    next_tops, nearest, next_nearest, lacking = 0, TOP_VALUE, TOP_VALUE, TOP_VALUE
    for pile in range(PILE_COUNT):
        next_tops |= 1 << discard_top(table, following, pile)
    for pile in range(PILE_COUNT):
        height = int(table[PILES + pile])
        fitting |= 1 << (height + 1)
        ways[pile] = way(height, top)
        nearest = min(nearest, bits_of(ways[pile]))
        theirs = way(height, next_top)
        stand.next_far[row, pile] = bits_of(theirs)
        next_nearest = min(next_nearest, bits_of(theirs))
        lacking = min(lacking, bits_of(theirs & ~next_tops))
    for value in range(1, TOP_VALUE + 1):
        least_missing = TOP_VALUE
        for pile in range(PILE_COUNT):
            between = value - 1 - int(table[PILES + pile])
            least_missing = min(least_missing, between if between >= 0 else between + TOP_VALUE)
        stand.missing[row, value] = least_missing
    sizes[NEXT_TOPS] = next_tops & ~1
    sizes[FITTING], sizes[NEAREST] = fitting, nearest
    sizes[NEXT_NEAREST], sizes[NEXT_LACKS] = next_nearest, lacking
    if next_top == WILD:
        sizes[NEXT_NEAREST] = sizes[NEXT_LACKS] = 12
    wilds, held, kinds, hand = 0, 0, 0, 0
    for slot in range(HAND_SIZE):
        card = int(table[HAND + slot])
        wilds += card == WILD
        held += card > 0
        kinds += card > 0 and not (hand >> card) & 1
        hand |= 1 << card
    sizes[WILDS_HELD], sizes[CARDS_HELD], sizes[KINDS_HELD] = wilds, held, kinds
    sizes[IN_HAND] = hand & ~1
    empty, discarded, in_order, buried, next_fits = 0, 0, 0, 0, 0
    for pile in range(PILE_COUNT):
        next_fits += (fitting >> discard_top(table, following, pile)) & 1
        height = int(table[base + HEIGHTS + pile])
        empty += height == 0
        discarded += height
        place = base + DISCARDS + pile * PILE
        lower = 0
        for level in range(height):
            upper = int(table[place + level])
            if level > 0 and upper != WILD and lower != WILD:
                in_order += upper == lower or upper == lower - 1
                buried += upper > lower
            lower = upper
        own_tops[pile] = lower
    sizes[EMPTY_PILES], sizes[CARDS_DISCARDED] = empty, discarded
    sizes[IN_ORDER], sizes[BURIED], sizes[NEXT_FITTING] = in_order, buried, next_fits


@inlined
def way(height: int, value: int) -> int:
    """The values to be laid on a building pile before `value` fits, as a set of bits; none for a
    wild and for a card that is not known."""
    found = 0
    if 0 < value < WILD:
        at = height % TOP_VALUE + 1
        while at != value:
            found |= 1 << at
            at = at % TOP_VALUE + 1
    return found


@kernel
def leaf_features(
    stand: Stand, row: int, kind: int, card: int, pile: int, is_last: bool, found: np.ndarray
) -> int:
    """Write the numbers of the active features of a leaf; returns how many there are.

    The leaf is the table of this row; if `card` is not 0, after discarding this card, the last of
    its value in the hand or not, on this pile.
    """
    sizes, own_tops, ways = stand.sizes[row], stand.tops[row], stand.ways[row]
    wilds, held, kinds = sizes[WILDS_HELD], sizes[CARDS_HELD], sizes[KINDS_HELD]
    empty, in_order, buried = sizes[EMPTY_PILES], sizes[IN_ORDER], sizes[BURIED]
    discarded, hand = sizes[CARDS_DISCARDED], sizes[IN_HAND]
    if card > 0:
        lower = own_tops[pile]
        held -= 1
        discarded += 1
        wilds -= card == WILD
        if lower == 0:
            empty -= 1
        elif card != WILD and lower != WILD:
            in_order += card == lower or card == lower - 1
            buried += card > lower
        if is_last:
            kinds -= 1
            hand &= ~(1 << card)
    tops, fitting = 0, 0
    for own in range(PILE_COUNT):
        top = card if card > 0 and own == pile else own_tops[own]
        tops |= 1 << top
        fitting += (sizes[FITTING] >> top) & 1
    tops &= ~1
    found[0] = _KIND + kind
    found[1] = _OWN_STOCK + sizes[STOCK_LEFT]
    found[2] = _NEXT_STOCK + sizes[NEXT_LEFT]
    found[3] = _LEAST_STOCK + sizes[LEAST_LEFT]
    found[4] = _NEXT_DISTANCE + sizes[NEXT_NEAREST]
    found[5] = _NEXT_MISSING + sizes[NEXT_LACKS]
    found[6] = _WILDS + 6 * kind + wilds
    found[7] = _HELD + 6 * kind + held
    found[8] = _DIFFERENT + kinds
    found[9] = _EMPTY + empty
    found[10] = _DISCARDED + min(discarded // 2, 15)
    found[11] = _ORDERLY + min(in_order, 15)
    found[12] = _BURYING + min(buried, 15)
    found[13] = _OWN_FIT + 5 * kind + fitting
    found[14] = _NEXT_FIT + sizes[NEXT_FITTING]
    found[15] = _NEXT_MISSING_BY_STOCK + by_stock(sizes[NEXT_LEFT], sizes[NEXT_LACKS])
    found[16] = _HAND_FIT + 6 * kind + bits_of(hand & sizes[FITTING] & ~(1 << WILD))
    count = 17
    if sizes[NEXT_TOP] != WILD:
        for building in range(PILE_COUNT):
            found[count] = _NEXT_PILES_FAR + stand.next_far[row, building]
            count += 1
    missing = stand.missing[row]
    count = add_missing(hand, missing, _HAND_FAR + 12 * kind, found, count)
    count = add_missing(tops, missing, _TOPS_FAR + 12 * kind, found, count)
    count = add_missing(sizes[NEXT_TOPS], missing, _NEXT_TOPS_FAR, found, count)
    if kind == STOCK_LAID:
        return count
    lacking = TOP_VALUE
    for building in range(PILE_COUNT):
        lacking = min(lacking, bits_of(ways[building] & ~(tops | hand)))
    top = sizes[OWN_TOP]
    lacking = max(lacking - wilds, 0)
    found[count] = _DISTANCE + sizes[NEAREST]
    found[count + 1] = _MISSING + lacking
    found[count + 2] = _USEFUL + bits_of(tops & ((1 << min(top, TOP_VALUE)) - 1))
    found[count + 3] = _SAME_TOP + int(top == sizes[NEXT_TOP])
    found[count + 4] = _MISSING_BY_STOCK + by_stock(sizes[STOCK_LEFT], lacking)
    count += 5
    if top == WILD:
        return count
    for building in range(PILE_COUNT):
        found[count] = _PILES_FAR + bits_of(ways[building])
        count += 1
    count = add_below(hand, top, _HAND_BELOW, found, count)
    return add_below(tops, top, _TOPS_BELOW, found, count)


@inlined
def add_below(values: int, top: int, begin: int, found: np.ndarray, count: int) -> int:
    """A feature for each of these values (wilds are none): how far below the stock's top it is."""
    rest = U64(values & ~(1 << WILD))
    while rest != ZERO:
        value = signed(lowest_bit(rest))
        rest &= rest - ONE
        found[count] = begin + (top - value if value <= top else top - value + TOP_VALUE)
        count += 1
    return count


@inlined
def add_missing(values: int, missing: np.ndarray, begin: int, found: np.ndarray, count: int) -> int:
    """A feature for each of these values (wilds are none): how many cards until it fits."""
    rest = U64(values & ~(1 << WILD))
    while rest != ZERO:
        value = signed(lowest_bit(rest))
        rest &= rest - ONE
        found[count] = begin + missing[value]
        count += 1
    return count


@inlined
def by_stock(left: int, missing: int) -> int:
    """A number for the cards left in a stock, in five sizes, and what its top lacks, up to five."""
    size = 0 if left <= 1 else 1 if left == 2 else 2 if left <= 4 else 3 if left <= 8 else 4
    return 6 * size + min(missing, 5)


@kernel
def leaf_sum(weights: np.ndarray, found: np.ndarray, count: int) -> float:
    total = 0.0
    for place in range(count):
        total += weights[found[place]]
    return total
