"""A server in a process of its own, and a real browser to look at it."""

import os
import shutil
from pathlib import Path

import pytest
from web_server import Server

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 60_000
"""Milliseconds that a test waits for something to appear: kernels may have to be compiled."""


def needed(message: str) -> None:
    """Something is not installed: demanded in CI, a reason to skip elsewhere."""
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="session")
def screenshot():
    """Keeps a picture of a page for the README, where SPIELWERK_SCREENSHOTS names a folder."""

    def keep(page, name):
        folder = os.environ.get("SPIELWERK_SCREENSHOTS")
        if folder:
            page.set_viewport_size({"width": 1200, "height": 850})
            page.evaluate("scrollTo(0, 0)")
            page.screenshot(path=Path(folder) / f"{name}.png", animations="disabled")

    return keep


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One server for the tests of a file."""
    running = Server(tmp_path_factory.mktemp("server")).start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def chromium():
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        needed("no Chromium; on Debian: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium, server):
    """Opens a page in a browser of its own (cookies and all); complains of errors at the end."""
    contexts, errors = [], []

    def open_one(path="/", language="en", on=None, **options):
        context = chromium.new_context(locale=language, base_url=(on or server).url, **options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda m: m.type == "error" and errors.append(m.text))
        page.errors = errors
        page.goto(path)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert errors == []
