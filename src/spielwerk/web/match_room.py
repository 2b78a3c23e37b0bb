"""A match that is being played: its table, its programs and its listeners.

Whatever happens is stored before it is told to anybody, so a room can be lost at any moment: the
next one who asks for the match gets it from the store as it was, and its programs think again.
"""

import asyncio
import hmac
import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from spielwerk.agents.agent import Choice, for_match
from spielwerk.errors import SpielwerkError
from spielwerk.games.notation import check_move, parse_move, say_move
from spielwerk.games.rules import observation
from spielwerk.games.skipbo import SkipBo, SkipBoState
from spielwerk.kernels.rng import Rng, derive_seed, seat_seed
from spielwerk.store.matches import ABANDONED, ConflictError, End, KeptMatch, Matches, Seat
from spielwerk.web.failures import Failure, GoneError
from spielwerk.web.match_names import hashed, name_of_next, new_secret
from spielwerk.web.players import game_of, player_of
from spielwerk.web.settings import Settings
from spielwerk.web.skipbo_play import Event, Situation, begin, event_of, play
from spielwerk.web.skipbo_views import View, view_of
from spielwerk.web.thinking import Thinkers

STAND_IN = "skipbo-basic"
"""Plays on for a person who has left, and moves for a program that cannot."""
ADVISER = "skipbo-mature"
"""Gives the hints."""
PAUSE, WATCHED_PAUSE, PUBLIC_PAUSE = 0.6, 0.15, 0.1
"""Seconds before a program lays a card: with people; among programs; the least for strangers."""
LATEST = 50
"""Events that somebody who comes is told of."""
BACKLOG = 2000
"""Messages that may wait for a slow browser before it is let go."""
ABSENCE = 60.0
"""Seconds after which the others may let a program play for somebody who is not there."""
INTEREST = 20.0
"""Seconds that programs among themselves go on after somebody has asked for their match."""
UNUSED = 60.0
"""Seconds that a room is kept at least after it was asked for."""
log = logging.getLogger(__name__)


@dataclass(eq=False)
class Listener:
    """A browser that is told what happens, as one seat sees it."""

    seat: int | None
    open_hands: bool
    messages: "asyncio.Queue[str | None]" = field(default_factory=lambda: asyncio.Queue(BACKLOG))
    """JSON of views; None: it was too slow, and has to come again."""


