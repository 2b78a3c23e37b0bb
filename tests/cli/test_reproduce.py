"""`reproduce` and `report` as a user types them: lists, numbers, files, the store."""

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from spielwerk import plugins
from spielwerk.cli.main import app
from spielwerk.errors import SpielwerkError
from spielwerk.lab import catalogue, experiment
from spielwerk.lab.catalogue import entries, find_entries, find_entry, register_experiment
from spielwerk.lab.figure import Figure, Study
from spielwerk.lab.printed import works
from spielwerk.lab.verdicts import VERDICTS

RESULTS = str(Path(__file__).parents[2] / "results")
PLUGIN = """
from spielwerk.lab.catalogue import register_experiment
from spielwerk.lab.experiment import Cell, Table
from spielwerk.lab.figure import Figure, mean_at, point_of
from spielwerk.lab.printed import Page, printed

register_experiment(
    Table(
        "own-table", "Somebody", "chance", "tic-tac-toe", "", "depth",
        (Cell("", "1", "random", "random"), Cell("", "2", "random", "random")),
        Page("nowhere", {"1": printed(50.0), "2": printed(50.0)}),
    )
)
register_experiment(
    Figure(
        "own-figure", "Somebody", "seeds", "x", "y",
        lambda study: [point_of("a", 1, [study.seed + n for n in range(study.seeds)])],
        lambda points: {"a": mean_at(points[0]), "ratio": mean_at(points[0])},
        Page("nowhere", {"a": printed(1.0)}),
        full_seeds=4,
        quick_seeds=2,
    )
)
register_experiment(
    Figure(
        "own-constant", "Somebody", "no seeds", "x", "y",
        lambda study: [point_of("a", 1, [1])],
        lambda points: {"a": mean_at(points[0])},
        Page("nowhere", {"a": printed(1.0)}),
    )
)
"""


@pytest.fixture
def call(tmp_path, monkeypatch):
    """Calls with a store of their own; returns what was printed."""
    monkeypatch.setenv("SPIELWERK_DATABASE_URL", f"sqlite:///{tmp_path / 'store.sqlite'}")
    monkeypatch.chdir(tmp_path)

    def call(words, code=0, error=False):
        result = CliRunner().invoke(app, words.split(), catch_exceptions=False)
        assert result.exit_code == code, result.output
        return result.stderr if error else result.output if code else result.stdout

    return call


@pytest.fixture
def own(call, tmp_path, monkeypatch):
    """Calls with experiments of a plug-in, which nobody knows afterwards."""
    monkeypatch.setattr(plugins, "_LOADED", [])
    monkeypatch.setattr(catalogue, "_ADDED", {})
    (tmp_path / "own_experiments.py").write_text(PLUGIN)

    def own(words, code=0, error=False):
        return call(f"--plugin own_experiments.py {words}", code, error)

    yield own
    sys.modules.pop("own_experiments", None)


def test_the_list_says_what_how_long_and_how_far(call):
    rows = json.loads(call(f"reproduce --list --json --out {RESULTS}"))
    assert [row["name"] for row in rows] == list(entries())
    seven = next(row for row in rows if row["name"] == "goeppert-table-7")
    assert seven["shows"] == "last good reply"
    assert seven["state"] == "full"
    assert seven["sample"] == "1,000 games a cell"
    assert seven["measured"] == seven["numbers"] == 22
    assert sum(seven["verdicts"].values()) == 22
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
    assert found["verdicts"] == {**dict.fromkeys(VERDICTS, 0), "agrees": 3, "differs": 1}
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


def test_a_work_is_reproduced_without_what_is_there(call, tmp_path):
    for name in ("konen-nim", "konen-tic-tac-toe"):
        shutil.copytree(Path(RESULTS) / name, tmp_path / "results" / name)
    told = call("reproduce konen", error=True)
    assert "1 of 3: konen-figure-2\n" in told
    assert "2 of 3: konen-nim (full already)" in told
    assert (tmp_path / "results" / "konen-figure-2" / "plot.svg").is_file()
    text = call("reproduce konen --quick")
    assert "10 numbers: 10 agrees; results" in text
    assert [one["name"] for one in json.loads(call("reproduce konen --json"))] == [
        "konen-figure-2",
        "konen-nim",
        "konen-tic-tac-toe",
    ]


def test_one_that_fails_stops_no_other_one(call, tmp_path):
    for name in ("konen-nim", "konen-tic-tac-toe"):
        shutil.copytree(Path(RESULTS) / name, tmp_path / "results" / name)
    (tmp_path / "results" / "konen-nim" / "curves.csv").write_text("x")
    with pytest.raises(SpielwerkError, match="Not reproduced, for the reasons above: konen-nim"):
        call("reproduce konen")
    assert (tmp_path / "results" / "konen-figure-2" / "curves.csv").is_file()


