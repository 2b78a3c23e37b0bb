"""Kernels can be stopped from outside."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from spielwerk.kernels import interrupt

ENDLESS = """
from spielwerk import parse_agent, parse_game, Rng
from spielwerk.games.rules import initial
game = parse_game("connect-four")
parse_agent("alphabeta:depth=2").choose(game, initial(game), Rng(1))
print("thinking", flush=True)
parse_agent("alphabeta:depth=42").choose(game, initial(game), Rng(1))
"""


def test_ctrl_c_stops_a_search_that_would_take_hours():
    process = subprocess.Popen(
        [sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "thinking\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    finally:
        process.kill()
    assert "KeyboardInterrupt" in errors
    assert process.returncode in (1, 130, -signal.SIGINT)


def test_a_flag_stops_the_kernels_of_its_thread():
    flag, seen = np.zeros(1, np.uint8), []

    def work():
        with interrupt.stoppable(flag):
            try:
                interrupt.run(wait_for_flag)
            except KeyboardInterrupt:
                seen.append("stopped")

    thread = threading.Thread(target=work)
    thread.start()
    flag[0] = 1
    thread.join(20)
    assert seen == ["stopped"]


def test_results_and_errors_come_through():
    assert interrupt.run(lambda number, flag: number + flag[0], 3) == 3
    with pytest.raises(ZeroDivisionError):
        interrupt.run(lambda number, flag: number // 0, 3)


def wait_for_flag(flag):
    while not flag[0]:
        os.sched_yield()
