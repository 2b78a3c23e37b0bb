"""The pages of Skip-Bo: setting a table, the table itself, the rules, the tutorial."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from spielwerk.web.pages import Pages

AREA = "skip-bo"


def skipbo_pages(shown: Pages) -> APIRouter:
    router = APIRouter(prefix="/skip-bo", include_in_schema=False)

    @router.get("")
    async def set_table(request: Request) -> HTMLResponse:
        return shown.render(request, "skip-bo.html", (AREA, "skip-bo-setup"))

    @router.get("/rules")
    async def rules(request: Request) -> HTMLResponse:
        return shown.render(request, "skip-bo-rules.html")

    @router.get("/tutorial")
    async def tutorial(request: Request) -> HTMLResponse:
        return shown.render(
            request, "skip-bo-table.html", (AREA, "skip-bo-tutorial"), tutorial=True
        )

    @router.get("/{match}")
    async def table(request: Request, match: str) -> HTMLResponse:
        return shown.render(request, "skip-bo-table.html", (AREA,), tutorial=False)

    return router
