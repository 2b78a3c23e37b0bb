"""Skip-Bo in real browsers: whole matches, every byte received, restarts, keys, the tutorial."""

import json
import re
import signal

import pytest
from playwright.sync_api import TimeoutError, expect
from skipbo_hidden import shuffle_hidden
from web_checks import Transfer, barriers, overflow
from web_server import Server

from spielwerk.games.skipbo import SkipBo, hand_of
from spielwerk.kernels.rng import Rng
from spielwerk.store.matches import KeptMatch, Matches, Seat
from spielwerk.store.store import Store
from spielwerk.web import skipbo_play
from spielwerk.web.match_names import hashed, new_secret
from spielwerk.web.skipbo_play import begin, play
from spielwerk.web.skipbo_views import View, view_of

PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1200, "height": 850}
STILL = {"reduced_motion": "reduce"}
ALONE = [{"person": "Anna"}, {"agent": "random"}]
ADDRESS = re.compile(r"/skip-bo/[\w-]{22}$")
LIGHT_LOAD = 100_000
expect.set_options(timeout=30_000)  # kernels may have to be compiled


def make(page, seats, stock=3, seed=5, pause=0.0, **more):
    """A match, made without the page; this browser has the first person's seat."""
    body = {"game": f"skip-bo:stock={stock}", "seats": seats, "seed": seed, "pause": pause, **more}
    made = page.request.post("/api/matches", data=body).json()
    sit(page, made)
    return made


def sit(page, made):
    keep = "made => localStorage.setItem('skip-bo.matches', JSON.stringify({[made.match]: made}))"
    page.evaluate(keep, made | {"made": 1})
    page.goto(f"/skip-bo/{made['match']}")


def number(page):
    return int(page.get_attribute("#game", "data-number"))


def wait_for_turn(page):
    """Until it is this browser's turn, or the match is over; whether it goes on."""
    mine, over = page.locator("#status.mine"), page.locator("#result[open]")
    expect(mine.or_(over).first).to_be_visible()
    return not over.count()


def click_move(page):
    """Whatever lights up: the stock if it fits, else another card, else a discard."""
    before = number(page)
    for _ in range(20):  # news of the last move may put a card down again
        if click_one(page):
            break
    expect(page.locator("#game")).not_to_have_attribute("data-number", str(before))


def click_one(page):
    """Take one card after the other, until one goes to the middle, else to a discard pile. A wild
    may go to the middle alone."""
    put_down(page)
    expect(page.locator(".own .can").first).to_be_visible()
    piles = [".own .stock.can", ".own .discard.can"]
    places = reversed(range(page.locator(".own-card.can").count()))
    cards = [f".own-card.can >> nth={place}" for place in places]
    for target, sources in ((".middle", piles + cards), (".own .discard", cards)):
        for source in sources:
            put_down(page)
            try:
                if page.locator(source).count():
                    page.locator(source).first.click(timeout=3000)
                    page.locator(".holding").wait_for(timeout=1000)
                    if page.locator(f"{target} .target, {target}.target").count():
                        page.locator(f"{target} .target, {target}.target").first.click(timeout=3000)
                        return True
            except TimeoutError:
                return False
    return False


def put_down(page):
    if page.locator(".holding").count():
        page.keyboard.press("Escape")
        expect(page.locator(".holding")).to_have_count(0)


def pick_up(page):
    """Enter on the card that has the focus; news of the last move may still put it down again."""
    for _ in range(50):
        page.keyboard.press("Enter")
        if page.evaluate("document.activeElement.getAttribute('aria-label')").endswith("here."):
            return
        page.wait_for_timeout(100)
    raise AssertionError("The card cannot be picked up.")


def kept(server, match):
    store = Store.open(f"sqlite:///{server.folder / 'store.sqlite'}")
    try:
        return Matches(store).find(hashed(match))
    finally:
        store.close()


