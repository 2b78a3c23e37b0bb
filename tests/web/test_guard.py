"""What no request gets past: headers, sizes, foreign names, other people's pages."""

import asyncio
import dataclasses
import json
import re
import signal
import socket
import time
import urllib.error
import urllib.request

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from web_server import Server

from spielwerk.web.app import create_app
from spielwerk.web.failures import Failure
from spielwerk.web.settings import Settings
from spielwerk.web.thinking import Thinkers, _compilations

SETTINGS = Settings(warm=False, think_seconds=1.0, hosts=("testserver",), body_bytes=2000)


@pytest.fixture(scope="module")
def client():
    with TestClient(create_app(SETTINGS), raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/connect-four", "/api/games", "/nowhere", "/api/nowhere"])
def test_every_answer_has_the_headers(client, path):
    answer = client.get(path)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "server" not in answer.headers


def test_pages_hold_nothing_that_the_policy_forbids(client):
    for path in ("/", "/connect-four", "/connectx", "/tic-tac-toe", "/nim", "/api/docs"):
        page = client.get(path).text
        assert not re.search(r"<script(?![^>]*(src=|application/json))", page)
        assert not re.search(r"\son\w+=|\sstyle=|javascript:", page)
        assert not re.search(r"(src|href)=\"(https?:)?//", page)


@pytest.mark.parametrize("host", ["evil.example", "testserver.evil.example", "[", "a@testserver"])
def test_only_our_names_are_answered(client, host):
    answer = client.get("/api/games", headers={"host": host})
    assert answer.status_code == (200 if host == "a@testserver" else 403)


def test_pages_of_others_cannot_ask(client):
    foreign = {"origin": "http://evil.example"}
    assert client.post("/api/move", json={}, headers=foreign).status_code == 403
    assert client.post("/api/move", json={}, headers={"origin": "null"}).status_code == 403
    own = {"origin": "http://testserver"}
    assert client.post("/api/move", json={"agent": "random"}, headers=own).status_code == 200
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("/api/live", headers=foreign),
    ):
        pass


def test_a_form_of_another_page_is_no_json(client):
    plain = {"content-type": "text/plain"}
    answer = client.post("/api/move", content=json.dumps({"agent": "random"}), headers=plain)
    assert answer.status_code == 422


def test_bodies_are_limited_also_without_a_length(client):
    long = {"moves": "4" * 3000}
    assert client.post("/api/move", json=long).status_code == 413

    def pieces():
        for _ in range(30):
            yield b" " * 100

    streamed = client.post(
        "/api/move", content=pieces(), headers={"content-type": "application/json"}
    )
    assert streamed.status_code == 413
    assert streamed.json()["error"] == "too-large"


def test_a_long_thought_is_stopped_and_told(client):
    asked = {"agent": "mcts:iterations=1000000000"}
    answer = client.post("/api/move", json=asked)
    assert answer.status_code == 504
    assert answer.json()["error"] == "thought-too-long"
    assert client.post("/api/move", json={"agent": "random"}).status_code == 200


@pytest.mark.parametrize(
    "agent",
    [
        "td:../../etc/passwd",
        "td:/etc/passwd",
        "ntuple:runs/x",
        "ntuple:~/x",
        "alphabeta:value=/etc/passwd",
        "mcts:value=..",
        "human",
        "human:hint=perfect",
        "mcts:memory=60000",
        "perfect:memory=8000",
        "mcts:threads=250,iterations=1000",
        "skipbo-basic",
        "td:tic-tac-toe",
        "nonsense",
        "x" * 400,
    ],
)
def test_specs_from_outside_have_limits(client, agent):
    answer = client.post("/api/move", json={"agent": agent})
    assert answer.status_code == 422
    assert "etc" not in answer.json()["message"].replace('"../../etc/passwd"', "").replace(
        '"/etc/passwd"', ""
    )


