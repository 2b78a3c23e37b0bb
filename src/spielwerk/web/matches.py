"""The API of Skip-Bo matches: they are kept in the store, and each seat sees its own cards only.

Who may move shows a token (`Authorization: Bearer …`), which is given once: to who makes the match,
and to who takes a seat by an invitation. Without one, one looks on.
"""

import asyncio
import re
import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, Field, ValidationError, model_validator

from spielwerk.errors import SpecError
from spielwerk.games.skipbo import FEWEST_PLAYERS, MOST_PLAYERS, SkipBo
from spielwerk.store.matches import Seat
from spielwerk.web.failures import INPUT, Failure
from spielwerk.web.live import Listeners
from spielwerk.web.match_names import hashed, new_secret
from spielwerk.web.match_room import PAUSE, WATCHED_PAUSE, Room
from spielwerk.web.match_rooms import Rooms
from spielwerk.web.open_games import SEEDS
from spielwerk.web.players import LONGEST, game_of, player_of
from spielwerk.web.settings import Settings
from spielwerk.web.skipbo_views import View

LONGEST_NAME = 30
LONGEST_SECRET = 64
GREETING = 10.0
"""Seconds that a WebSocket has to say who it is."""
TUTORIAL_GAME, TUTORIAL_SEED, TUTORIAL_AGENT = "skip-bo:stock=3", 4629, "random"
"""The lesson is the same for everybody. In this deal a player who takes the coach's advice lays
1, 2, 3 and the stock in the first turn, and later meets a wild, an emptied hand, a full pile."""

Name = Annotated[str, Field(max_length=LONGEST_NAME)]
Secret = Annotated[str, Field(max_length=LONGEST_SECRET)]
MatchName = Annotated[str, Path(max_length=LONGEST_SECRET, description="As it was given.")]
Authorization = Annotated[
    str | None, Header(max_length=200, description="`Bearer TOKEN`, the token of a seat.")
]


class SeatWish(BaseModel):
    """Who is to sit there: a person, whose name may be empty, or a program."""

    person: Name | None = None
    agent: str | None = Field(default=None, max_length=LONGEST, examples=["skipbo-mature"])
    invited: bool = Field(default=False, description="This person is not the maker.")

    @model_validator(mode="after")
    def _one_of_them(self) -> "SeatWish":
        if (self.person is None) == (self.agent is None):
            raise ValueError("A seat is for a person or for an agent.")
        return self


class MatchWish(BaseModel):
    """A match to be made. The first person's seat is the maker's own, unless it is `invited`."""

    game: str = Field("skip-bo", max_length=LONGEST, examples=["skip-bo:stock=10"])
    seats: list[SeatWish] = Field(
        min_length=FEWEST_PLAYERS,
        max_length=MOST_PLAYERS,
        examples=[[{"person": "Anna"}, {"agent": "skipbo-mature"}]],
    )
    pause: float | None = Field(
        None, ge=0, le=5, description="Seconds before a program lays a card."
    )
    seed: int | None = Field(
        None,
        ge=0,
        lt=SEEDS,
        description="Of the deal; not honoured on public servers, nor with several people.",
    )


class Invitation(BaseModel):
    seat: int
    invitation: str


class Made(BaseModel):
    """Keep the token: nobody can tell it again."""

    match: str
    seat: int | None
    token: str | None
    invitations: list[Invitation] = []


class Coming(BaseModel):
    invitation: Secret
    name: Name = ""


class Taken(BaseModel):
    seat: int
    token: str


class MoveWish(BaseModel):
    move: str = Field(max_length=20, examples=["7>2", "s>1", "7>b"])
    after: int = Field(ge=0, lt=2**31, description="How many moves the player has seen.")


class Hint(BaseModel):
    move: str
    after: int


class Pupil(BaseModel):
    name: Name = ""


class Following(BaseModel):
    match: str
    seat: int | None


class Greeting(BaseModel):
    """The first message of a WebSocket."""

    token: Secret | None = None
    hands: bool = False


