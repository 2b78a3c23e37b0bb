"""The report: built from what lies on disk, the same each time, and the committed page is it."""

import re
import shutil
from pathlib import Path

import pytest

from spielwerk.lab.catalogue import entries, find_entry
from spielwerk.lab.report import (
    BROKEN,
    NOT_ALL_YET,
    NOT_QUICKLY,
    NOT_RUN_YET,
    read_report,
    why_not,
)
from spielwerk.lab.report_html import as_html
from spielwerk.lab.report_markdown import as_markdown
from spielwerk.lab.storing import store_results
from spielwerk.lab.verdicts import AGREES, NOT_MEASURED
from spielwerk.store.store import Store

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "results"


@pytest.fixture(scope="module")
def report():
    return read_report(RESULTS)


def test_the_committed_page_is_what_the_results_say(report):
    """If this fails: spielwerk report --out docs --no-html"""
    assert (ROOT / "docs" / "reproduction.md").read_text() == as_markdown(report)


def test_most_printed_numbers_have_a_counterpart_and_the_others_a_reason(report):
    assert report.published.printed > 490
    assert report.published.coverage >= 80
    for part in report.gaps:
        assert why_not(part)
    text = as_markdown(report)
    for chapter in report.chapters:
        for part in chapter.parts:
            assert f"`{part.name}`" in text


def test_what_differs_most_is_explained(report):
    """One in twenty may differ by chance; where more do, it says what was found out."""
    for part in report.disagreements:
        if part.counts["differs"] > 0.05 * len(part.comparisons):
            assert part.page.explanation, part.name


def test_results_are_those_of_known_experiments():
    assert {path.name for path in RESULTS.iterdir() if path.is_dir()} <= set(entries())
    for folder in RESULTS.iterdir():
        names = {path.name for path in folder.iterdir()}
        assert {"about.txt", "plot.png", "plot.svg"} <= names
        assert names & {"cells.csv", "curves.csv"}
        assert "claims.csv" not in names


def test_a_result_changes_the_report(tmp_path):
    """Without the results of a table its numbers are not measured; with others, verdicts change."""
    shutil.copytree(RESULTS / "goeppert-table-10", tmp_path / "goeppert-table-10")

    def verdicts():
        parts = [part for chapter in read_report(tmp_path).chapters for part in chapter.parts]
        (part,) = [part for part in parts if part.name == "goeppert-table-10"]
        return [one.verdict for one in part.comparisons]

    assert verdicts() == ["agrees", "agrees"]
    cells = tmp_path / "goeppert-table-10" / "cells.csv"
    text = cells.read_text()
    cells.write_text(text.replace(",55.2,52.1,58.26,", ",90.0,87.9,91.8,"))
    assert cells.read_text() != text
    assert verdicts()[0] == "differs"
    cells.unlink()
    assert verdicts() == [NOT_MEASURED] * 2


def part_of(results, name):
    chapters = read_report(results).chapters
    return next(part for chapter in chapters for part in chapter.parts if part.name == name)


def test_why_a_number_is_not_measured(tmp_path):
    """What the page says holds for what no run gives, and for nothing else."""
    name = "thill-table-4-1"
    told = part_of(tmp_path, name).page.unmeasured
    assert told.startswith("The number of all positions")
    assert why_not(part_of(tmp_path, name)) == NOT_RUN_YET
    shutil.copytree(RESULTS / name, tmp_path / name)
    assert why_not(part_of(tmp_path, name)) == told
    about = tmp_path / name / "about.txt"
    about.write_text(about.read_text().replace("--seeds 1", "--quick"))
    assert why_not(part_of(tmp_path, name)) == f"{NOT_QUICKLY} {told}"
    (tmp_path / name / "curves.csv").write_text("")
    assert why_not(part_of(tmp_path, name)) == BROKEN


def test_cells_that_are_not_played_yet_are_no_cells_that_nobody_plays(tmp_path):
    name = "goeppert-table-2"
    shutil.copytree(RESULTS / name, tmp_path / name)
    told = part_of(tmp_path, name).page.unmeasured
    assert why_not(part_of(tmp_path, name)) == told
    cells = tmp_path / name / "cells.csv"
    cells.write_text("".join(cells.read_text().splitlines(keepends=True)[:-1]))
    assert why_not(part_of(tmp_path, name)) == f"{NOT_ALL_YET} {told}"


def test_the_page_needs_nothing_else(report):
    page = as_html(report)
    assert "<script" not in page
    assert not re.search(r'(?:src|href)="(?!data:|#)', page)
    assert "url(" not in page
    assert "`" not in page
    assert "<code>distant</code>" in page
    assert "prefers-color-scheme: dark" in page
    assert page.count("<img ") == sum(
        (folder / "plot.svg").is_file() for folder in RESULTS.iterdir()
    )
    anchors = set(re.findall(r'id="([^"]+)"', page))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= anchors


def test_the_store_calls_a_quick_figure_quick(tmp_path):
    folder = tmp_path / "konen-nim"
    shutil.copytree(RESULTS / "konen-nim", folder)
    about = folder / "about.txt"
    about.write_text(about.read_text().replace("--seeds 20", "--quick"))
    store = Store.open(f"sqlite:///{tmp_path}/store.sqlite")
    try:
        run = store_results(store, find_entry("konen-nim"), folder)
        assert [(one.id, one.name) for one in store.runs()] == [(run, "konen-nim --quick --seed 1")]
    finally:
        store.close()


def test_other_pages_count_what_the_results_say(report):
    """docs/mcts.md tells how many cells of each table agree, and README.md of all but table 13."""
    parts = {part.name: part for chapter in report.chapters for part in chapter.parts}
    told = {}
    for number in (*range(3, 11), 13):
        part = parts[f"goeppert-table-{number}"]
        cells = [one for one in part.comparisons if one.name in part.cells]
        own = [one for one in cells if not one.name.partition(" | ")[0].endswith("Net")]
        told[number] = sum(one.verdict == AGREES for one in own), len(own)
    page = (ROOT / "docs" / "mcts.md").read_text()
    for number, (agreeing, of) in told.items():
        assert re.search(rf"^\| {number} \| .* \| {agreeing} of {of} \|", page, re.MULTILINE)
    agreeing, of = (sum(counts) for counts in zip(*told.values(), strict=True))
    fast, slow = told[13]
    assert f"{agreeing} of {of} cells agree; of {of - slow} that" in page
    assert f"do not depend on speed, {agreeing - fast}, where" in " ".join(page.split())
    speeds = parts["goeppert-table-13-printed-speeds"].comparisons
    plain = [one for one in speeds if not one.name.partition(" | ")[0].endswith("Net")]
    agreeing_there = sum(one.verdict == AGREES for one in plain)
    assert f"{agreeing_there} of the {len(plain)} cells without a net agree" in page
    readme = (ROOT / "README.md").read_text()
    assert f"{agreeing - fast} of {of - slow} cells" in readme
