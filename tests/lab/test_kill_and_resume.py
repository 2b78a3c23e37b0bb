"""Killed in the middle and called again, a reproduction ends with the same files, byte for byte."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path

import pytest

from spielwerk.lab.experiment import Result
from spielwerk.lab.figure import Point

SPIELWERK = Path(sys.executable).with_name("spielwerk")
SHORTER = """
from spielwerk.lab import thill_figure_4_18

thill_figure_4_18.TUPLES = 400
"""


def start(words, folder, cache=None):
    environment = {**os.environ, "SPIELWERK_DATABASE_URL": f"sqlite:///{folder}/store.sqlite"}
    if cache is not None:
        environment["SPIELWERK_CACHE_DIR"] = str(cache)
    return subprocess.Popen(
        [SPIELWERK, *words, "--threads", "1", "--out", str(folder)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finish(process):
    printed, _ = process.communicate(timeout=300)
    assert process.returncode == 0, printed


def kill_when(process, some_of_it_is_done):
    """kill -9 as soon as something is there; it must not be the end."""
    deadline = time.monotonic() + 300
    while not some_of_it_is_done():
        assert process.poll() is None, process.stdout.read()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL


def rows_in(path):
    return len(path.read_text().splitlines()) if path.exists() else 0


def test_a_table(tmp_path):
    words = ["reproduce", "goeppert-table-3", "--games", "12", "--seed", "5"]
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    for folder in (killed, whole):
        folder.mkdir()
    cells = killed / "goeppert-table-3" / "cells.csv"
    kill_when(process := start(words, killed), lambda: rows_in(cells) >= 3)
    assert process.returncode
    assert 3 <= rows_in(cells) < 10
    begun = cells.read_bytes()
    finish(start(words, killed))
    finish(start(words, whole))
    assert cells.read_bytes() == (whole / "goeppert-table-3" / "cells.csv").read_bytes()
    assert cells.read_bytes().startswith(begun)
    assert rows_in(cells) == 10


def test_a_figure(tmp_path):
    plugin = tmp_path / "shorter.py"
    plugin.write_text(SHORTER)
    words = ["--plugin", str(plugin), "reproduce", "thill-figure-4-18", "--seeds", "3"]
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    for folder in (killed, whole):
        folder.mkdir()
    cache, curves = tmp_path / "cache", killed / "thill-figure-4-18" / "curves.csv"

    def kept():
        return len(list(cache.rglob("studies-*/*.json")))

    kill_when(start(words, killed, cache), lambda: kept() >= 2)
    assert not curves.exists()
    assert 2 <= kept() < 6
    finish(start(words, killed, cache))
    finish(start(words, whole, tmp_path / "other"))
    assert curves.read_bytes() == (whole / "thill-figure-4-18" / "curves.csv").read_bytes()
    assert rows_in(curves) == 1 + 4 * 12


@pytest.mark.parametrize("name", ["cells.csv", "curves.csv"])
def test_no_file_of_numbers_has_a_date(name):
    """What changes from run to run is in about.txt alone."""
    columns = {field.name for field in fields(Result if name == "cells.csv" else Point)}
    assert not columns & {"date", "seconds", "machine"}
