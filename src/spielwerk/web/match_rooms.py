"""All matches of this server: they are made, found, and forgotten when nobody needs them."""

import asyncio
import secrets
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from spielwerk.games.catalogue import game_spec
from spielwerk.games.skipbo import SkipBo
from spielwerk.store.matches import ConflictError, KeptMatch, Matches, Seat
from spielwerk.store.store import Store
from spielwerk.web.failures import Failure
from spielwerk.web.match_names import hashed, name_of_next, new_secret
from spielwerk.web.match_room import Room
from spielwerk.web.settings import Settings
from spielwerk.web.thinking import Thinkers

STALE, UNBEGUN = timedelta(hours=24), timedelta(minutes=10)
"""A match in which nothing has happened for so long may be ended to make room; one without a single
move sooner."""


class Rooms:
    """All rooms of a server. The store is opened when the first match is made or asked for."""

    def __init__(self, settings: Settings, thinkers: Thinkers) -> None:
        self.settings, self.thinkers = settings, thinkers
        self._rooms: dict[str, Room] = {}
        self._loading, self._making = asyncio.Lock(), asyncio.Lock()
        self._kept: Matches | None = None

    async def make(
        self, game: SkipBo, seats: Sequence[Seat], seed: int, pause: float, match: str | None = None
    ) -> str:
        """A new match; returns its name."""
        matches = await self._matches()
        name = match or new_secret()
        kept = KeptMatch(hashed(name), game_spec(game), seed, pause, tuple(seats))
        async with self._making:  # counted and added by one at a time
            await self._make_way(matches)
            await asyncio.to_thread(matches.add, kept)
        return name

    async def find(self, match: str) -> Room:
        """The room of a match; a Failure if there is no such match."""
        key = hashed(match)
        if key in self._rooms:
            room = self._rooms.pop(key)
            self._rooms[key] = room  # the latest asked for is the last to be forgotten
            room.used = time.monotonic()
            return room
        matches = await self._matches()
        async with self._loading:
            if key not in self._rooms:
                kept = await asyncio.to_thread(matches.find, key)
                if kept is None:
                    raise Failure(404, "no-match", "There is no such match.")
                room = Room(match, kept, self.settings, self.thinkers, matches)
                await asyncio.to_thread(room.restore)
                self._rooms[key] = room
                self._forget_some()
                room.wake()
            return self._rooms[key]

    async def again(self, room: Room) -> str:
        """The match after this one, of the same players: whoever sat second begins.

        Everybody keeps the token of the match before. It is made once; then it is the same for all.
        """
        if room.end is None:
            raise Failure(409, "running", "The match is not over yet.")
        if not room.begun:
            raise Failure(409, "waiting", "Somebody has never come: set another table.")
        following = name_of_next(room.match)
        if room.following is None:
            seats = [
                replace(seat, invitation=None, left=None, token=None if seat.spec else seat.token)
                for seat in room.seats
            ]
            rotated, seed = (*seats[1:], seats[0]), secrets.randbits(64)
            with suppress(ConflictError):  # somebody else has asked at the same moment
                await self.make(room.game, rotated, seed, room.kept.pause, following)
            room.following = following
            room.tell()
        return following

    async def close(self) -> None:
        for room in self._rooms.values():
            room.close()
        if self._kept is not None:
            await asyncio.to_thread(self._kept.store.close)

    async def _matches(self) -> Matches:
        if self._kept is None:
            async with self._loading:
                if self._kept is None:
                    store = await asyncio.to_thread(Store.open, self.settings.store)
                    self._kept = Matches(store)
        return self._kept

    async def _make_way(self, matches: Matches) -> None:
        """Refuse a match too many, unless others have been left lying."""
        if await asyncio.to_thread(matches.running) < self.settings.matches:
            return
        stale, unbegun = (
            (datetime.now(UTC) - age).isoformat(timespec="seconds") for age in (STALE, UNBEGUN)
        )
        for key in await asyncio.to_thread(matches.abandon, stale, unbegun):
            if key in self._rooms:
                async with self._rooms[key].lock:
                    await self._rooms[key].reload()
        if await asyncio.to_thread(matches.running) >= self.settings.matches:
            raise Failure(
                429, "too-many", f"{self.settings.matches} matches are running; that is all."
            )

    def _forget_some(self) -> None:
        """Rooms that nobody needs, the longest not asked for first."""
        idle = [key for key, room in self._rooms.items() if room.is_idle]
        for key in idle[: max(0, len(self._rooms) - self.settings.matches)]:
            del self._rooms[key]
