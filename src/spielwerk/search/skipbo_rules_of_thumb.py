"""The rule-based Skip-Bo players of Jahnke (2007, §3), and readings where the text leaves a choice.

Basic (§3.1) lays whatever fits: the stock first, then discard piles, then the hand; a wild from the
hand only on the pile nearest to the stock's top, and only if the next card lies ready or the hand
has nothing but wilds. Mature (§3.2) prefers that pile for every card, and keeps cards that would
let the next player lay its stock's top.
"""

import numpy as np

from spielwerk.games.skipbo import (
    DISCARD,
    FROM_DISCARD,
    FROM_HAND,
    FROM_STOCK,
    HAND,
    HAND_SIZE,
    PASS,
    PILE_COUNT,
    PILES,
    SEAT,
    SEATS,
    TOP,
    TOP_VALUE,
    TURN,
    WILD,
    SkipBo,
    discard_top,
    fits,
)
from spielwerk.kernels.bits import U64, signed
from spielwerk.kernels.jit import kernel
from spielwerk.kernels.rng import below, next_random, takes_place
from spielwerk.values.skipbo_views import distance

NOWHERE = -1


@kernel
def stock_top(table: np.ndarray) -> int:
    """The own one, of the player to move."""
    return int(table[SEATS + int(table[TURN]) * SEAT + TOP])


@kernel
def best_pile(table: np.ndarray) -> int:
    """The building pile on which the fewest cards are missing for the stock's top (§3.1)."""
    value, best = stock_top(table), 0
    for pile in range(1, PILE_COUNT):
        if distance(table, pile, value) < distance(table, best, value):
            best = pile
    return best


@kernel
def first_fit(table: np.ndarray, card: int) -> int:
    for pile in range(PILE_COUNT):
        if fits(table, card, pile):
            return pile
    return NOWHERE


@kernel
def lies_ready(table: np.ndarray, value: int) -> bool:
    """Whether the hand or a discard pile offers this value."""
    found = False
    for slot in range(HAND_SIZE):
        found |= table[HAND + slot] == value
    for pile in range(PILE_COUNT):
        found |= discard_top(table, int(table[TURN]), pile) == value
    return found


@kernel
def wild_source(table: np.ndarray) -> int:
    """Where a wild lies ready, but for the stock; NOWHERE if there is none."""
    for pile in range(PILE_COUNT):
        if discard_top(table, int(table[TURN]), pile) == WILD:
            return FROM_DISCARD + pile
    for slot in range(HAND_SIZE):
        if table[HAND + slot] == WILD:
            return FROM_HAND + slot
    return NOWHERE


@kernel
def wild_serves(table: np.ndarray, pile: int, stock_counts: bool) -> bool:
    """Whether a wild on this pile is of use: a card follows, or the hand has nothing but wilds."""
    if table[HAND] == WILD:
        return True
    laid = int(table[PILES + pile]) + 1
    following = laid + 1 if laid < TOP_VALUE else 1
    return lies_ready(table, following) or (stock_counts and stock_top(table) == following)


@kernel
def pile_for_stock_wild(table: np.ndarray, shunned: int, seed: np.uint64) -> tuple[int, np.uint64]:
    """One of several piles that are equally high, else any; none of height `shunned` if that can
    be (a height that no pile has shuns none)."""
    chosen, equals, best = 0, 0, -1
    for pile in range(PILE_COUNT):
        height = int(table[PILES + pile])
        rank = 0
        for other in range(PILE_COUNT):
            if other != pile and int(table[PILES + other]) == height:
                rank = 1
        if height != shunned:
            rank += 2
        if rank > best:
            chosen, equals, best = pile, 1, rank
        elif rank == best:
            equals += 1
            instead, seed = takes_place(equals, seed)
            if instead:
                chosen = pile
    return chosen, seed


@kernel
def choose_discard(
    game: SkipBo, table: np.ndarray, at_random: bool, seed: np.uint64
) -> tuple[int, np.uint64]:
    """On an equal card, else as a street, else the commonest and highest (figure 3.2), of the
    naturals. At random any card, a wild as well if that is allowed. The hand must have one."""
    seat = int(table[TURN])
    if at_random:
        cards, least = 0, WILD + 1 if game.wilds else WILD
        while cards < HAND_SIZE and 0 < table[HAND + cards] < least:
            cards += 1
        bits, seed = next_random(seed)
        slot = signed(below(bits, U64(cards)))
        while slot > 0 and table[HAND + slot] == table[HAND + slot - 1]:
            slot -= 1
        bits, seed = next_random(seed)
        return DISCARD + 4 * slot + signed(bits & U64(3)), seed
    for step in range(2):
        for slot in range(HAND_SIZE):
            card = int(table[HAND + slot])
            if 0 < card < WILD:
                for pile in range(PILE_COUNT):
                    top = discard_top(table, seat, pile)
                    if 0 < top < WILD and top == card + step:
                        return DISCARD + 4 * slot + pile, seed
    slot, most = 0, 0
    for first in range(HAND_SIZE):
        card, equals = int(table[HAND + first]), 0
        if 0 < card < WILD:
            for other in range(HAND_SIZE):
                equals += int(table[HAND + other]) == card
            if equals >= most and (first == 0 or card != int(table[HAND + first - 1])):
                slot, most = first, equals
    for pile in range(PILE_COUNT):
        if discard_top(table, seat, pile) == 0:
            return DISCARD + 4 * slot + pile, seed
    bits, seed = next_random(seed)
    return DISCARD + 4 * slot + signed(bits & U64(3)), seed


