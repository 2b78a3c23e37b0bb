"""The same tournament on threads and on a Ray cluster of two nodes; workers and drivers that die.

Ray stays outside the tests' own process: everything goes through the command line, as for a user.
"""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from spielwerk.store.store import Store

CLUSTER = """
import socket
import sys
from ray.cluster_utils import Cluster

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
settings = {"num_cpus": 1, "include_dashboard": False, "ray_client_server_port": port}
cluster = Cluster(initialize_head=True, head_node_args=settings)
cluster.add_node(num_cpus=1)
print(cluster.address, port, flush=True)
sys.stdin.read()
cluster.shutdown()
"""

THOUGHTFUL = """
import time

from spielwerk.agents.catalogue import register_agent
from spielwerk.agents.random_agent import RandomAgent


class Thoughtful(RandomAgent):
    def choose(self, game, observation, rng):
        time.sleep(0.01)
        return super().choose(game, observation, rng)


register_agent("thoughtful", "takes its time", Thoughtful)
"""


@pytest.fixture(scope="module")
def cluster():
    """A cluster of two nodes with one core each."""
    environment = {**os.environ, "RAY_worker_niceness": "0", "RAY_DEDUP_LOGS": "0"}
    process = subprocess.Popen(
        [sys.executable, "-c", CLUSTER],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    told = process.stdout.readline().split()
    assert told, "the cluster did not start"
    yield SimpleNamespace(address=told[0], client=f"ray://127.0.0.1:{told[1]}", pid=process.pid)
    process.stdin.close()
    process.wait(timeout=60)
    process.stdout.close()


@pytest.fixture
def shell(tmp_path, cluster):
    """Calls `spielwerk` with a store and a plugin of its own, on the cluster."""
    (tmp_path / "thoughtful.py").write_text(THOUGHTFUL)
    environment = {
        **os.environ,
        "RAY_ADDRESS": cluster.address,
        "SPIELWERK_DATABASE_URL": f"sqlite:///{tmp_path / 'store.sqlite'}",
        "PYTHONWARNINGS": "",
    }

    def start(*arguments):
        program = str(Path(sys.executable).parent / "spielwerk")
        command = [program, "--plugin", "thoughtful.py", *arguments]
        return subprocess.Popen(
            command,
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    return start


def finish(process):
    printed, _ = process.communicate(timeout=240)
    assert process.returncode == 0, printed
    return printed


ARENA = ("arena", "tic-tac-toe", "random", "thoughtful", "alphabeta:depth=2", "--seed", "5")


def test_the_files_are_the_same_wherever_it_is_played(shell, cluster, tmp_path):
    """Byte for byte: one thread, two threads, two nodes, and two nodes by way of a client; with
    openings, and ended early."""
    places = {
        "one": ["--threads", "1"],
        "two": ["--threads", "2"],
        "ray": ["--on", "ray"],
        "client": ["--on", cluster.client],
    }
    words = "arena tic-tac-toe thoughtful alphabeta:depth=2 --seed 5 --games 60"
    further = ("--openings", "random:2", "--until", "80%")
    for name, where in places.items():
        printed = finish(shell(*words.split(), *further, "--out", name, *where))
        assert "ended early" in printed
    for file in ("games.csv", "players.csv", "pairs.csv", "tournament.json"):
        contents = {(tmp_path / name / file).read_bytes() for name in places}
        assert len(contents) == 1
        assert len(contents.pop()) > 100


def workers_of(cluster):
    """Processes that play for this cluster at the moment, nobody else's."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes().startswith(b"ray::_work") and is_below(path.parent, cluster.pid):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def is_below(process, ancestor):
    """Whether one process was started by another, directly or not."""
    while True:
        status = (process / "status").read_text()
        parent = int(re.search(r"^PPid:\s+(\d+)", status, re.MULTILINE)[1])
        if parent in (ancestor, 0):
            return parent == ancestor
        process = process.parent / str(parent)


def test_a_worker_and_then_the_driver_die_and_nothing_is_lost(shell, cluster, tmp_path):
    settings = (*ARENA, "--games", "60")
    finish(shell(*settings, "--no-store", "--out", "whole"))
    store = Store.open(f"sqlite:///{tmp_path / 'store.sqlite'}")
    driver = shell(*settings, "--on", "ray")

    def wait_for(games):
        deadline = time.monotonic() + 120
        while not store.runs() or store.game_count(1) < games:
            assert driver.poll() is None, driver.communicate()[0]
            assert time.monotonic() < deadline
            time.sleep(0.05)

    wait_for(8)
    victims = workers_of(cluster)
    assert victims
    os.kill(victims[0], signal.SIGKILL)
    wait_for(24)
    driver.kill()
    driver.communicate()
    before = store.game_count(1)
    assert 24 <= before < 180
    assert store.run(1).state == "running"
    finish(shell(*settings, "--on", "ray", "--resume", "--out", "resumed"))
    assert [row["number"] for row in store.games(1)] == list(range(180))
    assert store.run(1).state == "finished"
    assert len(store.runs()) == 1
    store.close()
    for file in ("games.csv", "players.csv", "pairs.csv"):
        whole, resumed = (tmp_path / name / file for name in ("whole", "resumed"))
        assert whole.read_bytes() == resumed.read_bytes()


@pytest.mark.thorough
def test_a_ladder_and_a_reproduction_on_the_cluster(shell, tmp_path):
    join = ("ladder", "nim", "--join", "random", "thoughtful", "--games", "3", "--seed", "1")
    first = finish(shell(*join, "--name", "a", "--on", "ray"))
    second = finish(shell(*join, "--name", "b", "--threads", "2"))
    assert first.split("\n")[1:] == second.split("\n")[1:]
    figure = ("reproduce", "konen-nim", "--seeds", "1", "--seed", "1")
    for number, where in enumerate((("--on", "ray"), ("--threads", "2"))):
        finish(shell(*figure, *where, "--out", str(number)))
    curves = [tmp_path / str(number) / "konen-nim" / "curves.csv" for number in range(2)]
    assert curves[0].read_bytes() == curves[1].read_bytes()


@pytest.mark.thorough
def test_a_cluster_that_is_not_there(shell):
    process = shell("arena", "nim", "random", "random", "--on", "ray://127.0.0.1:1")
    printed, _ = process.communicate(timeout=240)
    assert process.returncode == 2
    assert "There is no Ray cluster at ray://127.0.0.1:1: ray client connection" in printed
