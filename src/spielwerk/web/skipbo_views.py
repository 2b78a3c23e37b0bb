"""What one browser gets to see of a match.

A view is made of three things and nothing else:

1. `public(game, state)`, what anybody at the table may see: no hand and no hidden card is in it;
2. the hand of the viewer's own seat (`hand_of`), and, if it is to move, its legal moves;
3. who sits where, and the events, which tell of drawn cards only how many they are.

`hand_of` is the only function here that looks at hidden cards. All hands are shown only where no
person plays and the server's owner watches (`open_hands`).
"""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from spielwerk.games.catalogue import game_spec
from spielwerk.games.rules import public
from spielwerk.games.skipbo import (
    ASIDE,
    DISCARDS,
    DRAW,
    HEIGHTS,
    HELD,
    PILE,
    PILE_COUNT,
    PILES,
    SEAT,
    SEATS,
    STOCK,
    TOP,
    WILDS,
    SkipBo,
    hand_of,
)
from spielwerk.store.matches import End, Seat
from spielwerk.web.skipbo_play import Event, LegalMove, Situation

FOR_WINNING, FOR_A_CARD = 25, 5
"""Points of the winner: for winning, and for every card left in the others' stocks."""


class BuildingPile(BaseModel):
    height: int = Field(description="The value on top; 0: empty, a 1 begins it.")
    wilds: list[int] = Field(description="Values in this pile that are wilds.")


class SeatView(BaseModel):
    """What everybody sees of a player."""

    name: str = Field(description="Of a person; may be empty.")
    agent: str | None = Field(description="The program that plays here; null: a person.")
    taken: bool = Field(description="False: the invitation is still open.")
    present: bool = Field(description="A browser of this person is connected.")
    left: bool = Field(description="The person has left, and the program plays on.")
    stock: int
    top: int = Field(description="The card of the stock that is seen.")
    held: int = Field(description="How many cards are in the hand.")
    discards: list[list[int]] = Field(description="The four discard piles, the top last.")
    hand: list[int] | None = Field(
        default=None,
        description="Shown only where programs play among themselves, to the server's owner.",
    )


class Result(BaseModel):
    winner: int | None
    reason: Literal["stock", "drawn", "left", "abandoned"]
    points: int = Field(description="Of the winner.")


class View(BaseModel):
    """The table as one seat sees it, or an onlooker."""

    match: str
    game: str
    stock: int = Field(description="Cards of each stock at the beginning.")
    wilds: bool = Field(description="Whether wilds may be discarded.")
    seat: int | None = Field(description="The viewer's; null: an onlooker.")
    state: Literal["waiting", "running", "over"]
    number: int = Field(description="Moves made so far.")
    turn: int | None = Field(description="Whose turn it is; null when the match is over.")
    piles: list[BuildingPile]
    draw: int
    aside: int
    seats: list[SeatView]
    hand: list[int] = Field(description="The viewer's own, ascending.")
    legal: list[LegalMove] = Field(description="What the viewer may do now.")
    events: list[Event] = Field(description="The latest; in live messages those since the last.")
    result: Result | None
    next: str | None = Field(description="The match that the same players have begun after it.")


def _cards(hand: bytes) -> list[int]:
    return [card for card in hand if card]


def view_of(
    match: str,
    game: SkipBo,
    situation: Situation,
    seats: Sequence[Seat],
    events: Sequence[Event],
    number: int,
    viewer: int | None = None,
    present: frozenset[int] = frozenset(),
    end: End | None = None,
    following: str | None = None,
    open_hands: bool = False,
) -> View:
    """The match for one viewer, who sees no hand but its own."""
    table: bytes = public(game, situation.state).open
    waiting = not all(seat.is_taken for seat in seats)
    state: Literal["waiting", "running", "over"] = "waiting" if waiting else "running"
    if end is not None:
        state = "over"
    shown = [
        _seat_view(table, number, seat, number in present) for number, seat in enumerate(seats)
    ]
    if open_hands:
        for who, one in enumerate(shown):
            one.hand = _cards(hand_of(situation.state, who))
    may_move = state == "running" and viewer is not None and viewer == situation.mover
    return View(
        match=match,
        game=game_spec(game),
        stock=game.stock,
        wilds=game.wilds,
        seat=viewer,
        state=state,
        number=number,
        turn=None if end else situation.mover,
        piles=[_building_pile(table, pile) for pile in range(PILE_COUNT)],
        draw=table[DRAW],
        aside=table[ASIDE],
        seats=shown,
        hand=[]
        if viewer is None or state == "waiting"
        else _cards(hand_of(situation.state, viewer)),
        legal=list(situation.legal) if may_move else [],
        events=list(events),
        result=None if end is None else _result(end, shown),
        next=following,
    )


def _building_pile(table: bytes, pile: int) -> BuildingPile:
    marks = int.from_bytes(table[WILDS + 2 * pile : WILDS + 2 * pile + 2], "little")
    height = table[PILES + pile]
    wilds = [value for value in range(1, height + 1) if marks >> (value - 1) & 1]
    return BuildingPile(height=height, wilds=wilds)


def _seat_view(table: bytes, number: int, seat: Seat, present: bool) -> SeatView:
    base = SEATS + number * SEAT
    discards = []
    for pile in range(PILE_COUNT):
        begin = base + DISCARDS + pile * PILE
        discards.append(list(table[begin : begin + table[base + HEIGHTS + pile]]))
    return SeatView(
        name=seat.name,
        agent=seat.spec,
        taken=seat.is_taken,
        present=present,
        left=seat.left is not None,
        stock=table[base + STOCK],
        top=table[base + TOP],
        held=table[base + HELD],
        discards=discards,
    )


def _result(end: End, seats: Sequence[SeatView]) -> Result:
    points = 0
    if end.winner is not None:
        others = sum(seat.stock for who, seat in enumerate(seats) if who != end.winner)
        points = FOR_WINNING + FOR_A_CARD * others
    return Result(winner=end.winner, reason=end.reason, points=points)  # type: ignore[arg-type]
