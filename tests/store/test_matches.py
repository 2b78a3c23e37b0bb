"""Matches in the store: what goes in comes out, one of two wins, old databases get the tables."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import inspect, text

from spielwerk.store import store as store_module
from spielwerk.store.matches import ConflictError, End, KeptMatch, Matches, Seat
from spielwerk.store.migrations import STEPS, migrate
from spielwerk.store.store import Store

SEATS = (
    Seat("Anna", token="t0"),
    Seat("", invitation="i1"),
    Seat("", spec="skipbo-basic"),
)
MATCH = KeptMatch("m", "skip-bo:players=3", 2**64 - 1, 0.6, SEATS)


@pytest.fixture
def matches(store) -> Matches:
    found = Matches(store)
    found.add(MATCH)
    return found


def test_what_goes_in_comes_out(matches):
    assert matches.find("m") == MATCH
    assert matches.find("n") is None
    assert matches.exists("m")
    assert not matches.exists("n")
    for number, move in enumerate((40, 3, 60), start=1):
        matches.record("m", number, 0, move)
    matches.take_seat("m", 1, "t1", "Ben")
    found = matches.find("m")
    assert found.moves == (40, 3, 60)
    assert found.seats[1] == Seat("Ben", invitation="i1", token="t1")
    assert matches.running() == 1
    matches.record("m", 4, 2, 0, End("stock", 2))
    assert matches.find("m").end == End("stock", 2)
    assert matches.running() == 0


def test_a_match_that_is_over_stays_so(matches):
    matches.finish("m", End("left", 1))
    for change in (
        lambda: matches.record("m", 1, 0, 40),
        lambda: matches.take_seat("m", 1, "t1", "Ben"),
        lambda: matches.hand_over("m", 0, "skipbo-basic"),
        lambda: matches.finish("m", End("left", 0)),
    ):
        with pytest.raises(ConflictError, match="over"):
            change()
    assert matches.find("m") == KeptMatch(
        "m", MATCH.game, MATCH.seed, 0.6, SEATS, (), End("left", 1)
    )


def test_of_several_who_make_the_same_move_one_does(matches):
    def make(seat):
        try:
            matches.record("m", 1, seat, 40 + seat)
        except ConflictError:
            return None
        return seat

    with ThreadPoolExecutor(8) as pool:
        made = [seat for seat in pool.map(make, range(8)) if seat is not None]
    assert len(made) == 1
    assert matches.find("m").moves == (40 + made[0],)


def test_a_seat_is_taken_once_and_given_away_once(matches):
    matches.take_seat("m", 1, "t1", "Ben")
    for seat in (0, 1, 2):
        with pytest.raises(ConflictError, match="taken"):
            matches.take_seat("m", seat, "t2", "Cleo")
    matches.hand_over("m", 1, "skipbo-mature")
    seat = matches.find("m").seats[1]
    assert seat.spec == "skipbo-mature"
    assert seat.left is not None
    with pytest.raises(ConflictError, match="already"):
        matches.hand_over("m", 1, "skipbo-basic")
    with pytest.raises(ConflictError, match="of that name"):
        matches.add(MATCH)


def test_matches_left_lying_are_ended(matches):
    assert matches.abandon(before="2000-01-01T00:00:00+00:00") == []
    assert matches.running() == 1
    assert matches.abandon(before="9999-01-01T00:00:00+00:00") == ["m"]
    assert matches.running() == 0
    assert matches.find("m").end == End("abandoned")


def test_a_match_without_a_move_is_ended_sooner(matches):
    matches.add(replace(MATCH, id="begun"))
    matches.record("begun", 1, 0, 3)
    long_ago, later = "2000-01-01T00:00:00+00:00", "9999-01-01T00:00:00+00:00"
    assert matches.abandon(long_ago, unbegun_before=later) == ["m"]
    assert matches.running() == 1


def test_a_database_of_the_version_before_keeps_its_data(address):
    """Version 2 knew tournaments and ladders, no matches."""
    old = Store(store_module._engine(address))
    with old.writing() as connection:
        migrate(connection, STEPS[:2])
    run = old.begin_run("arena", "nim", {"a": 1}, 7, players=[("random", ())])
    old.rate(run, [(1.0, 0.0, 2.0, 3)])
    before = (old.run(run), old.specs(run), old.ratings(run))
    assert "matches" not in inspect(old.engine).get_table_names()
    old.close()
    store = Store.open(address)
    assert (store.run(run), store.specs(run), store.ratings(run)) == before
    with store.reading() as connection:
        assert connection.execute(text("SELECT number FROM version")).scalar() == len(STEPS)
    Matches(store).add(MATCH)
    assert Matches(store).find("m") == MATCH
    store.close()
