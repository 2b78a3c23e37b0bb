"""Skip-Bo move by move: what may be done, and what has happened, in words for places and cards.

Places are written as in moves: `stock`, `hand`, the own discard piles `a` … `d`, the building
piles `1` … `4`; `none` for a turn that is passed. Cards are 1 … 12, 13 is a wild, 0 is none.
"""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from spielwerk.games.notation import say_move
from spielwerk.games.rules import DRAWN, RUNNING, deal, legal_moves, outcome, player, transition
from spielwerk.games.skipbo import (
    ASIDE,
    DISCARD,
    FROM_HAND,
    FROM_STOCK,
    HELD,
    PASS,
    PILES,
    SEAT,
    SEATS,
    TOP_VALUE,
    SkipBo,
    SkipBoState,
    card_from,
    read_table,
)
from spielwerk.games.skipbo_notation import OWN_PILES
from spielwerk.kernels.rng import derive_seed
from spielwerk.store.matches import End

Source = Literal["stock", "hand", "a", "b", "c", "d", "none"]
Target = Literal["1", "2", "3", "4", "a", "b", "c", "d", "none"]
BUILDING_PILES = "1234"


class LegalMove(BaseModel):
    """Something that the viewer may do. Of equal cards in the hand it is the same which is laid."""

    move: str = Field(description="As it is sent, e.g. 7>2.")
    source: Source
    card: int
    target: Target


class Event(BaseModel):
    """A move as everybody at the table sees it: of cards that are drawn, only how many."""

    number: int = Field(description="Of the move, from 1.")
    seat: int
    source: Source
    card: int
    target: Target
    value: int = Field(description="What the card counts on a building pile; else 0.")
    completed: bool = Field(description="The building pile has reached 12 and is set aside.")
    drawn: int = Field(description="Cards that the same player draws: the hand was empty.")
    turn: int | None = Field(description="Whose turn begins by it, if the turn has ended.")
    turn_drawn: int = Field(description="Cards that this player draws.")
    shuffled: bool = Field(description="What was set aside has become the draw pile.")


@dataclass(frozen=True)
class Situation:
    """A state together with what the rules say of it. It knows all cards: see `skipbo_views`."""

    state: SkipBoState
    mover: int
    end: End | None
    legal: tuple[LegalMove, ...]
    """Of the mover. They tell of its hand: nobody else may see them."""


def begin(game: SkipBo, seed: int) -> Situation:
    """The deal of a match, the same as `play_match` makes of this seed."""
    return _situation(game, deal(game, derive_seed(seed, game.players)))


def play(game: SkipBo, situation: Situation, move: int) -> Situation:
    """After a legal move."""
    return _situation(game, transition(game, situation.state, move))


def _situation(game: SkipBo, state: SkipBoState) -> Situation:
    mover, result = int(player(game, state)), outcome(game, state)
    end = None
    if result != RUNNING:
        end = End("drawn") if result == DRAWN else End("stock", mover)
    legal = tuple(_described(game, state, int(move)) for move in legal_moves(game, state))
    return Situation(state, mover, end, legal)


def _described(game: SkipBo, state: SkipBoState, move: int) -> LegalMove:
    source, card, target = _parts(state, move)
    return LegalMove(move=say_move(game, state, move), source=source, card=card, target=target)


def _parts(state: SkipBoState, move: int) -> tuple[Source, int, Target]:
    """From where, which card, to where."""
    if move == PASS:
        return "none", 0, "none"
    discards = move >= DISCARD
    number = FROM_HAND + ((move - DISCARD) >> 2) if discards else move >> 2
    source: Source = "hand"
    if number == FROM_STOCK:
        source = "stock"
    elif number < FROM_HAND:
        source = OWN_PILES[number - 1]  # type: ignore[assignment]
    target: Target = (OWN_PILES if discards else BUILDING_PILES)[move & 3]  # type: ignore[assignment]
    return source, int(card_from(read_table(state), number)), target


def event_of(before: Situation, move: int, after: Situation, number: int) -> Event:
    """What everybody sees of a move."""
    then, now, mover = before.state.open, after.state.open, before.mover
    source, card, target = _parts(before.state, move)
    lays = target in BUILDING_PILES
    value = then[PILES + int(target) - 1] + 1 if lays else 0
    # Cards come to the hand of whoever is to move now: the same player's, or the next one's.
    held = SEATS + after.mover * SEAT + HELD
    drawn = now[held] - then[held] + (lays and source == "hand")
    completed = value == TOP_VALUE
    return Event(
        number=number,
        seat=mover,
        source=source,
        card=card,
        target=target,
        value=value,
        completed=completed,
        drawn=drawn if lays else 0,
        turn=None if lays else after.mover,
        turn_drawn=0 if lays else drawn,
        shuffled=now[ASIDE] < then[ASIDE] + (TOP_VALUE if completed else 0),
    )
