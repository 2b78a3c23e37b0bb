"""How Skip-Bo is written: the table as text, and moves as source>target.

`s>1` lays the stock's top on building pile 1, `b>3` the top of the own discard pile b on pile 3,
`7>2` a seven and `w>2` a wild from the hand on pile 2. `7>b` ends the turn: the seven goes to
discard pile b. `pass` ends it with an empty hand.
"""

import re
from collections.abc import Sequence

from spielwerk.games.notation import (
    draw,
    explain_moves,
    list_moves,
    move_noun,
    player_names,
    read_move,
    say_move,
    why_illegal,
)
from spielwerk.games.skipbo import (
    ASIDE,
    DISCARD,
    DISCARDS,
    DRAW,
    FROM_DISCARD,
    FROM_HAND,
    FROM_STOCK,
    HAND,
    HAND_SIZE,
    HEIGHTS,
    HELD,
    PASS,
    PILE,
    PILE_COUNT,
    PILES,
    SEAT,
    SEATS,
    STOCK,
    TOP,
    TURN,
    WILD,
    SkipBo,
    SkipBoState,
    card_from,
    read_table,
)

OWN_PILES = "abcd"
_MOVE = re.compile(r"(s|[a-d]|w|1[0-2]|[1-9])\s*[>-]\s*([1-4a-d])")


def card_name(card: int) -> str:
    return "w" if card == WILD else str(card) if card else "–"


@player_names.register
def _(game: SkipBo) -> tuple[str, ...]:
    return tuple(f"player {seat}" for seat in range(1, game.players + 1))


@draw.register
def _(game: SkipBo, state: SkipBoState) -> str:
    """The own hand is seen, if the state says what it is; of the others, how many cards."""
    table = state.open
    piles = "   ".join(
        f"{pile + 1}: {card_name(table[PILES + pile]):>2}" for pile in range(PILE_COUNT)
    )
    lines = [f"building piles  {piles}      to draw {table[DRAW]}, set aside {table[ASIDE]}"]
    rows = []
    for seat, name in enumerate(player_names(game)):
        base = SEATS + seat * SEAT
        own = []
        for pile in range(PILE_COUNT):
            begin = base + DISCARDS + pile * PILE
            cards = table[begin : begin + table[base + HEIGHTS + pile]]
            own.append(f"{OWN_PILES[pile]}: {' '.join(map(card_name, cards)) or '–'}")
        held = table[base + HELD]
        hand = f"{held} card{'' if held == 1 else 's'}"
        if seat == table[TURN] and table[HAND]:
            hand = " ".join(card_name(card) for card in table[HAND : HAND + HAND_SIZE] if card)
        rows.append(
            (
                f"{'▸' if seat == table[TURN] else ' '} {name}",
                f"stock {card_name(table[base + TOP]):>2} ({table[base + STOCK]} left)",
                "   ".join(own),
                f"hand {hand}",
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        lines.append("    ".join(cells).rstrip())
    return "\n".join(lines)


@move_noun.register
def _(game: SkipBo) -> str:
    return "move"


@explain_moves.register
def _(game: SkipBo) -> str:
    return (
        "7>2 lays a seven on building pile 2, s>2 the stock, a>2 the discard pile a, w>2 a wild; "
        "7>a discards it on pile a"
    )


@say_move.register
def _(game: SkipBo, state: SkipBoState, move: int) -> str:
    if move == PASS:
        return "pass"
    if move >= DISCARD:
        card = state.open[HAND + ((move - DISCARD) >> 2)]
        return f"{card_name(card)}>{OWN_PILES[move & 3]}"
    source, pile = move >> 2, move & 3
    if source == FROM_STOCK:
        return f"s>{pile + 1}"
    if source < FROM_HAND:
        return f"{OWN_PILES[source - FROM_DISCARD]}>{pile + 1}"
    return f"{card_name(state.open[HAND + source - FROM_HAND])}>{pile + 1}"


@read_move.register
def _(game: SkipBo, state: SkipBoState, text: str) -> int | None:
    if text.strip().lower() == "pass":
        return PASS
    found = _MOVE.fullmatch(text.strip().lower())
    if not found:
        return None
    what, where = found.groups()
    discards = where in OWN_PILES
    pile = OWN_PILES.index(where) if discards else int(where) - 1
    if what == "s" or what in OWN_PILES:
        source = FROM_STOCK if what == "s" else FROM_DISCARD + OWN_PILES.index(what)
        return None if discards else 4 * source + pile
    card = WILD if what == "w" else int(what)
    hand = state.open[HAND : HAND + HAND_SIZE]
    if card not in hand:
        return None
    slot = hand.index(card)
    return DISCARD + 4 * slot + pile if discards else 4 * (FROM_HAND + slot) + pile


@list_moves.register
def _(game: SkipBo, state: SkipBoState, moves: Sequence[int]) -> str:
    """Moves that lay a card one by one; discards as the cards that may be discarded."""
    laid = [say_move(game, state, move) for move in moves if move < DISCARD]
    cards = dict.fromkeys(
        say_move(game, state, move).partition(">")[0] for move in moves if DISCARD <= move < PASS
    )
    parts = [" ".join(laid)] if laid else []
    if cards:
        parts.append(f"discard {' '.join(cards)} on a b c d")
    if PASS in moves:
        parts.append("pass")
    return ", ".join(parts)


@why_illegal.register
def _(game: SkipBo, state: SkipBoState, move: int) -> str:
    if move == PASS:
        return "You cannot pass as long as there are cards in your hand"
    said, pile = say_move(game, state, move), move & 3
    source = FROM_HAND + ((move - DISCARD) >> 2) if move >= DISCARD else move >> 2
    card = card_from(read_table(state), source)
    if card == 0:
        return f"There is no card for {said}"
    if source > FROM_HAND and card == state.open[HAND + source - FROM_HAND - 1]:
        return f"Of equal cards in the hand only the first is named, not number {move}"
    if move >= DISCARD:
        return f"{said} is not allowed: wilds are not discarded"
    needed = state.open[PILES + pile] + 1
    return f"{card_name(card)} does not fit on building pile {pile + 1}, which needs {needed}"
