"""Games in kernels are the games that `play_match` plays; openings; equal time; workers."""

import pickle
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from spielwerk.agents.catalogue import parse_agent
from spielwerk.agents.random_agent import RandomAgent
from spielwerk.arena import batch as module
from spielwerk.arena import equal_time
from spielwerk.arena.batch import batches, joined, kernels_know, match_of, play_batch
from spielwerk.arena.equal_time import at_equal_time
from spielwerk.arena.openings import Openings, after, parse_openings, spelled_openings
from spielwerk.arena.plan import Plan
from spielwerk.arena.workers import parse_workers
from spielwerk.errors import IllegalMoveError, SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.rules import RUNNING, initial, outcome

FOUR = parse_game("connect-four")


@pytest.mark.parametrize(
    ("game", "specs", "further"),
    [
        ("connect-four", ("random", "random"), {}),
        ("connect-four", ("random", "random", "random"), {"openings": "random:5"}),
        ("tic-tac-toe", ("random", "random"), {"start": "159"}),
        ("nim", ("random", "random"), {"openings": "1-ply"}),
        ("skip-bo:players=3,stock=3", ("random", "skipbo-basic", "skipbo-td"), {}),
        ("skip-bo:stock=4", ("skipbo-search", "skipbo-mature"), {}),
    ],
)
def test_kernels_play_the_games_of_play_match(game, specs, further):
    plan = Plan(game, specs, 12, seed=5, **further)
    assert kernels_know(plan.table)
    found = play_batch(plan, range(12))
    for place in range(12):
        match = match_of(plan.table, plan.fixture(place))
        assert found.moves[place] == bytes(match.moves)
        assert tuple(found.utilities[place]) == match.utilities
        assert found.plies[place] == len(match.moves)
        assert found.openings[place] == bytes(plan.fixture(place).opening)
    if game.startswith("skip-bo"):
        slow = module.one_by_one(plan.table, [plan.fixture(n) for n in range(12)])
        assert (slow.left == found.left).all()
        assert (slow.turns == found.turns).all()
    else:
        assert (found.made.sum(axis=1) == found.plies).all()


def test_a_game_longer_than_the_record_is_recorded_all_the_same(monkeypatch):
    monkeypatch.setattr(module, "RECORDED", 10)
    plan = Plan("skip-bo:stock=3", ("skipbo-basic", "skipbo-basic"), 3, seed=5)
    found = play_batch(plan, range(3))
    assert [len(moves) for moves in found.moves] == found.plies.tolist()
    assert found.moves[0] == bytes(match_of(plan.table, plan.fixture(0)).moves)


def test_batches_hold_every_game_once():
    quick = Plan("nim", ("random", "random"), 600, seed=1)
    assert [len(part) for part in batches(quick, range(600))] == [250, 250, 100]
    slow = Plan("nim", ("random", "alphabeta"), 5, seed=1)
    assert batches(slow, [4, 2, 0], 2) == [(4, 2), (0,)]
    parts = [play_batch(quick, numbers) for numbers in ((0, 1), (2,))]
    whole = play_batch(quick, (0, 1, 2))
    assert joined(parts).moves == whole.moves
    assert (joined(parts).utilities == whole.utilities).all()


def test_a_plan_travels_without_its_agents():
    plan = Plan("connect-four", ("random", "ntuple:connect-four"), 4, seed=1, openings="2-ply")
    assert plan.planned == 98
    sent = pickle.dumps(plan)
    assert len(sent) < 500
    assert pickle.loads(sent) == plan


def test_every_opening_is_played_equally_often_from_both_seats():
    plan = Plan("connect-four", ("random", "random", "random"), 100, seed=1, openings="2-ply")
    assert plan.rounds == 196  # twice both seats of 49 positions
    seen = {}
    for number in range(plan.planned):
        fixture = plan.fixture(number)
        seen[fixture.seats, fixture.opening] = seen.get((fixture.seats, fixture.opening), 0) + 1
    assert len(seen) == 6 * 49
    assert set(seen.values()) == {2}


def test_random_openings_are_the_same_for_both_sides_and_never_the_end():
    plan = Plan("tic-tac-toe", ("random", "random"), 40, seed=1, openings="random:5")
    openings = [plan.fixture(number).opening for number in range(40)]
    assert openings[::2] == openings[1::2]
    assert len(set(openings)) > 10
    game = plan.table.game
    assert all(outcome(game, after(game, initial(game), one)) == RUNNING for one in openings)
    assert {len(one) for one in openings} == {5}


