"""Ratings recover known strengths; the sequential test errs as seldom as it says."""

from dataclasses import replace

import numpy as np
import pytest

from spielwerk.arena.batch import play_batch
from spielwerk.arena.certainty import Certainty, fortune
from spielwerk.arena.heat_map import draw_heat_map
from spielwerk.arena.intervals import Z_95
from spielwerk.arena.plan import Plan
from spielwerk.arena.ratings import POINTS, rate, rate_pairs
from spielwerk.arena.report import players_of, summary_of, write_files
from spielwerk.arena.tournament import Tournament, play_tournament


def simulated(random, strengths, games, drawish):
    """Results of a round robin of players with these Elo points."""
    many = len(strengths)
    wins, draws = np.zeros((2, many, many))
    for a in range(many):
        for b in range(a):
            chance = 1 / (1 + 10 ** ((strengths[b] - strengths[a]) / 400))
            drawn = 2 * drawish * min(chance, 1 - chance)
            won, equal, lost = random.multinomial(
                games, [chance - drawn / 2, drawn, 1 - chance - drawn / 2]
            )
            wins[a, b], wins[b, a], draws[a, b], draws[b, a] = won, lost, equal, equal
    return wins, draws


@pytest.mark.parametrize(
    ("players", "games", "drawish"), [(2, 80, 0.0), (5, 40, 0.0), (5, 40, 0.4), (8, 20, 0.1)]
)
def test_ratings_recover_known_strengths(players, games, drawish):
    """300 tournaments, true differences of 0 to 400: 92 to 98 % of the intervals hold the truth."""
    random, inside, errors = np.random.default_rng(11), 0, []
    for _ in range(300):
        true = random.uniform(0, 400, players)
        true -= true.mean()
        strengths, covariance = rate_pairs(*simulated(random, true, games, drawish))
        error = Z_95 * np.sqrt(np.diag(covariance))
        inside += (abs(POINTS * strengths - true) <= POINTS * error).sum()
        errors.append(POINTS * strengths - true)
    assert 0.92 <= inside / (300 * players) <= 0.98
    assert abs(np.mean(errors, axis=0)).max() < 12


@pytest.mark.thorough
def test_tables_of_three_recover_known_strengths():
    """100 tables of 900 games each: 92 to 98 % of the intervals hold the truth (error bar 2.5)."""
    random, inside = np.random.default_rng(7), 0
    plan = Plan("skip-bo:players=3", ("random", "random", "random", "random"), 225, 1)
    for _ in range(100):
        true = random.uniform(0, 300, 4)
        true -= true.mean()
        tournament = Tournament(plan)
        for group in plan.groups:
            chances = 10 ** (true[list(group)] / 400)
            for who, count in zip(
                group, random.multinomial(225, chances / chances.sum()), strict=True
            ):
                tournament.winners[group, who] = int(count)
        found = rate(tournament)
        inside += sum(one.low <= t <= one.high for one, t in zip(found, true, strict=True))
    assert 0.92 <= inside / 400 <= 0.98


def test_whoever_wins_everything_has_a_rating():
    wins = np.array([[0, 10, 10], [0, 0, 10], [0, 0, 0]])
    strengths, covariance = rate_pairs(wins, np.zeros((3, 3)))
    assert np.isfinite(strengths).all()
    assert strengths[0] > strengths[1] > strengths[2]
    assert (np.diag(covariance) > 0).all()
    assert strengths.sum() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("games", [20, 140, 1000, 5000])
def test_whoever_wins_everything_at_a_table_of_three_has_a_rating(games):
    tournament = Tournament(Plan("skip-bo:players=3", ("random",) * 3, 3, 1))
    tournament.winners[(0, 1, 2), 2] = games
    found = rate(tournament)
    assert found[2].elo > found[0].elo == pytest.approx(found[1].elo)
    for one in found:
        assert one.low < one.elo < one.high < one.low + 3000


def test_draws_make_intervals_narrower():
    decided = rate_pairs(np.array([[0, 50], [50, 0]]), np.zeros((2, 2)))[1]
    drawn = rate_pairs(np.array([[0, 10], [10, 0]]), np.array([[0, 80], [80, 0]]))[1]
    assert drawn[0, 0] < decided[0, 0] / 3


