"""The API of open games. Nothing is kept: the moves are the state."""

import asyncio
import secrets
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from spielwerk.agents.agent import Agent
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import GAMES, game_spec
from spielwerk.games.notation import describe_outcome
from spielwerk.web.failures import INPUT
from spielwerk.web.opponents import Opponent, opponents
from spielwerk.web.players import game_of, player_of
from spielwerk.web.positions import Here, Place, Position, after, find, show
from spielwerk.web.settings import Settings
from spielwerk.web.thinking import Thinkers
from spielwerk.web.thoughts import Exact, Thought, exact_values, think

SEEDS = 2**53
"""A seed must survive JavaScript."""


class GameInfo(BaseModel):
    name: str
    summary: str
    options: list[str]


class Asked(Place):
    """A program is asked, somewhere."""

    agent: str = Field("mcts", max_length=300, examples=["mcts:iterations=1000", "perfect"])
    seed: int | None = Field(None, ge=0, lt=SEEDS, description="Same seed, same answer.")


class Player(BaseModel):
    """A program that plays this game."""

    game: str
    agent: str


class Moved(BaseModel):
    """A program's move, and the position after it."""

    thought: Thought
    position: Position
    seed: int


class Analysed(BaseModel):
    thought: Thought
    seed: int


class ExactAnswer(BaseModel):
    exact: dict[str, Exact]


def check_running(here: Here) -> None:
    if not here.running:
        raise SpielwerkError(f"The game is over: {describe_outcome(here.game, here.state)}.")


async def locate(place: Place) -> Here:
    """The state at a place. Whether a pasted board can arise is searched on another thread."""
    return await asyncio.to_thread(find, place) if place.start else find(place)


def written(answer: BaseModel) -> Response:
    """An answer as JSON. FastAPI would check it a second time, which is half of the whole work."""
    return Response(answer.model_dump_json(), media_type="application/json")


def open_games(settings: Settings, thinkers: Thinkers) -> APIRouter:
    """The routes under /api that any program can use to play."""
    router = APIRouter(prefix="/api", tags=["open games"], responses=INPUT)

    def _agent(asked: Asked, here: Here) -> Agent:
        return player_of(asked.agent, here.game, settings)

    @router.get("/games", summary="What can be played")
    async def games() -> list[GameInfo]:
        return [
            GameInfo(name=e.name, summary=e.summary, options=[o.name for o in e.options()])
            for e in GAMES.values()
        ]

    @router.get("/opponents", summary="Programs in order of strength")
    async def menu(
        game: Annotated[str, Query(max_length=300)] = "connect-four",
    ) -> list[Opponent]:
        return opponents(game_of(game))

    @router.get("/player", summary="Whether a program plays a game")
    def player(
        agent: Annotated[str, Query(max_length=300, examples=["mcts:iterations=1000"])],
        game: Annotated[str, Query(max_length=300)] = "connect-four",
    ) -> Player:
        found = game_of(game)
        player_of(agent, found, settings)
        return Player(game=game_spec(found), agent=agent)

    @router.get("/position", summary="A position, with its legal moves", response_model=Position)
    async def position(place: Annotated[Place, Query()]) -> Response:
        return written(show(await locate(place)))

    @router.post("/move", summary="A program's move", response_model=Moved)
    async def move(asked: Asked, request: Request) -> Response:
        here, seed = await locate(asked), _seed(asked)
        check_running(here)
        found = await thinkers.think(
            lambda: think(_agent(asked, here), here.game, here.state, seed),
            request.is_disconnected,
        )
        return written(Moved(thought=found, position=show(after(here, found.move)), seed=seed))

    @router.post("/analysis", summary="What a program thinks of every move")
    async def analysis(asked: Asked, request: Request) -> Analysed:
        here, seed = await locate(asked), _seed(asked)
        check_running(here)
        found = await thinkers.think(
            lambda: think(_agent(asked, here), here.game, here.state, seed, thorough=True),
            request.is_disconnected,
        )
        return Analysed(thought=found, seed=seed)

    @router.post("/exact", summary="What every move is worth by perfect play")
    async def exact(place: Place, request: Request) -> ExactAnswer:
        here = await locate(place)
        check_running(here)
        found = await thinkers.think(
            lambda: exact_values(here.game, here.state), request.is_disconnected
        )
        return ExactAnswer(exact=found)

    return router


def _seed(asked: Asked) -> int:
    return secrets.randbelow(SEEDS) if asked.seed is None else asked.seed