def test_openings_from_a_file(tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text("44  # the middle\n\n4,4,3\n")
    spelled = spelled_openings(str(path))
    assert spelled == "moves:44,443"
    assert spelled_openings(spelled) == spelled
    assert spelled_openings("2-ply") == "2-ply"
    assert parse_openings(FOUR, initial(FOUR), spelled) == Openings(((3, 3), (3, 3, 2)))
    with pytest.raises(IllegalMoveError, match="Column 4 is full"):
        parse_openings(FOUR, initial(FOUR), "moves:4444444")
    with pytest.raises(SpielwerkError, match="the game is over"):
        parse_openings(FOUR, initial(FOUR), "moves:44,1212121")
    path.write_text("# nothing\n")
    with pytest.raises(SpielwerkError, match="holds no openings"):
        spelled_openings(str(path))
    path.write_bytes(b"\xff\xfe44")
    with pytest.raises(SpielwerkError, match="cannot be read as openings"):
        spelled_openings(str(path))


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        ("connect-four", "two-ply", "there is no file"),
        ("connect-four", "random:0", "one move at least"),
        ("connect-four", "12-ply", "more than 100,000 positions"),
        ("tic-tac-toe", "9-ply", "No game lasts longer"),
        ("skip-bo", "2-ply", "begins with a deal"),
    ],
)
def test_wrong_openings_are_refused(game, text, message):
    with pytest.raises(SpielwerkError, match=message):
        Plan(game, ("random", "random"), 4, 1, openings=text).planned  # noqa: B018


def test_openings_that_end_the_game_are_refused():
    plan = Plan("tic-tac-toe", ("random", "random"), 4, 1, openings="random:9")
    with pytest.raises(SpielwerkError, match="practically always over"):
        plan.fixture(0)


def test_equal_time_gives_the_slower_one_fewer_iterations(monkeypatch):
    plain, other = "mcts:iterations=500", "mcts:cp=1.2"
    speeds = equal_time.measure_speeds(FOUR, [parse_agent(plain)] * 2, rounds=6, iterations=200)
    assert min(speeds) > 100
    monkeypatch.setattr(equal_time, "measure_speeds", lambda *_: [2000.0, 500.0, 1000.0])
    found = at_equal_time(FOUR, [plain, other], plain)
    assert found == ["mcts:iterations=1000", "mcts:iterations=250,cp=1.2"]
    with pytest.raises(SpielwerkError, match="has no iterations"):
        at_equal_time(FOUR, ["alphabeta", plain], plain)
    with pytest.raises(SpielwerkError, match="a time of its own"):
        at_equal_time(FOUR, ["mcts:seconds=1", plain], plain)
    with pytest.raises(SpielwerkError, match="How many iterations"):
        at_equal_time(FOUR, [plain], "mcts:cp=1")


def test_workers_by_name():
    assert parse_workers("threads", 3).count == 3
    with pytest.raises(SpielwerkError, match="neither threads, nor ray"):
        parse_workers("cloud", 1)


def test_a_server_of_rays_that_dies_as_it_is_born_is_asked_for_again(monkeypatch):
    tries = []

    def init(**settings):
        tries.append(settings["address"])
        if len(tries) < 3:
            raise ConnectionAbortedError("RuntimeError: Starting Ray client server failed. See …")

    def refuse(**settings):
        tries.append(settings["address"])
        raise ConnectionError("nobody there")

    stub = SimpleNamespace(is_initialized=lambda: False, init=init)
    monkeypatch.setitem(sys.modules, "ray", stub)
    parse_workers("ray://far:1", 1)
    assert tries == ["ray://far:1"] * 3
    tries.clear()
    monkeypatch.setattr(stub, "init", refuse)
    with pytest.raises(SpielwerkError, match="There is no Ray cluster at ray://far:1"):
        parse_workers("ray://far:1", 1)
    assert tries == ["ray://far:1"]


def test_everyone_makes_a_move_that_does_not_count_before_anyone_is_timed(monkeypatch):
    asked = []

    class Asked(RandomAgent):
        def choose(self, game, observation, rng):
            asked.append(len(asked))
            return super().choose(game, observation, rng)

    plan = Plan("nim", ("random", "alphabeta:depth=1"), 2, seed=1)
    table = replace(plan.table)
    table.__dict__["agents"] = (Asked(), Asked())
    fixtures = [plan.fixture(0)]
    moves = len(module.one_by_one(table, fixtures).moves[0])
    assert len(asked) == moves + 2
    module.one_by_one(table, fixtures)
    assert len(asked) == 2 * moves + 2


def test_times_of_players_that_a_kernel_does_not_tell_apart_are_not_known():
    same = play_batch(Plan("nim", ("random", "random"), 2, seed=1), [0, 1])
    assert (same.seconds > 0).all()
    mixed = Plan("skip-bo:stock=2", ("random", "skipbo-basic"), 2, seed=1)
    assert (play_batch(mixed, [0, 1]).seconds == 0).all()