def put_match(server, seed):
    """Two people with a deal of ours: the server honours no seed where several play."""
    match, token, invitation = new_secret(), new_secret(), new_secret()
    seats = (Seat("Anna", token=hashed(token)), Seat(invitation=hashed(invitation)))
    store = Store.open(f"sqlite:///{server.folder / 'store.sqlite'}")
    try:
        Matches(store).add(KeptMatch(hashed(match), "skip-bo:stock=2", seed, 0.0, seats))
    finally:
        store.close()
    invitations = [{"seat": 1, "invitation": invitation}]
    return {"match": match, "seat": 0, "token": token, "invitations": invitations}


# Whole matches ----------------------------------------------------------------------------------


def test_a_whole_match_by_clicking(open_page, server):
    """From the lobby to the animation of the winner or the loser."""
    page = open_page("/skip-bo", **STILL)
    page.fill("#seats li:first-child input", "Anna")
    page.select_option("#seats [data-seat='1']", "random")
    page.select_option("#stock", "5")
    page.select_option("#pace", "0.25")
    page.click("#setup .start")
    page.wait_for_url(ADDRESS)
    match = page.url.rpartition("/")[2]
    found = kept(server, match)
    assert (found.game, found.pause) == ("skip-bo:stock=5", 0.25)
    assert [(seat.name, seat.spec) for seat in found.seats] == [("Anna", None), ("", "random")]
    expect(page.locator(".own-card")).to_have_count(5)
    make(page, ALONE, stock=1, seed=8)
    while wait_for_turn(page):
        click_move(page)
    result = page.get_attribute("#result", "data-what")
    assert result in ("won", "lost")
    expect(page.locator(f"#scene.{result} .face").first).to_be_attached()
    end = kept(server, page.url.rpartition("/")[2]).end
    assert (end.winner == 0) == (result == "won")
    assert page.locator("#log li").count() == number(page) + 1  # and who began
    page.click("#result-again")
    expect(page.locator("#game[data-state=running]")).to_be_visible()
    expect(page.locator("#result[open]")).to_have_count(0)


def test_both_ends_have_their_animation(open_page):
    """Of two, who leaves has lost."""
    anna = open_page("/skip-bo")
    made = make(anna, [{"person": "Anna"}, {"person": "Ben"}])
    ben = open_page("/skip-bo", language="de")
    invitation = made["invitations"][0]["invitation"]
    ben.goto(f"/skip-bo/{made['match']}#invitation={invitation}")
    ben.click("#coming .main")
    anna.click("#leave")
    expect(anna.locator("#leaving-text")).to_have_text("The other player wins then.")
    anna.click("#leave-yes")
    anna.wait_for_url(re.compile(r"/skip-bo$"))
    expect(anna.locator("#notice")).to_contain_text("You have left the match.")
    expect(ben.locator("#result-title")).to_have_text("Gewonnen!")
    expect(ben.locator("#told")).to_have_text(re.compile(r"^Gewonnen! \w"))
    assert ben.evaluate("getComputedStyle(scene).overflowY") == "hidden"  # no card over the words
    expect(ben.locator("#scene.won .dancer").first).to_be_visible()
    running = ben.evaluate("document.getAnimations().some((one) => one.animationName === 'dance')")
    assert running
    sit(anna, made)
    expect(anna.locator("#scene.lost .wall").first).to_be_visible()
    expect(anna.locator("#result-title")).to_have_text("Lost this time")


def test_only_legal_targets_light_up(open_page):
    page = open_page("/skip-bo", **STILL)
    made = make(page, ALONE, stock=3, seed=4629)  # 1 2 3 7 wild, and a 4 on the stock
    headers = {"Authorization": f"Bearer {made['token']}"}
    legal = page.request.get(f"/api/matches/{made['match']}", headers=headers).json()["legal"]
    wait_for_turn(page)
    for card in (1, 2, 7, 13):
        page.click(f".own-card[data-card='{card}']")
        lit = page.locator(".slot.target").evaluate_all(
            "all => all.map((one) => one.dataset.place)"
        )
        wanted = [one["target"] for one in legal if one["source"] == "hand" and one["card"] == card]
        assert sorted(lit) == sorted(wanted)
        page.keyboard.press("Escape")
        assert page.locator(".slot.target").count() == 0
    assert page.locator(".own .stock.can").count() == 0
    page.click(".own-card[data-card='7']")
    page.click(".slot[data-place='1']", force=True)  # does not fit: nothing is sent
    assert number(page) == 0
    page.locator(".own-card[data-card='1']").dblclick()
    expect(page.locator("#game")).to_have_attribute("data-number", "1")


@pytest.mark.thorough
def test_cards_move_and_the_table_is_right_at_once(open_page):
    page = open_page("/skip-bo", viewport=DESKTOP)
    make(page, ALONE, seed=4629)
    wait_for_turn(page)
    page.click(".own-card[data-card='1']")
    page.click(".slot[data-place='2']")
    expect(page.locator(".flying .face")).to_be_attached()
    expect(page.locator(".flying")).to_have_count(0)
    expect(page.locator(".slot[data-place='2'] .face")).to_be_visible()


@pytest.mark.thorough
def test_a_card_is_dragged(open_page):
    page = open_page("/skip-bo", **STILL)
    make(page, ALONE, seed=4629)
    wait_for_turn(page)
    page.drag_and_drop(".own-card[data-card='1']", ".slot[data-place='3']")
    expect(page.locator("#game")).to_have_attribute("data-number", "1")
    page.drag_and_drop(".own-card[data-card='7']", ".slot[data-place='3']")  # does not fit
    expect(page.locator(".own-card")).to_have_count(4)
    page.drag_and_drop(".own-card[data-card='7']", ".slot[data-place='c']")
    expect(page.locator(".own .discard[data-place='c'] .face").first).to_be_visible()


# Two browsers -----------------------------------------------------------------------------------


class Wire:
    """Every body and frame that a browser receives."""

    def __init__(self, page):
        self.bodies, self.frames = [], []
        page.route("**/api/**", self._pass_on)
        page.on("response", self._keep)
        page.on("websocket", self._listen)

    def _pass_on(self, route):
        response = route.fetch()
        self.bodies.append((response.url, response.text()))
        route.fulfill(response=response)

    def _keep(self, response):
        if "/api/" not in response.url:
            self.bodies.append((response.url, response.text()))

    def _listen(self, socket):
        socket.on("framereceived", lambda frame: self.frames.append(("frame", frame)))

    def texts(self):
        return self.bodies + self.frames


def check_wire(wire, seat, game, situations):
    """All that was received is the same if what the seat cannot see is dealt anew."""
    rng, views, hands = Rng(seat), 0, set()
    for where, text in wire.texts():
        if where != "frame" and "/api/" not in where:
            assert '"hand":[' not in text.replace(" ", "")  # pages and scripts: no match in them
            continue
        found = json.loads(text)
        if "match" not in found or "piles" not in found:
            assert set(found) <= {"match", "seat", "token", "invitations", "move", "after"} or (
                isinstance(found, list)
            )
            continue
        views += 1
        assert set(found) == set(View.model_fields)
        assert all(one["hand"] is None for one in found["seats"])
        truth = situations[found["number"]]
        viewer = found["seat"]
        assert viewer in (seat, None)
        hidden = shuffle_hidden(game, truth.state, viewer, rng)
        other = skipbo_play._situation(game, hidden)
        seats = [Seat(token="t"), Seat(token="t")]
        wanted = view_of("m", game, other, seats, [], found["number"], viewer).model_dump()
        if found["state"] == "running":
            for part in ("piles", "draw", "aside", "hand", "legal", "turn"):
                assert found[part] == json.loads(json.dumps(wanted[part]))
            for one, two in zip(found["seats"], wanted["seats"], strict=True):
                for part in ("stock", "top", "held", "discards"):
                    assert one[part] == two[part]
            if viewer is not None:
                assert found["hand"] == [card for card in hand_of(truth.state, seat) if card]
                hands.add(tuple(found["hand"]))
    return views, hands


def test_two_browsers_and_neither_gets_the_others_cards(open_page, server):
    """A whole match of two people; every byte that either receives is looked at."""
    pages = [open_page("/skip-bo", **STILL), open_page("/skip-bo", language="de", **STILL)]
    wires = [Wire(page) for page in pages]
    seed = 58  # short, and both see many hands
    made = put_match(server, seed)
    sit(pages[0], made)
    link = pages[0].input_value(".invitation-link")
    assert link.endswith(
        f"/skip-bo/{made['match']}#invitation={made['invitations'][0]['invitation']}&seat=2"
    )
    pages[1].goto(link)
    expect(pages[1].locator("#invited-by")).to_have_text("Am Tisch: Anna.")
    pages[1].click("#language")  # the invitation is not lost by it
    expect(pages[1].locator("#invited-by")).to_have_text("At the table: Anna.")
    third = open_page("/skip-bo")
    third.goto(link)
    expect(third.locator("#invited-by")).to_have_text("At the table: Anna.")
    pages[1].fill("#coming-name", "Ben")
    pages[1].click("#coming .main")
    expect(pages[1].locator("#game")).to_be_visible()
    assert "#" not in pages[1].url
    expect(pages[0].locator(".seat .name")).to_have_text("Ben")
    third.click("#coming .main")
    expect(third.locator("#invitation-title")).to_have_text("This seat is already taken")
    third.errors.clear()  # the browser itself reports the 409
    both = pages[0].locator("#status.mine"), pages[1].locator("#status.mine")
    while not pages[0].locator("#result[open]").count():
        turn = kept(server, made["match"])
        game = SkipBo(players=2, stock=2)
        situation = begin(game, seed)
        for move in turn.moves:
            situation = play(game, situation, move)
        if situation.end:
            break
        page = pages[situation.mover]
        expect(page.locator("#game")).to_have_attribute("data-number", str(len(turn.moves)))
        expect(both[situation.mover]).to_be_visible()
        click_move(page)
    for page in pages:
        expect(page.locator("#result[open]")).to_be_visible()
    titles = {page.locator("#result").get_attribute("data-what") for page in pages}
    assert titles == {"won", "lost"}
    moves = kept(server, made["match"]).moves
    situations = [begin(game, seed)]
    for move in moves:
        situations.append(play(game, situations[-1], move))
    for seat, wire in enumerate(wires):
        views, hands = check_wire(wire, seat, game, situations)
        assert views > len(moves)
        assert len(hands) > 3
        assert not any(made["token"] in address for address, _ in wire.bodies)


@pytest.mark.thorough
def test_the_same_players_go_on_together(open_page):
    anna = open_page("/skip-bo", **STILL)
    made = make(anna, [{"person": "Anna"}, {"person": "Ben"}])
    ben = open_page(
        f"/skip-bo/{made['match']}#invitation={made['invitations'][0]['invitation']}", **STILL
    )
    ben.click("#coming .main")
    expect(ben.locator("#game[data-state=running]")).to_be_visible()
    token = ben.evaluate("Object.values(JSON.parse(localStorage['skip-bo.matches']))[0].token")
    path = f"/api/matches/{made['match']}/resign"
    ben.request.post(path, data={}, headers={"Authorization": f"Bearer {token}"})
    anna.click("#result-again")
    expect(anna.locator("#game[data-state=running]")).to_be_visible()
    expect(anna.locator("#status")).to_have_text("Ben is to play, but not there")
    ben.click("#result-close")
    ben.click("#following button")
    expect(ben.locator("#status.mine")).to_be_visible()
    expect(anna.locator("#status")).to_have_text("Ben is playing …")
    assert anna.url == ben.url != f"/skip-bo/{made['match']}"


# What is not lost -------------------------------------------------------------------------------


def cards(page):
    return page.locator(".own-card").evaluate_all("all => all.map((one) => one.dataset.card)")


def test_a_page_that_is_loaded_again_shows_the_same(open_page):
    page = open_page("/skip-bo", **STILL)
    make(page, ALONE, stock=5, seed=3)
    for _ in range(4):
        wait_for_turn(page)
        click_move(page)
    wait_for_turn(page)
    before = cards(page), page.locator(".middle").aria_snapshot(), number(page)
    page.reload()
    wait_for_turn(page)
    assert (cards(page), page.locator(".middle").aria_snapshot(), number(page)) == before
    page.goto("/skip-bo")
    row = page.locator("#matches li[data-state=yours]")
    expect(row).to_contain_text("You, Chance")
    row.locator("a").click()
    wait_for_turn(page)
    assert cards(page) == before[0]


def test_a_killed_server_loses_nothing(open_page, tmp_path):
    """kill -9 while the program is about to move; a new process on the same store and port. The
    page comes back by itself, the program thinks again, and the cards are the same."""
    server = Server(tmp_path).start()
    try:
        page = open_page("/skip-bo", on=server, **STILL)
        made = make(page, ALONE, stock=5, seed=3, pause=4)
        wait_for_turn(page)
        page.locator(".own-card:not([data-card='13'])").last.click()
        page.locator(".own .discard.target").first.click()
        expect(page.locator("#game")).to_have_attribute("data-number", "1")
        before = cards(page)
        server.stop(signal.SIGKILL)
        assert len(kept(server, made["match"]).moves) == 1
        expect(page.locator("#status.trouble")).to_be_visible()
        page.evaluate("window.stayed = true")
        server.start()
        expect(page.locator("#status.mine")).to_be_visible()
        assert page.evaluate("window.stayed")
        assert number(page) > 1
        after = cards(page)
        assert len(after) == 5
        for card in before:
            after.remove(card)  # those that were there are there
        click_move(page)
        assert len(kept(server, made["match"]).moves) == number(page)
        page.goto("about:blank")
        page.errors.clear()  # the browser itself reports that nobody was there
    finally:
        server.stop()


# Everybody --------------------------------------------------------------------------------------


def test_a_turn_with_the_keyboard_alone(open_page):
    page = open_page("/skip-bo", **STILL)
    make(page, ALONE, seed=4629, pause=5)
    wait_for_turn(page)
    label = "document.activeElement.getAttribute('aria-label')"
    for _ in range(40):
        page.keyboard.press("Tab")
        if "in your hand" in (page.evaluate(label) or ""):
            break
    assert page.evaluate(label) == "1, in your hand. Pick it up."
    page.keyboard.press("Enter")
    assert page.evaluate(label).endswith("Lay it here.")
    page.keyboard.press("Escape")
    assert page.evaluate(label) == "1, in your hand. Pick it up."
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_have_text("You lay a 1 from the hand on pile 1.")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert "in your hand" in page.evaluate(label)
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    assert page.evaluate(label).startswith("2, in your hand")
    pick_up(page)
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_have_text("You lay a 2 from the hand on pile 1.")
    page.locator(".own-card[data-card='3']").focus()
    pick_up(page)
    page.keyboard.press("Enter")
    expect(page.locator("#game")).to_have_attribute("data-number", "3")
    page.locator(".own .stock").focus()
    page.keyboard.press("Enter")  # there is one place only for the 4
    expect(page.locator("#told")).to_have_text("You lay a 4 from the stock on pile 1.")
    page.locator(".own-card[data-card='7']").focus()
    page.keyboard.press("Enter")
    assert page.evaluate(label).endswith("Discard it here; your turn ends.")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_contain_text("You discard a 7 on pile a.")


@pytest.mark.thorough
def test_a_hint_lights_up_a_legal_move(open_page):
    page = open_page("/skip-bo", language="de", **STILL)
    make(page, ALONE, seed=4629)
    wait_for_turn(page)
    page.click("#hint")
    expect(page.locator(".slot.hinted")).to_be_visible()
    expect(page.locator("#told")).to_contain_text("Tipp:")
    page.click(".slot.hinted")
    expect(page.locator("#game")).to_have_attribute("data-number", "1")


def test_four_players_on_a_phone(open_page, screenshot):
    seats = [
        {"person": "Anna"},
        {"agent": "random"},
        {"person": "Benedikta-Maximiliane"},
        {"agent": "random"},
    ]
    page = open_page(
        "/skip-bo", language="de", viewport=PHONE, has_touch=True, color_scheme="dark", **STILL
    )
    made = make(page, seats, stock=10)
    assert overflow(page) <= 0
    expect(page.locator("#waiting h2")).to_have_text("Noch sind nicht alle da")
    invitation = made["invitations"][0]["invitation"]
    ben = open_page(f"/skip-bo/{made['match']}#invitation={invitation}", viewport=PHONE, **STILL)
    assert overflow(ben) <= 0
    ben.fill("#coming-name", "Benedikta-Maximiliane")
    ben.click("#coming .main")
    for own in (page, ben, page):  # the deal is not ours to choose: a turn may be one discard
        wait_for_turn(own)
        while own.locator("#status.mine").count():
            click_move(own)
            assert overflow(own) <= 0
    sizes = page.locator("button:visible").evaluate_all(
        "all => all.map((one) => [one.offsetWidth, one.offsetHeight])"
    )
    assert min(min(size) for size in sizes) >= 40
    assert not barriers(page)
    page.goto("/skip-bo")
    expect(page.locator("#seats li")).to_have_count(2)
    for _ in range(4):
        page.click("#add")
    assert overflow(page) <= 0
    for path in ("/skip-bo/rules", "/skip-bo/tutorial"):
        page.goto(path)
        assert overflow(page) <= 0


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("de", "dark")])
def test_nothing_keeps_anybody_out(open_page, language, scheme):
    page = open_page("/skip-bo", language=language, color_scheme=scheme, **STILL)
    expect(page.locator("#seats li")).to_have_count(2)
    assert not barriers(page)
    page.goto("/skip-bo/rules")
    assert not barriers(page)
    make(page, [{"person": "Anna"}, {"person": "Ben"}])
    expect(page.locator("#waiting-seats li")).to_have_count(2)
    assert not barriers(page)
    make(page, [*ALONE, {"agent": "random"}], seed=4629)
    wait_for_turn(page)
    click_move(page)
    assert not barriers(page)
    page.locator(".own-card").first.click()
    assert not barriers(page)
    page.click("#leave")
    assert not barriers(page)
    page.click("#leave-no")
    page.goto("/skip-bo/tutorial")
    expect(page.locator("#coach-next")).to_be_visible()
    assert not barriers(page)
    make(page, [{"agent": "random"}, {"agent": "random"}], stock=1, seed=3)
    expect(page.locator("#result[open]")).to_be_visible()
    assert not barriers(page)


@pytest.mark.parametrize("path", ["/skip-bo", "/skip-bo/rules", "/skip-bo/tutorial", "match"])
def test_a_first_load_is_light(open_page, path):
    page = open_page("/api/docs", **STILL)
    if path == "match":
        body = {"seats": ALONE, "pause": 5}
        path = f"/skip-bo/{page.request.post('/api/matches', data=body).json()['match']}"
    fresh = open_page("about:blank", **STILL)
    transfer = Transfer(fresh)
    fresh.goto(path)
    fresh.wait_for_load_state("networkidle")
    assert 5_000 < transfer.bytes < LIGHT_LOAD


@pytest.mark.thorough
def test_a_match_that_is_not_there(open_page):
    page = open_page("/skip-bo/AAAAAAAAAAAAAAAAAAAAAA", language="de")
    expect(page.locator("#missing h2")).to_have_text("Diese Partie gibt es nicht")


# Watching ---------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_programs_are_watched(open_page):
    page = open_page("/skip-bo", **STILL)
    page.select_option("#seats [data-seat='0']", "random")
    page.select_option("#seats [data-seat='1']", "random")
    expect(page.locator("#only-programs")).to_be_visible()
    page.click("#setup .start")
    page.wait_for_url(ADDRESS)
    page.click("#pause")
    expect(page.locator("#pause")).to_have_text("Go on")
    before = number(page)
    page.click("#step")
    expect(page.locator("#game")).to_have_attribute("data-number", str(before + 1))
    assert page.locator(".own").is_hidden()
    assert page.locator(".backs.open").count() == 0
    page.click("#pause")
    page.check("#hands")
    expect(page.locator(".backs.open .face[data-tone]").first).to_be_visible()
    make(page, [{"agent": "random"}, {"agent": "random"}], stock=1, seed=3, pause=0.02)
    page.select_option("#speed", "fastest")
    expect(page.locator("#result[open]")).to_be_visible()
    assert page.locator("#log li").count() == number(page) + 1
    page.click("#result-again")
    page.wait_for_url(ADDRESS)
    expect(page.locator("#watch")).to_be_visible()


@pytest.mark.thorough
def test_somebody_else_only_looks_on(open_page):
    page = open_page("/skip-bo", **STILL)
    made = make(page, ALONE, seed=4629)
    onlooker = open_page(f"/skip-bo/{made['match']}", **STILL)
    expect(onlooker.locator("#status")).to_have_text("Anna is playing …")
    assert onlooker.locator(".own-card").count() == 0
    for tool in ("#hint", "#leave", "#watch"):
        assert onlooker.locator(tool).is_hidden()
    wait_for_turn(page)
    click_move(page)
    expect(onlooker.locator("#log li").first).to_contain_text(
        "Anna lays a 1 from the hand on pile 1"
    )


# Learning ---------------------------------------------------------------------------------------


def test_the_tutorial_to_its_end(open_page):
    """Doing what the coach points at wins; on the way it has told of everything that matters."""
    page = open_page("/skip-bo/tutorial", language="de", **STILL)
    words = page.locator(".coach-words")
    told = set()
    for _ in range(5):
        told.add(words.inner_text())
        page.click("#coach-next")
    assert len(told) == 5
    moves = 0
    while wait_for_turn(page):
        before = number(page)
        if moves == 2:
            page.reload()  # it goes on where it was
            wait_for_turn(page)
        page.locator(".own button.slot.pointed.can").last.click()
        page.locator("button.slot.pointed.target").click()
        expect(page.locator("#game")).not_to_have_attribute("data-number", str(before))
        moves += 1
    assert 8 < moves < 30
    assert page.get_attribute("#result", "data-what") == "won"
    page.click("#result-close")
    seen = page.locator(".topics .seen").count()
    assert seen >= 6
    expect(words).to_contain_text("25")
    page.click("#coach a.main")
    page.wait_for_url(re.compile(r"/skip-bo$"))


@pytest.mark.thorough
def test_the_coach_reacts_and_can_be_left(open_page):
    page = open_page("/skip-bo/tutorial", **STILL)
    words = page.locator(".coach-words")
    expect(page.locator("#coach-next")).to_be_visible()
    for card in (1, 2, 3):  # no need to listen to the introduction
        page.locator(f".own-card[data-card='{card}']").dblclick()
        expect(page.locator("#game")).to_have_attribute("data-number", str(card))
    expect(words).to_contain_text("Your stock shows a 4")
    page.click(".own-card[data-card='7']")
    page.click(".slot[data-place='a']")
    expect(words).to_contain_text("your stock could have been laid first")
    page.click("#coach >> text=Leave the tutorial")
    page.wait_for_url(re.compile(r"/skip-bo$"))


def test_the_rules_are_there_in_both_languages(open_page):
    page = open_page("/skip-bo/rules", language="de")
    expect(page.locator("h1")).to_have_text("Die Regeln von Skip-Bo")
    assert page.locator("figure .face").count() >= 12
    page.click("#language")
    expect(page.locator("h1")).to_have_text("The rules of Skip-Bo")
    expect(page.locator("#cards")).to_contain_text("162")


@pytest.mark.thorough
def test_the_picture_for_the_readme(open_page, screenshot):
    page = open_page("/skip-bo", viewport=DESKTOP, **STILL)
    seats = [{"person": "Anna"}, {"agent": "skipbo-basic"}, {"agent": "skipbo-mature"}]
    make(page, seats, stock=10, seed=12)
    for _ in range(9):
        assert wait_for_turn(page)
        click_move(page)
    wait_for_turn(page)
    assert overflow(page) <= 0
    page.locator(".own-card.can").first.click()
    screenshot(page, "skip-bo")


# What a reviewer found --------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_link_whose_seat_is_taken_does_not_invite(open_page):
    """The link says which seat it is for: another that is free does not make it good."""
    anna = open_page("/skip-bo")
    made = make(anna, [{"person": "Anna"}, {"person": ""}, {"person": ""}])
    links = anna.locator(".invitation-link")
    address = links.first.input_value()
    links.nth(1).wait_for()
    ben = open_page(address.replace(anna.url.rpartition("/skip-bo")[0], ""))
    ben.click("#coming .main")
    expect(anna.locator(".waiting-seats [data-state=here]")).to_have_count(2)
    carl = open_page("/skip-bo")
    carl.goto(address)
    expect(carl.locator("#invitation-title")).to_have_text("This seat is already taken")
    expect(carl.locator("#coming")).to_be_hidden()
    expect(carl.locator("#invitation").get_by_role("link")).to_have_attribute("href", "/skip-bo")
    assert barriers(carl) == []
    carl.click("#look-on")
    expect(carl.locator("#waiting")).to_be_visible()
    expect(carl.locator("#cancel")).to_be_hidden()
    assert made["match"] in carl.url


@pytest.mark.thorough
def test_a_table_is_cancelled_and_its_links_say_so(open_page):
    anna = open_page("/skip-bo", language="de")
    made = make(anna, [{"person": "Anna"}, {"person": "Ben"}])
    anna.get_by_role("button", name="Tisch auflösen").click()
    anna.wait_for_url(re.compile(r"/skip-bo$"))
    expect(anna.locator("#notice")).to_contain_text("Der Tisch ist aufgelöst.")
    anna.reload()
    expect(anna.locator("#seats li")).to_have_count(2)
    expect(anna.locator("#notice")).to_have_text("")  # told once
    invitation = made["invitations"][0]["invitation"]
    ben = open_page(f"/skip-bo/{made['match']}#invitation={invitation}")
    expect(ben.locator("#invitation-title")).to_have_text("This match is over")
    expect(ben.locator("#coming")).to_be_hidden()


@pytest.mark.thorough
def test_on_a_phone_the_coach_shows_what_it_speaks_of(open_page):
    page = open_page("/skip-bo/tutorial", viewport=PHONE, **STILL)
    page.click("#coach-next")
    expect(page.locator(".topic-count")).to_contain_text("1/8")
    expect(page.locator(".topics")).to_be_hidden()
    seen = """() => {
      const top = coach.getBoundingClientRect().bottom;
      const bottom = document.querySelector('.tools.bar').getBoundingClientRect().top;
      const pointed = [...document.querySelectorAll('.pointed')];
      const boxes = pointed.map((one) => one.getBoundingClientRect());
      return boxes.length > 0 && boxes.every((box) => box.top >= top && box.bottom <= bottom);
    }"""
    for _ in range(4):
        page.wait_for_function(seen)
        page.click("#coach-next")
    page.wait_for_function(seen)  # the first advice
    assert overflow(page) == 0
    assert barriers(page) == []


@pytest.mark.thorough
def test_six_on_a_phone(open_page):
    """Hint and Leave stay in sight, no name is cut, and what is set aside has its place."""
    others = ["skipbo-mature", "skipbo-mature", "skipbo-basic", "skipbo-basic-minus", "random"]
    page = open_page("/skip-bo", viewport=PHONE, **STILL)
    make(page, [{"person": "Anna"}, *({"agent": agent} for agent in others)], pause=5)
    expect(page.locator(".seat")).to_have_count(5)
    page.evaluate("scrollTo(0, 0)")
    for name in ("Hint", "Leave"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)
    cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length"
    assert page.locator(".seat .name").evaluate_all(cut) == 0
    expect(page.locator(".middle .aside")).to_be_visible()
    assert overflow(page) == 0
    make(page, [{"person": "Anna"}, {"agent": "skipbo-mature"}], pause=5)
    expect(page.locator(".seat .name")).to_have_text("Mature")
    assert page.locator(".seat .name").evaluate_all(cut) == 0


@pytest.mark.thorough
def test_a_model_of_the_lab_has_its_seat(open_page):
    page = open_page("/skip-bo?p2=skipbo-lea%3Askip-bo-lea")
    expect(page.locator("#seats [data-seat='1']")).to_have_value("other")
    expect(page.get_by_label("Program (spec)")).to_have_value("skipbo-lea:skip-bo-lea")
