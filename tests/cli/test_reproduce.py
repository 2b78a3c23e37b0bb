"""`reproduce` and `report` as a user types them: lists, numbers, files, the store."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from spielwerk.cli.main import app
from spielwerk.lab.catalogue import entries

RESULTS = str(Path(__file__).parents[2] / "results")


@pytest.fixture
def call(tmp_path, monkeypatch):
    """Calls with a store of their own; returns what was printed."""
    monkeypatch.setenv("SPIELWERK_DATABASE_URL", f"sqlite:///{tmp_path / 'store.sqlite'}")
    monkeypatch.chdir(tmp_path)

    def call(words, code=0):
        result = CliRunner().invoke(app, words.split(), catch_exceptions=False)
        assert result.exit_code == code, result.output
        return result.output if code else result.stdout

    return call


def test_the_list_says_what_how_long_and_how_far(call):
    rows = json.loads(call(f"reproduce --list --json --out {RESULTS}"))
    assert [row["name"] for row in rows] == list(entries())
    seven = next(row for row in rows if row["name"] == "goeppert-table-7")
    assert seven["shows"] == "last good reply"
    assert seven["state"] == "full"
    assert seven["sample"] == "1,000 games a cell"
    assert seven["measured"] == seven["numbers"] == 20
    assert sum(seven["verdicts"].values()) == 20
    assert 0 < seven["quick_seconds"] < seven["full_seconds"]
    text = call("reproduce --list")
    assert text.count("not run") == len(rows)
    assert "quick about" in text


def test_all_quick_runs_together_take_a_quarter_of_an_hour(call):
    rows = json.loads(call("reproduce --list --json"))
    assert all(row["quick_seconds"] is not None for row in rows)
    assert sum(row["quick_seconds"] for row in rows) < 15 * 60


def test_a_figure_is_reproduced_stored_and_drawn_again(call, tmp_path):
    found = json.loads(call("reproduce thill-figure-4-3 --full --json"))
    assert found["state"] == "full"
    assert found["verdicts"] == {
        "agrees": 3,
        "same conclusion": 0,
        "differs": 1,
        "not measured": 0,
    }
    first = found["numbers"][0]
    assert (first["name"], first["verdict"]) == ("ε begins at", "differs")
    assert first["value"] == pytest.approx(0.9347, abs=1e-4)
    about = (tmp_path / "results" / "thill-figure-4-3" / "about.txt").read_text().split("\n")
    assert about[1] == "command: spielwerk reproduce thill-figure-4-3 --seeds 1 --seed 1"
    assert [line.partition(":")[0] for line in about[2:6]] == [
        "versions",
        "machine",
        "date",
        "seconds",
    ]
    assert "numpy" in about[2]
    assert "core" in about[3]
    call("reproduce thill-figure-4-3")
    (run,) = json.loads(call("history --json"))
    assert (run["kind"], run["name"]) == ("lab", "thill-figure-4-3 --seed 1 --seeds 1")
    kept = json.loads(call("history 1 --json"))
    assert [one["name"] for one in kept["numbers"]] == [one["name"] for one in found["numbers"]]
    assert "thill-figure-4-3" in call("history")
    assert "ε begins at: 0.934712" in call("history 1")


def test_without_the_store(call):
    call("reproduce konen-figure-2 --no-store")
    assert json.loads(call("history --json")) == []


def test_explanations_are_no_verdicts(call):
    text = call("reproduce thill-figure-4-3 --no-store")
    assert "Explanation: With m = 10" in text
    assert "differs: ε begins at: 0.9347 (printed: 0.95)" in text


def test_the_report_is_written(call, tmp_path):
    found = json.loads(call(f"report --results {RESULTS} --out told --json"))
    assert found["files"] == ["told/reproduction.md", "told/reproduction.html"]
    assert found["measured"] == sum(found["verdicts"].values()) - found["verdicts"]["not measured"]
    assert found["works"]["Konen 2015"]["coverage"] == 100
    assert (tmp_path / "told" / "reproduction.html").read_text().startswith("<!doctype html>")
    text = call(f"report --results {RESULTS} --out other --no-html")
    assert f"Of {found['printed']} printed numbers" in text
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["reproduction.md"]
    assert "There is no folder nowhere" in call("report --results nowhere", 2).replace("\n", "")
