"""The search over a turn of Skip-Bo: features beside a slow twin, the best leaf beside all."""

from itertools import pairwise

import numpy as np
import pytest

from spielwerk.games import skipbo as sb
from spielwerk.games.catalogue import parse_game
from spielwerk.games.rules import RUNNING, deal, legal_moves, outcome, transition
from spielwerk.games.skipbo import read_table
from spielwerk.search.skipbo_turn import (
    CERTAIN,
    MOST_SEEN,
    ends_here,
    make_turn_search,
    search_turn,
)
from spielwerk.values import skipbo_leaves as leaves
from spielwerk.values.skipbo_views import imagine

GAMES = ["skip-bo", "skip-bo:players=3,wilds=yes", "skip-bo:stock=boxed"]


def table_after(table, move):
    after = np.zeros_like(table)
    imagine(table, move, after)
    return after


def kind_of(table, move):
    if move >= sb.DISCARD:
        return leaves.TURN_OVER
    return leaves.STOCK_LAID if move >> 2 == sb.FROM_STOCK else leaves.HAND_EMPTY


def slow_features(game, table, kind):
    """The names of the active features of a leaf, each as often as it is active."""
    me = int(table[sb.TURN])
    following = (me + 1) % game.players
    base, next_base = (sb.SEATS + seat * sb.SEAT for seat in (me, following))
    heights = [int(h) for h in table[sb.PILES : sb.PILES + 4]]

    def pile_cards(start):
        begins = [start + sb.DISCARDS + pile * sb.PILE for pile in range(4)]
        heights = table[start + sb.HEIGHTS : start + sb.HEIGHTS + 4].tolist()
        return [
            table[begin : begin + height].tolist()
            for begin, height in zip(begins, heights, strict=True)
        ]

    def way(height, value):
        between = []
        while value not in (0, sb.WILD) and height % 12 + 1 != value:
            height = height % 12 + 1
            between.append(height)
        return between

    own, theirs = pile_cards(base), pile_cards(next_base)
    hand = [int(card) for card in table[sb.HAND : sb.HAND + 5] if card]
    top, next_top = int(table[base + sb.TOP]), int(table[next_base + sb.TOP])
    tops, next_tops = ({pile[-1] for pile in piles if pile} for piles in (own, theirs))
    fitting = {height + 1 for height in heights} | {sb.WILD}
    pairs = [pair for pile in own for pair in pairwise(pile) if sb.WILD not in pair]
    others = [
        int(table[sb.SEATS + seat * sb.SEAT + sb.STOCK])
        for seat in range(game.players)
        if seat != me
    ]
    wilds = hand.count(sb.WILD)
    found = {
        "end of a turn": kind,
        "own stock": int(table[base + sb.STOCK]),
        "next player's stock": int(table[next_base + sb.STOCK]),
        "least stock of the others": min(others),
        "cards to the next one's stock": min(len(way(h, next_top)) for h in heights),
        "of them missing there": min(len(set(way(h, next_top)) - next_tops) for h in heights),
        "wilds in the hand": 6 * kind + wilds,
        "cards in the hand": 6 * kind + len(hand),
        "different cards in the hand": len(set(hand)),
        "empty discard piles": sum(not pile for pile in own),
        "cards on discard piles": min(sum(map(len, own)) // 2, 15),
        "equal cards or streets": min(sum(b in (a, a - 1) for a, b in pairs), 15),
        "higher cards on lower ones": min(sum(b > a for a, b in pairs), 15),
        "own discards that fit": 5 * kind + sum(bool(pile) and pile[-1] in fitting for pile in own),
        "next one's discards that fit": sum(bool(p) and p[-1] in fitting for p in theirs),
    }
    found["cards in the hand that fit"] = 6 * kind + len((set(hand) & fitting) - {sb.WILD})
    if next_top == sb.WILD:
        found["cards to the next one's stock"] = found["of them missing there"] = 12

    def by_stock(left, missing):
        return 6 * sum(left > most for most in (1, 2, 4, 8)) + min(missing, 5)

    found["missing there, by its stock"] = by_stock(
        int(table[next_base + sb.STOCK]), found["of them missing there"]
    )
    if kind != leaves.STOCK_LAID:
        lacking = min(len(set(way(h, top)) - tops - set(hand)) for h in heights)
        found["cards to the own stock"] = min(len(way(h, top)) for h in heights)
        found["of them missing"] = max(lacking - wilds, 0)
        found["missing, by the own stock"] = by_stock(
            int(table[base + sb.STOCK]), found["of them missing"]
        )
        found["tops in the own way"] = len({t for t in tops if t < min(top, 12)})
        found["same top as the next one"] = int(top == next_top)
    names = [f"{name}: {number}" for name, number in found.items()]
    for where, cards, shift in (
        ("in the hand", hand, 12 * kind),
        ("on discard piles", tops, 12 * kind),
        ("on the next one's discard piles", next_tops, 0),
    ):
        for card in set(cards) - {sb.WILD}:
            missing = min((card - 1 - height) % 12 for height in heights)
            names.append(f"{where}, so far from fitting: {shift + missing}")
    if next_top != sb.WILD:
        far = [len(way(h, next_top)) for h in heights]
        names += [f"piles so far from the next one's stock: {n}" for n in far]
    if kind != leaves.STOCK_LAID and top != sb.WILD:
        names += [f"piles so far from the own stock: {len(way(h, top))}" for h in heights]
        for where, cards in (("in the hand", hand), ("on discard piles", tops)):
            below = {(top - card) % 12 for card in cards if card != sb.WILD}
            names += [f"{where}, so far below the own stock: {n}" for n in below]
    return sorted(names)


def positions(spec, chance, games):
    """Tables that arise in games in which cards are laid more often than not."""
    game = parse_game(spec)
    for _ in range(games):
        state = deal(game, chance.getrandbits(60))
        for _ in range(120):
            if outcome(game, state) != RUNNING:
                break
            yield game, read_table(state)
            moves = legal_moves(game, state)
            laying = [move for move in moves if move < sb.DISCARD]
            move = chance.choice(laying if laying and chance.random() < 0.8 else moves)
            state = transition(game, state, move)


@pytest.mark.parametrize("spec", GAMES)
def test_features_of_leaves_equal_the_slow_ones(spec, chance):
    stand, found = leaves.make_stand(2), np.zeros(leaves.ACTIVE, np.int64)
    seen = set()
    for game, table in positions(spec, chance, 8):
        leaves.take_stand(game, table, stand, 0)
        for move in bits(sb.legal_set(game, table)):
            after = table_after(table, move)
            if not ends_here(table, move) or after[sb.SEATS + int(table[sb.TURN]) * sb.SEAT] == 0:
                continue
            kind = kind_of(table, move)
            if kind == leaves.TURN_OVER and move != sb.PASS:
                slot = (move - sb.DISCARD) >> 2
                card = int(table[sb.HAND + slot])
                last = list(table[sb.HAND : sb.HAND + 5]).count(card) == 1
                count = leaves.leaf_features(stand, 0, kind, card, move & 3, last, found)
            else:
                leaves.take_stand(game, after, stand, 1)
                count = leaves.leaf_features(stand, 1, kind, 0, 0, False, found)
            names = sorted(leaves.NAMES[n] for n in found[:count])
            assert names == slow_features(game, after, kind)
            seen.add(kind)
    assert seen == {leaves.TURN_OVER, leaves.STOCK_LAID, leaves.HAND_EMPTY}


def bits(word):
    return [number for number in range(64) if int(word) >> number & 1]


def all_leaves(game, table, limit):
    """Every leaf of the turn: its table and kind; None if there are too many."""
    found, pending, known = [], [table], set()
    while pending:
        here = pending.pop()
        for move in bits(sb.legal_set(game, here)):
            after = table_after(here, move)
            if ends_here(here, move):
                found.append((after, kind_of(here, move)))
            elif after.tobytes() not in known:
                known.add(after.tobytes())
                pending.append(after)
        if len(known) > limit:
            return None
    return found


@pytest.mark.parametrize("spec", GAMES)
def test_the_search_finds_the_best_of_all_leaves(spec, chance):
    weights = np.random.default_rng(1).normal(size=leaves.WIDTH)
    by_name = dict(zip(leaves.NAMES, weights, strict=True))
    checked = 0
    for game, table in positions(spec, chance, 2):
        ends = all_leaves(game, table, 100)
        if ends is None:
            continue
        search = make_turn_search(game)
        move, total, _ = search_turn(game, weights, table, search, np.uint64(1))
        assert int(sb.legal_set(game, table)) >> move & 1
        planned = search.plan[: search.counts[3]].tolist()
        assert planned[0] == move
        here = table
        for step in planned[:-1]:
            assert not ends_here(here, step)
            here = table_after(here, step)
        assert int(sb.legal_set(game, here)) >> planned[-1] & 1
        assert ends_here(here, planned[-1])
        stock = sb.SEATS + int(table[sb.TURN]) * sb.SEAT + sb.STOCK
        if any(after[stock] == 0 for after, _ in ends):
            assert total == CERTAIN
            continue
        values = [
            sum(by_name[name] for name in slow_features(game, after, kind)) for after, kind in ends
        ]
        assert total == pytest.approx(max(values))
        reached = slow_features(game, table_after(here, planned[-1]), kind_of(here, planned[-1]))
        assert sum(by_name[name] for name in reached) == pytest.approx(total)
        assert weights[search.best[: search.counts[0]]].sum() == pytest.approx(total)
        checked += 1
    assert checked > 60


def test_with_too_many_ways_it_still_finds_a_legal_move(chance):
    """Four wilds and open piles: more tables than it keeps."""
    game = parse_game("skip-bo")
    state = deal(game, 1)
    table = read_table(state).copy()
    base = sb.SEATS + int(table[sb.TURN]) * sb.SEAT
    table[sb.PILES : sb.PILES + 4] = [1, 3, 6, 9]
    table[sb.HAND : sb.HAND + 5] = [4, 13, 13, 13, 13]
    table[base + sb.TOP] = 12
    for pile in range(4):
        begin = base + sb.DISCARDS + pile * sb.PILE
        table[begin : begin + 6] = [12, 11, 10, 9, 8, 2 + 2 * pile]
        table[base + sb.HEIGHTS + pile] = 6
    search = make_turn_search(game)
    weights = np.random.default_rng(1).normal(size=leaves.WIDTH)
    move, total, _ = search_turn(game, weights, table, search, np.uint64(1))
    assert int(sb.legal_set(game, table)) >> move & 1
    assert np.isfinite(total)
    assert search.counts[2] == MOST_SEEN


def test_weights_that_are_no_numbers_give_a_legal_move():
    game = parse_game("skip-bo")
    table = read_table(deal(game, 1))
    weights = np.full(leaves.WIDTH, np.nan)
    move, _, _ = search_turn(game, weights, table, make_turn_search(game), np.uint64(1))
    assert int(sb.legal_set(game, table)) >> move & 1