def test_a_table_that_is_stopped_is_drawn(own, tmp_path, monkeypatch):
    """Its plot is not that of fewer games."""
    own("reproduce own-table --games 4 --no-store")
    plot = tmp_path / "results" / "own-table" / "plot.svg"
    before = plot.read_bytes()

    def stopped(*given, whole=experiment.run_table):
        whole(*given)
        raise KeyboardInterrupt

    monkeypatch.setattr(experiment, "run_table", stopped)
    assert "Stopped. What is done is kept" in own("reproduce own-table --games 10", 130)
    assert plot.read_bytes() != before


def test_a_part_says_of_what_it_is_one(call, tmp_path):
    shutil.copytree(Path(RESULTS) / "thill-figure-4-7", tmp_path / "results" / "thill-figure-4-7")
    told = call("reproduce thill-figure-4-6 --plot", error=True)
    assert told == "thill-figure-4-6 is a part of thill-figure-4-7.\n"
    assert call("reproduce thill-figure-4-7 --plot", error=True) == ""


def test_all_are_found_by_one_name():
    assert find_entries("all") == list(entries().values())
    assert [one.name for one in find_entries("thill-2015")] == ["ntuple-records"]
    assert find_entries("jahnke-figure-5-1") == [find_entry("jahnke-table-5-1")]
    assert sum(len(find_entries(work.key)) for work in works()) == len(entries())


@pytest.mark.parametrize("name", ["../escaped", "a/b", "", "all", "konen-nim", "thill", ".."])
def test_an_experiment_of_ones_own_has_a_name_of_its_own(name):
    with pytest.raises(SpielwerkError, match=r"cannot be the name|comes with Spielwerk"):
        register_experiment(replace(find_entry("konen-nim"), name=name))
    assert list(entries()).count("konen-nim") == 1


def test_what_has_no_interval_has_no_bounds(own):
    (one,) = json.loads(own("reproduce own-constant --json"))["numbers"]
    assert (one["value"], one["low"], one["high"], one["verdict"]) == (1, None, None, "undecided")


def test_a_quick_run_says_that_it_is_one(own):
    assert "; quick, 2 seeds; results/own-figure" in own("reproduce own-figure --quick")


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


def test_a_quick_run_does_not_replace_a_full_one(own, tmp_path):
    own("reproduce own-figure")
    before = (tmp_path / "results" / "own-figure" / "curves.csv").read_bytes()
    for options in ("--quick", "--seeds 3", "--seed 2"):
        with pytest.raises(SpielwerkError, match="with --out"):
            own(f"reproduce own-figure {options}")
    assert (tmp_path / "results" / "own-figure" / "curves.csv").read_bytes() == before
    own("reproduce own-figure --quick --out other")
    rows = {row["name"]: row for row in json.loads(own("reproduce --list --json --out other"))}
    assert (rows["own-figure"]["state"], rows["own-figure"]["sample"]) == ("quick", "2 seeds")


def test_the_store_has_what_is_in_the_file_under_its_options(own):
    for games in (10, 4, 2):
        own(f"reproduce own-table --games {games}")
    (run,) = json.loads(own("history --json"))
    assert run["name"] == "own-table --games 10 --seed 1"


def test_the_exact_command_names_the_plugin_and_the_report_has_its_experiments(
    own, call, tmp_path, monkeypatch
):
    own("reproduce own-figure --quick --no-store")
    about = (tmp_path / "results" / "own-figure" / "about.txt").read_text()
    command = "spielwerk --plugin own_experiments.py reproduce own-figure --seeds 2 --seed 1"
    assert f"command: {command}\n" in about
    told = json.loads(own("report --no-html --json"))
    assert told["works"]["Your own experiments"]["measured"] == 1
    assert told["printed"] == json.loads(call("report --no-html --json --out x"))["printed"]
    text = (tmp_path / "report" / "reproduction.md").read_text()
    assert "### Somebody: seeds" in text
    assert command in text
    monkeypatch.setattr(catalogue, "_ADDED", {})  # the next one knows nothing of them
    assert "results/own-figure is left out" in call("report --no-html", error=True)


def damage(results):
    """A folder for each kind of damage, with the file that is damaged."""
    names = ("konen-nim", "konen-figure-2", "goeppert-table-10", "thill-figure-4-3")
    for name in (*names, "jahnke-figure-4-4"):
        shutil.copytree(Path(RESULTS) / name, results / name)
    header = (results / "konen-nim" / "curves.csv").read_text().splitlines(keepends=True)[0]
    (results / "konen-nim" / "curves.csv").write_text(header)
    renamed = (results / "konen-figure-2" / "curves.csv").read_text().replace("accumul", "x")
    (results / "konen-figure-2" / "curves.csv").write_text(renamed)
    cells = results / "goeppert-table-10" / "cells.csv"
    cells.write_bytes(cells.read_bytes()[:-30])
    (results / "thill-figure-4-3" / "about.txt").write_bytes(b"\xff\xfe")
    return dict(zip(names, ["curves.csv"] * 2 + ["cells.csv", "about.txt"], strict=True))