class Room:
    """One match. All changes are made under `lock`, one after the other."""

    def __init__(
        self, match: str, kept: KeptMatch, settings: Settings, thinkers: Thinkers, matches: Matches
    ) -> None:
        """Reads no more than it is given: `restore` plays the moves of the store."""
        self.match, self.kept = match, kept
        self.settings, self.thinkers, self.matches = settings, thinkers, matches
        self.game: SkipBo = game_of(kept.game)
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.following: str | None = None
        self._seen: dict[int, float] = {}
        self._made = self.used = time.monotonic()
        self._asked = 0.0
        self._task: asyncio.Task[None] | None = None
        self.situation: Situation
        self.events: list[Event]

    def restore(self) -> "Room":
        """Play the stored moves; slow, for a thread."""
        situation, events = begin(self.game, self.kept.seed), list[Event]()
        for number, move in enumerate(self.kept.moves, start=1):
            after = play(self.game, situation, move)
            events.append(event_of(situation, move, after, number))
            situation = after
        self.situation, self.events = situation, events
        following = name_of_next(self.match)
        self.following = following if self.matches.exists(hashed(following)) else None
        return self

    # Who is here.

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.kept.seats

    @property
    def end(self) -> End | None:
        return self.kept.end

    @property
    def number(self) -> int:
        return len(self.events)

    @property
    def begun(self) -> bool:
        return all(seat.is_taken for seat in self.seats)

    @property
    def people(self) -> list[int]:
        """Seats that a person plays."""
        return [number for number, seat in enumerate(self.seats) if seat.spec is None]

    @property
    def programs_only(self) -> bool:
        """No person has ever had a seat here."""
        return all(seat.spec is not None and seat.left is None for seat in self.seats)

    @property
    def present(self) -> frozenset[int]:
        return frozenset(one.seat for one in self.listeners if one.seat is not None)

    @property
    def is_idle(self) -> bool:
        """Nothing would be lost if the room were forgotten."""
        busy = self._task is not None and not self._task.done()
        unused = time.monotonic() - self.used > UNUSED
        return unused and not self.listeners and not busy

    def seat_of(self, token: str) -> int:
        """The seat that this token belongs to. All seats are compared, in constant time."""
        wanted, found = hashed(token), None
        for number, seat in enumerate(self.seats):
            same = hmac.compare_digest(wanted, seat.token or "")
            if same and seat.spec is None:
                found = number
        if found is None:
            raise Failure(403, "not-your-seat", "This token has no seat in this match.")
        self._seen[found] = time.monotonic()
        return found

    def view(
        self, seat: int | None, open_hands: bool = False, events: Sequence[Event] | None = None
    ) -> View:
        """The match for a seat, or for an onlooker."""
        return view_of(
            self.match,
            self.game,
            self.situation,
            self.seats,
            self.events[-LATEST:] if events is None else events,
            self.number,
            viewer=seat,
            present=self.present,
            end=self.end,
            following=self.following,
            open_hands=open_hands and self.may_open_hands,
        )

    @property
    def may_open_hands(self) -> bool:
        return self.programs_only and not self.settings.public

    def ask(self) -> None:
        """Somebody looks: programs among themselves go on for a while."""
        self._asked = time.monotonic()
        self.wake()

    @contextmanager
    def listening(self, seat: int | None, open_hands: bool) -> Iterator[Listener]:
        """A browser is connected as long as this lasts; the others see whether its person is."""
        listener = Listener(seat, open_hands)
        before = self.present
        self.listeners.add(listener)
        listener.messages.put_nowait(self._told(listener, None))
        if self.present != before:
            self.tell(besides=listener)
        self.wake()
        try:
            yield listener
        finally:
            before = self.present
            self.listeners.discard(listener)
            if seat is not None:
                self._seen[seat] = time.monotonic()
            if self.present != before:
                self.tell()

    def tell(self, *events: Event, besides: Listener | None = None) -> None:
        """Send everybody what they see now."""
        told: dict[tuple[int | None, bool], str] = {}
        for listener in list(self.listeners):
            if listener is besides:
                continue
            kind = (listener.seat, listener.open_hands)
            if kind not in told:
                told[kind] = self._told(listener, events)
            if listener.messages.qsize() >= BACKLOG - 1:
                self.listeners.discard(listener)
                listener.messages.put_nowait(None)
            else:
                listener.messages.put_nowait(told[kind])

    def _told(self, listener: Listener, events: Sequence[Event] | None) -> str:
        return self.view(listener.seat, listener.open_hands, events).model_dump_json()

    # What people do.

    async def move(self, seat: int, text: str, after: int) -> None:
        """A person's move, if it is legal, and the table is still the one that was seen."""
        async with self.lock:
            self._check_running()
            if after != self.number:
                raise Failure(
                    409, "stale", f"The table has changed: {self.number} moves have been made."
                )
            self._check_turn(seat)
            await self._advance(parse_move(self.game, self.situation.state, text[:20]))
        self.wake()

    async def hint(self, seat: int) -> tuple[str, int]:
        """What the adviser would do, and after how many moves; it sees what the player sees."""
        self._check_running()
        self._check_turn(seat)
        state, number = self.situation.state, self.number
        move = await self._choose(ADVISER, state, seat, number)
        return say_move(self.game, state, move), number

    async def take_seat(self, invitation: str, name: str) -> tuple[int, str]:
        """Somebody comes: the seat and its token."""
        wanted, seat = hashed(invitation), None
        for number, one in enumerate(self.seats):
            if hmac.compare_digest(wanted, one.invitation or ""):
                seat = number
        if seat is None:
            raise Failure(403, "no-invitation", "There is no such invitation to this match.")
        token = new_secret()
        async with self.lock:
            if self.end is not None:
                raise Failure(409, "over", "The match is over.")
            if self.seats[seat].is_taken:
                raise Failure(409, "seat-taken", "Somebody has used this invitation already.")
            name = name or self.seats[seat].name
            async with _told_of_conflicts(self, "seat-taken"):
                await asyncio.to_thread(
                    self.matches.take_seat, self.kept.id, seat, hashed(token), name
                )
            self._change_seat(seat, replace(self.seats[seat], token=hashed(token), name=name))
        self._seen[seat] = time.monotonic()
        self.tell()
        self.wake()
        return seat, token

    async def leave(self, seat: int) -> None:
        """A person gives up.

        Of two the other wins. Where more play a program takes the seat over, as long as another
        person is left; without one the match is over, and nobody has won.
        """
        async with self.lock:
            if self.end is not None:
                return
            others = [who for who in self.people if who != seat and self.seats[who].token]
            if len(self.seats) == 2 and self.begun:
                await self._finish(End("left", 1 - seat))
            elif others and len(self.seats) > 2:
                await self._hand_over(seat)
            else:
                await self._finish(End(ABANDONED))
        self.tell()
        self.wake()

    async def replace_absent(self, seat: int) -> None:
        """Let a program play for somebody who has not come, or is not there any more."""
        async with self.lock:
            if self.end is not None:
                raise Failure(409, "over", "The match is over.")
            if seat >= len(self.seats) or self.seats[seat].spec is not None:
                raise Failure(409, "not-a-person", "There is no person in this seat.")
            seen = time.monotonic() - self._seen.get(seat, self._made)
            if self.seats[seat].token and (seat in self.present or seen < ABSENCE):
                raise Failure(
                    403, "still-there", f"Only who has been away for {ABSENCE:g} seconds."
                )
            await self._hand_over(seat)
        self.tell()
        self.wake()

    def _check_running(self) -> None:
        if self.end is not None:
            raise Failure(409, "over", "The match is over.")
        if not self.begun:
            raise Failure(409, "waiting", "Somebody has not come yet.")

    def _check_turn(self, seat: int) -> None:
        if self.situation.mover != seat:
            raise Failure(403, "not-your-turn", "It is somebody else's turn.")

    async def _hand_over(self, seat: int) -> None:
        async with _told_of_conflicts(self, "stale"):
            await asyncio.to_thread(self.matches.hand_over, self.kept.id, seat, STAND_IN)
        self._change_seat(seat, replace(self.seats[seat], spec=STAND_IN, left="now"))

    async def _finish(self, end: End) -> None:
        async with _told_of_conflicts(self, "over"):
            await asyncio.to_thread(self.matches.finish, self.kept.id, end)
        self.kept = replace(self.kept, end=end)

    def _change_seat(self, number: int, seat: Seat) -> None:
        seats = list(self.seats)
        seats[number] = seat
        self.kept = replace(self.kept, seats=tuple(seats))

    # Moves.

    async def _advance(self, move: int) -> None:
        """Play a move: store it, then tell it. The caller holds the lock."""
        before, number = self.situation, self.number + 1

        def make() -> tuple[Situation, Event]:
            check_move(self.game, before.state, move)
            after = play(self.game, before, move)
            self.matches.record(self.kept.id, number, before.mover, move, after.end)
            return after, event_of(before, move, after, number)

        async with _told_of_conflicts(self, "stale"):
            after, event = await asyncio.to_thread(make)
        self.situation = after
        self.events.append(event)
        if after.end is not None:
            self.kept = replace(self.kept, end=after.end)
        self.tell(event)

    async def reload(self) -> None:
        """Somebody else has written to the store: take what it holds."""
        kept = await asyncio.to_thread(self.matches.find, self.kept.id)
        if kept is not None:
            self.kept = kept
            await asyncio.to_thread(self.restore)
            self.tell()

    def wake(self) -> None:
        """Let the programs play, if it is their turn."""
        if self._program_to_move() and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._play_on())

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _program_to_move(self) -> bool:
        if self.end is not None or not self.begun:
            return False
        if self.programs_only and not self.listeners:
            return time.monotonic() - self._asked < INTEREST
        return self.seats[self.situation.mover].spec is not None

    async def _play_on(self) -> None:
        """The programs' moves, until it is a person's turn."""
        while self._program_to_move():
            try:
                await asyncio.sleep(self._pause())
                await self._program_moves()
            except Failure as failure:
                log.info("%s in a match; it is tried again.", failure.message)
                await asyncio.sleep(1.0)
            except GoneError:
                return
            except Exception:
                log.exception("A program's move could not be made or stored; it is tried again.")
                await asyncio.sleep(5.0)

    def _pause(self) -> float:
        least = PUBLIC_PAUSE if self.settings.public else 0.0
        return max(self.kept.pause, least)

    async def _program_moves(self) -> None:
        """One move. Whoever leaves while a program thinks need not wait for it."""
        state, seat, number = self.situation.state, self.situation.mover, self.number
        spec = self.seats[seat].spec
        if spec is None or not self._program_to_move():
            return
        move = await self._choose(spec, state, seat, number)
        async with self.lock:
            if self.number == number and self._program_to_move():
                await self._advance(move)

    async def _choose(self, spec: str, state: SkipBoState, seat: int, number: int) -> int:
        """A program's move. It is given what its player sees, and its chances say nothing of the
        deal. For one that fails, the stand-in moves: a match must not hang."""
        seen = observation(self.game, state)
        seed = derive_seed(seat_seed(self.kept.seed, seat, hidden=True), number)

        def choose(spec: str) -> int:
            agent = for_match(player_of(spec, self.game, self.settings))
            decision = agent.choose(self.game, seen, Rng(seed))
            if not isinstance(decision, Choice):
                raise SpielwerkError(f"{spec} does not move.")
            check_move(self.game, state, decision.move)
            return int(decision.move)

        try:
            return await self.thinkers.think(lambda: choose(spec))
        except Failure as failure:
            if failure.code != "thought-too-long":
                raise
        except SpielwerkError as error:
            log.warning("%s", error)
        return await self.thinkers.think(lambda: choose(STAND_IN))


class _told_of_conflicts:  # noqa: N801 (used like a function)
    """Where the store knows better, the room is read anew, and the one who asked is told so."""

    def __init__(self, room: Room, code: str) -> None:
        self.room, self.code = room, code

    async def __aenter__(self) -> None:
        return None

    async def __aexit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if isinstance(error, ConflictError):
            await self.room.reload()
            raise Failure(409, self.code, str(error)) from None
