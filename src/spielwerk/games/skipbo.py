"""Skip-Bo: lay cards on shared piles, 1 to 12; who first empties its stock wins (Jahnke 2007, §2).

162 cards: twelve each of 1 … 12 and 18 wilds (here 13), 2 to 6 players. The table lies in two rows
of bytes. `open` is what the player to move may know: its hand, all tops, the discard piles, how
many cards lie where. `closed` is the rest: the order of the draw pile, what lies below the tops of
the stocks, the other hands, and the seed of the next shuffle. An agent is given `open` alone.

Moves 0 … 39 lay a card on a building pile: 4 · source + pile, where source 0 is the stock, 1 … 4
are the own discard piles, 5 … 9 the cards of the hand, which is kept in ascending order. Moves
40 … 59 end the turn: 40 + 4 · card + discard pile. Move 60 ends the turn without a card, if the
hand is empty and there is nothing left to draw. Of equal cards in the hand only the first is named.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.errors import SpecError
from spielwerk.games.rules import DRAWN, RUNNING, WON, rule
from spielwerk.kernels.bits import ONE, U64, ZERO, signed
from spielwerk.kernels.jit import kernel
from spielwerk.kernels.rng import below, next_random

TOP_VALUE, WILD = 12, 13
CARDS = 162
HAND_SIZE, PILE_COUNT = 5, 4
FEWEST_PLAYERS, MOST_PLAYERS = 2, 6
THESIS_STOCK, MOST_STOCK = 15, 30
MOST_TURNS = 60_000

# Places in `open`.
TURN = 0  # who is to move
PILES = 1  # four: the highest card of each building pile, 0 if it is empty
WILDS = 5  # four times two: which cards of a building pile are wilds, a bit for each value
DRAW, ASIDE = 13, 14  # how many cards are left to draw, and are set aside
PASSES = 15  # turns in a row in which nobody could lay or discard a card
PLAYED = 16  # cards laid on building piles in this turn, 255 at most
TURNS = 17  # two: how many turns have been finished
HAND = 19  # five: the hand of the player to move, ascending, 0 for no card
SEATS = 24
# Places in the part of a seat.
STOCK, TOP = 0, 1  # how many cards the stock has; the one that is seen
HELD = 2  # how many cards are in the hand
HEIGHTS = 3  # four: how many cards a discard pile has
DISCARDS = 7  # four times PILE: the discard piles from the bottom
PILE = CARDS
SEAT = DISCARDS + PILE_COUNT * PILE

# Places in `closed`.
SEED = 0  # eight
RETURNING = 7  # and a value: how many cards of it are set aside
DECK = 21  # the draw pile, the next card last
STOCKS = DECK + CARDS  # thirty for each player, the one that is seen last
HANDS = STOCKS + MOST_PLAYERS * MOST_STOCK  # five for each player
CLOSED = HANDS + MOST_PLAYERS * HAND_SIZE

FROM_STOCK, FROM_DISCARD, FROM_HAND = 0, 1, 5
DISCARD, PASS = 40, 60


class SkipBo(NamedTuple):
    players: int = 2
    stock: int = THESIS_STOCK  # cards in each stock at the beginning
    wilds: bool = False  # whether wilds may be discarded
    turns: int = 5000  # after so many the game is drawn


class SkipBoState(NamedTuple):
    open: bytes
    closed: bytes  # empty in an observation


def skipbo(
    players: int = 2, stock: int = THESIS_STOCK, wilds: bool = False, turns: int = 5000
) -> SkipBo:
    """The game for so many players."""
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise SpecError(f"Skip-Bo is for {FEWEST_PLAYERS} to {MOST_PLAYERS} players.")
    if not 1 <= stock <= MOST_STOCK:
        raise SpecError(f"stock must be 1 to {MOST_STOCK} cards, not {stock}.")
    if players * (stock + HAND_SIZE) > CARDS:
        raise SpecError(f"There are not enough cards for {players} stocks of {stock}.")
    if not 1 <= turns <= MOST_TURNS:
        raise SpecError(f"turns must be 1 to {MOST_TURNS}, not {turns}.")
    return SkipBo(players, stock, wilds, turns)


def boxed_stock(players: int) -> int:
    """How large the stocks are by the rules in the box."""
    return 30 if players <= 4 else 20


def open_size(game: SkipBo) -> int:
    return SEATS + game.players * SEAT


# The rules, in place.


@kernel
def deal_cards(game: SkipBo, table: np.ndarray, closed: np.ndarray, seed: np.uint64) -> None:
    """A new game: shuffle, deal the stocks, and let player 0 draw."""
    table[:] = 0
    closed[:] = 0
    place = DECK
    for value in range(1, TOP_VALUE + 2):
        for _ in range(12 if value <= TOP_VALUE else 18):
            closed[place] = value
            place += 1
    seed = shuffle(closed, DECK, CARDS, seed)
    left = CARDS
    for seat in range(game.players):
        for card in range(game.stock):
            left -= 1
            closed[STOCKS + seat * MOST_STOCK + card] = closed[DECK + left]
            closed[DECK + left] = 0
        base = SEATS + seat * SEAT
        table[base + STOCK] = game.stock
        table[base + TOP] = closed[STOCKS + seat * MOST_STOCK + game.stock - 1]
    table[DRAW] = left
    keep_seed(closed, seed)
    fill_hand(table, closed)


@kernel
def shuffle(cards: np.ndarray, begin: int, size: int, seed: np.uint64) -> np.uint64:
    """Fisher and Yates. Returns the next seed."""
    for last in range(size - 1, 0, -1):
        bits, seed = next_random(seed)
        other = signed(below(bits, U64(last + 1)))
        cards[begin + last], cards[begin + other] = cards[begin + other], cards[begin + last]
    return seed


@kernel
def keep_seed(closed: np.ndarray, seed: np.uint64) -> None:
    for byte in range(8):
        closed[SEED + byte] = (seed >> U64(8 * byte)) & U64(255)


@kernel
def kept_seed(closed: np.ndarray) -> np.uint64:
    seed = ZERO
    for byte in range(8):
        seed |= U64(closed[SEED + byte]) << U64(8 * byte)
    return seed


@kernel
def draw_card(table: np.ndarray, closed: np.ndarray) -> int:
    """The next card of the draw pile, 0 if there is none even among those set aside."""
    if table[DRAW] == 0:
        if table[ASIDE] == 0:
            return 0
        place = DECK
        for value in range(1, WILD + 1):
            for _ in range(closed[RETURNING + value]):
                closed[place] = value
                place += 1
            closed[RETURNING + value] = 0
        table[DRAW] = table[ASIDE]
        table[ASIDE] = 0
        keep_seed(closed, shuffle(closed, DECK, int(table[DRAW]), kept_seed(closed)))
    table[DRAW] -= 1
    place = DECK + int(table[DRAW])
    card = int(closed[place])
    closed[place] = 0
    return card


@kernel
def fill_hand(table: np.ndarray, closed: np.ndarray) -> None:
    """Draw up to five cards, as far as there are any."""
    held = SEATS + int(table[TURN]) * SEAT + HELD
    while table[held] < HAND_SIZE:
        card = draw_card(table, closed)
        if card == 0:
            return
        place = HAND + int(table[held])
        while place > HAND and table[place - 1] > card:
            table[place] = table[place - 1]
            place -= 1
        table[place] = card
        table[held] += 1


@kernel
def card_from(table: np.ndarray, source: int) -> int:
    """The card that a source would give, 0 if there is none."""
    base = SEATS + int(table[TURN]) * SEAT
    if source == FROM_STOCK:
        return int(table[base + TOP])
    if source >= FROM_HAND:
        return int(table[HAND + source - FROM_HAND])
    return discard_top(table, int(table[TURN]), source - FROM_DISCARD)


@kernel
def discard_top(table: np.ndarray, seat: int, pile: int) -> int:
    """The card on top of a discard pile, 0 if it is empty."""
    base = SEATS + seat * SEAT
    height = int(table[base + HEIGHTS + pile])
    return int(table[base + DISCARDS + pile * PILE + height - 1]) if height > 0 else 0


@kernel
def fits(table: np.ndarray, card: int, pile: int) -> bool:
    """Whether a card may be laid on a building pile."""
    return card == WILD or (card > 0 and card == int(table[PILES + pile]) + 1)


@kernel
def legal_set(game: SkipBo, table: np.ndarray) -> np.uint64:
    """The legal moves of a running game, never none: a wild can always be laid."""
    moves = ZERO
    for source in range(FROM_HAND + HAND_SIZE):
        card = card_from(table, source)
        if card == 0 or (source > FROM_HAND and card == int(table[HAND + source - FROM_HAND - 1])):
            continue
        for pile in range(PILE_COUNT):
            if fits(table, card, pile):
                moves |= ONE << U64(4 * source + pile)
        if source >= FROM_HAND and (card != WILD or game.wilds):
            moves |= U64(15) << U64(DISCARD + 4 * (source - FROM_HAND))
    if table[HAND] == 0:
        moves |= ONE << U64(PASS)
    return moves


@kernel
def make_move(game: SkipBo, table: np.ndarray, closed: np.ndarray, move: int) -> None:
    """A legal move, and what follows by itself: drawing, clearing a pile, the next one's turn."""
    seat = int(table[TURN])
    base = SEATS + seat * SEAT
    if move == PASS:
        stuck = table[PLAYED] == 0 and legal_set(game, table) == ONE << U64(PASS)
        table[PASSES] = table[PASSES] + 1 if stuck else 0
        end_turn(game, table, closed)
        return
    table[PASSES] = 0
    if move >= DISCARD:
        pile = (move - DISCARD) & 3
        card = take_from_hand(table, (move - DISCARD) >> 2)
        height = int(table[base + HEIGHTS + pile])
        table[base + DISCARDS + pile * PILE + height] = card
        table[base + HEIGHTS + pile] += 1
        end_turn(game, table, closed)
        return
    source, pile = move >> 2, move & 3
    if source == FROM_STOCK:
        card = int(table[base + TOP])
        table[base + STOCK] -= 1
        left = int(table[base + STOCK])
        closed[STOCKS + seat * MOST_STOCK + left] = 0
        table[base + TOP] = closed[STOCKS + seat * MOST_STOCK + left - 1] if left > 0 else 0
    elif source < FROM_HAND:
        own = source - FROM_DISCARD
        table[base + HEIGHTS + own] -= 1
        place = base + DISCARDS + own * PILE + int(table[base + HEIGHTS + own])
        card = int(table[place])
        table[place] = 0
    else:
        card = take_from_hand(table, source - FROM_HAND)
    lay_card(table, closed, card, pile)
    if table[PLAYED] < 255:
        table[PLAYED] += 1
    if source >= FROM_HAND and table[base + HELD] == 0:
        fill_hand(table, closed)


