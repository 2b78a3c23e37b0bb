"""The API of the lab: it tells what the command line tells, and lets nobody out of its folders."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner
from web_results import in_every_state
from web_server import Server

from spielwerk.cli.main import app
from spielwerk.learning.runs import is_owned, sole_owner
from spielwerk.web.app import create_app
from spielwerk.web.lab_results import known
from spielwerk.web.settings import Settings

RESULTS = Path(__file__).parents[2] / "results"
PATIENCE = 120
"""Seconds: kernels may have to be compiled."""
TINY = {
    "game": "tic-tac-toe",
    "kind": "td",
    "preset": "table",
    "changes": ["games=2000", "evaluate_every=500"],
    "seed": 1,
}
LONG = TINY | {"changes": ["games=100000000", "evaluate_every=2000"]}
OUTSIDE = (
    "..",
    "%2e%2e",
    ".hidden",
    "%2fetc",
    "..%2fruns",
    "a%00b",
    "link",
    "x" * 61,
    "a%0a",
    "%5c..",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("lab")


def app_in(folder, results=RESULTS, **further):
    settings = Settings(
        runs=folder / "runs",
        results=results,
        store=f"sqlite:///{folder / 'store.sqlite'}",
        warm=False,
        **further,
    )
    return TestClient(create_app(settings), base_url="http://127.0.0.1")


@pytest.fixture(scope="module")
def client(folder):
    with app_in(folder) as found:
        yield found


def spielwerk(*words, folder):
    """What the command line says as JSON, with the store in `folder`."""
    store = {"SPIELWERK_DATABASE_URL": f"sqlite:///{folder}/store.sqlite"}
    said = CliRunner().invoke(app, [*words, "--json"], env=store, catch_exceptions=False)
    assert said.exit_code == 0, said.output
    return json.loads(said.stdout)


def until(find, holds):
    """What `find` returns, as soon as it is as wanted."""
    end = time.monotonic() + PATIENCE
    while True:
        found = find()
        if holds(found):
            return found
        assert time.monotonic() < end, found
        time.sleep(0.05)


def state_of(client, name, *wanted):
    return until(
        lambda: client.get(f"/api/lab/runs/{name}").json(), lambda run: run["state"] in wanted
    )


@pytest.fixture(scope="module")
def trained(client):
    """A training from its beginning to its end."""
    begun = client.post("/api/lab/runs", json=TINY | {"name": "tiny"})
    assert begun.status_code == 200, begun.text
    return state_of(client, "tiny", "finished", "failed", "stopped")


def test_a_training_learns_and_can_be_played(client, trained):
    assert trained["state"] == "finished"
    assert trained["done"] == trained["games"] == 2000
    assert [row["games"] for row in trained["rows"]] == [0, 500, 1000, 1500, 2000]
    assert trained["rows"][-1]["success"] > trained["rows"][0]["success"]
    assert "success" in "\n".join(trained["output"])
    assert trained["play"] == "/tic-tac-toe?p2=td%3Atiny"
    moved = client.post("/api/move", json={"game": "tic-tac-toe", "agent": "td:tiny", "seed": 1})
    assert moved.status_code == 200


def test_a_training_is_the_one_of_the_command_line(client, trained, folder, tmp_path):
    words = ["--preset", "table", "--set", "games=2000", "evaluate_every=500", "--seed", "1"]
    spielwerk("train", "tic-tac-toe", "td", *words, "--out", str(tmp_path / "run"), folder=tmp_path)
    for name in ("curve.csv", "config.toml"):
        ours = (folder / "runs" / "tiny" / name).read_bytes()
        assert ours == (tmp_path / "run" / name).read_bytes()


def test_only_new_rows_are_sent(client, trained):
    later = client.get("/api/lab/runs/tiny", params={"after": 1000}).json()
    assert (later["whole"], [row["games"] for row in later["rows"]]) == (False, [1500, 2000])
    # Who knows of more games than there are has seen rows that the run was set back behind.
    assert client.get("/api/lab/runs/tiny", params={"after": 5000}).json()["whole"]


def test_a_training_is_stopped_and_goes_on(client):
    client.post("/api/lab/runs", json=LONG | {"name": "long"}).raise_for_status()
    until(lambda: client.get("/api/lab/runs/long").json(), lambda run: len(run["rows"]) > 1)
    refused = client.post("/api/lab/runs/long/resume")
    assert (refused.status_code, refused.json()["error"]) == (409, "running")
    client.post("/api/lab/runs/long/stop").raise_for_status()
    stopped = state_of(client, "long", "stopped", "failed")
    assert stopped["state"] == "stopped"
    assert f"Stopped after {stopped['done']:,} games" in "\n".join(stopped["output"])
    assert client.post("/api/lab/runs/long/stop").json()["error"] == "not-running"
    client.post("/api/lab/runs/long/resume").raise_for_status()
    on = until(
        lambda: client.get("/api/lab/runs/long").json(), lambda run: run["done"] > stopped["done"]
    )
    assert on["state"] == "running"
    client.post("/api/lab/runs/long/stop").raise_for_status()
    state_of(client, "long", "stopped")


def test_a_finished_training_does_not_go_on(client, trained):
    assert client.post("/api/lab/runs/tiny/resume").json()["error"] == "finished"


def test_a_failed_training_says_why(client, folder):
    wild = {"game": "nim:n=23", "kind": "td", "changes": ["alpha=3"], "seed": 1, "name": "wild"}
    client.post("/api/lab/runs", json=wild).raise_for_status()
    failed = state_of(client, "wild", "failed", "finished", "stopped")
    assert failed["state"] == "failed"
    assert "The learning diverged" in " ".join(failed["output"])


def test_one_training_too_many_is_refused_and_leaves_nothing(client, folder):
    for name in ("one", "two"):
        client.post("/api/lab/runs", json=LONG | {"name": name}).raise_for_status()
    refused = client.post("/api/lab/runs", json=LONG | {"name": "three"})
    assert (refused.status_code, refused.json()["error"]) == (429, "too-many")
    assert not (folder / "runs" / "three").exists()
    for name in ("one", "two"):
        client.post(f"/api/lab/runs/{name}/stop").raise_for_status()
        state_of(client, name, "stopped")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"changes": ["alhpa=0.1"]}, 'Did you mean "alpha"?'),
        ({"changes": ["games=many"]}, "games must be a whole number"),
        ({"changes": ["nothing"]}, "not of the form setting=value"),
        ({"changes": ["games=100000000000"]}, "at most"),
        ({"changes": [f"average={10**30}"]}, "average may be"),
        ({"changes": ["features=tuples:file=/etc/passwd"]}, "Files of tuples are for"),
        ({"changes": ["features=walk:count=5000"]}, "1,000 tuples at most"),
        ({"changes": ["features=tuples:19/99"]}, "names a cell twice"),
        ({"changes": ["opponent=td:/etc/passwd"]}, "No model"),
        ({"changes": ["opponent=human"]}, "human is no program"),
        ({"changes": ["opponent=kaggle:/etc/passwd"]}, "kaggle runs a Python file"),
        ({"game": "chess"}, "No game"),
        ({"kind": "magic"}, "No kind of training"),
        ({"preset": "../../x"}, "No preset"),
        ({"name": "a/b"}, "A name has 1 to 60"),
        ({"name": ".."}, "A name has 1 to 60"),
        ({"name": "/tmp/x"}, "A name has 1 to 60"),
        ({"name": "a\x00"}, "A name has 1 to 60"),
        ({"name": "a\n"}, "A name has 1 to 60"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**60}, "seed"),
    ],
)
def test_wrong_settings_are_answered_with_a_sentence_and_start_nothing(
    client, folder, change, said
):
    before = sorted((folder / "runs").glob("*")) if (folder / "runs").exists() else []
    refused = client.post("/api/lab/runs", json=TINY | change)
    assert refused.status_code == 422
    assert said in refused.json()["message"]
    assert sorted((folder / "runs").glob("*")) == before


def test_a_name_is_taken_once(client, trained):
    again = client.post("/api/lab/runs", json=TINY | {"name": "tiny"})
    assert (again.status_code, again.json()["error"]) == (409, "name-taken")
    shipped = client.post("/api/lab/runs", json=TINY | {"name": "nim"})
    assert (shipped.status_code, shipped.json()["error"]) == (409, "name-taken")


@pytest.mark.parametrize("name", OUTSIDE)
def test_names_do_not_leave_the_folder(client, folder, tmp_path, name):
    (folder / "runs").mkdir(exist_ok=True)
    link, outside = folder / "runs" / "link", tmp_path / "outside"
    outside.mkdir()
    (outside / "config.toml").write_text('game = "nim"\nseed = 1\ngames = 10\nfeatures = "raw"\n')
    link.unlink(missing_ok=True)
    link.symlink_to(outside)
    for address in ("/api/lab/runs/{}", "/api/lab/models/{}", "/api/lab/results/{}"):
        answer = client.get(address.format(name), follow_redirects=False)
        assert answer.status_code == 404 or "config" not in answer.text
        assert '"seed":1' not in answer.text
    for address in ("/lab/runs/{}", "/lab/models/{}", "/lab/results/{}/plot.svg"):
        assert "games = 10" not in client.get(address.format(name)).text
    assert client.post(f"/api/lab/runs/{name}/resume").status_code in (404, 405)
    assert "link" not in [run["name"] for run in client.get("/api/lab/runs").json()]
    link.unlink()


def test_a_plot_is_a_plot_and_nothing_else(client):
    assert client.get("/lab/results/konen-nim/plot.svg").headers["content-type"] == "image/svg+xml"
    for kind in ("txt", "svg/../about.txt", "png%00", "SVG"):
        assert client.get(f"/lab/results/konen-nim/plot.{kind}").status_code == 404


def test_somebody_elses_training_is_seen(client, folder, trained):
    with sole_owner(folder / "runs" / "tiny"):
        assert client.get("/api/lab/runs/tiny").json()["state"] == "elsewhere"
        assert client.post("/api/lab/runs/tiny/stop").json()["error"] == "not-running"
    assert client.get("/api/lab/runs/tiny").json()["state"] == "finished"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_trainings_stop_with_the_server_and_are_listed_truly_afterwards(tmp_path, how):
    """Also a server that is killed leaves no training behind that nobody can stop."""
    server = Server(tmp_path).start()
    with httpx.Client(base_url=server.url, timeout=60) as client:
        client.post("/api/lab/runs", json=LONG | {"name": "long"}).raise_for_status()
        until(lambda: client.get("/api/lab/runs/long").json(), lambda run: len(run["rows"]) > 1)
    server.stop(how)
    until(lambda: is_owned(tmp_path / "runs" / "long"), lambda owned: not owned)
    with app_in(tmp_path) as again:
        run = again.get("/api/lab/runs/long").json()
        assert (run["state"], run["done"] > 0) == ("stopped", True)
        again.post("/api/lab/runs/long/resume").raise_for_status()
        until(lambda: again.get("/api/lab/runs/long").json(), lambda now: now["done"] > run["done"])
    assert not is_owned(tmp_path / "runs" / "long")


def test_a_lost_ctrl_c_is_said_again():
    """Python drops an exception in a finaliser; the training would go on for ever."""
    code = """
