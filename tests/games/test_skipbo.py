"""Skip-Bo: each rule, the twin move by move, and that nobody sees what is hidden."""

import numpy as np
import pytest
from skipbo_twin import SkipBoTwin, visible

from spielwerk.errors import IllegalMoveError, SpecError, SpielwerkError
from spielwerk.games import skipbo as sb
from spielwerk.games.catalogue import game_spec, parse_game, parse_game_for
from spielwerk.games.notation import (
    check_move,
    describe_legal,
    describe_outcome,
    draw,
    parse_move,
    parse_position,
    say_move,
)
from spielwerk.games.rules import (
    DRAWN,
    RUNNING,
    WON,
    deal,
    legal_moves,
    observation,
    outcome,
    player,
    player_count,
    public,
    transition,
    utility,
)
from spielwerk.games.skipbo import SkipBo, SkipBoState
from spielwerk.lab.skipbo_random_games import is_whole, longest_game, tables

SPECS = [
    "skip-bo",
    "skip-bo:players=3",
    "skip-bo:players=6,stock=boxed",
    "skip-bo:players=4,wilds=yes,stock=3",
    "skip-bo:players=2,stock=30,turns=40",
    "skip-bo:players=5,stock=1",
]
PACK = sorted([value for value in range(1, 13) for _ in range(12)] + [sb.WILD] * 18)


def seat_base(seat):
    return sb.SEATS + seat * sb.SEAT


def build(game, **places):
    """A table by hand: piles, hand, stock tops and discards of the player to move and the next."""
    table = np.zeros(sb.open_size(game), np.uint8)
    closed = np.zeros(sb.CLOSED, np.uint8)
    for seat in range(game.players):
        table[seat_base(seat) + sb.STOCK] = 2
        table[seat_base(seat) + sb.TOP] = places.get("tops", (9, 9, 9, 9, 9, 9))[seat]
        closed[sb.STOCKS + seat * sb.MOST_STOCK : sb.STOCKS + seat * sb.MOST_STOCK + 2] = (
            8,
            table[seat_base(seat) + sb.TOP],
        )
    table[sb.PILES : sb.PILES + 4] = places.get("piles", (0, 0, 0, 0))
    hand = sorted(places.get("hand", ()))
    table[sb.HAND : sb.HAND + len(hand)] = hand
    table[seat_base(0) + sb.HELD] = len(hand)
    for pile, cards in enumerate(places.get("discards", ())):
        begin = seat_base(0) + sb.DISCARDS + pile * sb.PILE
        table[begin : begin + len(cards)] = cards
        table[seat_base(0) + sb.HEIGHTS + pile] = len(cards)
    deck = places.get("deck", ())
    closed[sb.DECK : sb.DECK + len(deck)] = deck
    table[sb.DRAW] = len(deck)
    return SkipBoState(table.tobytes(), closed.tobytes())