@kernel
def take_from_hand(table: np.ndarray, slot: int) -> int:
    card = int(table[HAND + slot])
    for place in range(HAND + slot, HAND + HAND_SIZE - 1):
        table[place] = table[place + 1]
    table[HAND + HAND_SIZE - 1] = 0
    table[SEATS + int(table[TURN]) * SEAT + HELD] -= 1
    return card


@kernel
def lay_card(table: np.ndarray, closed: np.ndarray, card: int, pile: int) -> None:
    """On a building pile. One that is complete is set aside, and its wilds are wilds again."""
    table[PILES + pile] += 1
    value, marks = int(table[PILES + pile]), WILDS + 2 * pile
    if card == WILD:
        table[marks + (value - 1) // 8] |= 1 << ((value - 1) % 8)
    if value < TOP_VALUE:
        return
    for other in range(TOP_VALUE):
        wild = (int(table[marks + other // 8]) >> (other % 8)) & 1
        closed[RETURNING + (WILD if wild else other + 1)] += 1
    table[ASIDE] += TOP_VALUE
    table[PILES + pile] = table[marks] = table[marks + 1] = 0


@kernel
def end_turn(game: SkipBo, table: np.ndarray, closed: np.ndarray) -> None:
    """The hand is put away, and the next player picks up its own."""
    seat = int(table[TURN])
    following = seat + 1 if seat + 1 < game.players else 0
    for card in range(HAND_SIZE):
        closed[HANDS + seat * HAND_SIZE + card] = table[HAND + card]
        table[HAND + card] = closed[HANDS + following * HAND_SIZE + card]
        closed[HANDS + following * HAND_SIZE + card] = 0
    table[TURN] = following
    table[PLAYED] = 0
    turns = turns_of(table) + 1
    table[TURNS], table[TURNS + 1] = turns & 255, turns >> 8
    fill_hand(table, closed)


@kernel
def turns_of(table: np.ndarray) -> int:
    return int(table[TURNS]) + 256 * int(table[TURNS + 1])


@kernel
def result_of(game: SkipBo, table: np.ndarray) -> int:
    """RUNNING, WON by the player whose turn it is, or DRAWN."""
    if table[SEATS + int(table[TURN]) * SEAT + STOCK] == 0:
        return WON
    if table[PASSES] >= game.players or turns_of(table) >= game.turns:
        return DRAWN
    return RUNNING


# The rules as functions of states.


def read_table(state: SkipBoState) -> np.ndarray:
    """The open part for kernels; it cannot be written to."""
    return np.frombuffer(state.open, np.uint8)


@rule(SkipBo)
def deal(game: SkipBo, seed: int) -> SkipBoState:
    table, closed = np.zeros(open_size(game), np.uint8), np.zeros(CLOSED, np.uint8)
    deal_cards(game, table, closed, np.uint64(seed))
    return SkipBoState(table.tobytes(), closed.tobytes())


@rule(SkipBo)
def initial(game: SkipBo) -> SkipBoState:
    return deal(game, 0)


@rule(SkipBo)
def action_count(game: SkipBo) -> int:
    return PASS + 1


@rule(SkipBo)
def player_count(game: SkipBo) -> int:
    return game.players


@rule(SkipBo)
def player(game: SkipBo, state: SkipBoState) -> int:
    return state.open[TURN]


@rule(SkipBo)
def actions(game: SkipBo, state: SkipBoState) -> np.uint64:
    return np.uint64(legal_set(game, read_table(state)))


@rule(SkipBo)
def transition(game: SkipBo, state: SkipBoState, move: int) -> SkipBoState:
    table = read_table(state).copy()
    closed = np.frombuffer(state.closed, np.uint8).copy()
    make_move(game, table, closed, int(move))
    return SkipBoState(table.tobytes(), closed.tobytes())


@rule(SkipBo)
def outcome(game: SkipBo, state: SkipBoState) -> int:
    return result_of(game, read_table(state))


@rule(SkipBo)
def utility(game: SkipBo, state: SkipBoState, who: int) -> float:
    if outcome(game, state) != WON:
        return 0.0
    return 1.0 if state.open[TURN] == who else -1.0


@rule(SkipBo)
def observation(game: SkipBo, state: SkipBoState) -> SkipBoState:
    return SkipBoState(state.open, b"")


@rule(SkipBo)
def public(game: SkipBo, state: SkipBoState) -> SkipBoState:
    seen = bytearray(state.open)
    seen[HAND : HAND + HAND_SIZE] = bytes(HAND_SIZE)
    return SkipBoState(bytes(seen), b"")


def hand_of(state: SkipBoState, seat: int) -> bytes:
    """The hand of one player, ascending, 0 for no card. While others move it lies in the closed
    part: only for that player's own eyes."""
    if state.open[TURN] == seat:
        return state.open[HAND : HAND + HAND_SIZE]
    return state.closed[HANDS + seat * HAND_SIZE :][:HAND_SIZE]
