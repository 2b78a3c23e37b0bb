"""The application: every route, behind the guard."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

import spielwerk
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.rules import deal
from spielwerk.web import failures
from spielwerk.web.guard import Guard
from spielwerk.web.lab import LabPages
from spielwerk.web.live import Listeners, live_games
from spielwerk.web.match_rooms import Rooms
from spielwerk.web.matches import matches
from spielwerk.web.open_games import open_games
from spielwerk.web.opponents import opponents
from spielwerk.web.pages import Pages, pages
from spielwerk.web.players import player_of
from spielwerk.web.settings import Settings
from spielwerk.web.skipbo_pages import skipbo_pages
from spielwerk.web.thinking import Thinkers
from spielwerk.web.thoughts import think

STATIC = Path(__file__).parent / "static"
WARMED = ("connect-four", "tic-tac-toe", "nim", "connectx", "skip-bo")


def create_app(settings: Settings | None = None) -> FastAPI:
    """The web table for these settings."""
    settings = settings or Settings()
    thinkers = Thinkers(
        settings.thinkers, settings.queue, settings.think_seconds, patient=not settings.public
    )
    listeners = Listeners(settings.listeners)
    rooms = Rooms(settings, thinkers)
    shown = Pages(settings)
    lab = LabPages(settings, thinkers, shown)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        if settings.warm:
            threading.Thread(target=warm_up, args=(settings,), daemon=True).start()
        yield
        await asyncio.to_thread(lab.close)
        await rooms.close()
        thinkers.close()

    app = FastAPI(
        title="Spielwerk",
        version=spielwerk.__version__,
        description="Play, analyse and measure game-learning programs. Open games are stateless: "
        "the moves are the state.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    app.state.stop = thinkers.stop
    failures.install(app)
    app.include_router(pages(shown))
    app.include_router(open_games(settings, thinkers))
    app.include_router(live_games(settings, thinkers, listeners))
    app.include_router(matches(settings, rooms, listeners))
    app.include_router(skipbo_pages(shown))
    for router in lab.routers():
        app.include_router(router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_middleware(GZipMiddleware, minimum_size=500)
    app.add_middleware(Guard, settings=settings)

    @app.exception_handler(404)
    async def not_found(request: Request, error: HTTPException) -> Response:
        if request.url.path.startswith(("/api", "/static")):
            return JSONResponse(failures.body("not-found", str(error.detail)), 404)
        page: HTMLResponse = shown.render(request, "not-found.html", status=404)
        return page

    return app


def warm_up(settings: Settings) -> None:
    """Let every program of the menus make a move: what has to be compiled is compiled now."""
    for name in WARMED:
        game = parse_game(name)
        for opponent in opponents(game):
            with contextlib.suppress(SpielwerkError):
                if opponent.level != "perfect":
                    agent = player_of(opponent.spec, game, settings)
                    think(agent, game, deal(game, 0), seed=0)
