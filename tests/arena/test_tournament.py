"""Tournaments: balanced, reproducible, stoppable, resumable; and their intervals."""

import pytest

from spielwerk.agents.alphabeta import AlphaBeta
from spielwerk.arena.batch import play_batch
from spielwerk.arena.intervals import wilson
from spielwerk.arena.plan import Plan, seating
from spielwerk.arena.score import Score
from spielwerk.arena.tournament import Tournament, looks, play_tournament, round_robin
from spielwerk.arena.workers import Threads
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game

TTT = parse_game("tic-tac-toe")


def test_the_schedule_is_balanced_and_every_seed_is_its_own():
    plan = Plan("tic-tac-toe", ("random",) * 4, 10, seed=1)
    games = [plan.fixture(number) for number in range(plan.planned)]
    assert len(games) == 6 * 10
    assert len({game.seed for game in games}) == 60
    for a in range(4):
        for b in range(4):
            if a != b:
                assert sum(game.seats == (a, b) for game in games) == 5
    assert {game.seats for game in games[:6]} == {(a, b) for b in range(4) for a in range(b)}


def test_the_result_depends_on_the_seed_alone():
    specs = ["alphabeta:depth=2", "random", "alphabeta:depth=4"]
    results = [round_robin(TTT, specs, 20, seed=4, threads=threads) for threads in (1, 2, 5)]
    for other in results[1:]:
        assert (results[0].wins == other.wins).all()
        assert (results[0].plies == other.plies).all()
    assert (results[0].plies != round_robin(TTT, specs, 20, seed=5).plies).any()


def test_more_games_begin_with_the_same_games():
    """Adding games does not change those already played."""
    few, many = (Plan("nim", ("random", "random"), games, seed=1) for games in (4, 8))
    assert [few.fixture(n) for n in range(4)] == [many.fixture(n) for n in range(4)]


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
    for a in range(3):
        for b in range(3):
            score, mirrored = table.against(a, b), table.against(b, a)
            assert score == Score(mirrored.losses, mirrored.draws, mirrored.wins)
    assert table.rounds.sum() == 30
    assert table.first_player().games == 30
    assert 5 <= table.plies.min() <= table.plies.max() <= 9
    assert table.made.sum() == table.plies.sum()


def test_a_tournament_begins_anywhere():
    # X, to move, wins with 7; each player is X twice
    table = round_robin(TTT, ["alphabeta", "alphabeta"], 4, seed=1, start="1542")
    assert table.against(0, 1) == Score(wins=2, losses=2)


def test_stopping_keeps_what_was_played():
    def stop_after_five(tournament):
        if tournament.played == 5:
            raise KeyboardInterrupt

    specs = ["random", "alphabeta:depth=1"]
    table = round_robin(TTT, specs, 100, seed=1, progress=stop_after_five)
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
        (["random", "random"], 10**11, "too many"),
        (["random", "human"], 10, "A person cannot play a tournament"),
        (["random", "alphabeta:depth=0"], 10, "depth must be"),
    ],
)
def test_wrong_tournaments_are_refused(specs, games, message):
    with pytest.raises(SpielwerkError, match=message):
        round_robin(TTT, specs, games, seed=1)


def test_games_played_before_are_not_played_again():
    plan = Plan("connect-four", ("random", "alphabeta:depth=1"), 12, seed=3)
    whole = play_tournament(plan)
    before = [play_batch(plan, [5, 2]), play_batch(plan, [9])]
    new = []
    again = play_tournament(plan, Threads(2), played=before, record=new.append)
    numbers = sorted(number for batch in new for number in batch.numbers.tolist())
    assert numbers == [0, 1, 3, 4, 6, 7, 8, 10, 11]
    assert (again.wins == whole.wins).all()
    assert (again.plies == whole.plies).all()


def test_until_the_order_is_certain():
    """Ended early, after whole cycles, with the same games whoever plays them."""
    specs = ("random", "alphabeta:depth=3")
    plan = Plan("connect-four", specs, 400, seed=1, until=0.95)
    found = [play_tournament(plan, Threads(threads)) for threads in (1, 2)]
    assert found[0].certain
    assert found[0].complete
    assert found[0].played == found[1].played < 100
    assert found[0].played in looks(plan)
    assert found[0].ranking() == [1, 0]
    later = Tournament(plan)
    later.add(play_batch(plan, range(found[0].played)))
    later.settle()
    assert later.certain
    equal = play_tournament(Plan("nim", ("random", "random"), 60, seed=2, until=0.95))
    assert not equal.certain
    assert equal.played == 60


def test_games_that_are_the_same_over_and_over_say_nothing_new():
    """Two who leave nothing to chance: four different games at most, and never certain."""
    specs = ("perfect", "td:nim")
    found = play_tournament(Plan("nim:n=7", specs, 60, seed=1, until=0.95))
    assert len(found.different) <= 20
    assert not found.certain
    assert found.played == 60


def test_seats_are_balanced_if_wanted():
    plan = Plan("skip-bo:players=3", ("random",) * 3, 100, seed=1)
    assert plan.planned == 100
    assert plan.balanced().planned == 102
    assert Plan("nim", ("random",) * 2, 5, seed=1, openings="random:2").balanced().planned == 6


def test_seats_of_a_card_table_rotate():
    assert [seating(number, 3) for number in range(4)] == [
        [0, 1, 2],
        [1, 2, 0],
        [2, 0, 1],
        [0, 1, 2],
    ]
    plan = Plan("skip-bo:players=3,stock=2", ("random", "skipbo-basic", "skipbo-mature"), 6, seed=1)
    assert plan.planned == 6
    assert [plan.fixture(n).seats for n in range(3)] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]


def test_more_players_than_seats_play_all_tables_with_the_same_cards():
    plan = Plan("skip-bo:stock=2", ("random", "skipbo-basic", "skipbo-mature"), 4, seed=1)
    assert plan.groups == [(0, 1), (0, 2), (1, 2)]
    assert len({plan.fixture(n).seed for n in range(3)}) == 1
    assert plan.fixture(0).seed != plan.fixture(3).seed


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