@kernel
def end_of_turn(
    game: SkipBo, table: np.ndarray, at_random: bool, seed: np.uint64
) -> tuple[int, np.uint64]:
    if table[HAND] == 0:
        return PASS, seed
    return choose_discard(game, table, at_random, seed)


@kernel
def decide_basic(
    game: SkipBo, table: np.ndarray, random_discards: bool, seed: np.uint64
) -> tuple[int, np.uint64]:
    """A^B's next move, or with random discards A^B−'s, and the next seed."""
    stock = stock_top(table)
    if stock == WILD:
        pile, seed = pile_for_stock_wild(table, TOP_VALUE, seed)
        return 4 * FROM_STOCK + pile, seed
    pile = first_fit(table, stock)
    if pile != NOWHERE:
        return 4 * FROM_STOCK + pile, seed
    for own in range(PILE_COUNT):
        card = discard_top(table, int(table[TURN]), own)
        if card != WILD:
            pile = first_fit(table, card)
            if pile != NOWHERE:
                return 4 * (FROM_DISCARD + own) + pile, seed
    for slot in range(HAND_SIZE):
        card = int(table[HAND + slot])
        if card != WILD:
            pile = first_fit(table, card)
            if pile != NOWHERE:
                return 4 * (FROM_HAND + slot) + pile, seed
    source = wild_source(table)
    if source != NOWHERE:
        pile = best_pile(table)
        if wild_serves(table, pile, False):
            return 4 * source + pile, seed
    return end_of_turn(game, table, random_discards, seed)


@kernel
def helps_next(
    game: SkipBo, table: np.ndarray, card: int, pile: int, newly_only: bool, wilds_cover: bool
) -> bool:
    """Whether a card on this pile lets the next player lay its stock's top, and the player to move
    has nothing to lay over it (§3.2)."""
    seat = int(table[TURN])
    following = seat + 1 if seat + 1 < game.players else 0
    wanted = int(table[SEATS + following * SEAT + TOP])
    laid = (int(table[PILES + pile]) + 1) % TOP_VALUE
    if wanted == WILD or laid != wanted - 1:
        return False
    if newly_only:
        for other in range(PILE_COUNT):
            if int(table[PILES + other]) == wanted - 1:
                return False
    if stock_top(table) == wanted or lies_ready(table, wanted):
        return False
    if wilds_cover:
        wilds = 0
        for slot in range(HAND_SIZE):
            wilds += int(table[HAND + slot]) == WILD
        return wilds <= int(card == WILD)
    return True


@kernel
def decide_mature(
    game: SkipBo, table: np.ndarray, newly_only: bool, wilds_cover: bool, seed: np.uint64
) -> tuple[int, np.uint64]:
    """A^M's next move. `newly_only` and `wilds_cover` are readings of when a card is kept."""
    stock, seat = stock_top(table), int(table[TURN])
    if stock == WILD:
        following = seat + 1 if seat + 1 < game.players else 0
        wanted = int(table[SEATS + following * SEAT + TOP])
        shunned = (wanted - 2) % TOP_VALUE if wanted != WILD else TOP_VALUE
        pile, seed = pile_for_stock_wild(table, TOP_VALUE, seed)
        if helps_next(game, table, stock, pile, newly_only, wilds_cover):
            pile, seed = pile_for_stock_wild(table, shunned, seed)
        return 4 * FROM_STOCK + pile, seed
    pile = first_fit(table, stock)
    if pile != NOWHERE:
        return 4 * FROM_STOCK + pile, seed
    best = best_pile(table)
    for step in range(2):  # the best pile alone, then any
        for source in range(FROM_DISCARD, FROM_HAND + HAND_SIZE):
            if source < FROM_HAND:
                card = discard_top(table, seat, source - FROM_DISCARD)
            else:
                card = int(table[HAND + source - FROM_HAND])
            if card == 0 or card == WILD:
                continue
            pile = best if step == 0 else first_fit(table, card)
            if (
                pile != NOWHERE
                and fits(table, card, pile)
                and not helps_next(game, table, card, pile, newly_only, wilds_cover)
            ):
                return 4 * source + pile, seed
        source = wild_source(table)
        if (
            step == 0
            and source != NOWHERE
            and wild_serves(table, best, True)
            and not helps_next(game, table, WILD, best, newly_only, wilds_cover)
        ):
            return 4 * source + best, seed
    if table[HAND] == WILD:  # nothing to discard: a wild must be laid, wherever
        source = wild_source(table)
        return 4 * source + best, seed
    return end_of_turn(game, table, False, seed)