def test_a_model_of_a_run_is_named_by_the_run(tmp_path):
    from spielwerk.values.model import shipped_models

    folder = tmp_path / "runs" / "mine"
    folder.mkdir(parents=True)
    (folder / "model.safetensors").write_bytes(shipped_models()["tic-tac-toe"].read_bytes())
    settings = dataclasses.replace(SETTINGS, runs=tmp_path / "runs")
    with TestClient(create_app(settings)) as client:
        asked = {"game": "tic-tac-toe", "agent": "td:mine"}
        assert client.post("/api/move", json=asked).status_code == 200
        answer = client.post("/api/move", json=asked | {"agent": "td:other"})
    assert answer.status_code == 422
    assert "mine" in answer.json()["message"]


def test_listeners_are_limited():
    settings = dataclasses.replace(SETTINGS, listeners=1)
    with (
        TestClient(create_app(settings)) as client,
        client.websocket_connect("/api/live"),
        client.websocket_connect("/api/live") as second,
        pytest.raises(WebSocketDisconnect),
    ):
        second.receive_json()


def test_the_queue_is_limited():
    settings = dataclasses.replace(SETTINGS, queue=0)
    with TestClient(create_app(settings)) as client:
        answer = client.post("/api/move", json={"agent": "random"})
    assert answer.status_code == 503
    assert answer.json()["error"] == "busy"
    assert answer.headers["retry-after"] == "1"


def test_a_name_is_the_same_in_capitals(tmp_path):
    server = Server(tmp_path, "--name", "Play.Example.org").start()
    try:
        asked = urllib.request.Request(f"{server.url}/api/games")
        asked.add_header("Host", "play.example.ORG")
        assert urllib.request.urlopen(asked).status == 200
        asked.add_header("Host", "other.example.org")
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(asked)
        assert refused.value.code == 403
        assert b"--name" in refused.value.read()
    finally:
        server.stop()


def test_a_browser_that_leaves_and_a_server_that_stops_end_a_thought_quietly(tmp_path):
    server = Server(tmp_path).start()
    # A kernel can be stopped, its compilation cannot: that is done before.
    first = json.dumps({"agent": "mcts:seconds=0.001", "game": "tic-tac-toe"}).encode()
    asked = urllib.request.Request(f"{server.url}/api/move", first)
    asked.add_header("Content-Type", "application/json")
    assert urllib.request.urlopen(asked, timeout=120).status == 200
    body = json.dumps({"agent": "mcts:seconds=1000", "game": "tic-tac-toe"}).encode()
    head = f"POST /api/move HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    leaving = socket.create_connection(("127.0.0.1", server.port))
    leaving.sendall(head.encode() + body)
    staying = socket.create_connection(("127.0.0.1", server.port))
    staying.sendall(head.encode() + body)
    leaving.close()
    staying.settimeout(1.0)
    with pytest.raises(TimeoutError):
        staying.recv(1)  # it thinks
    server.stop(signal.SIGTERM)
    staying.settimeout(20)
    assert not staying.recv(100).startswith(b"HTTP/1.1 500")
    staying.close()
    assert "Traceback" not in (tmp_path / "server.log").read_text()


def test_a_link_to_the_other_language_stays_here(client):
    page = client.get("http://testserver//evil.example").text
    assert 'href="/evil.example?lang=' in page
    assert 'href="//' not in page


def test_who_compiles_has_time_and_others_have_not():
    async def both():
        thinkers = Thinkers(2, 10, seconds=0.4, patient=False)
        _compilations.threads.clear()

        def compiles():
            _compilations.on_start(None)
            time.sleep(1.0)
            _compilations.on_end(None)
            return "done"

        slow = asyncio.create_task(thinkers.think(compiles))
        await asyncio.sleep(0.1)
        with pytest.raises(Failure, match=r"stopped after 0\.4 seconds"):
            await thinkers.think(lambda: time.sleep(0.9))
        return await slow

    assert asyncio.run(both()) == "done"
