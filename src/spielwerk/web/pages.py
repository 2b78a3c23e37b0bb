"""The HTML pages. Each is a template and one ES module; texts are filled in here."""

import json
from importlib import resources
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

import spielwerk
from spielwerk.web.languages import COOKIE, LANGUAGES, choose_language, text, texts
from spielwerk.web.settings import Settings

_WEB = Path(str(resources.files("spielwerk"))) / "web"
YEAR = 365 * 24 * 3600

OPEN_GAMES = ("connect-four", "connectx", "tic-tac-toe", "nim")


class Pages:
    """Renders templates in the language of the request."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._templates = Environment(
            loader=FileSystemLoader(_WEB / "templates"),
            autoescape=select_autoescape(),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def render(
        self,
        request: Request,
        template: str,
        areas: tuple[str, ...] = (),
        status: int = 200,
        **values: Any,
    ) -> HTMLResponse:
        """A page. `areas`: texts that its script needs, beside the common ones."""
        wanted = request.query_params.get("lang")
        language = choose_language(
            wanted, request.cookies.get(COOKIE), request.headers.get("accept-language")
        )
        known = texts(language, "common", *areas)
        page = self._templates.get_template(template).render(
            t=lambda key, **places: text(language, key, **places),
            language=language,
            other=next(name for name in LANGUAGES if name != language),
            languages=LANGUAGES,
            texts=_embedded(known),
            public=self.settings.public,
            version=spielwerk.__version__,
            path=request.url.path,
            other_url=str(_relative(request, next(n for n in LANGUAGES if n != language))),
            **values,
        )
        answer = HTMLResponse(page, status)
        answer.headers["Vary"] = "Accept-Language, Cookie"
        if wanted in LANGUAGES:
            answer.set_cookie(COOKIE, wanted, max_age=YEAR, samesite="lax", httponly=False)
        return answer


def _embedded(value: Any) -> Markup:
    """JSON that can stand inside a page: no tag can end in it."""
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(written.replace("<", "\\u003c"))


def _relative(request: Request, language: str) -> str:
    """The same page in another language."""
    url = request.url.include_query_params(lang=language)
    return f"/{url.path.lstrip('/')}?{url.query}"  # `//name` would lead to another server


def pages(shown: Pages) -> APIRouter:
    """The pages of the start and of the open games."""
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    async def start(request: Request) -> HTMLResponse:
        return shown.render(request, "start.html")

    async def game(request: Request) -> HTMLResponse:
        kind = request.url.path.strip("/")
        return shown.render(request, "open-game.html", ("games",), kind=kind)

    for name in OPEN_GAMES:
        router.add_api_route(f"/{name}", game)

    @router.get("/api/docs")
    async def api(request: Request) -> HTMLResponse:
        return shown.render(request, "api.html", schema=request.app.openapi())

    return router
