"""The round robin: balanced, reproducible, stoppable; and its intervals."""

import pytest

from spielwerk.agents.alphabeta import AlphaBeta
from spielwerk.arena.intervals import wilson
from spielwerk.arena.round_robin import Score, round_robin, schedule
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.notation import replay

TTT = parse_game("tic-tac-toe")


def test_the_schedule_is_balanced_and_every_seed_is_its_own():
    games = schedule(players=4, games=10, seed=1)
    assert len(games) == 6 * 10
    assert len({game.seed for game in games}) == 60
    for a in range(4):
        for b in range(4):
            if a != b:
                assert sum((game.first, game.second) == (a, b) for game in games) == 5


def test_the_result_depends_on_the_seed_alone():
    specs = ["alphabeta:depth=2", "random", "alphabeta:depth=4"]
    results = [round_robin(TTT, specs, 20, seed=4, threads=threads).cross for threads in (1, 2, 5)]
    assert results[0] == results[1] == results[2]
    assert results[0] != round_robin(TTT, specs, 20, seed=5).cross


def test_more_games_begin_with_the_same_games():
    """Adding games does not change those already played."""
    few, many = schedule(2, 4, seed=1), schedule(2, 8, seed=1)
    assert many[:4] == few


def test_looking_further_beats_looking_less():
    """200 games a pair, seed 1: depth 4 over depth 1 over random, whole intervals apart."""
    specs = ["random", "alphabeta:depth=1", "alphabeta:depth=4"]
    table = round_robin(parse_game("connect-four"), specs, 200, seed=1, threads=2)
    assert table.complete
    assert table.ranking() == [2, 1, 0]
    low = [table.total(index).interval[0] for index in (2, 1)]
    high = [table.total(index).interval[1] for index in (1, 0)]
    assert low[0] > high[0]
    assert low[1] > high[1]


def test_points_add_up():
    table = round_robin(TTT, ["random"] * 3, 10, seed=2)
    assert table.played == table.planned == 30
    assert sum(table.total(index).points for index in range(3)) == 30
    for (a, b), score in table.cross.items():
        mirrored = table.cross[b, a]
        assert (score.wins, score.draws, score.losses) == (
            mirrored.losses,
            mirrored.draws,
            mirrored.wins,
        )


def test_a_tournament_begins_anywhere():
    start, _ = replay(TTT, "1542")  # X, to move, wins with 7; each player is X twice
    table = round_robin(TTT, ["alphabeta", "alphabeta"], 4, seed=1, start=start)
    assert table.cross[0, 1] == Score(wins=2, losses=2)


def test_stopping_keeps_what_was_played():
    def stop_after_five(tournament):
        if tournament.played == 5:
            raise KeyboardInterrupt

    table = round_robin(TTT, ["random", "random"], 100, seed=1, progress=stop_after_five)
    assert table.played == 5
    assert not table.complete


def test_errors_of_agents_come_through(monkeypatch):
    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(AlphaBeta, "choose", fail)
    with pytest.raises(ZeroDivisionError):
        round_robin(TTT, ["alphabeta", "random"], 10, seed=1, threads=2)


@pytest.mark.parametrize(
    ("specs", "games", "message"),
    [
        (["random"], 10, "at least two players"),
        (["random", "random"], 0, "at least 1 game, not 0"),
        (["random", "human"], 10, "A person cannot play a tournament"),
        (["random", "alphabeta:depth=0"], 10, "depth must be"),
    ],
)
def test_wrong_tournaments_are_refused(specs, games, message):
    with pytest.raises(SpielwerkError, match=message):
        round_robin(TTT, specs, games, seed=1)


@pytest.mark.parametrize(
    ("points", "games", "low", "high"),
    [
        (5, 10, 0.2366, 0.7634),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_wilson_intervals_as_published(points, games, low, high):
    """The last is Newcombe's (1998) example, 81/263."""
    assert wilson(points, games) == pytest.approx((low, high), abs=5e-5)


def test_no_games_say_nothing():
    assert wilson(0, 0) == (0, 1)
    assert Score().share == 0.5


def test_wilson_covers_as_often_as_it_says(chance):
    """2,000 simulated scores of 60 games: the true share is inside in 95 % (error bar 1.0)."""
    inside = 0
    for _ in range(2000):
        share = chance.uniform(0.05, 0.95)
        points = sum(chance.random() < share for _ in range(60))
        low, high = wilson(points, 60)
        inside += low <= share <= high
    assert 0.935 <= inside / 2000 <= 0.975