def cards_of(game, state):
    """Every card on the table, wherever it lies."""
    table, closed = state.open, state.closed
    cards = list(closed[sb.DECK : sb.DECK + table[sb.DRAW]])
    for value in range(1, 14):
        cards += [value] * closed[sb.RETURNING + value]
    for pile in range(4):
        for value in range(1, table[sb.PILES + pile] + 1):
            mark = table[sb.WILDS + 2 * pile + (value - 1) // 8] >> ((value - 1) % 8) & 1
            cards.append(sb.WILD if mark else value)
    cards += [card for card in table[sb.HAND : sb.HAND + 5] if card]
    for seat in range(game.players):
        base = seat_base(seat)
        begin = sb.STOCKS + seat * sb.MOST_STOCK
        cards += closed[begin : begin + table[base + sb.STOCK]]
        cards += [card for card in closed[sb.HANDS + seat * 5 : sb.HANDS + seat * 5 + 5] if card]
        for pile in range(4):
            start = base + sb.DISCARDS + pile * sb.PILE
            cards += table[start : start + table[base + sb.HEIGHTS + pile]]
    return sorted(cards)


@pytest.mark.parametrize("spec", SPECS)
def test_random_games_agree_with_the_twin(spec, chance):
    game = parse_game(spec)
    for number in range(6):
        seed = chance.getrandbits(60)
        state, twin = deal(game, seed), SkipBoTwin(*game, seed)
        while True:
            assert player(game, state) == twin.turn
            assert {RUNNING: "running", WON: "won", DRAWN: "drawn"}[
                outcome(game, state)
            ] == twin.outcome()
            assert cards_of(game, state) == twin.all_cards() == PACK
            # Nothing hidden is in the open part: it can be told from what is seen.
            assert state.open == visible(twin)
            if twin.outcome() != "running":
                break
            assert legal_moves(game, state) == tuple(twin.actions())
            laying = [move for move in twin.actions() if move < 40]
            moves = laying if laying and number % 2 else twin.actions()
            move = chance.choice(moves)
            state = transition(game, state, move)
            twin.play(move)
        utilities = [utility(game, state, who) for who in range(player_count(game))]
        if twin.outcome() == "won":
            assert utilities == [1 if who == twin.turn else -1 for who in range(game.players)]
        else:
            assert set(utilities) == {0}


def test_a_deal_replays_from_its_seed():
    game = parse_game("skip-bo:players=3")
    assert deal(game, 5) == deal(game, 5) != deal(game, 6)


def test_the_boxed_rules_and_the_thesis():
    assert parse_game("skip-bo") == SkipBo(2, 15, False, 5000)
    assert [parse_game(f"skip-bo:players={n},stock=boxed").stock for n in range(2, 7)] == [
        30,
        30,
        30,
        20,
        20,
    ]
    for spec in SPECS:
        assert parse_game(game_spec(parse_game(spec))) == parse_game(spec)
    assert parse_game_for("skip-bo", 4).players == 4
    assert parse_game_for("skip-bo:stock=20", 3) == SkipBo(3, 20)
    assert parse_game_for("skip-bo:players=2", 3).players == 2
    assert parse_game_for("nim", 3) == parse_game("nim")


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("skip-bo:players=1", "from 2 to 6"),
        ("skip-bo:players=7", "from 2 to 6"),
        ("skip-bo:stock=many", 'a number of cards or "boxed"'),
        ("skip-bo:stock=31", "1 to 30 cards"),
        ("skip-bo:players=6,stock=25", "not enough cards"),
        ("skip-bo:stock=0", "1 to 30 cards"),
        ("skip-bo:turns=0", "at least 1|from 1"),
    ],
)
def test_wrong_options_are_refused(spec, says):
    with pytest.raises(SpecError, match=says):
        parse_game(spec)


def test_a_hand_emptied_in_mid_turn_draws_five_at_once():
    game = SkipBo()
    state = build(game, hand=[1], deck=[2, 3, 4, 5, 6, 7])
    after = transition(game, state, 4 * sb.FROM_HAND)
    assert player(game, after) == 0
    assert list(after.open[sb.HAND : sb.HAND + 5]) == [3, 4, 5, 6, 7]


def test_ending_the_turn_is_allowed_while_cards_could_be_played():
    game = SkipBo()
    state = build(game, hand=[1, 7], tops=(1, 9))
    moves = legal_moves(game, state)
    assert 0 in moves  # the stock's one
    assert {40, 41, 42, 43} <= set(moves)
    assert player(game, transition(game, state, 40)) == 1


def test_a_complete_pile_is_set_aside_and_its_wilds_are_wilds_again():
    game = SkipBo()
    state = build(game, hand=[12, 13], piles=(10, 0, 0, 0))
    state = transition(game, state, 4 * (sb.FROM_HAND + 1))  # a wild as eleven
    state = transition(game, state, 4 * sb.FROM_HAND)
    assert list(state.open[sb.PILES : sb.PILES + 4]) == [0, 0, 0, 0]
    # Nothing was left to draw, so the twelve cards have been shuffled and five of them drawn.
    drawn = [card for card in state.open[sb.HAND : sb.HAND + 5] if card]
    rest = list(state.closed[sb.DECK : sb.DECK + state.open[sb.DRAW]])
    assert sorted(drawn + rest) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13]
    assert (len(drawn), state.open[sb.ASIDE]) == (5, 0)