import os, signal, time
from spielwerk.web import lab_child

lab_child.PAUSE = 0.3
lab_child.stop_with_the_server()

class Loses:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)

Loses()
print("lost", flush=True)
try:
    time.sleep(60)
except KeyboardInterrupt:
    print("heard")
"""
    ours, servers = os.pipe()  # open as long as the server lives
    with os.fdopen(ours) as stdin, os.fdopen(servers, "w"):
        ended = subprocess.run(
            [sys.executable, "-c", code], stdin=stdin, capture_output=True, text=True, timeout=50
        )
    assert ended.stdout.split() == ["lost", "heard"]


# --- models -------------------------------------------------------------------------------------


def test_models_are_the_ones_of_the_command_line(client, trained, folder):
    told = spielwerk("models", "--runs", str(folder / "runs"), folder=folder)
    ours = client.get("/api/lab/models").json()
    assert [model["name"] for model in ours] == [Path(model["name"]).name for model in told]
    for one, other in zip(ours, told, strict=True):
        for key in ("game", "features", "function", "games", "seed"):
            assert one[key] == other[key]


def test_tuples_and_their_numbers_are_those_of_inspect(client, folder):
    told = spielwerk("inspect", "connect-four", folder=folder)
    ours = client.get("/api/lab/models/connect-four").json()["system"]
    assert [ours[key] for key in ("weights", "dense", "used", "tables")] == [
        told[key] for key in ("weights", "dense", "used", "tables")
    ]
    for one, other in zip(ours["tuples"], told["tuples"], strict=True):
        assert [cell + 1 for cell in one["cells"]] == other["cells"]
        for key in ("states", "possible", "used", "size"):
            assert one[key] == other[key]


def test_an_entry_is_the_one_of_inspect(client, folder):
    largest = client.get("/api/lab/models/connect-four/tuples/3").json()["largest"]
    pattern = largest[0]["pattern"]
    ours = client.get("/api/lab/models/connect-four/tuples/3", params={"pattern": pattern}).json()
    told = spielwerk("inspect", "connect-four", "--tuple", "3", "--pattern", pattern, folder=folder)
    assert [ours["entry"]] == told["entries"] == largest[:1]


def test_every_sign_can_be_set_at_every_cell(client):
    """Cells above and below give way, so that what is shown can occur."""
    for number in (6,):
        info = client.get(f"/api/lab/models/connect-four/tuples/{number}").json()
        for place, signs in enumerate(info["choices"]):
            for sign in signs:
                pattern = list(info["entry"]["pattern"])
                pattern[place] = sign
                params = {"pattern": "".join(pattern), "place": place, "top": 0}
                found = client.get(
                    f"/api/lab/models/connect-four/tuples/{number}", params=params
                ).json()
                assert found["entry"]["pattern"][place] == sign


def test_a_pattern_that_cannot_be_is_refused(client):
    for pattern, says in (("XXXXXXX+", "cannot occur"), ("XX", "8 signs"), ("????????", "8 signs")):
        answer = client.get("/api/lab/models/connect-four/tuples/1", params={"pattern": pattern})
        assert answer.status_code == 422
        assert says in answer.json()["message"]
    assert client.get("/api/lab/models/connect-four/tuples/71").status_code == 422
    assert client.get("/api/lab/models/nim/tuples/1").status_code == 422


def test_contributions_add_up_to_the_value(client, folder):
    ours = client.get("/api/lab/models/connect-four/contributions", params={"moves": "4453"}).json()
    assert ours["sum"] == pytest.approx(sum(one["weight"] for one in ours["contributions"]))
    assert ours["value"] == pytest.approx(math.tanh(ours["sum"]))
    told = spielwerk("inspect", "connect-four", "--position", "4453", folder=folder)
    assert (ours["value"], ours["sum"]) == (told["value"], told["sum"])
    assert [
        {"tuple": one["tuple"], "pattern": one["name"], "weight": one["weight"]}
        for one in ours["contributions"]
    ] == told["contributions"]


def test_contributions_of_other_features(client):
    ours = client.get("/api/lab/models/nim/contributions", params={"moves": "11"}).json()
    assert ours["value"] == pytest.approx(sum(one["weight"] for one in ours["contributions"]))
    over = client.get("/api/lab/models/tic-tac-toe/contributions", params={"moves": "14253"})
    assert (over.status_code, "The game is over" in over.json()["message"]) == (422, True)
    assert client.get("/api/lab/models/skip-bo-lea/contributions").status_code == 422


def test_every_shipped_model_can_be_looked_at(client):
    for model in client.get("/api/lab/models").json():
        info = client.get(f"/api/lab/models/{model['name']}").json()
        assert (info["system"] is None) == bool(info["largest"])


# --- tuples -------------------------------------------------------------------------------------


def test_tuples_that_are_drawn_become_features(client):
    drawn = client.get(
        "/api/lab/tuples", params={"game": "connectx:5x4", "cells": "1-2-6/17-18"}
    ).json()
    assert (drawn["rows"], drawn["cols"]) == (5, 4)
    assert [one["cells"] for one in drawn["tuples"]] == [[0, 1, 5], [16, 17]]
    assert drawn["tuples"][1] | {"cells": None} == {"cells": None, "states": 9, "possible": 16}
    assert drawn["features"] == "tuples:1-2-6/17-18"


@pytest.mark.parametrize("cells", ["1-99", "1-1", "file=/etc/passwd", "1-2,file=x", "a", "-", "/"])
def test_what_are_no_tuples_is_told(client, cells):
    answer = client.get("/api/lab/tuples", params={"cells": cells})
    assert (answer.status_code, answer.json()["error"]) in (
        (422, "unknown-spec"),
        (422, "wrong-input"),
    )


def test_a_walk_has_its_length_and_comes_again_with_its_seed(client):
    walks = [
        client.get("/api/lab/tuples/walk", params={"length": 8, "seed": seed}).json()["cells"]
        for seed in (1, 2, 1)
    ]
    assert walks[0] == walks[2] != walks[1]
    assert all(len(set(walk)) == 8 for walk in walks)


# --- arena --------------------------------------------------------------------------------------

CUP = {"game": "tic-tac-toe", "players": ["alphabeta:depth=2", "random"], "games": 20, "seed": 5}


@pytest.fixture(scope="module")
def cup(client):
    begun = client.post("/api/lab/arena", json=CUP)
    assert begun.status_code == 200, begun.text
    number = begun.json()["id"]
    return until(lambda: client.get(f"/api/lab/arena/{number}").json(), lambda run: not run["ours"])


def test_a_tournament_is_the_one_of_the_command_line(client, cup, folder, tmp_path):
    words = [CUP["game"], *CUP["players"], "--games", "20", "--seed", "5"]
    told = spielwerk("arena", *words, folder=tmp_path)
    ours = cup["tournament"]
    assert (cup["state"], cup["games"]) == ("finished", told["games"])
    for key in ("plies", "pairs", "first_player", "different_games", "complete"):
        assert ours[key] == told[key]
    for one, other in zip(ours["players"], told["players"], strict=True):
        for key in ("spec", "score", "low", "high", "elo", "elo_low", "elo_high", "wins"):
            assert one[key] == other[key]


def test_history_knows_it(client, cup, folder):
    told = spielwerk("history", str(cup["id"]), "--games", "5", folder=folder)
    games = client.get(f"/api/lab/arena/{cup['id']}/games", params={"most": 5}).json()
    assert [game["moves"] for game in games] == [game["moves"] for game in told["list"]]
    assert games[0]["open"] == f"/tic-tac-toe?moves={games[0]['moves']}"
    position = client.get(
        "/api/position", params={"game": "tic-tac-toe", "moves": games[0]["moves"]}
    )
    assert position.json()["outcome"] != "running"


def test_a_tournament_is_stopped_in_the_middle_of_a_move(client):
    slow = {
        "game": "connect-four",
        "players": ["mcts:iterations=50000000", "random"],
        "games": 10,
        "seed": 1,
    }
    number = client.post("/api/lab/arena", json=slow).json()["id"]
    refused = client.post("/api/lab/arena", json=CUP)
    assert (refused.status_code, refused.json()["error"]) == (429, "too-many")
    client.post(f"/api/lab/arena/{number}/stop").raise_for_status()
    stopped = until(
        lambda: client.get(f"/api/lab/arena/{number}").json(), lambda run: not run["ours"]
    )
    assert (stopped["state"], stopped["games"] < stopped["planned"]) == ("stopped", True)
    assert client.post(f"/api/lab/arena/{number}/stop").json()["error"] == "not-running"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"players": ["random"]}, "players"),
        ({"players": ["random"] * 9}, "players"),
        ({"players": ["random", "random"]}, "once"),
        ({"players": ["random", "human"]}, "human"),
        ({"players": ["random", "td:/etc/passwd"]}, "No model"),
        ({"games": 2001}, "games"),
        ({"openings": "/etc/passwd"}, "no openings"),
        ({"openings": "4-ply", "game": "connectx:rows=5,cols=9"}, "at most"),
        ({"game": "chess"}, "No game"),
    ],
)
def test_a_tournament_that_cannot_be_is_refused(client, change, said):
    before = len(client.get("/api/lab/arena").json())
    refused = client.post("/api/lab/arena", json=CUP | change)
    assert refused.status_code == 422
    assert said in refused.json()["message"]
    assert len(client.get("/api/lab/arena").json()) == before


def test_a_ladder_is_shown(client, folder):
    words = ["tic-tac-toe", "--join", "random", "alphabeta:depth=1", "--games", "4", "--seed", "1"]
    spielwerk("ladder", *words, folder=folder)
    ladder = next(run for run in client.get("/api/lab/arena").json() if run["kind"] == "ladder")
    info = client.get(f"/api/lab/arena/{ladder['id']}").json()
    assert {member["spec"] for member in info["members"]} == {"random", "alphabeta:depth=1"}
    assert sum(member["points"] for member in info["members"]) == pytest.approx(1200)


# --- the report ---------------------------------------------------------------------------------


def test_the_report_has_every_folder_and_every_entry(client):
    rows = {row["name"]: row for row in client.get("/api/lab/results").json()}
    folders = {path.name for path in RESULTS.iterdir() if path.is_dir()}
    assert {name for name, row in rows.items() if row["done"]} == folders
    assert set(rows) == folders | set(known())


def test_the_sum_is_of_what_the_works_print(client, folder):
    """Not of our own aims, nor of a table that is played twice."""
    told = spielwerk("report", "--results", str(RESULTS), "--no-html", folder=folder)
    page = " ".join(client.get("/lab/results").text.split())
    agree, measured = told["verdicts"]["agrees"], told["measured"]
    assert f"<strong>{agree}</strong> of {measured} numbers and claims agree" in page


def test_the_report_agrees_with_the_command_line(client, folder):
    told = {
        row["name"]: row for row in spielwerk("reproduce", "--out", str(RESULTS), folder=folder)
    }
    for row in client.get("/api/lab/results").json():
        assert row["agree"] == told[row["name"]]["verdicts"]["agrees"]
        info = client.get(f"/api/lab/results/{row['name']}").json()
        printed = [cell for cell in info["cells"] if cell["printed"] is not None]
        assert len(printed) + len(info["claims"]) == row["count"]
        assert info["command"].startswith(f"spielwerk reproduce {row['name']}")


@pytest.fixture(scope="module")
def every_state(tmp_path_factory):
    folder = tmp_path_factory.mktemp("states")
    in_every_state(folder / "results")
    with app_in(folder, folder / "results") as found:
        yield found


def test_a_result_says_how_far_it_is(every_state):
    rows = {row["name"]: row for row in every_state.get("/api/lab/results").json()}
    told = {
        "goeppert-table-3": (True, "full", "1,000 games a cell"),
        "goeppert-table-5": (True, "part", "14 of 15 cells, 1,000 games a cell"),
        "ntuple-records": (True, "quick", "10 seeds"),
        "thill-figure-4-8": (False, "damaged", ""),
        "goeppert-table-4": (False, "damaged", ""),
        "konen-nim": (False, "not run", ""),
        "konen-figure-2": (False, "not run", ""),
        "strange": (True, "", ""),
        "strange-and-damaged": (False, "damaged", ""),
    }
    for name, wanted in told.items():
        row = rows[name]
        assert (row["done"], row["state"], row["sample"]) == wanted, name
        assert bool(row["damage"]) == (row["state"] == "damaged")
        info = every_state.get(f"/api/lab/results/{name}").json()
        assert {key: info[key] for key in row} == row


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", {"full": "full", "part": "part", "quick": "quick", "damaged": "damaged"}),
        (
            "de",
            {
                "full": "vollständig",
                "part": "teilweise",
                "quick": "schnell",
                "damaged": "beschädigt",
            },
        ),
    ],
)
def test_the_pages_say_how_far_a_result_is(every_state, language, words):
    listed = every_state.get(f"/lab/results?lang={language}").text
    for row in every_state.get("/api/lab/results").json():
        page = every_state.get(f"/lab/results/{row['name']}?lang={language}").text
        if row["state"] in words:
            word = f'data-state="{row["state"]}">{words[row["state"]]}</span>'
            assert word in page
            assert word in listed.partition(f'href="/lab/results/{row["name"]}"')[2][:400]
            assert row["sample"] in page
        else:
            assert "data-state" not in page


def test_the_overview_says_how_many_are_full(every_state):
    count = len(every_state.get("/api/lab/results").json())
    said = f"4 of {count} tables and figures have been reproduced, 1 of them in full."
    assert said in every_state.get("/lab?lang=en").text


@pytest.mark.parametrize(
    ("name", "why", "printed"),
    [
        ("thill-figure-4-8", "it lacks the column curve", "6 plies: success in the end"),
        ("goeppert-table-4", "its last line is cut off", "UCT1, symmetry | 0.7"),
        ("strange-and-damaged", "it lacks the column curve", None),
    ],
)
def test_what_is_damaged_has_a_page_that_says_so_and_what_is_printed(
    every_state, name, why, printed
):
    info = every_state.get(f"/api/lab/results/{name}").json()
    page = every_state.get(f"/lab/results/{name}")
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert why in info["damage"]
    assert f'<p class="wrong" lang="en">{info["damage"]}</p>' in page.text
    assert info["damage"] in every_state.get("/lab/results").text
    assert info["source"] in page.text
    assert (info["cells"], info["claims"], info["points"], info["plots"]) == ([], [], [], [])
    statements = [one["statement"] for one in info["printed"]]
    assert statements == (list(known()[name].page.numbers) if printed else [])
    assert printed is None or (printed in statements and printed in page.text)


def test_explanations_have_code_and_no_other_marks(every_state, monkeypatch):
    page = every_state.get("/lab/results/ntuple-records").text
    assert "<code>distant</code>" in page
    assert "`" not in page.partition('id="known-head"')[2].partition("</section>")[0]
    entry = known()["ntuple-records"]
    told = replace(entry.page, explanation="`<i>` <script>", note="<b> `a&b`")
    monkeypatch.setitem(known(), entry.name, replace(entry, page=told))
    page = every_state.get("/lab/results/ntuple-records").text
    assert "<code>&lt;i&gt;</code> &lt;script&gt;" in page
    assert "&lt;b&gt; <code>a&amp;b</code>" in page


@pytest.mark.parametrize("name", ["ntuple-records", "goeppert-table-5", "thill-figure-4-8"])
def test_an_explanation_says_of_which_results_it_speaks(every_state, client, name):
    for language, told in (
        ("en", "Of the results that come with Spielwerk:</span>"),
        ("de", "Zu den Ergebnissen, die Spielwerk beiliegen:</span>"),
    ):
        address = f"/lab/results/{name}?lang={language}"
        assert told in every_state.get(address).text
        assert told not in client.get(address).text  # they are full


# --- strangers ----------------------------------------------------------------------------------


def test_on_a_public_server_the_lab_only_shows(folder, trained, cup):
    with app_in(folder, public=True) as public:
        schema = public.get("/api/openapi.json").json()["paths"]
        changing = [
            path
            for path, methods in schema.items()
            if path.startswith("/api/lab") and "post" in methods
        ]
        assert len(changing) == 5
        for path in changing:
            address = path.format(name="tiny", number=cup["id"])
            refused = public.post(address, json=TINY | {"name": "strange"} | CUP)
            assert (refused.status_code, refused.json()["error"]) == (403, "forbidden")
        assert not any(
            method in methods
            for path, methods in schema.items()
            if path.startswith("/api/lab")
            for method in ("put", "patch", "delete")
        )
        for page in ("", "/runs", "/runs/tiny", "/models", "/tuples", "/arena", "/arena/1"):
            shown = public.get(f"/lab{page}").text
            for button in ('id="begin"', 'id="stop"', 'id="resume"', 'id="train"'):
                assert button not in shown
        assert public.get("/api/lab/runs/tiny").json()["state"] == "finished"
        assert public.get(f"/api/lab/arena/{cup['id']}").json()["games"] == 20
    assert not (folder / "runs" / "strange").exists()
