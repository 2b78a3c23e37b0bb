"""Playing in a real terminal: colours, undo, hints, and leaving with Ctrl-C."""

import re
import sys
import time
from pathlib import Path

import pexpect
import pytest

SPIELWERK = str(Path(sys.executable).with_name("spielwerk"))


@pytest.fixture
def play():
    """Start `spielwerk` in a pseudo-terminal; it is gone after the test."""
    running = []

    def start(words):
        child = pexpect.spawn(
            SPIELWERK, words.split(), encoding="utf-8", timeout=60, dimensions=(50, 100)
        )
        running.append(child)
        return child

    yield start
    for child in running:
        child.close(force=True)


PROMPT = r"your column \(.*\): "


def plain(text):
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)


def test_a_whole_game_against_a_program(play):
    child = play("play connect-four --players human alphabeta:depth=2 --seed 1")
    while child.expect([PROMPT, "after .* moves: "]) == 0:
        legal = re.search(r"your column \(([\w ]+),", plain(child.before + child.after))[1].split()
        child.sendline(legal[0])
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0


def test_the_board_is_coloured(play):
    child = play("play connect-four --players human random --start 45")
    child.expect(PROMPT)
    assert "●" in child.before
    assert "\x1b[1;33m●" in child.before  # yellow
    assert "\x1b[1;31m●" in child.before  # red


def test_undo_hint_help_and_resign(play):
    child = play("play connect-four --players human alphabeta:depth=1 --seed 3")
    child.expect(PROMPT)
    child.sendline("u")
    child.expect("There is nothing to take back.")
    child.expect(PROMPT)
    child.sendline("4")
    child.expect(r"red \(alphabeta:depth=1\) plays")
    child.expect(PROMPT)
    child.sendline("8")
    child.expect('There is no column "8"')
    child.expect(PROMPT)
    child.sendline("?")
    child.expect("undo")
    child.expect(PROMPT)
    child.sendline("u")
    child.expect(r"Taken back: 2 moves\.")
    child.expect(PROMPT)
    child.sendline("h")
    child.expect(r"alphabeta would play \d \(")
    child.expect(PROMPT)
    child.sendline("r")
    child.expect(r"yellow \(human\) resigns after 0 moves")
    child.expect(pexpect.EOF)


def test_ctrl_c_leaves_cleanly_at_the_prompt(play):
    child = play("play connect-four --players human random --start 44")
    child.expect(PROMPT)
    child.sendline("4")
    child.expect(PROMPT)
    child.sendintr()
    child.expect(r"Left after 4\d\.")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 130
    assert "Traceback" not in child.before


def test_ctrl_c_leaves_cleanly_while_a_program_thinks(play):
    child = play("play connect-four --players alphabeta:depth=2 alphabeta:depth=42 --seed 1")
    child.expect(r"yellow \(alphabeta:depth=2\) plays")
    child.expect("1 2 3 4 5 6 7")
    child.sendintr()
    child.expect(r"Left after \d\.")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 130


def test_the_end_of_the_input_ends_the_game(play):
    child = play("play connect-four --players human random")
    child.expect(PROMPT)
    child.sendeof()
    child.expect("Left after no moves")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 1


def test_ctrl_c_stops_counting_and_keeps_what_was_counted(play):
    child = play("perft connect-four 40")
    child.expect(r"5673234")
    child.sendintr()
    child.expect(r"Stopped after ply \d+\.")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 130


def test_ctrl_c_stops_the_solver_and_shows_its_bounds(play):
    play("solve connect-four 444444355553336").expect("nodes")  # compiled by now
    child = play("solve connectx:7x8 1234")
    child.expect(r"may take about [\d,]+ days")
    time.sleep(3)
    child.sendintr()
    child.expect(r"1  -?\d+")
    child.expect("Stopped; scores lie within these bounds.")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 130


def test_ctrl_c_in_the_arena_shows_what_was_played(play):
    child = play("arena connect-four alphabeta:depth=6 alphabeta:depth=7 --games 100000 --seed 1")
    child.expect("playing")
    child.expect(r"\d+/100000")
    child.expect(r"[1-9]\d*/100000")
    child.sendintr()
    child.expect("points of the row")
    child.expect(r"Stopped after \d+ of 100000 games")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 130