def test_wilds_are_discarded_only_if_the_option_says_so():
    held = {"hand": [13, 13], "piles": (3, 5, 7, 9)}
    assert all(move < 40 for move in legal_moves(SkipBo(), build(SkipBo(), **held)))
    free = SkipBo(wilds=True)
    state = build(free, **held)
    after = transition(free, state, 42)
    assert after.open[seat_base(0) + sb.DISCARDS + 2 * sb.PILE] == sb.WILD


def test_a_wild_stands_for_any_value():
    game = SkipBo()
    state = build(game, hand=[13], piles=(3, 5, 7, 11), deck=[1] * 9)
    assert {4 * sb.FROM_HAND + pile for pile in range(4)} <= set(legal_moves(game, state))
    after = transition(game, state, 4 * sb.FROM_HAND + 3)
    assert list(after.open[sb.PILES : sb.PILES + 4]) == [3, 5, 7, 0]


def test_playing_the_last_card_of_the_stock_wins_at_once():
    game = parse_game("skip-bo:stock=1")
    for seed in range(200):
        state = deal(game, seed)
        if state.open[seat_base(0) + sb.TOP] in (1, sb.WILD):
            break
    after = transition(game, state, 0)
    assert outcome(game, after) == WON
    assert legal_moves(game, after) == ()
    assert [utility(game, after, who) for who in (0, 1)] == [1, -1]
    assert describe_outcome(game, after) == "player 1 has won"


def test_nothing_to_draw_and_nobody_can_move_is_a_draw():
    game = SkipBo()
    state = build(game, tops=(9, 9))
    assert legal_moves(game, state) == (sb.PASS,)
    state = transition(game, state, sb.PASS)
    assert outcome(game, state) == RUNNING
    state = transition(game, state, sb.PASS)
    assert outcome(game, state) == DRAWN
    capped = SkipBo(turns=1)
    assert outcome(capped, transition(capped, build(capped, hand=[5]), 40)) == DRAWN


def test_drawing_takes_what_there_is():
    game = SkipBo()
    state = transition(game, build(game, hand=[5, 6], deck=[4, 3]), 40)
    assert [card for card in state.open[sb.HAND : sb.HAND + 5] if card] == [3, 4]


def test_observations_are_the_open_part_and_onlookers_see_no_hand():
    """What the open part holds is compared with the twin, move by move, above."""
    game = parse_game("skip-bo:players=3")
    state = deal(game, 1)
    assert observation(game, state) == SkipBoState(state.open, b"")
    seen = public(game, state)
    assert not any(seen.open[sb.HAND : sb.HAND + 5])
    assert seen.open[: sb.HAND] == state.open[: sb.HAND]
    assert seen.open[sb.SEATS :] == state.open[sb.SEATS :]
    assert seen.closed == b""


def test_passing_is_no_draw_as_long_as_somebody_could_lay_a_card():
    game = SkipBo()
    state = build(game, tops=(1, 9))
    for _ in range(6):
        assert legal_moves(game, state)[-1] == sb.PASS
        state = transition(game, state, sb.PASS)
        assert outcome(game, state) == RUNNING
    assert legal_moves(game, state) == (0, 1, 2, 3, sb.PASS)


@pytest.mark.parametrize("players", range(2, 7))
def test_random_games_never_lose_a_card_and_always_end(players):
    """A sample of every kind; `spielwerk reproduce skip-bo-random-games` plays a million."""
    kinds = [game for game in tables() if game.players == players]
    assert len(kinds) == 6
    for game in kinds:
        assert 0 < longest_game(game, 40, players) <= game.turns


