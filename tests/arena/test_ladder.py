"""The ladder: neighbours meet, points move and are never lost."""

import numpy as np
import pytest

from spielwerk.arena.batch import play_batch
from spielwerk.arena.ladder import Member, Round, move_points, pair


def members(points, games=None):
    games = games or [0] * len(points)
    return [
        Member(n, "random", float(p), g) for n, (p, g) in enumerate(zip(points, games, strict=True))
    ]


def test_everyone_plays_at_most_once_a_round_and_the_busiest_sits_out():
    found = pair(members([600] * 5, [3, 3, 9, 3, 3]), 2, seed=1, first=10)
    assert [fixture.number for fixture in found] == [10, 11]
    playing = [who for fixture in found for who in fixture.seats]
    assert sorted(playing) == [0, 1, 3, 4]


def test_neighbours_meet():
    meetings = [
        frozenset(fixture.seats)
        for first in range(0, 200, 2)
        for fixture in pair(members([400, 420, 900, 930]), 2, 1, first)
    ]
    assert meetings.count(frozenset({0, 1})) > 90
    begins = [pair(members([600, 600]), 2, 1, first)[0].seats[0] for first in range(200)]
    assert 70 < sum(begins) < 130


def test_points_move_from_the_loser_to_the_winner():
    plan = Round("nim", ("random", "random"), pair(members([600, 1000]), 2, 1, 0))
    batch = play_batch(plan, plan.numbers)
    winner = int(batch.seats[0][np.argmax(batch.utilities[0])])
    before = {0: 600.0, 1: 1000.0}
    after = move_points(before, batch)
    gain = after[winner] - before[winner]
    assert sum(after.values()) == pytest.approx(1600)
    expected = 1 / (1 + 10 ** ((before[1 - winner] - before[winner]) / 400))
    assert gain == pytest.approx(32 * (1 - expected))


def test_at_a_table_of_three_points_are_kept_together():
    game = "skip-bo:players=3,stock=2"
    plan = Round(game, ("random", "skipbo-basic", "random"), pair(members([600] * 3), 3, 1, 0))
    batch = play_batch(plan, plan.numbers)
    after = move_points({0: 600.0, 1: 600.0, 2: 600.0}, batch)
    assert sum(after.values()) == pytest.approx(1800)
    winner = int(batch.seats[0][np.argmax(batch.utilities[0])])
    assert after[winner] == pytest.approx(616)  # 8 points from each of the others
    assert plan.table.seats == 3
