"""The pages of the lab in a real browser."""

import re
import time
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import httpx2 as httpx
import pytest
from playwright.sync_api import expect
from web_checks import barriers, overflow
from web_results import in_every_state
from web_server import Server

RESULTS = Path(__file__).parents[2] / "results"
expect.set_options(timeout=60_000)  # kernels may have to be compiled
PHONE = {"width": 360, "height": 740}
TINY = {
    "game": "tic-tac-toe",
    "kind": "td",
    "preset": "four-tuples",
    "changes": ["games=2000", "evaluate_every=250"],
    "seed": 1,
    "name": "tiny",
}
CUP = {
    "game": "connect-four",
    "players": ["alphabeta:depth=2", "random"],
    "games": 14,
    "openings": "random:2",
    "seed": 1,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with a training and a tournament that have come to their end."""
    running = Server(tmp_path_factory.mktemp("lab"), "--results", str(RESULTS)).start()
    with httpx.Client(base_url=running.url, timeout=120) as client:
        client.post("/api/lab/runs", json=TINY).raise_for_status()
        client.post("/api/lab/arena", json=CUP).raise_for_status()
        while client.get("/api/lab/runs/tiny").json()["state"] == "running":
            time.sleep(0.1)
        while client.get("/api/lab/arena/1").json()["ours"]:
            time.sleep(0.1)
    yield running
    running.stop()


PAGES = {
    "/lab": "#head-results",
    "/lab/runs": ".run",
    "/lab/runs/tiny": "#curve .main-svg",
    "/lab/models": "tbody tr",
    "/lab/models/connect-four": "#parts button",
    "/lab/models/skip-bo-lea": "#weight-rows td",
    "/lab/tuples": "#cells button",
    "/lab/arena": "tbody tr",
    "/lab/arena/1": "#list td",
    "/lab/results": ".results li",
    "/lab/results/goeppert-table-4": ".cells td",
    "/lab/results/konen-nim": ".paper img",
    "/lab/results/thill-figure-4-8": "#command-head",
}
MAIN = ("/lab", "/lab/runs/tiny", "/lab/models/connect-four", "/lab/tuples", "/lab/arena/1")


@pytest.mark.parametrize(
    "path",
    [path if path in MAIN else pytest.param(path, marks=pytest.mark.thorough) for path in PAGES],
)
def test_everyone_can_use_it_also_on_a_phone_in_the_dark(open_page, path):
    page = open_page(path, language="de", viewport=PHONE, color_scheme="dark")
    page.wait_for_selector(PAGES[path])
    assert overflow(page) == 0
    assert barriers(page) == []
    assert page.locator("html").get_attribute("lang") == "de"


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_everyone_can_read_how_far_results_are_and_what_is_wrong(open_page, tmp_path, scheme):
    in_every_state(tmp_path / "results")
    running = Server(tmp_path, "--results", str(tmp_path / "results")).start()
    try:
        page = open_page("/lab/results", on=running, viewport=PHONE, color_scheme=scheme)
        for path in ("", "/thill-figure-4-8", "/goeppert-table-5", "/ntuple-records", "/konen-nim"):
            page.goto(f"/lab/results{path}")
            assert overflow(page) == 0
            assert barriers(page) == []
    finally:
        running.stop()


@pytest.mark.thorough
@pytest.mark.parametrize("path", ["/lab/runs/tiny", "/lab/arena/1"])
def test_everyone_can_use_it_in_the_light(open_page, path):
    page = open_page(path, color_scheme="light")
    page.wait_for_selector(PAGES[path])
    assert barriers(page) == []


def test_a_training_from_the_form_to_the_game(open_page):
    page = open_page("/lab/runs")
    form = page.locator("#begin")
    expect(form.locator("[name=preset]")).to_have_value("default")
    form.locator("[name=changes]").fill("games=100000000\nevaluate_every=2000")
    form.locator("[name=seed]").fill("1")
    form.locator("[name=name]").fill("from-the-form")
    form.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_url("**/lab/runs/from-the-form")
    expect(page.locator("#state")).to_have_text("running")
    page.wait_for_selector("#curve .main-svg")
    drawn = "document.getElementById('curve').data[0].x.length"
    count = page.evaluate(drawn)
    page.wait_for_function(f"() => {drawn} > {count}")  # it grows
    expect(page.locator("#tiles")).to_contain_text("games per second")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#state")).to_have_text("stopped")
    expect(page.get_by_role("button", name="Go on")).to_be_focused()
    expect(page.locator("#output")).to_contain_text("Stopped after")
    before = page.evaluate("document.getElementById('bar').value")
    expect(page.locator("#now")).to_contain_text(f"Stopped. {before:,} of 100,000,000 games")
    page.get_by_role("button", name="Go on").click()
    page.wait_for_function(f"() => document.getElementById('bar').value > {before}")
    expect(page.locator("#state")).to_have_text("running")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#state")).to_have_text("stopped")


def test_a_finished_training_can_be_played(open_page):
    page = open_page("/lab/runs/tiny")
    expect(page.locator("#state")).to_have_text("finished")
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()
    page.get_by_role("link", name="Play against it").click()
    page.wait_for_url("**/tic-tac-toe?p2=ntuple%3Atiny*")
    page.locator("#board [data-move='5']").click()
    page.wait_for_url(re.compile("moves=5[1-9]"))


@pytest.mark.thorough
def test_wrong_settings_are_told_beside_the_form(open_page):
    page = open_page("/lab/runs")
    form = page.locator("#begin")
    expect(form.locator("[name=preset]")).to_have_value("default")
    form.locator("[name=changes]").fill("alhpa=1")
    form.get_by_role("button", name="Begin", exact=True).click()
    expect(page.locator("#wrong")).to_contain_text('Did you mean "alpha"?')
    assert page.url.endswith("/lab/runs")
    page.errors.clear()  # the browser writes down that the request was refused


@pytest.mark.thorough
def test_the_numbers_of_the_curve_are_there_as_a_table(open_page):
    page = open_page("/lab/runs/tiny")
    page.get_by_text("The numbers as a table").click()
    games = page.locator("#rows tbody tr td:first-child")
    expect(games).to_have_text(
        ["2,000", "1,750", "1,500", "1,250", "1,000", "750", "500", "250", "0"]
    )


def test_the_tuples_on_the_page_are_those_of_the_model(open_page, server):
    model = httpx.get(f"{server.url}/api/lab/models/connect-four", timeout=60).json()
    page = open_page("/lab/models/connect-four")
    page.wait_for_selector("#tuples button")
    drawn = page.evaluate(
        "[...document.querySelectorAll('#tuples svg')].map("
        "one => [...one.querySelectorAll('[data-cell]')].map(hole => Number(hole.dataset.cell)))"
    )
    assert drawn == [one["cells"] for one in model["system"]["tuples"]]


def test_an_entry_is_found_by_clicking_cells(open_page, server, screenshot):
    page = open_page("/lab/models/connect-four")
    page.locator("#tuples [data-tuple='6']").click()
    expect(page.locator("#tuple-number")).to_have_value("6")
    page.wait_for_selector("#cells button")
    first = page.locator("#cells button").first
    pattern = page.locator("#pattern")
    empty = pattern.input_value()
    first.click()
    expect(pattern).not_to_have_value(empty)
    changed = pattern.input_value()
    assert "X" in changed
    address = f"{server.url}/api/lab/models/connect-four/tuples/6"
    found = httpx.get(address, params={"pattern": changed}, timeout=60).json()["entry"]
    shown = page.locator("#entry dd").all_inner_texts()
    assert [float(text) for text in shown] == pytest.approx(found["weights"], abs=5e-5)
    page.evaluate("document.getElementById('system').scrollIntoView()")
    screenshot(page, "lab")


@pytest.mark.thorough
def test_a_position_is_clicked_together(open_page):
    page = open_page("/lab/models/connect-four")
    for column in ("4", "4", "5"):
        page.get_by_role("button", name=f"Column {column}", exact=True).click()
    expect(page.locator("#moves")).to_have_value("445")
    expect(page.locator("#board .disc.first")).to_have_count(2)
    expect(page.locator("#board .disc.second")).to_have_count(1)
    parts = page.locator("#parts tbody tr td:nth-child(3)").all_inner_texts()
    total = page.locator("#value dd").nth(1).inner_text()
    assert sum(map(float, parts)) == pytest.approx(float(total), abs=0.005)
    page.locator("#back").click()
    expect(page.locator("#moves")).to_have_value("44")


def test_tuples_are_drawn_and_trained_with(open_page):
    page = open_page("/lab/tuples")
    for cell in (35, 36, 37):
        page.locator(f"#cells [data-cell='{cell}']").click()
        expect(page.locator(f"#cells [data-cell='{cell}']")).to_have_attribute(
            "aria-pressed", "true"
        )
    expect(page.locator("#features")).to_have_value("tuples:36-37-38")
    page.locator("#new").click()
    page.locator("#walk").click()
    expect(page.locator("#tuples li")).to_have_count(2)
    expect(page.locator("#features")).to_have_value(re.compile(r"^tuples:36-37-38/(\d+-){7}\d+$"))
    page.locator("#undo").click()
    expect(page.locator("#features")).to_have_value("tuples:36-37-38")
    page.get_by_role("link", name="Train with them").click()
    expect(page.locator("[name=changes]")).to_have_value("features=tuples:36-37-38\n")
    expect(page.locator("[name=kind]")).to_have_value("ntuple")


@pytest.mark.thorough
def test_tuples_are_read_from_text(open_page):
    page = open_page("/lab/tuples")
    page.wait_for_selector("#cells button")
    page.locator("#features").fill("features=tuples:1-2-3/8-9")
    page.locator("#features").blur()
    expect(page.locator("#tuples li")).to_have_count(2)
    page.locator("#features").fill("tuples:1-99")
    page.locator("#features").blur()
    expect(page.locator("#wrong")).to_contain_text("is no tuple of cells")
    page.errors.clear()


@pytest.mark.thorough
def test_cells_are_reached_by_the_arrow_keys(open_page):
    page = open_page("/lab/tuples")
    page.locator("#cells [data-cell='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#cells [data-cell='8']")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.activeElement.dataset.cell") == "8"


def test_a_tournament_is_shown_and_its_games_open(open_page, server):
    told = httpx.get(f"{server.url}/api/lab/arena/1").json()["tournament"]
    page = open_page("/lab/arena/1")
    page.wait_for_selector("#list a")
    shares = page.locator("#table tbody tr td.share:nth-child(2)").evaluate_all(
        "cells => cells.map(cell => Number(cell.dataset.share))"
    )
    assert shares == [one["score"] for one in told["players"]]
    page.locator("#list a").first.click()
    page.wait_for_url("**/connect-four?moves=*")
    expect(page.locator("#status")).not_to_be_empty()


def test_a_tournament_from_the_form(open_page):
    page = open_page("/lab/arena")
    page.wait_for_selector("#menu button")
    form = page.locator("#begin")
    form.locator("#game-menu").select_option("tic-tac-toe")
    form.locator("[name=players]").fill("random\nalphabeta:depth=1")
    form.locator("[name=games]").fill("4")
    form.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_url(re.compile(r"/lab/arena/\d+$"))
    expect(page.locator("#state")).to_have_text("finished")
    expect(page.locator("#list tbody tr")).to_have_count(4)


def test_every_result_has_a_page_that_says_how_it_came_about(open_page):
    page = open_page("/lab/results")
    links = page.locator(".results h3 a").evaluate_all("all => all.map(one => one.href)")
    folders = sorted(path.name for path in RESULTS.iterdir() if path.is_dir())
    assert sorted(link.rsplit("/", 1)[1] for link in links) == folders
    page.goto("/lab/results/goeppert-table-4")
    expect(page.locator("pre code")).to_have_text(
        "spielwerk reproduce goeppert-table-4 --games 1000 --seed 1"
    )
    loaded = "() => document.querySelector('.paper img').naturalWidth > 0"
    page.wait_for_function(loaded)


def test_a_table_shows_its_cells_what_is_said_of_several_and_why_it_differs(open_page):
    page = open_page("/lab/results/jahnke-figure-5-4")
    expect(page.locator(".cells tbody tr")).to_have_count(2)
    claims = page.get_by_role("region", name="Claims").locator("tbody tr")
    expect(claims).to_have_count(2)
    expect(claims.first).to_contain_text("player 3 less player 1")
    expect(page.get_by_role("heading", name="What we found out")).to_be_visible()
    expect(page.get_by_text("In round (2) our second A^Lea")).to_be_visible()
    page.goto("/lab/results/thill-appendix-a-2")
    expect(page.get_by_text("The tuple is drawn; the text tells its cells")).to_be_visible()


@pytest.mark.thorough
def test_plotly_comes_packed_and_stays(server):
    address = f"{server.url}/lab/plotly.min.js"
    answer = httpx.get(address)
    assert answer.headers["content-encoding"] == "gzip"
    assert "immutable" in answer.headers["cache-control"]
    assert int(answer.headers["content-length"]) < 2_000_000
    again = httpx.get(address, headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304
    plain = httpx.get(address, headers={"Accept-Encoding": "identity"})
    assert plain.content == answer.content


@pytest.mark.thorough
def test_light_and_dark_reach_the_curve(open_page):
    page = open_page("/lab/runs/tiny", color_scheme="light")
    page.wait_for_selector("#curve .main-svg")
    colour = "document.getElementById('curve').layout.font.color"
    light = page.evaluate(colour)
    page.click("#theme")
    page.wait_for_function(f"() => {colour} !== '{light}'")


# What a reviewer found --------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_page_that_follows_goes_on_when_the_server_is_back(open_page):
    page = open_page("/lab/runs")
    page.wait_for_selector(".run")
    page.route("**/api/lab/runs", lambda route: route.abort())
    expect(page.locator("#offline")).to_contain_text("The server cannot be reached.")
    page.unroute("**/api/lab/runs")
    expect(page.locator("#offline")).to_have_text("")
    page.errors.clear()  # the browser writes down that there was no answer


@pytest.mark.thorough
def test_the_first_look_may_fail(open_page):
    """A run's page that is opened while the server restarts shows it later."""
    page = open_page("/lab")
    page.route("**/api/lab/runs/tiny*", lambda route: route.abort())
    page.goto("/lab/runs/tiny")
    expect(page.locator("#offline")).to_contain_text("The server cannot be reached.")
    page.unroute("**/api/lab/runs/tiny*")
    expect(page.locator("#state")).to_have_text("finished")
    expect(page.locator("#now")).to_contain_text("Finished. 2,000 of 2,000 games, success")
    page.errors.clear()


@pytest.mark.thorough
def test_without_a_tuple_there_is_nothing_to_train(open_page):
    page = open_page("/lab/tuples")
    page.wait_for_selector("#cells button")
    expect(page.locator("#tuples li")).to_have_count(0)
    page.get_by_role("link", name="Train with them").click()
    expect(page.locator("#wrong")).to_contain_text("There is no tuple to train with yet")
    assert page.url.endswith("/lab/tuples")


@pytest.mark.thorough
def test_a_board_of_another_size_is_trained(open_page):
    page = open_page("/lab/runs")
    spec = page.get_by_label("Game and size")
    expect(spec).to_be_hidden()
    page.locator("#game-menu").select_option(label="other size …")
    spec.fill("connectx:rows=4,cols=5,k=3")
    spec.blur()
    expect(page.locator("[name=kind] option").first).to_be_attached()
    expect(page.locator("#wrong")).to_have_text("")
    page.goto("/lab/runs?game=connectx%3Arows%3D4%2Ccols%3D5%2Ck%3D3")
    expect(spec).to_have_value("connectx:rows=4,cols=5,k=3")
    expect(spec).to_be_visible()


@pytest.mark.thorough
def test_numbers_and_times_are_written_as_people_do(open_page):
    page = open_page("/lab/arena/1", language="de", timezone_id="Asia/Tokyo")
    lowest = page.locator("#table [data-elo]").last
    expect(lowest).to_have_text(re.compile(r"^−[\d.]+$"))
    begun = httpx.get(page.url.replace("/lab/", "/api/lab/"), timeout=60).json()["begun"]
    utc = datetime.fromisoformat(begun).replace(tzinfo=UTC)
    there = utc.astimezone(ZoneInfo("Asia/Tokyo"))
    expect(page.locator("#about")).to_contain_text(f"begonnen {there:%d.%m.%Y, %H:%M};")
    page.goto("/lab/arena")
    expect(page.locator("time").last).to_have_text(f"{there:%d.%m.%Y}")


@pytest.mark.thorough
def test_one_claim_is_told_of_in_the_singular(open_page, server):
    results = httpx.get(f"{server.url}/api/lab/results", timeout=60).json()
    single = [one for one in results if one["done"] and one["count"] == 1]
    page = open_page("/lab/results", language="de")
    assert "von 1 " not in page.locator(".results").inner_text()
    told = page.locator(".results .verdict").all_inner_texts()
    assert sum("Die Aussage stimmt" in one or "Die Zahl" in one for one in told) == len(single)


@pytest.mark.thorough
def test_english_inside_german_is_marked(open_page):
    page = open_page("/lab/results/goeppert-table-4", language="de")
    assert page.locator("h1").get_attribute("lang") == "en"
    expect(page.get_by_role("link", name="Das Diagramm in voller Größe")).to_be_visible()
    page.goto("/lab/runs/tiny")
    expect(page.locator("#output")).to_have_attribute("lang", "en")
    expect(page.locator("#settings")).to_have_attribute("lang", "en")


@pytest.mark.thorough
def test_the_curve_fits_on_a_phone(open_page):
    page = open_page("/lab/runs/tiny", viewport=PHONE)
    page.wait_for_selector("#curve .main-svg .ytick text")
    outside = """() => {
      const box = curve.getBoundingClientRect();
      return [...curve.querySelectorAll('text')].filter((one) => {
        const { left, right, width } = one.getBoundingClientRect();
        return width && (left < box.left - 1 || right > box.right + 1);
      }).map((one) => one.textContent);
    }"""
    assert page.evaluate(outside) == []
    alpha = page.evaluate("curve.layout.yaxis3.tickvals")
    assert alpha[0] == 0
    assert f"{alpha[2]:e}"[0] in "125"


@pytest.mark.thorough
def test_a_model_of_skip_bo_is_played_at_a_table(open_page):
    page = open_page("/lab/models/skip-bo-lea")
    page.get_by_role("link", name="Play against it").click()
    page.wait_for_url("**/skip-bo?p2=*")
    expect(page.get_by_label("Program (spec)")).to_have_value(re.compile(":skip-bo-lea$"))