def matches(settings: Settings, rooms: Rooms, listeners: Listeners) -> APIRouter:
    """The routes under /api/matches."""
    router = APIRouter(prefix="/api/matches", tags=["Skip-Bo matches"], responses=INPUT)

    @router.post("", summary="Set a table")
    async def make(wish: MatchWish) -> Made:
        game = _game(wish)
        for seat in wish.seats:
            if seat.agent is not None:
                await asyncio.to_thread(player_of, seat.agent, game, settings)
        people = sum(seat.person is not None for seat in wish.seats)
        # Who knows the deal knows everybody's cards: it may be chosen by who plays alone.
        seed = None if settings.public or people > 1 else wish.seed
        return await _make(rooms, game, wish.seats, seed, wish.pause)

    @router.post("/tutorial", summary="A lesson: a small match against a weak program")
    async def tutorial(pupil: Pupil) -> Made:
        seats = [SeatWish(person=pupil.name), SeatWish(agent=TUTORIAL_AGENT)]
        game = game_of(TUTORIAL_GAME)
        return await _make(rooms, game, seats, TUTORIAL_SEED, pause=None)

    @router.get("/{match}", summary="The table as one seat sees it, or an onlooker")
    async def look(
        match: MatchName,
        authorization: Authorization = None,
        hands: Annotated[
            bool, Query(description="Show all hands, where only programs play for the owner.")
        ] = False,
    ) -> View:
        room = await rooms.find(match)
        seat = None if authorization is None else room.seat_of(_token(authorization))
        room.ask()
        return room.view(seat, hands)

    @router.post("/{match}/seats", summary="Take a seat by an invitation")
    async def come(match: MatchName, coming: Coming) -> Taken:
        room = await rooms.find(match)
        seat, token = await room.take_seat(coming.invitation, tidy(coming.name))
        return Taken(seat=seat, token=token)

    @router.post("/{match}/seats/{number}/program", summary="A program for somebody absent")
    async def replace_absent(
        match: MatchName,
        number: Annotated[int, Path(ge=0, lt=MOST_PLAYERS)],
        authorization: Authorization = None,
    ) -> View:
        room, seat = await _seated(rooms, match, authorization)
        await room.replace_absent(number)
        return room.view(seat)

    @router.post("/{match}/moves", summary="Make a move")
    async def move(match: MatchName, wish: MoveWish, authorization: Authorization = None) -> View:
        room, seat = await _seated(rooms, match, authorization)
        await room.move(seat, wish.move, wish.after)
        return room.view(seat)

    @router.post("/{match}/hint", summary="What a program would do in your place")
    async def hint(match: MatchName, authorization: Authorization = None) -> Hint:
        room, seat = await _seated(rooms, match, authorization)
        named, after = await room.hint(seat)
        return Hint(move=named, after=after)

    @router.post("/{match}/resign", summary="Leave; of two the other wins")
    async def resign(match: MatchName, authorization: Authorization = None) -> View:
        room, seat = await _seated(rooms, match, authorization)
        await room.leave(seat)
        return room.view(None)

    @router.post("/{match}/again", summary="Another match with the same players")
    async def again(match: MatchName, authorization: Authorization = None) -> Following:
        room, seat = await _seated(rooms, match, authorization)
        following = await rooms.again(room)
        return Following(match=following, seat=(seat - 1) % len(room.seats))

    @router.websocket("/{match}/live")
    async def live(socket: WebSocket, match: str) -> None:
        await socket.accept()
        try:
            with listeners:
                await _serve(socket, rooms, match[: LONGEST_SECRET + 1])
        except Failure as failure:
            codes = {403: 4403, 404: 4404}
            await socket.close(codes.get(failure.status, 1013), failure.code)
        except WebSocketDisconnect:
            pass

    return router


async def _make(
    rooms: Rooms, game: SkipBo, wishes: list[SeatWish], seed: int | None, pause: float | None
) -> Made:
    seats, invitations, own, token = list[Seat](), list[Invitation](), None, None
    for number, wish in enumerate(wishes):
        if wish.agent is not None:
            seats.append(Seat(spec=wish.agent))
        elif own is None and not wish.invited:
            own, token = number, new_secret()
            seats.append(Seat(tidy(wish.person), token=hashed(token)))
        else:
            invitation = new_secret()
            invitations.append(Invitation(seat=number, invitation=invitation))
            seats.append(Seat(tidy(wish.person), invitation=hashed(invitation)))
    if pause is None:
        pause = WATCHED_PAUSE if own is None else PAUSE
    match = await rooms.make(game, seats, secrets.randbits(64) if seed is None else seed, pause)
    return Made(match=match, seat=own, token=token, invitations=invitations)


async def _seated(rooms: Rooms, match: str, authorization: str | None) -> tuple[Room, int]:
    """The room, and the seat of who asks: nobody else gets further."""
    room = await rooms.find(match)
    return room, room.seat_of(_token(authorization))


def _token(authorization: str | None) -> str:
    kind, _, token = (authorization or "").partition(" ")
    if kind.lower() != "bearer" or not token:
        raise Failure(403, "not-your-seat", "Send the token of a seat: Authorization: Bearer …")
    return token.strip()


def _game(wish: MatchWish) -> SkipBo:
    """Skip-Bo for as many as there are seats."""
    spec, count = wish.game.strip(), len(wish.seats)
    if "players" not in spec:
        spec += f"{',' if ':' in spec else ':'}players={count}"
    if spec.partition(":")[0] != "skip-bo":
        raise SpecError('Matches are for Skip-Bo: "skip-bo", or e.g. "skip-bo:stock=10".')
    game = game_of(spec)
    if game.players != count:
        raise SpecError(f"The game is for {game.players} players, the table has {count} seats.")
    return game


def tidy(name: str | None) -> str:
    """A name in one line, without characters that cannot be seen."""
    return re.sub(r"\s+", " ", "".join(c if c.isprintable() else " " for c in name or "")).strip()


async def _serve(socket: WebSocket, rooms: Rooms, match: str) -> None:
    """Tell a browser of everything that happens, until one of us leaves."""
    try:
        first = await asyncio.wait_for(socket.receive_text(), GREETING)
        greeting = Greeting.model_validate_json(first)
    except (TimeoutError, ValidationError, KeyError):
        raise Failure(422, "wrong-input", "Send who you are first.") from None
    room = await rooms.find(match)
    seat = None if greeting.token is None else room.seat_of(greeting.token)
    with room.listening(seat, greeting.hands) as listener:
        sending = asyncio.create_task(_send(socket, listener.messages))
        hearing = asyncio.create_task(_hear(socket))
        try:
            await asyncio.wait([sending, hearing], return_when=asyncio.FIRST_COMPLETED)
        finally:
            sending.cancel()
            hearing.cancel()


async def _send(socket: WebSocket, messages: "asyncio.Queue[str | None]") -> None:
    while (message := await messages.get()) is not None:
        try:
            await socket.send_text(message)
        except (WebSocketDisconnect, RuntimeError):
            return
    await socket.close(1013, "too-slow")


async def _hear(socket: WebSocket) -> Any:
    """Nothing more is expected of a browser; this ends when it goes."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass
