"""The page of the open games in a real browser: whole games, links, keys, analysis, mistakes."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect
from web_checks import Transfer, barriers, overflow

expect.set_options(timeout=60_000)  # kernels may have to be compiled

PEOPLE = "p1=human&p2=human"
RANDOM = "p1=human&p2=random"
PHONE = {"width": 360, "height": 740}
VARIED = "4453361663373"
"""A position of Connect Four with moves that win, draw and lose."""
LOST_AT_ONCE = "5219743"
"""X takes the centre, O an edge: a draw became a loss, and X wins."""


def status(page):
    return page.locator("#status")


def moves_of(page):
    """The moves in the address."""
    return parse_qs(urlsplit(page.url).query).get("moves", [""])[0]


def choice(page, move):
    return page.locator(f"#board [data-move='{move}']")


def wait_for_moves(page, pattern):
    """Until the address holds moves of this form."""
    page.wait_for_url(re.compile(rf"[?&]moves={pattern}(&|$)"))


def play_out(page, order):
    """Play against a program until the game is over: always the first of `order` that is legal."""
    over = page.locator("#status.over")
    mine = page.locator("#board [data-move][aria-disabled=false]")
    for _ in range(50):
        expect(over.or_(mine.first).first).to_be_visible()
        if over.count():
            return
        before = moves_of(page)
        legal = [button.get_attribute("data-move") for button in mine.all()]
        page.click(f"#board [data-move='{next(move for move in order if move in legal)}']")
        page.wait_for_url(lambda url, before=before: len(_moves(url)) > len(before))
        expect(over.or_(mine.first).first).to_be_visible()


def _moves(url):
    return parse_qs(urlsplit(url).query).get("moves", [""])[0]


# Whole games -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "order"),
    [
        (f"/connect-four?{RANDOM}", "4352617"),
        (f"/connectx?game=connectx:4x5,k=3&{RANDOM}", "32415"),
        ("/tic-tac-toe?p1=human&p2=perfect", "192837465"),
        (f"/nim?game=nim:n=12,k=3&{RANDOM}", "321"),
    ],
)
def test_a_whole_game_against_a_program(open_page, path, order):
    page = open_page(path)
    play_out(page, order)
    assert re.match(r"You win!|You have lost|A draw", status(page).inner_text())
    played = moves_of(page)
    assert page.locator("#moves li").count() == len(played)
    assert page.locator("#board [aria-disabled=false]").count() == 0
    # Opened anew, the address shows the same end.
    ended = status(page).inner_text()
    page.reload()
    expect(page.locator("#status.over")).to_have_text(ended)
    assert moves_of(page) == played


def test_the_winning_line_and_the_last_move_are_marked(open_page, screenshot):
    page = open_page(f"/connect-four?moves=415263&{PEOPLE}")
    choice(page, "7").hover()
    expect(page.locator(".ghost .stone.first")).to_be_visible()
    choice(page, "7").click()
    expect(status(page)).to_have_text("Yellow wins.")
    assert page.locator(".mark.winning").count() == 4
    assert page.locator(".mark.last").count() == 1
    assert page.locator(".faded").count() == 3
    page.goto(f"/connect-four?moves={VARIED[:-1]}")
    expect(page.locator("#board [data-owner]")).to_have_count(12)
    screenshot(page, "connect-four")


# Undo, redo, links -----------------------------------------------------------------------------


def test_undo_goes_back_to_a_move_of_ones_own_and_redo_forward(open_page):
    page = open_page(f"/connect-four?{RANDOM}")
    choice(page, "4").click()
    wait_for_moves(page, "4[1-7]")
    first = moves_of(page)
    choice(page, "4").click()
    wait_for_moves(page, f"{first}4[1-7]")
    both = moves_of(page)
    page.click("#undo")
    wait_for_moves(page, first)
    expect(page.locator("#board [data-owner]")).to_have_count(2)
    page.reload()
    page.click("#redo")
    wait_for_moves(page, both)
    expect(page.locator("#redo")).to_be_disabled()
    page.click("#undo")
    page.click("#undo")
    expect(page.locator("#board [data-owner]")).to_have_count(0)
    expect(page.locator("#undo")).to_be_disabled()


@pytest.mark.thorough
def test_two_people_take_back_one_move_at_a_time(open_page):
    page = open_page(f"/tic-tac-toe?moves=51&{PEOPLE}")
    page.click("#undo")
    wait_for_moves(page, "5")
    expect(status(page)).to_have_text("O to move.")


def test_every_position_is_an_address_and_the_back_button_works(open_page):
    page = open_page("/connect-four?moves=4453")
    expect(page.locator("#board [data-owner]")).to_have_count(4)
    expect(status(page)).to_have_text("Your move: you are Yellow.")
    page.goto(f"/connect-four?{PEOPLE}")
    for move in "445":
        choice(page, move).click()
        expect(page.locator("#moves [aria-current]")).to_have_text(re.compile(rf"{move}$"))
    assert moves_of(page) == "445"
    page.go_back()
    expect(page.locator("#board [data-owner]")).to_have_count(2)
    page.go_back()
    expect(page.locator("#board [data-owner]")).to_have_count(1)
    page.go_forward()
    expect(page.locator("#board [data-owner]")).to_have_count(2)
    expect(status(page)).to_have_text("Yellow to move.")


@pytest.mark.thorough
def test_back_leads_to_a_move_of_ones_own(open_page):
    page = open_page(f"/connect-four?{RANDOM}")
    choice(page, "4").click()
    wait_for_moves(page, "4[1-7]")
    first = moves_of(page)
    choice(page, "3").click()
    wait_for_moves(page, f"{first}3[1-7]")
    page.go_back()
    wait_for_moves(page, first)
    expect(status(page)).to_have_text("Your move: you are Yellow.")
    choice(page, "5").click()
    wait_for_moves(page, f"{first}5[1-7]")


@pytest.mark.thorough
def test_who_opens_a_link_plays_the_side_to_move(open_page):
    page = open_page("/connect-four?moves=445")
    expect(status(page)).to_have_text("Your move: you are Red.")
    expect(page.locator("#player2 select")).to_have_value("human")
    assert moves_of(page) == "445"


@pytest.mark.thorough
def test_the_link_can_be_copied(open_page):
    page = open_page(f"/nim?moves=3&{PEOPLE}")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("#copy")
    expect(page.locator("#notice")).to_contain_text("The link to this position is copied.")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    assert "moves=3" in page.url


@pytest.mark.thorough
def test_a_wrong_address_is_told_and_a_fresh_game_shown(open_page):
    page = open_page("/connect-four?moves=4444444")
    expect(page.locator("#notice")).to_contain_text("That move is not allowed here.")
    expect(page.locator("#notice")).to_contain_text("Column 4 is full after 444444")
    expect(status(page)).to_have_text("Your move: you are Yellow.")
    page.wait_for_url(re.compile("/connect-four$"))
    page.goto("/connect-four?moves=44&p1=human&p2=nobody")
    expect(page.locator("#notice")).to_contain_text("nobody")
    page.wait_for_url(lambda url: "nobody" not in url)
    assert moves_of(page) == "44"
    page.errors.clear()  # the browser's own remark on 422


@pytest.mark.thorough
def test_a_game_leads_to_the_page_where_it_is_played(open_page):
    page = open_page("/connect-four?game=nim:n=9&moves=2")
    expect(page.locator("h1")).to_have_text("Nim")
    expect(page.locator(".count")).to_have_text("7 of 9 stones left")


# Languages, keyboard, phone, everyone ----------------------------------------------------------


def test_both_languages_and_the_position_stays(open_page):
    page = open_page(f"/connect-four?moves=44&{PEOPLE}", language="de")
    expect(status(page)).to_have_text("Gelb ist am Zug.")
    expect(page.locator("#undo")).to_contain_text("Zug zurück")
    choice(page, "5").click()
    expect(status(page)).to_have_text("Rot ist am Zug.")
    expect(page.locator("#told")).to_have_text("Gelb: Spalte 5. Rot ist am Zug.")
    page.click("#language")
    expect(status(page)).to_have_text("Red to move.")
    assert moves_of(page) == "445"
    expect(page.locator("#player2 select option:checked")).to_have_text("a person")


def test_a_whole_game_by_keyboard_alone(open_page):
    page = open_page("/tic-tac-toe?p1=human&p2=human")
    expect(choice(page, "5")).to_be_visible()
    page.keyboard.press("ArrowLeft")  # onto the board: its middle
    expect(choice(page, "5")).to_be_focused()
    page.keyboard.press("Enter")
    wait_for_moves(page, "5")
    page.keyboard.press("ArrowUp")
    expect(choice(page, "2")).to_be_focused()
    page.keyboard.press("Space")
    wait_for_moves(page, "52")
    for digit, told in (("1", "X: cell 1. O to move."), ("9", "O: cell 9. X to move.")):
        page.keyboard.press(digit)
        expect(page.locator("#told")).to_contain_text(told)
    page.keyboard.press("7")
    wait_for_moves(page, "52197")
    page.keyboard.press("u")
    wait_for_moves(page, "5219")
    expect(page.locator("#told")).to_have_text("Move taken back. X to move.")
    page.keyboard.press("r")
    wait_for_moves(page, "52197")
    page.keyboard.press("4")
    page.keyboard.press("3")
    expect(status(page)).to_have_text("X wins.")
    expect(page.locator("#told")).to_have_text("O: cell 4. X: cell 3. X wins.")
    page.keyboard.press("n")
    expect(page.locator("#board [data-owner]")).to_have_count(0)
    expect(page.locator("#told")).to_have_text("New game. X to move.")


@pytest.mark.thorough
def test_single_keys_can_be_switched_off(open_page):
    page = open_page(f"/connect-four?{PEOPLE}")
    page.click("#keys summary")
    page.uncheck("#shortcuts")
    page.locator("h1").click()
    page.keyboard.press("4")
    page.keyboard.press("a")
    expect(page.locator("#analysis")).to_be_hidden()
    assert moves_of(page) == ""


@pytest.mark.thorough
def test_columns_have_names_for_those_who_listen(open_page):
    page = open_page(f"/connect-four?moves=4435&{PEOPLE}")
    column = page.get_by_role("button", name="Column 4, 2 stones")
    expect(column).to_be_visible()
    expect(page.get_by_role("img", name="Column 4 from below: Yellow, Red")).to_be_visible()
    column.click()
    expect(page.get_by_role("button", name="Column 4, 3 stones")).to_be_visible()


@pytest.mark.parametrize(
    "path",
    [
        "/connect-four?moves=44&analysis=mcts:iterations=200",
        "/connectx?game=connectx:1x32,k=5&analysis=mcts:iterations=200",
        "/tic-tac-toe",
        "/nim?game=nim:n=60,k=35",
    ],
)
def test_it_fits_a_phone(open_page, path):
    page = open_page(path, viewport=PHONE, language="de")
    expect(choice(page, "1")).to_be_visible()
    for summary in page.locator("summary").all():
        summary.click()
    assert overflow(page) <= 0


@pytest.mark.thorough
def test_a_wide_board_shrinks_to_a_phone_or_says_that_it_scrolls(open_page):
    page = open_page("/connectx?game=connectx:3x12,k=4", viewport=PHONE)
    expect(choice(page, "c")).to_be_visible()
    stage = page.locator("#stage")
    assert stage.evaluate("stage => stage.scrollWidth <= stage.clientWidth")
    assert choice(page, "1").bounding_box()["width"] >= 24
    expect(page.locator("#scroll-cue")).to_be_hidden()
    page.goto("/connectx?game=connectx:1x32,k=5")
    expect(page.locator("#scroll-cue")).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize(("viewport", "game"), [(PHONE, "n=30,k=12"), (None, "n=30,k=20")])
def test_many_bars_of_nim_leave_the_heap_in_view(open_page, viewport, game):
    options = {"viewport": viewport} if viewport else {}
    page = open_page(f"/nim?game=nim:{game}&{PEOPLE}&analysis=mcts:iterations=100", **options)
    expect(page.locator(".word:not(:empty)").last).to_be_visible()
    outside = """parts => parts.map((part) => part.getBoundingClientRect()).filter(
        (box) => box.left < 0 || box.right > document.documentElement.clientWidth).length"""
    assert page.locator(".pebble, .bars li, .bars .word").evaluate_all(outside) == 0
    assert page.locator("#stage").evaluate("stage => stage.scrollWidth <= stage.clientWidth")


@pytest.mark.thorough
def test_fingers_can_hit_the_columns(open_page):
    page = open_page(f"/connect-four?{PEOPLE}", viewport=PHONE, has_touch=True)
    box = choice(page, "1").bounding_box()
    assert box["width"] >= 40
    page.tap("#board [data-move='1']")
    wait_for_moves(page, "1")
    assert all(
        button.bounding_box()["height"] >= 40
        for button in page.locator(".controls button:visible").all()
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everyone_can_use_it(open_page, scheme):
    page = open_page("about:blank", color_scheme=scheme)
    ends = {
        "/connect-four?moves=1212121": "Yellow wins.",
        "/tic-tac-toe?moves=5219743": "X wins.",
        "/nim?moves=33": "Yellow to move.",
        "/connectx?game=connectx:2x12,k=3&moves=1c": "Yellow to move.",
    }
    for path, said in ends.items():
        page.goto(f"{path}&{PEOPLE}&analysis=mcts:iterations=100")
        expect(status(page)).to_have_text(said)
        for summary in page.locator("summary").all():
            summary.click()
        expect(page.locator(".word:not(:empty), #mistakes li").first).to_be_visible()
        assert barriers(page) == []


@pytest.mark.parametrize("path", ["/connect-four", "/tic-tac-toe", "/nim"])
def test_the_first_load_is_light(open_page, path):
    page = open_page("about:blank")
    transfer = Transfer(page)
    page.goto(path)
    expect(choice(page, "1")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert 10_000 < transfer.bytes < 100_000


# Players ---------------------------------------------------------------------------------------


def test_two_programs_step_by_step_and_by_themselves(open_page):
    page = open_page("/nim?game=nim:n=9&p1=random&p2=random")
    expect(status(page)).to_have_text("Yellow to move; waiting.")
    page.click("#step")
    wait_for_moves(page, "[1-3]")
    expect(status(page)).to_have_text("Red to move; waiting.")
    page.click("#step")
    wait_for_moves(page, "[1-3]{2}")
    page.locator("#speed").fill("6")
    page.click("#run")
    expect(page.locator("#status.over")).to_have_text(re.compile("(Yellow|Red) wins."))
    expect(page.locator("#auto")).to_be_hidden()


@pytest.mark.thorough
def test_two_programs_can_be_paused(open_page):
    page = open_page("/connect-four?p1=random&p2=random")
    page.locator("#speed").fill("0")  # four seconds between two moves
    page.click("#run")
    wait_for_moves(page, "[1-7]")
    page.click("#run")
    expect(status(page)).to_have_text("Red to move; waiting.")
    expect(page.locator("#run")).to_contain_text("Play")
    assert len(moves_of(page)) == 1


def test_any_program_by_its_spec_and_a_wrong_one_is_refused(open_page):
    page = open_page("/tic-tac-toe")
    page.select_option("#player2 select", "other")
    page.fill("#player2 .text", "alphabetta:depth=2")
    page.click("#player2 .spec button")
    expect(page.locator("#notice")).to_contain_text('Did you mean "alphabeta"?')
    assert page.input_value("#player2 .text") == "alphabetta:depth=2"
    page.errors.clear()
    page.fill("#player2 .text", "alphabeta:depth=2")
    page.click("#player2 .spec button")
    page.wait_for_url(re.compile("p2=alphabeta:depth=2"))
    choice(page, "5").click()
    wait_for_moves(page, "5[1-9]")
    page.reload()
    expect(page.locator("#player2 .text")).to_have_value("alphabeta:depth=2")


def test_swapping_sides_lets_the_program_begin(open_page):
    page = open_page(f"/tic-tac-toe?{RANDOM}")
    expect(status(page)).to_have_text("Your move: you are X.")
    page.click("#swap")
    wait_for_moves(page, "[1-9]")
    expect(status(page)).to_have_text("Your move: you are O.")


def test_a_hint_marks_a_move(open_page):
    page = open_page(f"/tic-tac-toe?moves=1524&{PEOPLE}")
    page.click("#hint")
    expect(page.locator(".mark.advice")).to_have_count(1)
    expect(page.locator("#told")).to_contain_text("Hint: cell 3.")
    choice(page, "3").click()
    expect(status(page)).to_have_text("X wins.")
    expect(page.locator(".mark.advice")).to_have_count(0)


def test_resigning_ends_the_game_and_can_be_taken_back(open_page):
    page = open_page(f"/connect-four?moves=44&{RANDOM}")
    page.click("#resign")
    expect(status(page)).to_have_text("You resign. Red wins.")
    page.reload()
    expect(status(page)).to_have_text("You resign. Red wins.")
    expect(page.locator("#resign")).to_be_disabled()
    page.click("#undo")
    expect(status(page)).to_have_text("Your move: you are Yellow.")


def test_a_new_game_after_resigning_before_the_first_move(open_page):
    page = open_page(f"/connect-four?{RANDOM}")
    page.click("#resign")
    expect(status(page)).to_have_text("You resign. Red wins.")
    page.click("#new")
    expect(status(page)).to_have_text("Your move: you are Yellow.")


@pytest.mark.thorough
def test_a_new_game_can_be_taken_back(open_page):
    page = open_page(f"/connect-four?moves=4453&{PEOPLE}")
    expect(status(page)).to_have_text("Yellow to move.")
    page.keyboard.press("n")
    expect(page.locator("#board [data-owner]")).to_have_count(0)
    page.keyboard.press("u")
    expect(page.locator("#board [data-owner]")).to_have_count(4)
    expect(page.locator("#told")).to_have_text("The game before is back. Yellow to move.")
    assert moves_of(page) == "4453"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("language", "said"), [("en", "You have lost."), ("de", "Sie haben verloren.")]
)
def test_who_loses_to_a_program_is_told_so(open_page, language, said):
    page = open_page("/connect-four?moves=4142434&p1=random&p2=human", language=language)
    expect(status(page)).to_have_text(said)


@pytest.mark.thorough
def test_a_double_click_is_one_move(open_page):
    page = open_page(f"/connect-four?{PEOPLE}")
    choice(page, "4").dblclick()
    choice(page, "5").click()
    wait_for_moves(page, "45")


def test_thinking_can_be_stopped_and_taken_up_again(open_page):
    page = open_page("/connect-four?p1=human&p2=mcts:seconds=15")
    choice(page, "4").click()
    expect(status(page)).to_have_text("Red is thinking …")
    expect(page.locator("#slow")).to_be_visible()
    expect(page.locator("#told")).to_contain_text("Red is thinking …")
    with page.expect_event("requestfailed") as failed:
        page.click("#cancel")
    assert failed.value.url.endswith("/api/move")
    expect(status(page)).to_have_text("Red to move; waiting.")
    assert moves_of(page) == "4"
    page.select_option("#player2 select", "random")
    wait_for_moves(page, "4[1-7]")


@pytest.mark.thorough
def test_stones_of_nim_are_taken_by_a_click(open_page):
    page = open_page(f"/nim?game=nim:n=12,k=3&{PEOPLE}")
    expect(page.locator("#rule")).to_contain_text("Take 1 to 3 stones")
    stones = page.locator(".pebble ellipse")
    stones.nth(10).hover()
    expect(page.locator(".pebble.aimed")).to_have_count(2)
    stones.nth(10).click()
    expect(page.locator(".count")).to_have_text("10 of 12 stones left")
    stones.nth(0).click()
    expect(page.locator("#notice")).to_contain_text("3 stones at most")
    assert moves_of(page) == "2"


# The focus -------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_focus_stays_on_a_button_that_can_no_longer_be_used(open_page):
    page = open_page(f"/tic-tac-toe?moves=15&{PEOPLE}")
    for button in ("#hint", "#undo", "#undo", "#resign"):
        page.locator(button).press("Enter")
        expect(page.locator(button)).to_be_focused()
        expect(page.locator("#cancel")).to_be_hidden()
    expect(status(page)).to_have_text("X resigns. O wins.")
    expect(page.locator("#resign")).to_be_focused()


@pytest.mark.thorough
def test_the_focus_goes_where_one_goes_on(open_page):
    page = open_page(f"/tic-tac-toe?moves={LOST_AT_ONCE}&{PEOPLE}")
    page.click("#review")
    page.locator("#mistakes button").press("Enter")
    expect(page.locator("#question")).to_be_focused()
    page.locator("#show-answer").press("Enter")
    expect(page.locator("#show-answer")).to_be_hidden()
    expect(page.locator("#question")).to_be_focused()
    page.locator("#leave-quiz").press("Enter")
    expect(page.locator("#board button:focus")).to_have_count(1)
    page.click("#editor summary")
    page.locator("#edit").press("Enter")
    expect(page.locator("#brush [value='1']")).to_be_focused()
    page.locator("#edit-clear").press("Enter")
    page.locator("#edit-use").press("Enter")
    expect(page.locator("#editing")).to_be_hidden()
    expect(page.locator("#board button:focus")).to_have_count(1)


# Start positions and sizes ---------------------------------------------------------------------


def test_a_position_is_put_together_by_clicks(open_page):
    page = open_page("/connect-four")
    page.click("#editor summary")
    page.click("#edit")
    expect(status(page)).to_have_text("Put a position together.")
    choice(page, "4").click()
    choice(page, "5").click()
    page.click("#edit-use")
    expect(page.locator("#notice")).to_contain_text("That position cannot come about in a game.")
    expect(page.locator("#notice")).to_contain_text("X has 2 stones and O has 0")
    expect(page.locator("#refused")).to_contain_text("X has 2 stones and O has 0")
    expect(page.locator("#refused")).to_contain_text("(X: Yellow, O: Red)")
    expect(page.locator("#board [data-owner]")).to_have_count(2)
    page.errors.clear()
    page.check("#brush [value='0']")
    choice(page, "5").click()
    expect(page.locator("#board [data-owner]")).to_have_count(1)
    page.check("#brush [value='2']")
    choice(page, "4").click()
    page.click("#edit-use")
    page.wait_for_url(re.compile(r"start=[.]{7}/.*[.]{3}O[.]{3}/[.]{3}X[.]{3}"))
    expect(status(page)).to_have_text("Your move: you are Yellow.")
    page.reload()
    expect(page.locator("#board [data-owner]")).to_have_count(2)
    page.click("#editor summary")
    page.click("#usual-start")
    expect(page.locator("#board [data-owner]")).to_have_count(0)


PASTED = {
    "4453": 4,
    "1 2, 3": 3,
    "\n".join(["......."] * 5 + ["..OX..."]): 2,
    "[" + ", ".join(["0"] * 37 + ["2", "1", "2", "1", "0"]) + "]": 4,
    "https://elsewhere.example/connect-four?moves=445": 3,
}


@pytest.mark.thorough
def test_a_position_is_pasted(open_page):
    page = open_page(f"/connect-four?{PEOPLE}")
    page.click("#editor summary")
    for text, stones in PASTED.items():
        page.fill("#pasted", text)
        page.click("#paste button")
        expect(page.locator("#board [data-owner]")).to_have_count(stones)
        expect(page.locator("#pasted")).to_have_value("")
    page.reload()
    expect(page.locator("#board [data-owner]")).to_have_count(3)


@pytest.mark.thorough
def test_a_wrong_paste_is_refused_and_nothing_is_lost(open_page):
    page = open_page(f"/connect-four?moves=44&{PEOPLE}")
    page.click("#editor summary")
    page.fill("#pasted", "4449")
    page.click("#paste button")
    expect(page.locator("#notice")).to_contain_text('There is no column "9" after 444')
    assert page.input_value("#pasted") == "4449"
    expect(page.locator("#board [data-owner]")).to_have_count(2)
    assert moves_of(page) == "44"
    page.errors.clear()


@pytest.mark.thorough
def test_another_size(open_page):
    page = open_page("/connectx")
    for name, value in (("rows", "9"), ("cols", "9"), ("k", "3")):
        page.fill(f"#size [name={name}]", value)
    page.click("#size button")
    expect(page.locator("#size-words")).to_contain_text("9 × (9 + 1) = 90")
    expect(page.locator("#board [data-move]")).to_have_count(6)
    page.fill("#size [name=k]", "10")
    page.fill("#size [name=rows]", "3")
    expect(page.locator("#size-words")).to_contain_text("Nobody can get 10 in a row")
    page.fill("#size [name=k]", "3")
    expect(page.locator("#size-words")).to_have_text("")
    page.fill("#size [name=rows]", "3")
    page.fill("#size [name=cols]", "4")
    page.click("#size button")
    expect(page.locator("#board [data-move]")).to_have_count(4)
    assert parse_qs(urlsplit(page.url).query)["game"] == ["connectx:rows=3,cols=4,k=3"]
    page.goto("/connectx?rows=2&cols=3&k=2")
    expect(page.locator("#board [data-move]")).to_have_count(3)


# Analysis --------------------------------------------------------------------------------------


def test_the_bars_show_what_the_api_says(open_page, screenshot):
    page = open_page(f"/connect-four?moves={VARIED}&{PEOPLE}")
    page.click("#analyse")
    page.select_option("#analyst select", "other")
    page.fill("#analyst .text", "mcts:iterations=1000")
    page.click("#analyst .spec button")
    place = {"game": "connect-four", "moves": VARIED}
    asked = {**place, "agent": "mcts:iterations=1000", "seed": 1}
    thought = page.request.post("/api/analysis", data=asked).json()["thought"]
    exact = page.request.post("/api/exact", data=place).json()["exact"]
    expect(page.locator("#opinion")).to_contain_text("1,000 playouts.")
    assert {value["result"] for value in exact.values()} == {"win", "draw", "loss"}
    words = {"win": "wins in {}", "draw": "draw", "loss": "loses in {}"}
    for move, value in exact.items():
        bars = page.locator(f".bars [data-move='{move}']")
        expect(bars.locator(".word")).to_have_text(words[value["result"]].format(value["plies"]))
        expect(bars.locator(".visits")).to_have_text(f"{thought['visits'][move]:,}×")
        shown = bars.locator(".value").inner_text().replace("−", "-")
        assert float(shown) == pytest.approx(thought["values"][move], abs=0.0051)
        height = bars.locator(".bar.program").evaluate(
            "bar => bar.style.getPropertyValue('--value')"
        )
        assert float(height) == pytest.approx(abs(thought["values"][move]))
    expect(page.locator(".bars .chosen")).to_have_attribute("data-move", thought["move"])
    assert "analysis=mcts:iterations=1000" in page.url
    page.reload()
    expect(page.locator(".word:not(:empty)")).to_have_count(len(exact))
    screenshot(page, "analysis")
    page.click("#analyse")
    expect(page.locator("#bars")).to_be_hidden()
    assert "analysis" not in page.url


def test_a_tree_search_grows_before_ones_eyes(open_page):
    page = open_page("about:blank")
    seen = []
    page.on("websocket", lambda ws: ws.on("framereceived", lambda frame: seen.append(frame)))
    page.goto("/nim?analysis=mcts:iterations=2000")
    expect(page.locator("#opinion")).to_contain_text("2,000 playouts.")
    assert len(seen) == 4
    expect(page.locator("#opinion")).to_contain_text("It expects: take 1,")


@pytest.mark.thorough
def test_a_slow_analysis_says_why(open_page):
    page = open_page("about:blank")
    page.route_web_socket(re.compile("/api/live"), lambda socket: None)  # never answers
    page.goto(f"/tic-tac-toe?{PEOPLE}&analysis=mcts:iterations=100")
    expect(page.locator("#opinion")).to_have_text("Thinking …")
    expect(page.locator("#opinion")).to_contain_text("it is compiled")


@pytest.mark.thorough
def test_the_link_and_the_move_in_the_list_do_not_touch(open_page):
    page = open_page(f"/connect-four?moves=4453361663&{PEOPLE}")
    chip = page.locator("#moves [aria-current]").bounding_box()
    link = page.locator("#copy").bounding_box()
    assert chip["y"] >= link["y"] + link["height"] + 4


def test_a_review_marks_the_mistake_and_it_can_be_tried_again(open_page):
    page = open_page(f"/tic-tac-toe?moves={LOST_AT_ONCE}&{PEOPLE}")
    expect(status(page)).to_have_text("X wins.")
    page.click("#review")
    mistake = page.locator("#mistakes li")
    expect(mistake).to_have_count(1)
    expect(mistake).to_contain_text("Move 2, O, cell 2: a draw became a loss.")
    expect(page.locator("#moves li.mistake button")).to_have_attribute("data-ply", "2")
    expect(page.locator(".graph .point.mistake")).to_have_attribute("data-ply", "2")
    expect(page.locator(".graph .point circle")).to_have_count(8)
    mistake.get_by_role("button").click()
    expect(page.locator("#question")).to_contain_text("O could have held a draw here")
    expect(page.locator("#board [data-owner]")).to_have_count(1)
    choice(page, "4").click()
    expect(page.locator("#question")).to_contain_text("Not yet: cell 4 – loses in")
    expect(page.locator(".mark.wrong")).to_have_count(1)
    choice(page, "1").click()
    expect(page.locator("#question")).to_have_text("Right! cell 1 – draw.")
    expect(page.locator(".mark.right")).to_have_count(1)
    page.click("#leave-quiz")
    expect(status(page)).to_have_text("X wins.")
    expect(page.locator("#board [data-owner]")).to_have_count(7)


@pytest.mark.thorough
def test_the_answer_is_shown_on_demand_only(open_page):
    path = f"/tic-tac-toe?moves={LOST_AT_ONCE}&{PEOPLE}&analysis=mcts:iterations=100"
    page = open_page(path)
    page.locator("#mistakes li").get_by_role("button").click()
    expect(page.locator("#question")).to_be_visible()
    expect(page.locator("#bars")).to_be_hidden()
    expect(page.locator(".mark.advice")).to_have_count(0)
    page.click("#show-answer")
    expect(page.locator(".mark.advice")).to_have_count(4)
    expect(page.locator("#question")).to_contain_text("cell 1, cell 3, cell 7, cell 9 (draw)")


@pytest.mark.thorough
def test_the_graph_leads_to_its_positions(open_page):
    page = open_page(f"/tic-tac-toe?moves={LOST_AT_ONCE}&{PEOPLE}")
    page.click("#review")
    page.locator(".graph .point[data-ply='3'] .target").click()
    wait_for_moves(page, LOST_AT_ONCE[:3])
    expect(page.locator("#moves [aria-current]")).to_have_attribute("data-ply", "3")
    page.locator("#moves button[data-ply='7']").click()
    expect(status(page)).to_have_text("X wins.")