def test_one_damaged_folder_does_not_hide_the_others(call, tmp_path):
    files = damage(tmp_path / "results")
    rows = {row["name"]: row for row in json.loads(call("reproduce --list --json"))}
    for verb in ("reproduce --list", "report"):
        warnings = call(verb, error=True)
        assert warnings.count("Warning: ") == len(files)
        for name, file in files.items():
            assert f"results/{name}/{file}" in warnings
    for name in files:
        assert (rows[name]["state"], rows[name]["measured"]) == ("damaged", 0)
        for words in ("", " --plot"):
            with pytest.raises(SpielwerkError, match=r"is damaged \(.*; delete it to"):
                call(f"reproduce {name}{words}")
    assert (rows["jahnke-figure-4-4"]["state"], rows["jahnke-figure-4-4"]["measured"]) == (
        "full",
        1,
    )
    text = (tmp_path / "report" / "reproduction.md").read_text()
    assert "damaged" in text
    page = (tmp_path / "report" / "reproduction.html").read_text()
    assert page.count("<img ") == 1  # that of the one that is whole


def test_a_plot_that_cannot_be_written_is_a_sentence(own, tmp_path):
    (tmp_path / "results" / "own-constant" / "plot.png").mkdir(parents=True)
    with pytest.raises(SpielwerkError, match=r"plot\.png cannot be written: Is a directory"):
        own("reproduce own-constant")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--list --quick", "--list runs nothing: give no --quick as well"),
        ("--list --full", "give no --full as well"),
        ("--list --seeds 3", "give no --seeds as well"),
        ("--list --seed 1", "give no --seed as well"),
        ("--list --no-store", "give no --store/--no-store as well"),
        ("--games 4", "Without a name all are listed, nothing runs: give no --games as well"),
        ("own-figure --quick --full", "--quick or --full: give one of them"),
        ("own-figure --plot --quick", "--plot runs nothing: give no --quick as well"),
        ("own-figure --plot --seed 3", "give no --seed as well"),
        ("own-figure --plot --threads 1", "give no --threads as well"),
        ("konen --seeds 7", "konen are several: --games, --seeds and --seed are for one of them"),
        ("thill-appendix-a-2 --seeds 7", "knows no chance: every seed gives the same"),
        ("thill-appendix-a-2 --seed 7", "Give neither --seeds nor --seed"),
    ],
)
def test_no_option_is_ignored_in_silence(own, words, message, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setenv("TERMINAL_WIDTH", "300")
    assert message in " ".join(own(f"reproduce {words}", 2).replace("│", "").split())


def test_seeds_that_are_not_used_are_told_of(own):
    assert "has not used 7 seeds" in own("reproduce own-constant --seeds 7", error=True)
    assert "seeds" not in own("reproduce own-figure --seeds 7", error=True)


def test_those_that_know_no_chance_are_all_named():
    """With one seed, quick or full, a figure of ours is computed; and those give the same twice."""
    figures = {name: one for name, one in entries().items() if isinstance(one, Figure)}
    once = {name for name, one in figures.items() if one.full_seeds == one.quick_seeds == 1}
    slow = {"thill-section-4-6-4", "thill-table-4-1"}
    assert {name for name, one in figures.items() if not one.chance} == once | slow
    for name in once:
        figure = find_entry(name)
        assert figure.produce(Study(seeds=2, seed=5)) == figure.produce(Study())


def test_a_figure_begins_with_its_own_seed(call, monkeypatch):
    shown = []
    monkeypatch.setattr(
        "spielwerk.lab.figure.run_figure",
        lambda entry, where, study: shown.append(study.seed) or [],
    )
    for words in ("ntuple-records", "ntuple-records --seed 5", "thill-figure-4-12"):
        call(f"reproduce {words} --no-store --out tried", 2)  # nothing was written to be shown
    assert shown == [31, 5, 1]


def test_those_that_take_times_say_that_they_have_one_thread(call, monkeypatch, tmp_path):
    shown = []
    monkeypatch.setattr(
        "spielwerk.lab.figure.run_figure",
        lambda entry, where, study: shown.append(study.workers.count) or [],
    )
    shutil.copytree(Path(RESULTS) / "goeppert-table-11", tmp_path / "results" / "goeppert-table-11")
    told = call("reproduce goeppert-table-11 --threads 2 --no-store", error=True)
    assert "takes times: it runs on one thread here" in told
    assert "one thread" not in call("reproduce goeppert-table-11 --no-store", error=True)
    assert shown[0] == 1


def test_numbers_of_what_was_not_run_are_not_measured_for_that_reason(call, tmp_path):
    (tmp_path / "results").mkdir()
    call("report --no-html")
    lines = (tmp_path / "report" / "reproduction.md").read_text().splitlines()
    assert "| Thill 2012, table 4.1 | 28 | Not run yet. |" in lines
