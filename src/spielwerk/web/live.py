"""WebSocket of open games: searches that are watched as they grow, games that are reviewed.

The browser sends `{"do": "analyse" | "review" | "stop", "id": …, …}`; answers carry the same id,
the last one `"done": true`. What is begun stops when the browser leaves.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, Literal

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import Field, ValidationError

from spielwerk.agents.mcts import ITERATIONS, Mcts
from spielwerk.errors import SpielwerkError
from spielwerk.games.notation import move_name
from spielwerk.games.rules import player
from spielwerk.web.failures import Failure, GoneError, body, code_of
from spielwerk.web.open_games import Asked, check_running, locate
from spielwerk.web.players import player_of
from spielwerk.web.positions import Here, walk
from spielwerk.web.settings import Settings
from spielwerk.web.thinking import Thinkers
from spielwerk.web.thoughts import Exact, best_of, exact_values, think

FIRST = 100
"""Iterations after which a growing search is shown for the first time."""
IMPATIENT = 2.0
"""Seconds for a position of a review after one that took too long."""
MOST_JOBS = 4
"""Things that one browser may have going at once."""


class Wish(Asked):
    """What a browser asks for."""

    do: Literal["analyse", "review", "stop"]
    id: int = Field(0, ge=0, lt=2**31)


class Listeners:
    """Counts open WebSockets."""

    def __init__(self, most: int) -> None:
        self.most, self.open = most, 0

    def __enter__(self) -> None:
        if self.open >= self.most:
            raise Failure(503, "busy", "Too many browsers are listening.")
        self.open += 1

    def __exit__(self, *_: object) -> None:
        self.open -= 1


async def growing(
    wish: Wish, settings: Settings, thinkers: Thinkers
) -> AsyncIterator[dict[str, Any]]:
    """What a program thinks; a tree search several times while it grows.

    Searches with the same seed and fewer iterations are the beginning of the same search, so every
    answer shows the one tree at another age.
    """
    here, seed = await locate(wish), wish.seed or 0
    check_running(here)
    agent = await asyncio.to_thread(player_of, wish.agent, here.game, settings)
    stages = [agent]
    if isinstance(agent, Mcts) and agent.seconds is None:
        wanted, stages = agent.iterations or ITERATIONS, []
        iterations = FIRST
        while iterations < wanted:
            stages.append(replace(agent, iterations=max(iterations, agent.threads)))
            iterations *= 4
        stages.append(replace(agent, iterations=wanted))
    for stage in stages:
        found = await thinkers.think(
            lambda stage=stage: think(stage, here.game, here.state, seed, thorough=True)  # type: ignore[misc]
        )
        done = stage is stages[-1] or found.proven
        yield {"thought": found.model_dump(), "done": done}
        if done:
            return


async def reviewing(
    wish: Wish, settings: Settings, thinkers: Thinkers
) -> AsyncIterator[dict[str, Any]]:
    """What every move of a game was worth, the last one first: the easy positions come soon.

    A position that takes too long has no exact values. Those before it are mostly harder still:
    they get little time, until one is found again (near the beginning there may be a book).
    """
    begin = await locate(wish.model_copy(update={"moves": ""}))
    places = list(walk(begin, wish.moves))
    running = [ply for ply, place in enumerate(places) if place.running]
    if not running:
        yield {"done": True}
    patience = thinkers.seconds
    for ply in reversed(running):
        place = places[ply]
        try:
            exact = await thinkers.think(
                lambda place=place: exact_values(place.game, place.state),  # type: ignore[misc]
                seconds=patience,
            )
            patience = thinkers.seconds
        except Failure as failure:
            if failure.code != "thought-too-long":
                raise
            exact, patience = {}, min(thinkers.seconds, IMPATIENT)
        played = move_name(places[ply + 1].moves[-1]) if ply + 1 < len(places) else None
        yield judge(place, played, exact) | {"ply": ply, "done": ply == running[0]}


def judge(place: Here, played: str | None, exact: dict[str, Exact]) -> dict[str, Any]:
    """A move of a game beside the best. `kept`: it gave nothing away; null if that is unknown."""
    best = best_of(exact) if exact else None
    kept = exact[played].result == best.result if best and played else None
    return {
        "mover": player(place.game, place.state) + 1,
        "played": played,
        "exact": {move: value.model_dump() for move, value in exact.items()},
        "best": best.model_dump() if best else None,
        "kept": kept,
    }


def live_games(settings: Settings, thinkers: Thinkers, listeners: Listeners) -> APIRouter:
    router = APIRouter(prefix="/api", tags=["open games"])

    @router.websocket("/live")
    async def live(socket: WebSocket) -> None:
        await socket.accept()
        try:
            with listeners:
                await _serve(socket, settings, thinkers)
        except Failure as failure:
            await socket.close(1013, failure.code)

    return router


async def _serve(socket: WebSocket, settings: Settings, thinkers: Thinkers) -> None:
    jobs: dict[int, asyncio.Task[None]] = {}
    try:
        while True:
            try:
                wish = Wish.model_validate_json(await socket.receive_text())
            except (ValidationError, KeyError) as error:
                await socket.send_json(body("wrong-input", _first_line(error)) | {"done": True})
                continue
            old = jobs.pop(wish.id, None)
            if old is not None:
                old.cancel()
            jobs = {number: task for number, task in jobs.items() if not task.done()}
            if wish.do == "stop":
                continue
            if len(jobs) >= MOST_JOBS:
                failure = body("too-many", f"At most {MOST_JOBS} things at once.")
                await socket.send_json(failure | {"id": wish.id, "done": True})
                continue
            jobs[wish.id] = asyncio.create_task(_work(socket, wish, settings, thinkers))
    except WebSocketDisconnect:
        pass
    finally:
        for task in jobs.values():
            task.cancel()


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}".removeprefix(": ")
    return "Send text."


async def _work(socket: WebSocket, wish: Wish, settings: Settings, thinkers: Thinkers) -> None:
    answers = (growing if wish.do == "analyse" else reviewing)(wish, settings, thinkers)
    try:
        async for answer in answers:
            await socket.send_json(answer | {"id": wish.id})
    except (Failure, SpielwerkError) as error:
        code = error.code if isinstance(error, Failure) else code_of(error)
        await socket.send_json(body(code, str(error)) | {"id": wish.id, "done": True})
    except (GoneError, WebSocketDisconnect, RuntimeError):
        pass  # nobody listens any more
