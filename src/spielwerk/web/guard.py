"""What every answer carries and every request must keep to: headers, sizes, names of the host.

Plain ASGI: it sees WebSockets too, and costs microseconds.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from spielwerk.web.failures import body
from spielwerk.web.settings import Settings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'{styles}; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
CURVES = "/lab"
"""Pages that Plotly draws on: it makes style sheets of its own."""


class TooLargeError(HTTPException):
    """The body of a request is longer than allowed."""


class Guard:
    """Middleware for the whole application."""

    def __init__(self, app: Any, settings: Settings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await self._refuse(scope, receive, send, *refusal)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        await self.app(scope, self._limited(receive), self._with_headers(scope, send))

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str, str] | None:
        """Why a request is not even looked at."""
        host = headers.get("host", "")
        if not self._is_ours(urlsplit(f"//{host}").hostname if _splits(host) else None):
            return 403, "forbidden", "This server does not answer under that name (see --name)."
        origin = headers.get("origin")
        if origin is not None and (not _splits(origin) or urlsplit(origin).netloc != host):
            return 403, "forbidden", "Requests from pages of other servers are not answered."
        if not headers.get("content-length", "0").isdecimal():
            return 400, "wrong-input", "Content-Length must be a number."
        if int(headers.get("content-length", "0")) > self.settings.body_bytes:
            return 413, "too-large", self._too_large()
        kind = headers.get("content-type", "application/json").partition(";")[0].strip()
        if scope.get("method") == "POST" and kind != "application/json":
            return 422, "wrong-input", "Send JSON (Content-Type: application/json)."
        return None

    def _is_ours(self, name: str | None) -> bool:
        return "*" in self.settings.hosts or name in self.settings.hosts

    def _too_large(self) -> str:
        return f"A request may have {self.settings.body_bytes} bytes at most."

    def _limited(self, receive: Receive) -> Receive:
        seen = 0

        async def limited() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self.settings.body_bytes:
                raise TooLargeError(413, self._too_large())
            return message

        return limited

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                add_headers(MutableHeaders(scope=message), scope["path"])
            await send(message)

        return sending

    async def _refuse(
        self, scope: Scope, receive: Receive, send: Send, status: int, code: str, message: str
    ) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": code})
            return
        answer = JSONResponse(body(code, message), status, {"Connection": "close"})
        await answer(scope, receive, self._with_headers(scope, send))


def _splits(text: str) -> bool:
    """Whether it can be read as an address at all."""
    try:
        urlsplit(text if "//" in text else f"//{text}").hostname  # noqa: B018
    except ValueError:
        return False
    return True


def add_headers(headers: MutableHeaders, path: str) -> None:
    """Security headers; nothing of ours may be framed, sniffed, or load from elsewhere."""
    styles = " 'unsafe-inline'" if path.startswith(CURVES) else ""
    headers.setdefault("Content-Security-Policy", POLICY.format(styles=styles))
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("Referrer-Policy", "no-referrer")
    headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    headers.setdefault("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
    headers.setdefault("Cache-Control", "no-cache" if "/static/" in path else "no-store")
