"""How errors leave the server: a code that the page translates, and a sentence in English."""

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from spielwerk.errors import IllegalMoveError, ImpossiblePositionError, SpecError, SpielwerkError


class Failure(Exception):  # noqa: N818 (an answer as well as an error)
    """An answer other than the wanted one. `code` is a key under `failures` in the texts."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


class GoneError(Exception):
    """Nobody waits for an answer any more, or nobody is left to find it: the server stops."""


class FailureBody(BaseModel):
    """What is sent when something is wrong."""

    error: str
    message: str


INPUT: dict[int | str, dict[str, object]] = {
    400: {"model": FailureBody, "description": "Not to be understood."},
    403: {"model": FailureBody, "description": "Not allowed."},
    404: {"model": FailureBody, "description": "Not there."},
    409: {"model": FailureBody, "description": "Too late: something else has happened."},
    413: {"model": FailureBody, "description": "Too large."},
    422: {"model": FailureBody, "description": "Wrong input, with a sentence that says why."},
    429: {"model": FailureBody, "description": "Too many."},
    503: {"model": FailureBody, "description": "Too busy."},
    504: {"model": FailureBody, "description": "The program did not finish in its time."},
}
"""For `responses=`: every route may answer so."""

_CODES: tuple[tuple[type[SpielwerkError], str], ...] = (
    (IllegalMoveError, "illegal-move"),
    (ImpossiblePositionError, "impossible-position"),
    (SpecError, "unknown-spec"),
)
_STATUS_CODES = {403: "forbidden", 404: "not-found", 405: "wrong-method", 413: "too-large"}


def code_of(error: SpielwerkError) -> str:
    return next((code for kind, code in _CODES if isinstance(error, kind)), "wrong-input")


def body(code: str, message: str) -> dict[str, str]:
    return {"error": code, "message": message}


def install(app: FastAPI) -> None:
    """Let `app` answer errors that users can mend with a code and a sentence."""

    @app.exception_handler(Failure)
    async def failed(request: Request, error: Failure) -> JSONResponse:
        headers = {"Retry-After": "1"} if error.status in (429, 503) else None
        return JSONResponse(body(error.code, error.message), error.status, headers)

    @app.exception_handler(GoneError)
    async def gone(request: Request, error: GoneError) -> JSONResponse:
        return JSONResponse(body("busy", "The thought was stopped."), 503, {"Retry-After": "1"})

    @app.exception_handler(SpielwerkError)
    async def wrong(request: Request, error: SpielwerkError) -> JSONResponse:
        return JSONResponse(body(code_of(error), str(error)), 422)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        said = str(first["msg"]).removeprefix("Value error, ")
        return JSONResponse(body("wrong-input", f"{where}: {said}" if where else said), 422)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        code = _STATUS_CODES.get(error.status_code, "wrong-input")
        return JSONResponse(body(code, str(error.detail)), error.status_code, error.headers)