def test_the_twin_of_the_fortune():
    """The bets one by one: each knows only what came before it."""
    gaps = np.random.default_rng(3).choice([-1.0, 0.0, 1.0], 50, p=[0.2, 0.3, 0.5])
    wealth, seen, expected = 1.0, [], []
    means = []
    for gap in gaps:
        if seen:
            n = len(seen) + 1
            mean = sum(seen) / n
            variance = (0.25 + sum((g - m) ** 2 for g, m in zip(seen, means, strict=True))) / n
            bet = min(max(mean / (variance + mean**2), 0.0), 0.5)
        else:
            bet = 0.0
        wealth *= 1 + bet * gap
        expected.append(wealth)
        seen.append(gap)
        means.append(sum(seen) / (len(seen) + 1))
    np.testing.assert_allclose(np.exp(fortune(gaps)), expected)


def test_equal_players_are_seldom_called_different():
    """400 tournaments of two equal players, asked after each of 300 blocks: in error in 5 % at most
    (error bar 2.2). The same with a third, who is clearly worse."""
    random = np.random.default_rng(5)
    called = np.zeros(2)
    for _ in range(400):
        points = random.choice([0.0, 0.5, 1.0], 300)
        third = (random.random((300, 2)) < 0.1) / 2
        others = np.column_stack([points + 1 - third[:, 0], 2 - points - third[:, 1]]) / 2
        three = np.column_stack([others, third.sum(axis=1) / 2])
        called[0] += Certainty(0.95).ordered(np.column_stack([points, 1 - points]))
        called[1] += Certainty(0.95).ordered(three)
    assert (called / 400 <= 0.072).all()


def test_different_players_are_told_apart_in_time():
    """At 70 % of the points the order is certain after 150 blocks in nine tournaments of ten."""
    random = np.random.default_rng(6)
    right = 0
    for _ in range(100):
        points = (random.random(150) < 0.7).astype(float)
        right += Certainty(0.95).ordered(np.column_stack([points, 1 - points]))
    assert right >= 90


def test_the_report_and_its_files(tmp_path):
    plan = Plan("tic-tac-toe", ("random", "alphabeta", "alphabeta:depth=1"), 10, seed=1)
    kept = []
    tournament = play_tournament(plan, record=kept.append)
    rows = players_of(tournament)
    assert [row["spec"] for row in rows] == ["alphabeta", "alphabeta:depth=1", "random"]
    assert rows[0]["elo"] > rows[1]["elo"] > rows[2]["elo"]
    found = summary_of(tournament)
    assert found["first_player"]["games"] == 30
    assert found["plies"]["least"] <= found["plies"]["mean"] <= found["plies"]["most"] <= 9
    assert all(row["moves_per_second"] > 0 for row in found["players"])
    write_files(tournament, kept, tmp_path)
    lines = (tmp_path / "games.csv").read_text().splitlines()
    assert lines[0] == "number,seat_1,seat_2,seed,opening,moves,result"
    assert len(lines) == 31
    assert lines[1].startswith("0,random,alphabeta,")
    assert (tmp_path / "heat-map.png").read_bytes()[:4] == b"\x89PNG"
    assert "moves_per_second" not in (tmp_path / "tournament.json").read_text()
    assert len((tmp_path / "pairs.csv").read_text().splitlines()) == 7


def test_files_of_another_tournament_do_not_stay(tmp_path):
    """Also a name that looks like a formula is drawn as it is."""
    for game, specs in (("nim", 2), ("skip-bo:players=3,stock=1", 3)):
        kept = []
        plan = Plan(game, ("random",) * specs, 3, seed=1)
        write_files(play_tournament(plan, record=kept.append), kept, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "games.csv",
        "players.csv",
        "tournament.json",
    ]
    odd = replace(Plan("nim", ("random", "random"), 2, 1), specs=("random", "td:a$b_{$c"))
    tournament = Tournament(odd)
    tournament.add(play_batch(Plan("nim", ("random", "random"), 2, 1), [0, 1]))
    draw_heat_map(tournament, tmp_path / "odd.png")
