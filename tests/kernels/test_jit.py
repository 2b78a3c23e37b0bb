"""The disk cache: hit by a second process, and never stale."""

import os
import subprocess
import sys
import textwrap

import pytest

PLUGIN = """
    from typing import NamedTuple
    import numpy as np
    from spielwerk.kernels.bits import ONE, U64, ZERO, signed
    from spielwerk.games.rules import RUNNING, WON, rule

    class Race(NamedTuple):
        length: int

    class RaceState(NamedTuple):
        left: np.uint64
        turn: np.uint64

    @rule(Race)
    def initial(game):
        return RaceState(U64(game.length), ZERO)

    @rule(Race)
    def action_count(game):
        return 1

    @rule(Race)
    def player(game, state):
        return signed(state.turn)

    @rule(Race)
    def actions(game, state):
        return ONE

    @rule(Race)
    def transition(game, state, move):
        return RaceState(state.left - U64(STEP), state.turn ^ ONE)

    @rule(Race)
    def outcome(game, state):
        return WON if state.left == ZERO else RUNNING
"""

PROGRAM = """
    import sys
    from numba.core import event

    compiled = []

    class Listener(event.Listener):
        def on_start(self, event):
            compiled.append(event.data["dispatcher"].__name__)

        def on_end(self, event):
            pass

    event.register("numba:compile", Listener())
    from race import Race
    from spielwerk.games.rules import initial
    from spielwerk.search.playout import playouts
    from spielwerk.kernels.bits import U64

    game = Race(12)
    print(playouts(game, initial(game), U64(1), 10).tolist(), "playouts" in compiled)
"""


@pytest.fixture
def run(tmp_path):
    """Run the program in a process of its own, with a race of steps of the given length."""

    def run(step=1, program=PROGRAM, **environment):
        (tmp_path / "race.py").write_text(textwrap.dedent(PLUGIN).replace("STEP", str(step)))
        (tmp_path / "program.py").write_text(textwrap.dedent(program))
        result = subprocess.run(
            [sys.executable, "program.py"],
            cwd=tmp_path,
            env={**os.environ, "SPIELWERK_CACHE_DIR": str(tmp_path / "cache"), **environment},
            capture_output=True,
            text=True,
        )
        assert result.returncode == 0, result.stderr
        return result.stdout.strip()

    return run


def test_a_second_process_finds_the_kernels(run):
    assert run() == "[0, 10, 0] True"
    assert run() == "[0, 10, 0] False"


def test_an_edited_game_is_compiled_anew(run):
    assert run(step=1) == "[0, 10, 0] True"  # twelve steps: the second player makes the last
    assert run(step=4) == "[10, 0, 0] True"  # three
    assert run(step=1) == "[0, 10, 0] False"


def test_an_edited_module_that_a_game_imports_is_noticed(run, tmp_path):
    step = tmp_path / "steps.py"
    step.write_text("STEP = 1")
    program = PROGRAM.replace("from race import Race", "from longrace import Race")
    text = textwrap.dedent(PLUGIN).replace("from typing", "from steps import STEP\nfrom typing", 1)
    (tmp_path / "longrace.py").write_text(text)
    assert run(program=program) == "[0, 10, 0] True"
    assert run(program=program) == "[0, 10, 0] False"
    step.write_text("STEP = 4")
    assert run(program=program) == "[10, 0, 0] True"


def test_kernels_that_close_over_values_are_kept_apart():
    from spielwerk.kernels.jit import kernel

    def add(n):
        @kernel
        def added(x):
            return x + n

        return added

    assert (add(1)(5), add(2)(5)) == (6, 7)


def test_a_damaged_entry_is_compiled_anew(run, tmp_path):
    assert run() == "[0, 10, 0] True"
    for file in (tmp_path / "cache").rglob("*.kernel"):
        file.write_bytes(file.read_bytes()[:100])
    assert run() == "[0, 10, 0] True"
    assert run() == "[0, 10, 0] False"


def test_a_folder_that_cannot_be_written_costs_only_time(run, tmp_path):
    (tmp_path / "file").write_text("")
    assert run(SPIELWERK_CACHE_DIR=str(tmp_path / "file" / "cache")) == "[0, 10, 0] True"


def test_a_game_in_a_script_does_not_spoil_the_cache_for_others(run, tmp_path):
    script = PLUGIN.replace("STEP", "1") + PROGRAM.replace("from race import Race", "")
    assert run(program=script) == "[0, 10, 0] True"
    assert run() == "[0, 10, 0] True"  # the game of the module is another one
    assert run(program=script) == "[0, 10, 0] False"


CHAIN = """
    import numpy as np
    from spielwerk.kernels.jit import kernel

    @kernel
    def follow(chain, place, steps):  # begins with one type of `place`, goes on with another
        return place if steps == 0 else follow(chain, chain[place], steps - 1)

    if FIRST:
        follow(np.array([1, 2, 0], np.int32), np.int32(0), 1)
    print(follow(np.array([1, 2, 0], np.int32), 0, 4))
"""


@pytest.mark.parametrize("first", ["False", "True"])
def test_a_recursion_that_changes_its_types_finds_what_another_process_compiled(run, first):
    for _ in range(2):
        assert run(program=CHAIN.replace("FIRST", first)) == "1"


def test_recursion_that_begins_with_a_literal_is_one_version(tmp_path, monkeypatch):
    monkeypatch.setenv("SPIELWERK_CACHE_DIR", str(tmp_path))
    from spielwerk.kernels.jit import ENABLED, kernel

    if not ENABLED:
        pytest.skip("plain Python has no versions")

    @kernel
    def count(n, so_far):
        return so_far if n == 0 else count(n - 1, so_far + 1)

    @kernel
    def begin(n):
        return count(n, 0)

    assert begin(5) == 5
    assert len(count.overloads) == 1