def test_a_card_that_is_not_what_it_was_is_noticed():
    game, counts = SkipBo(), np.zeros(14, np.int64)
    state = deal(game, 3)
    table, closed = (np.frombuffer(part, np.uint8).copy() for part in state)
    assert is_whole(game, table, closed, counts)
    for part, place in ((closed, sb.DECK), (closed, sb.STOCKS), (table, sb.HAND)):
        kept = part[place]
        part[place] = kept % 12 + 1
        assert not is_whole(game, table, closed, counts)
        part[place] = kept
    assert is_whole(game, table, closed, counts)


def test_moves_are_written_as_people_read_them():
    game = SkipBo()
    state = build(game, hand=[1, 7, 7, 12, 13], discards=[[4, 1], [], [3], []], tops=(1, 9))
    for text, move in {
        "s>2": 1,
        "a>1": 4,
        "c>1": 12,
        "1>3": 4 * 5 + 2,
        "w > 4": 4 * 9 + 3,
        "7>b": 40 + 4 + 1,
        "12-d": 40 + 12 + 3,
        "1>A": 40,
    }.items():
        if text != "c>1":
            assert parse_move(game, state, text) == move
        assert say_move(game, state, move) == text.replace(" ", "").replace("-", ">").lower()
    assert say_move(game, state, sb.PASS) == "pass"
    assert (
        describe_legal(game, state)
        == "Legal moves: s>1 s>2 s>3 s>4 a>1 a>2 a>3 a>4 1>1 1>2 1>3 1>4 w>1 w>2 w>3 w>4, "
        "discard 1 7 12 on a b c d."
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("c>1", "3 does not fit on building pile 1, which needs 1"),
        ("b>1", "There is no card for b>1"),
        ("7>1", "7 does not fit"),
        ("w>a", "wilds are not discarded"),
        ("pass", "cannot pass"),
        ("5>1", 'There is no move "5>1"'),
        ("s>a", 'There is no move "s>a"'),
        ("7", "7>2 lays a seven on building pile 2"),
    ],
)
def test_wrong_moves_are_explained(text, says):
    game = SkipBo()
    state = build(game, hand=[1, 7, 7, 12, 13], discards=[[4, 1], [], [3], []], tops=(1, 9))
    with pytest.raises(IllegalMoveError, match=says):
        parse_move(game, state, text)


@pytest.mark.parametrize(
    ("move", "says"),
    [
        (4 * 7, "only the first is named"),
        (sb.DISCARD + 4 * 2, "only the first is named"),
        (4 * 8 + 1, "12 does not fit"),
    ],
)
def test_wrong_numbers_of_moves_are_explained(move, says):
    game = SkipBo()
    state = build(game, hand=[1, 7, 7, 12, 13])
    with pytest.raises(IllegalMoveError, match=says):
        check_move(game, state, move)
    with pytest.raises(IllegalMoveError, match="There is no card"):
        check_move(game, build(game, hand=[1]), sb.DISCARD + 4)


def test_the_table_is_drawn():
    game = SkipBo()
    state = build(
        game, hand=[1, 13], discards=[[4, 1], [], [13], []], tops=(1, 13), piles=(0, 5, 0, 11)
    )
    assert draw(game, state).split("\n") == [
        "building piles  1:  –   2:  5   3:  –   4: 11      to draw 0, set aside 0",
        "▸ player 1    stock  1 (2 left)    a: 4 1   b: –   c: w   d: –    hand 1 w",
        "  player 2    stock  w (2 left)    a: –   b: –   c: –   d: –      hand 0 cards",
    ]
    assert "hand 2 cards" in draw(game, public(game, state))


def test_a_match_begins_with_a_deal_not_with_a_position():
    with pytest.raises(SpielwerkError, match="begins with a deal"):
        parse_position(parse_game("skip-bo"), "123")
    with pytest.raises(IllegalMoveError, match="There is no move number 61"):
        check_move(parse_game("skip-bo"), deal(parse_game("skip-bo"), 1), 61)
