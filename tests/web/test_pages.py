"""The pages that all others begin with."""

import pytest
from web_checks import Transfer, barriers, overflow


def test_the_language_follows_the_browser_and_can_be_switched(open_page):
    page = open_page("/", language="de-AT")
    assert page.locator("h1").inner_text() == "Nehmen Sie Platz"
    page.click("#language")
    assert page.locator("h1").inner_text() == "Take a seat"
    page.goto("/connect-four")
    assert page.locator("h1").inner_text() == "Connect Four"


def test_light_and_dark(open_page):
    page = open_page("/", color_scheme="dark")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != light
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == light


@pytest.mark.parametrize("path", ["/", "/api/docs", "/nothing-here"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everyone_can_use_them(open_page, path, scheme):
    page = open_page(path, color_scheme=scheme)
    page.errors[:] = [error for error in page.errors if "404" not in error]
    assert barriers(page) == []


@pytest.mark.parametrize("path", ["/", "/api/docs"])
def test_they_fit_a_phone(open_page, path):
    page = open_page(path, viewport={"width": 360, "height": 740})
    assert overflow(page) <= 0


def test_the_start_is_light(open_page):
    page = open_page("about:blank")
    transfer = Transfer(page)
    page.goto("/")
    page.wait_for_load_state("networkidle")
    assert 1_000 < transfer.bytes < 100_000


def test_nothing_comes_from_another_host(open_page, server):
    page = open_page("about:blank")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for path in ("/", "/connect-four", "/tic-tac-toe", "/nim", "/api/docs"):
        page.goto(path)
        page.wait_for_load_state("networkidle")
    assert len(asked) > 10
    assert [url for url in asked if not url.startswith(server.url)] == []
