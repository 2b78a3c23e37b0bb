"""Search over all ways to play a Skip-Bo turn, up to where it ends or new cards are seen.

Until then nothing is left to chance, so every way is tried; orders of play that lead to the same
table are followed once, and up to 2,000 tables in all: with many wilds there can be more, and then
some ways are not seen. The leaf with the highest value (`values.skipbo_leaves`) decides.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.skipbo import (
    DISCARD,
    FROM_HAND,
    FROM_STOCK,
    HAND,
    HAND_SIZE,
    HEIGHTS,
    PASS,
    PILE_COUNT,
    PILES,
    SEAT,
    SEATS,
    STOCK,
    TURN,
    SkipBo,
    discard_top,
    legal_set,
    open_size,
)
from spielwerk.kernels.bits import ONE, U64, ZERO, lowest_bit, signed
from spielwerk.kernels.jit import inlined, kernel
from spielwerk.kernels.rng import scramble, takes_place
from spielwerk.values.skipbo_leaves import (
    ACTIVE,
    HAND_EMPTY,
    STOCK_LAID,
    TURN_OVER,
    Stand,
    leaf_features,
    leaf_sum,
    make_stand,
    take_stand,
)
from spielwerk.values.skipbo_views import imagine_laying

DEPTH = 64
"""Cards laid in one go, at most; whoever could lay more thinks again after that."""
SEEN, MOST_SEEN = 4096, 2000
"""Places for tables seen in this turn, and how many are used at most."""
CERTAIN = 1e6


class TurnSearch(NamedTuple):
    """Scratch memory of a search."""

    tables: np.ndarray  # [DEPTH + 1, size]
    moves: np.ndarray  # [DEPTH] moves that are left to try
    path: np.ndarray  # [DEPTH] the moves of the way here
    plan: np.ndarray  # [DEPTH] the moves to the best leaf
    seen: np.ndarray  # [SEEN]
    stand: Stand  # a row for each table, and one for a leaf
    features: np.ndarray  # [ACTIVE] of the leaf at hand
    best: np.ndarray  # [ACTIVE] of the best leaf
    counts: np.ndarray  # [4]: features of the best leaf; leaves and tables seen; moves of the plan


def make_turn_search(game: SkipBo) -> TurnSearch:
    size = open_size(game)
    return TurnSearch(
        np.zeros((DEPTH + 1, size), np.uint8),
        np.zeros(DEPTH, np.uint64),
        np.zeros(DEPTH, np.int64),
        np.zeros(DEPTH, np.int64),
        np.zeros(SEEN, np.uint64),
        make_stand(DEPTH + 1),
        np.zeros(ACTIVE, np.int64),
        np.zeros(ACTIVE, np.int64),
        np.zeros(4, np.int64),
    )


@kernel
def name_of(table: np.ndarray) -> np.uint64:
    """One word for what a turn changes; building piles of equal height are alike."""
    heights = ZERO
    for pile in range(PILE_COUNT):
        heights += ONE << U64(4 * int(table[PILES + pile]))
    word = ZERO
    for slot in range(HAND_SIZE):
        word = (word << U64(4)) | U64(table[HAND + slot])
    base = SEATS + int(table[TURN]) * SEAT
    for pile in range(PILE_COUNT):
        word = (word << U64(8)) | U64(table[base + HEIGHTS + pile])
    return scramble(scramble(heights) ^ word) | ONE


@kernel
def is_new(search: TurnSearch, name: np.uint64) -> bool:
    """Enter a name; False if it was there, or if there is no room left."""
    place = signed(name >> U64(1)) & (SEEN - 1)
    while search.seen[place] != ZERO:
        if search.seen[place] == name:
            return False
        place = (place + 1) & (SEEN - 1)
    if search.counts[2] >= MOST_SEEN:
        return False
    search.seen[place] = name
    search.counts[2] += 1
    return True


@kernel
def distinct_moves(game: SkipBo, table: np.ndarray) -> np.uint64:
    """The legal moves, without those that differ only in which of several like piles they use."""
    moves = legal_set(game, table)
    seat = int(table[TURN])
    for pile in range(1, PILE_COUNT):
        for other in range(pile):
            if table[PILES + pile] == table[PILES + other]:
                for source in range(FROM_HAND + HAND_SIZE):
                    moves &= ~(ONE << U64(4 * source + pile))
            if discard_top(table, seat, pile) == 0 and discard_top(table, seat, other) == 0:
                for slot in range(HAND_SIZE):
                    moves &= ~(ONE << U64(DISCARD + 4 * slot + pile))
    return moves


@inlined
def keep_plan(search: TurnSearch, depth: int) -> None:
    """The way here is the best so far."""
    for place in range(depth + 1):
        search.plan[place] = search.path[place]
    search.counts[3] = depth + 1


@kernel
def search_turn(
    game: SkipBo, weights: np.ndarray, table: np.ndarray, search: TurnSearch, seed: np.uint64
) -> tuple[int, float, np.uint64]:
    """The first move on the way to the best leaf, tanh of whose sum is its value; the next seed.

    Among equally good leaves chance decides. The features of the best one stay in `search.best`;
    a turn that wins has none. The way there stays in `search.plan`.
    """
    search.seen[:] = ZERO
    search.counts[:] = 0
    search.tables[0] = table
    search.tables[1] = table
    search.moves[0] = distinct_moves(game, table)
    take_stand(game, table, search.stand, 0)
    base = SEATS + int(table[TURN]) * SEAT
    chosen, best, equals = signed(lowest_bit(search.moves[0])), -np.inf, 0
    depth, prepared = 0, 1
    while depth >= 0:
        if search.moves[depth] == ZERO:
            depth -= 1
            continue
        move = signed(lowest_bit(search.moves[depth]))
        search.moves[depth] &= search.moves[depth] - ONE
        search.path[depth] = move
        here = search.tables[depth]
        if move >= DISCARD:
            card, pile, is_last = 0, 0, False
            if move != PASS:
                slot, pile = (move - DISCARD) >> 2, move & 3
                card = int(here[HAND + slot])
                is_last = slot + 1 == HAND_SIZE or int(here[HAND + slot + 1]) != card
            kind = TURN_OVER
            count = leaf_features(search.stand, depth, kind, card, pile, is_last, search.features)
        else:
            after = search.tables[depth + 1]
            imagine_laying(here, move, after)
            if move >> 2 == FROM_STOCK:
                if after[base + STOCK] == 0:
                    search.counts[0] = 0
                    keep_plan(search, depth)
                    return search.plan[0], CERTAIN, seed
                kind = STOCK_LAID
            elif after[HAND] == 0 and move >> 2 >= FROM_HAND:
                kind = HAND_EMPTY
            else:
                if depth + 2 < DEPTH and is_new(search, name_of(after)):
                    depth += 1
                    search.moves[depth] = distinct_moves(game, after)
                    take_stand(game, after, search.stand, depth)
                    if depth + 1 > prepared:
                        prepared = depth + 1
                        search.tables[prepared] = table
                continue
            take_stand(game, after, search.stand, DEPTH)
            count = leaf_features(search.stand, DEPTH, kind, 0, 0, False, search.features)
        total = leaf_sum(weights, search.features, count)
        search.counts[1] += 1
        better = total > best
        if better:
            equals = 1
        elif total == best:
            equals += 1
            better, seed = takes_place(equals, seed)
        if better:
            keep_plan(search, depth)
            chosen, best = search.plan[0], total
            search.counts[0] = count
            search.best[:] = search.features
    return chosen, best, seed


@kernel
def ends_here(table: np.ndarray, move: int) -> bool:
    """Whether a move leads to a leaf: the turn is over, or new cards are seen."""
    if move >= DISCARD or move >> 2 == FROM_STOCK:
        return True
    return move >> 2 >= FROM_HAND and table[HAND + 1] == 0
