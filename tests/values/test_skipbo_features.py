"""The features of A^TD and A^Lea, by the examples and words of the thesis."""

import numpy as np
import pytest

from spielwerk.games import skipbo as sb
from spielwerk.games.skipbo import SkipBo
from spielwerk.values import skipbo_actions, skipbo_states
from spielwerk.values.skipbo_views import imagine

GAME = SkipBo()


def make_table(piles=(0, 0, 0, 0), hand=(), tops=(9, 5), discards=(), stocks=(7, 4), played=0):
    table = np.zeros(sb.open_size(GAME), np.uint8)
    table[sb.PILES : sb.PILES + 4] = piles
    table[sb.HAND : sb.HAND + len(hand)] = sorted(hand)
    table[sb.PLAYED] = played
    table[sb.SEATS + sb.HELD] = len(hand)
    for seat in range(2):
        base = sb.SEATS + seat * sb.SEAT
        table[base + sb.TOP], table[base + sb.STOCK] = tops[seat], stocks[seat]
    for pile, cards in enumerate(discards):
        begin = sb.SEATS + sb.DISCARDS + pile * sb.PILE
        table[begin : begin + len(cards)] = cards
        table[sb.SEATS + sb.HEIGHTS + pile] = len(cards)
    return table


def action(table, move):
    found = np.zeros(40)
    skipbo_actions.action_features(GAME, table, move, found)
    names = zip(skipbo_actions.NAMES, found, strict=False)
    return {name: value for name, value in names if value}


def state(table):
    found = np.zeros(40)
    skipbo_states.state_features(GAME, table, found)
    return dict(zip(skipbo_states.NAMES, found[: skipbo_states.WIDTH], strict=True))


def test_there_are_as_many_as_in_the_thesis():
    assert (skipbo_states.WIDTH, skipbo_actions.WIDTH) == (14, 33)
    assert skipbo_actions.NAMES[skipbo_actions.VALUES] == "discarded: 1"
    assert skipbo_actions.NAMES[skipbo_actions.EQUALS] == "equal cards in the hand"
    assert skipbo_actions.NAMES[skipbo_actions.WILDS].startswith("a wild where")
    assert skipbo_actions.NAMES[skipbo_actions.NEXT].startswith("the next player")


def test_a_one_on_an_empty_pile_as_the_first_move():
    table = make_table(hand=[1, 4, 6, 7, 8])
    assert action(table, 4 * sb.FROM_HAND) == {
        "from the hand to a building pile": 1,
        "on the best pile": 1,
    }


def test_one_of_two_twelves_on_an_empty_discard_pile():
    table = make_table(hand=[1, 4, 6, 12, 12])
    assert action(table, sb.DISCARD + 4 * 3) == {
        "from the hand to a discard pile": 1,
        "discarded on an empty pile": 1,
        "discarded: 12": 1,
        "equal cards in the hand": 2,
    }


@pytest.mark.parametrize(
    ("top", "name", "value"),
    [
        (6, "discarded on an equal card", 1),
        (7, "discarded as a street", 1),
        (3, "discarded on a lower card", 1),
        (9, "discarded on a higher card", -1),
    ],
)
def test_ways_to_discard(top, name, value):
    found = action(make_table(hand=[6], discards=[[top]]), sb.DISCARD)
    assert found[name] == value
    assert sum("discarded on" in one or "street" in one for one in found) == 1


def test_from_a_discard_pile_with_a_card_below_that_fits_then():
    table = make_table(piles=(2, 0, 0, 0), discards=[[4, 3]])
    assert action(table, 4 * sb.FROM_DISCARD) == {
        "from a discard pile": 1,
        "the card below then fits too": 1,
        "on the best pile": 1,
    }
    assert "the card below then fits too" not in action(
        make_table(piles=(2, 0, 0, 0), discards=[[5, 3]]), 4 * sb.FROM_DISCARD
    )


def test_wilds_and_the_best_pile():
    table = make_table(piles=(7, 2, 0, 0), hand=[3, 13], tops=(9, 12))
    wild = 4 * (sb.FROM_HAND + 1)
    assert action(table, wild) == {  # as eight, and the nine of the stock follows
        "from the hand to a building pile": 1,
        "on the best pile": 1,
    }
    elsewhere = action(table, wild + 1)
    assert elsewhere["not on the best pile, where it would fit"] == -1
    assert elsewhere["a wild where the card itself lies ready"] == -1
    assert elsewhere["a wild and no card to follow"] == -1
    natural = action(table, 4 * sb.FROM_HAND + 1)
    assert natural["not on the best pile, where it does not fit"] == 1
    assert action(make_table(hand=[13]), 4 * sb.FROM_HAND)["a wild and nothing but wilds"] == 1


def test_the_next_player():
    table = make_table(piles=(3, 0, 0, 0), hand=[4], tops=(9, 5))
    assert action(table, 4 * sb.FROM_HAND)["the next player can lay its top"] == -1
    for changes, name in (
        ({"tops": (5, 5)}, "and we can lay it from the stock"),
        ({"hand": [4, 5]}, "and we can lay it from the hand"),
        ({"discards": [[5]]}, "and we can lay it from a discard pile"),
    ):
        table = make_table(**{"piles": (3, 0, 0, 0), "hand": [4], "tops": (9, 5)} | changes)
        assert action(table, 4 * sb.FROM_HAND)[name] == 1


def test_the_features_of_a_table():
    table = make_table(
        piles=(0, 7, 3, 11),
        hand=[2, 4, 13],
        tops=(9, 5),
        discards=[[7, 7, 6], [7], [7, 12], [8]],
        played=3,
    )
    found = state(table)
    assert found == {
        "cards of the own stock": 7,
        "cards missing for its top, on the nearest pile": 1,
        "cards missing for its top, on average": (8 + 1 + 5 + 9) / 4,
        "naturals in the hand": 2,
        "wilds in the hand": 1,
        "cards on discard piles": 7,
        "mean of the cards at the bottom of discard piles": (7 + 7 + 7 + 8) / 4,
        "how many of them are equal": 3,
        "share of discards on an equal card": 1 / 3,
        "share of discards in a street": 1 / 3,
        "share of other discards": 1 / 3,
        "cards laid in this turn": 3,
        "cards of the next player's stock": 4,
        "cards missing for its top": 1,
    }
    after = np.zeros_like(table)
    imagine(table, 4 * sb.FROM_HAND + 1, after)  # whatever it is, the hand has a card less
    assert state(after)["cards laid in this turn"] == 4
    assert state(make_table())["how many of them are equal"] == 0
