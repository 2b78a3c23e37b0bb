"""Longer runs than those of `test_smoke_catalogue.py`, of minutes; seed and error bar beside.

Nets are judged on committed results alone. Thill's trainings of Connect Four are shortened to
300,000 games; against the perfect player their success would still be chance, so it is told in how
many of 2,000 random positions their moves keep the value.
"""

from dataclasses import replace

import pytest

from spielwerk.agents.td import Greedy
from spielwerk.arena.sides import kept_values
from spielwerk.arena.workers import Threads
from spielwerk.lab import (
    thill_figure_4_12,
    thill_figure_4_14,
    thill_figure_4_20,
    thill_figure_4_28,
)
from spielwerk.lab.catalogue import find_entry
from spielwerk.lab.experiment import run_table
from spielwerk.lab.figure import Study
from spielwerk.lab.verdicts import AGREES, DIFFERS, Measured, compare
from spielwerk.learning.runs import play_until
from spielwerk.learning.training import make_run


def played(name, games, seed, folder, *wanted):
    """The cells of these names, played: their intervals in percent, by name."""
    table = find_entry(name)
    cells = tuple(cell for cell in table.cells if cell.name in wanted)
    assert len(cells) == len(wanted)
    results = run_table(
        replace(table, cells=cells), folder, games, seed, Threads(1), lambda *_: None
    )
    measured = {result.name: result.measured for result in results}
    assert DIFFERS not in {one.verdict for one in compare(table.page, measured)}
    return measured


def figured(name, seeds=1, seed=1):
    """The numbers of a figure, and their verdicts."""
    figure = find_entry(name)
    measured = figure.measure(figure.produce(Study(seeds, seed)))
    return measured, {one.name: one.verdict for one in compare(figure.page, measured)}


def kept(config, games=300_000, seed=1):
    """In which share of random positions the moves of a short training keep the value, in percent
    with the 95 % interval."""
    config = replace(config, games=games, features=config.features.replace("%d", "1"))
    run = make_run("connect-four", config, seed)
    play_until(run, games)
    found = kept_values(run.game, Greedy(run.learned), 2000, 1, stones=(14, 30))
    low, high = found.interval
    return Measured(100 * found.share, 100 * low, 100 * high)


@pytest.mark.thorough
def test_two_tables_and_mirror_images_are_needed():
    """Figures 4.12 with 4.14, and 4.28; one training each, seed 1: ± 1.5."""
    best = kept(thill_figure_4_28.configs()["with mirror images"])
    assert best.low > kept(thill_figure_4_12.configs()["one table"]).value
    assert best.low > kept(thill_figure_4_28.configs()["without"]).value


@pytest.mark.thorough
def test_walks_beat_points_and_four_states_beat_three():
    """Figures 4.20 and 4.14; one training each, and the mean of three; seeds 1 to 3."""
    configs = thill_figure_4_20.configs()
    assert kept(configs["70 random walks"]).low > kept(configs["100 sets of random points"]).high
    three, four = (
        sum(kept(config, seed=seed).value for seed in (1, 2, 3)) / 3
        for config in thill_figure_4_14.configs().values()
    )
    assert four > three + 0.5


@pytest.mark.thorough
def test_last_good_reply_beats_plain_search_and_forgetting_costs_most_of_it(tmp_path):
    """100 games each, seed 1: ± 8 and ± 10."""
    found = played(
        "goeppert-table-7", 100, 1, tmp_path, "keep, remember | 1.0", "keep, forget | 1.0"
    )
    remember, forget = found["keep, remember | 1.0"], found["keep, forget | 1.0"]
    assert remember.low > 60
    assert remember.low > forget.value


@pytest.mark.thorough
def test_amaf_needs_the_right_constant(tmp_path):
    """200 games each, seed 1: ± 7."""
    found = played("goeppert-table-5", 200, 1, tmp_path / "5", "0.3 | 0.2", "0.5 | 0.4")
    assert found["0.3 | 0.2"].high < 40
    assert found["0.5 | 0.4"].low > 50
    found = played("goeppert-table-6", 200, 1, tmp_path / "6", "100 | 0.2", "200 | 0.6")
    assert found["100 | 0.2"].low > 50
    assert found["200 | 0.6"].high < found["100 | 0.2"].value


@pytest.mark.thorough
def test_both_together_are_better_still(tmp_path):
    """100 games each, seed 1: ± 8; against last good reply alone 400, ± 5."""
    assert played("goeppert-table-8", 100, 1, tmp_path / "8", "0.5 | 0.4")["0.5 | 0.4"].low > 65
    assert played("goeppert-table-9", 100, 1, tmp_path / "9", "50 | 0.2")["50 | 0.2"].low > 65
    found = played("goeppert-table-10", 400, 1, tmp_path / "10", "LGR | RAVE-LGR")
    assert found["LGR | RAVE-LGR"].low > 50


@pytest.mark.thorough
def test_exploring_too_little_is_worse_and_transpositions_change_little(tmp_path):
    """400 games, ± 5; 200 games, ± 7; seed 1."""
    found = played("goeppert-table-3", 400, 1, tmp_path / "3", "UCT | 0.6", "UCT | 1.0")
    assert found["UCT | 0.6"].high < 50
    assert found["UCT | 1.0"].low < 50 < found["UCT | 1.0"].high
    found = played("goeppert-table-4", 200, 1, tmp_path / "4", "UCT2 | 0.8")
    assert 35 < found["UCT2 | 0.8"].low < found["UCT2 | 0.8"].high < 65


@pytest.mark.thorough
def test_features_make_up_for_a_linear_function():
    """Eight trainings each, seed 1: ± 8 at the most."""
    measured, verdicts = figured("konen-tic-tac-toe", seeds=8)
    assert set(verdicts.values()) == {AGREES}
    assert measured["linear, raw board"].value < 50 < measured["linear, open lines"].value
