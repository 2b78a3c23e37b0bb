"""The pages of the lab."""

import gzip
import hashlib
from collections.abc import Callable
from functools import cache
from importlib import metadata, resources
from typing import Any, TypeVar

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.exceptions import HTTPException

from spielwerk.errors import SpielwerkError
from spielwerk.lab.report_html import with_code
from spielwerk.web.failures import Failure
from spielwerk.web.lab_arena import MOST_GAMES, MOST_PLAYERS, Arena, lab_arena
from spielwerk.web.lab_models import Models, lab_models
from spielwerk.web.lab_names import find_folder
from spielwerk.web.lab_processes import MOST
from spielwerk.web.lab_results import Results, curves, lab_results, matrix
from spielwerk.web.lab_runs import Lab, lab_runs
from spielwerk.web.lab_tuples import lab_tuples
from spielwerk.web.languages import COOKIE, choose_language
from spielwerk.web.pages import Pages
from spielwerk.web.settings import Settings
from spielwerk.web.thinking import Thinkers

LATEST = 4
"""Of everything, on the first page."""
YEAR = "public, max-age=31536000, immutable"
GAMES = ("connect-four", "tic-tac-toe", "nim:n=50", "connectx:5x4,k=4", "skip-bo")
"""Suggestions for what to train."""

Found = TypeVar("Found")


class LabPages:
    """All routes of the lab, and what must be stopped with the server."""

    def __init__(self, settings: Settings, thinkers: Thinkers, shown: Pages) -> None:
        self.runs, self.models = Lab(settings), Models(settings)
        self.arena, self.results = Arena(settings), Results(settings)
        self._thinkers, self._shown = thinkers, shown

    def routers(self) -> list[APIRouter]:
        return [
            lab_runs(self.runs),
            lab_models(self.models, self._thinkers),
            lab_tuples(),
            lab_arena(self.arena),
            lab_results(self.results),
            _pages(self, self._shown),
        ]

    def close(self) -> None:
        """Stop trainings and tournaments; nothing of them is lost."""
        self.arena.close()
        self.runs.trainings.close()


def _or_not_found(find: Callable[[], Found]) -> Found:
    """What is to be shown; the page that says so if there is no such thing."""
    try:
        return find()
    except Failure as failure:
        raise HTTPException(failure.status, failure.message) from None


def _or_nothing(find: Callable[[], list[Found]]) -> list[Found]:
    """What the store holds; nothing where it cannot be read, which its own page says."""
    try:
        return find()
    except SpielwerkError:
        return []


def _pages(lab: LabPages, shown: Pages) -> APIRouter:
    router = APIRouter(prefix="/lab", include_in_schema=False)

    def page(request: Request, template: str, area: str, **values: Any) -> HTMLResponse:
        # Plain functions run on threads of their own: what they read does not hold up others.
        return shown.render(
            request, template, ("lab",), area=area, number=_number_format(request), **values
        )

    @router.get("")
    def overview(request: Request) -> HTMLResponse:
        results = lab.results.rows()
        return page(
            request,
            "lab.html",
            "overview",
            runs=lab.runs.rows()[:LATEST],
            models=lab.models.rows(),
            tournaments=_or_nothing(lambda: lab.arena.rows(LATEST)),
            results=results,
        )

    @router.get("/runs")
    def runs(request: Request) -> HTMLResponse:
        return page(request, "lab-runs.html", "runs", games=GAMES, most=MOST)

    @router.get("/runs/{name}")
    def run(request: Request, name: str) -> HTMLResponse:
        _or_not_found(lambda: find_folder(lab.runs.settings.runs, name))
        return page(request, "lab-run.html", "runs", name=name, plotly=plotly_address())

    @router.get("/models")
    def models(request: Request) -> HTMLResponse:
        return page(request, "lab-models.html", "models", models=lab.models.rows())

    @router.get("/models/{name}")
    def model(request: Request, name: str) -> HTMLResponse:
        row = _or_not_found(lambda: lab.models.row(name))
        return page(request, "lab-model.html", "models", model=row)

    @router.get("/tuples")
    def tuples(request: Request) -> HTMLResponse:
        return page(request, "lab-tuples.html", "tuples")

    @router.get("/arena")
    def arena(request: Request) -> HTMLResponse:
        return page(
            request,
            "lab-arena.html",
            "arena",
            rows=lab.arena.rows(),
            games=GAMES,
            most_games=MOST_GAMES,
            most_players=MOST_PLAYERS,
        )

    @router.get("/arena/{number}")
    def tournament(request: Request, number: str) -> HTMLResponse:
        if not number.isdecimal() or len(number) > 9:
            raise HTTPException(404)
        _or_not_found(lambda: lab.arena.find(int(number)))
        return page(request, "lab-tournament.html", "arena", tournament=int(number))

    @router.get("/results")
    def results(request: Request) -> HTMLResponse:
        return page(request, "lab-results.html", "results", rows=lab.results.rows())

    @router.get("/results/{name}")
    def result(request: Request, name: str) -> HTMLResponse:
        info = _or_not_found(lambda: lab.results.info(name))
        return page(
            request,
            "lab-result.html",
            "results",
            result=info,
            matrix=matrix(info),
            curves=curves(info),
            prose=with_code,
        )

    @router.get("/results/{name}/plot.{kind}")
    def plot(name: str, kind: str) -> FileResponse:
        return _or_not_found(lambda: lab.results.plot(name, kind))

    @router.get("/plotly.min.js")
    def plotly_script(request: Request) -> Response:
        plain, packed, tag = _plotly()
        headers = {"Cache-Control": YEAR, "ETag": tag, "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(plain, media_type="text/javascript", headers=headers)
        headers["Content-Encoding"] = "gzip"
        return Response(packed, media_type="text/javascript", headers=headers)

    return router


@cache
def _plotly() -> tuple[bytes, bytes, str]:
    """Plotly's script as it was installed, the same packed, and its tag."""
    plain = resources.files("plotly").joinpath("package_data", "plotly.min.js").read_bytes()
    return plain, gzip.compress(plain, 6), f'"{hashlib.sha256(plain).hexdigest()[:20]}"'


def plotly_address() -> str:
    """With the version in it, so that it can be kept for a year."""
    return f"/lab/plotly.min.js?v={metadata.version('plotly')}"


def _number_format(request: Request) -> Callable[..., str]:
    """Numbers as people of the page's language write them."""
    language = choose_language(
        request.query_params.get("lang"),
        request.cookies.get(COOKIE),
        request.headers.get("accept-language"),
    )

    def write(value: float, digits: int = 0) -> str:
        text = f"{value:,.{digits}f}"
        return text.translate(str.maketrans(",.", ".,")) if language == "de" else text

    return write
