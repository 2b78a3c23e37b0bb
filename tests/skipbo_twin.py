"""Skip-Bo with lists, slowly and obviously."""

from spielwerk.kernels.rng import Rng

WILD = 13


class SkipBoTwin:
    """Cards lie in lists, the top last. `deck` is the shuffled pack, the next card last."""

    def __init__(self, players, stock, wilds, turns, seed):
        self.count, self.wilds_may_go, self.cap = players, wilds, turns
        self.rng = Rng(seed)
        deck = [value for value in range(1, 13) for _ in range(12)] + [WILD] * 18
        self.draw_pile = self.shuffled(deck)
        self.stocks = [[self.draw_pile.pop() for _ in range(stock)] for _ in range(players)]
        self.hands = [[] for _ in range(players)]
        self.discards = [[[] for _ in range(4)] for _ in range(players)]
        self.building = [[] for _ in range(4)]
        self.aside = []
        self.turn = self.turns = self.passes = self.played = 0
        self.fill()

    def shuffled(self, cards):
        cards = list(cards)
        for last in range(len(cards) - 1, 0, -1):
            other = self.rng.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        return cards

    def fill(self):
        hand = self.hands[self.turn]
        while len(hand) < 5:
            if not self.draw_pile:
                if not self.aside:
                    break
                self.draw_pile, self.aside = self.shuffled(sorted(self.aside)), []
            hand.append(self.draw_pile.pop())
        hand.sort()

    def outcome(self):
        if not self.stocks[self.turn]:
            return "won"
        return "drawn" if self.passes >= self.count or self.turns >= self.cap else "running"

    def source(self, number):
        """The list and the place in it that a source of a move means."""
        if number == 0:
            return self.stocks[self.turn], -1
        if number < 5:
            return self.discards[self.turn][number - 1], -1
        return self.hands[self.turn], number - 5

    def actions(self):
        moves = []
        hand = self.hands[self.turn]
        for number in range(10):
            cards, place = self.source(number)
            if not cards or place >= len(cards) or (place > 0 and hand[place] == hand[place - 1]):
                continue
            for pile in range(4):
                if cards[place] in (WILD, len(self.building[pile]) + 1):
                    moves.append(4 * number + pile)
        for place, card in enumerate(hand):
            if (place == 0 or card != hand[place - 1]) and (card != WILD or self.wilds_may_go):
                moves += [40 + 4 * place + pile for pile in range(4)]
        return moves + ([60] if not hand else [])

    def play(self, move):
        hand = self.hands[self.turn]
        if move == 60:
            could_lay = any(other != 60 for other in self.actions())
            self.passes = 0 if self.played or could_lay else self.passes + 1
            self.next_turn()
            return
        self.passes = 0
        if move >= 40:
            self.discards[self.turn][move % 4].append(hand.pop((move - 40) // 4))
            self.next_turn()
            return
        cards, place = self.source(move // 4)
        pile = self.building[move % 4]
        pile.append(cards.pop(place))
        self.played += 1
        if len(pile) == 12:
            self.aside += pile
            pile.clear()
        if cards is hand and not hand:
            self.fill()

    def next_turn(self):
        self.turn = (self.turn + 1) % self.count
        self.turns += 1
        self.played = 0
        self.fill()

    def all_cards(self):
        piles = [self.draw_pile, self.aside, *self.stocks, *self.hands, *self.building]
        for own in self.discards:
            piles += own
        return sorted(card for pile in piles for card in pile)


class View:
    """What the player to move of a twin sees, by the words of Jahnke (2007, §3)."""

    def __init__(self, twin):
        self.hand = twin.hands[twin.turn]
        self.tops = [pile[-1] if pile else None for pile in twin.discards[twin.turn]]
        self.stock = twin.stocks[twin.turn][-1]
        self.heights = [len(pile) for pile in twin.building]
        self.opponent = twin.stocks[(twin.turn + 1) % twin.count][-1]
        self.wilds_may_go = twin.wilds_may_go

    def sources(self):
        """Discard piles, then the hand: number of the source and card, without wilds."""
        found = [(1 + pile, top) for pile, top in enumerate(self.tops)]
        found += [(5 + place, card) for place, card in enumerate(self.hand)]
        return [(number, card) for number, card in found if card not in (None, WILD)]

    def wild(self):
        found = [1 + pile for pile, top in enumerate(self.tops) if top == WILD]
        found += [5 + place for place, card in enumerate(self.hand) if card == WILD]
        return found[0] if found else None

    def fitting(self, card):
        return [pile for pile in range(4) if self.heights[pile] + 1 == card]

    def best(self):
        return min(range(4), key=lambda pile: (self.stock - 1 - self.heights[pile]) % 12)

    def after(self, pile):
        """The height of a building pile after one more card."""
        return (self.heights[pile] + 1) % 12

    def stock_wild(self):
        doubled = [pile for pile in range(4) if self.heights.count(self.heights[pile]) > 1]
        return doubled or [0, 1, 2, 3]

    def discards(self, at_random):
        """The moves that may end the turn."""
        naturals = [card for card in self.hand if card != WILD]
        if not self.hand:
            return {60}
        if at_random:
            cards = self.hand if self.wilds_may_go else naturals
            return {40 + 4 * self.hand.index(card) + p for card in cards for p in range(4)}
        for step in (0, 1):
            for card in naturals:
                for pile, top in enumerate(self.tops):
                    if top not in (None, WILD) and top == card + step:
                        return {40 + 4 * self.hand.index(card) + pile}
        chosen = max(naturals, key=lambda card: (naturals.count(card), card))
        begin = 40 + 4 * self.hand.index(chosen)
        empty = [pile for pile, top in enumerate(self.tops) if top is None]
        return {begin + empty[0]} if empty else {begin + pile for pile in range(4)}

    def follows(self, pile, stock_counts):
        needed = self.after(pile) + 1
        ready = [*self.hand, *self.tops, *([self.stock] if stock_counts else [])]
        return needed in ready or set(self.hand) == {WILD}


def basic_moves(twin, at_random=False):
    """The moves that A^B may make here."""
    view = View(twin)
    if view.stock == WILD:
        return set(view.stock_wild())
    if view.fitting(view.stock):
        return {view.fitting(view.stock)[0]}
    for number, card in view.sources():
        if view.fitting(card):
            return {4 * number + view.fitting(card)[0]}
    if view.wild() is not None and view.follows(view.best(), stock_counts=False):
        return {4 * view.wild() + view.best()}
    return view.discards(at_random)


def mature_moves(twin, newly, wilds_cover):
    """The moves that A^M may make here."""
    view = View(twin)

    def helps(card, pile):
        if view.opponent == WILD or view.after(pile) != view.opponent - 1:
            return False
        if newly and view.opponent - 1 in view.heights:
            return False
        if view.opponent in [view.stock, *view.hand, *view.tops]:
            return False
        return not wilds_cover or view.hand.count(WILD) <= (card == WILD)

    if view.stock == WILD:
        usual = view.stock_wild()
        harmless = [pile for pile in range(4) if not helps(WILD, pile)]
        if not harmless or not any(helps(WILD, pile) for pile in usual):
            return set(usual)
        # A pile that helps is drawn again among those that do not.
        others = [pile for pile in range(4) if view.heights[pile] != (view.opponent - 2) % 12]
        doubled = [p for p in others if view.heights.count(view.heights[p]) > 1]
        return {pile for pile in usual if not helps(WILD, pile)} | set(doubled or others)
    if view.fitting(view.stock):
        return {view.fitting(view.stock)[0]}
    best = view.best()
    for number, card in view.sources():
        if best in view.fitting(card) and not helps(card, best):
            return {4 * number + best}
    if view.wild() is not None and view.follows(best, True) and not helps(WILD, best):
        return {4 * view.wild() + best}
    for number, card in view.sources():
        if view.fitting(card) and not helps(card, view.fitting(card)[0]):
            return {4 * number + view.fitting(card)[0]}
    if set(view.hand) == {WILD}:
        return {4 * view.wild() + best}
    return view.discards(False)


def visible(twin):
    """The open part of the table, byte by byte, from what the player to move sees."""
    from spielwerk.games import skipbo as sb

    table = bytearray(sb.SEATS + twin.count * sb.SEAT)
    table[sb.TURN] = twin.turn
    for pile, cards in enumerate(twin.building):
        table[sb.PILES + pile] = len(cards)
        for place, card in enumerate(cards):
            if card == WILD:
                table[sb.WILDS + 2 * pile + place // 8] |= 1 << place % 8
    table[sb.DRAW], table[sb.ASIDE] = len(twin.draw_pile), len(twin.aside)
    table[sb.PASSES], table[sb.PLAYED] = twin.passes, min(twin.played, 255)
    table[sb.TURNS], table[sb.TURNS + 1] = twin.turns % 256, twin.turns // 256
    hand = twin.hands[twin.turn]
    table[sb.HAND : sb.HAND + len(hand)] = bytes(hand)
    for seat in range(twin.count):
        base = sb.SEATS + seat * sb.SEAT
        stock = twin.stocks[seat]
        table[base + sb.STOCK], table[base + sb.TOP] = len(stock), stock[-1] if stock else 0
        table[base + sb.HELD] = len(twin.hands[seat])
        for pile, cards in enumerate(twin.discards[seat]):
            table[base + sb.HEIGHTS + pile] = len(cards)
            begin = base + sb.DISCARDS + pile * sb.PILE
            table[begin : begin + len(cards)] = bytes(cards)
    return bytes(table)
