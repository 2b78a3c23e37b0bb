"""The store: what goes in comes out, on both databases; several processes; versions."""

import csv
import hashlib
import os
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateTable

from spielwerk.arena.batch import play_batch
from spielwerk.arena.plan import Plan
from spielwerk.arena.tournament import play_tournament
from spielwerk.arena.workers import Threads
from spielwerk.errors import SpielwerkError
from spielwerk.games.rules import outcome
from spielwerk.store import store as store_module
from spielwerk.store.export import export_games
from spielwerk.store.ladders import open_ladder
from spielwerk.store.migrations import STEPS, migrate
from spielwerk.store.replay import positions
from spielwerk.store.reproductions import (
    Finding,
    findings_of,
    keep_reproduction,
    rows_of_files,
)
from spielwerk.store.schema import METADATA
from spielwerk.store.store import Store
from spielwerk.store.tournaments import begin, resume, tournament_of
from spielwerk.values.model import find_model, load_model

FOUR = Plan("connect-four", ("random", "alphabeta:depth=1", "random"), 4, 7, openings="random:2")
CARDS = Plan("skip-bo:players=3,stock=3", ("random", "skipbo-basic", "skipbo-mature"), 6, 7)


@pytest.mark.parametrize("plan", [FOUR, CARDS], ids=["board", "cards"])
def test_what_goes_in_comes_out(store, plan):
    run = store.begin_run("arena", plan.game, {}, plan.seed, plan.planned)
    batch = play_batch(plan, range(plan.planned))
    store.record(run, batch)
    store.record(run, batch)  # a second time changes nothing
    assert store.game_count(run) == plan.planned
    (found,) = store.batches(run)
    assert found.moves == batch.moves
    assert found.openings == batch.openings
    assert found.seeds == batch.seeds
    for name in ("numbers", "seats", "utilities", "plies"):
        assert (getattr(found, name) == getattr(batch, name)).all()
    if plan is CARDS:
        assert (found.left == batch.left).all()
        assert (found.turns == batch.turns).all()
    for row in store.games(run):
        game, states, moves = positions(replace(store.run(run), game=plan.game), row)
        assert len(moves) == row["plies"] + len(row["opening"])
        assert outcome(game, states[-1]) != 0


def test_a_tournament_is_kept_and_goes_on(store):
    whole = play_tournament(FOUR)

    def stop(tournament):
        if tournament.played == 5:
            raise KeyboardInterrupt

    stopped = begin(store, FOUR)
    assert stopped.play(Threads(1), stop).played == 5
    assert store.run(stopped.run).state == "stopped"
    going_on = resume(store, replace(FOUR, seed=99), any_seed=True)
    assert going_on.run == stopped.run
    assert going_on.plan.seed == 7
    found = going_on.play(Threads(2))
    assert (found.wins == whole.wins).all()
    assert (found.plies == whole.plies).all()
    assert store.run(stopped.run).state == "finished"
    assert store.game_count(stopped.run) == FOUR.planned
    assert [row["games"] for row in store.ratings(stopped.run)] == [8, 8, 8]
    assert store.specs(stopped.run) == list(FOUR.specs)
    again = resume(store, FOUR).play(Threads(1))  # nothing is left to do
    assert (again.wins == whole.wins).all()
    assert (tournament_of(store, stopped.run).wins == whole.wins).all()
    with pytest.raises(SpielwerkError, match="There is no tournament"):
        resume(store, replace(FOUR, seed=99))
    with pytest.raises(SpielwerkError, match="There is no run 77"):
        store.run(77)


def test_models_are_known_by_their_hash(store, tmp_path):
    path = tmp_path / "mine.safetensors"
    path.write_bytes(find_model("tic-tac-toe").read_bytes())
    plan = Plan("tic-tac-toe", (f"td:{path}", "random"), 2, 1)
    begun = begin(store, plan)
    hashes = store.models(begun.run)
    assert [len(one) for one in hashes] == [64, 0]
    assert resume(store, plan).run == begun.run
    model = load_model(path)
    replace(model, weights=model.weights + 1).save(path)
    with pytest.raises(SpielwerkError, match="is not the one that run"):
        resume(store, plan)
    # To look at it needs neither model nor agent.
    path.unlink()
    assert tournament_of(store, begun.run).played == 0


def test_a_ladder_knows_its_models(store, tmp_path):
    paths = [tmp_path / name for name in ("stays.safetensors", "goes.safetensors")]
    for path in paths:
        path.write_bytes(find_model("tic-tac-toe").read_bytes())
    ladder = open_ladder(store, "models", "tic-tac-toe", 1)
    ladder.join(["random", *(f"td:{path}" for path in paths)])
    assert ladder.play(2, Threads(1)) == 2
    ladder.leave([f"td:{paths[1]}"])
    paths[1].unlink()
    assert ladder.play(2, Threads(1)) == 2  # who has gone is not needed
    seats = {row["seats"] for row in store.games(ladder.run, first=2)}
    assert seats <= {"0 1", "1 0"}
    model = load_model(paths[0])
    replace(model, weights=model.weights + 1).save(paths[0])
    with pytest.raises(SpielwerkError, match="is not the one it came onto the ladder with"):
        ladder.play(2, Threads(1))
    ladder.leave([f"td:{paths[0]}"])
    with pytest.raises(SpielwerkError, match="is not the one it came onto the ladder with"):
        ladder.join([f"td:{paths[0]}"])


def test_a_ladder_goes_on_where_it_stopped(store):
    """In one go, or in two with a stop in the middle of a round: the same points."""
    specs = ["random", "alphabeta:depth=1", "alphabeta:depth=2"]
    points = []
    for name, parts in (("whole", (12,)), ("parts", (6, 6))):
        ladder = open_ladder(store, name, "tic-tac-toe", 5)
        ladder.join(specs)
        for part in parts:
            ladder = open_ladder(store, name, "tic-tac-toe", 99)  # the seed counts at first only
            assert ladder.play(part, Threads(2)) == part
        points.append([(m.spec, m.points, m.games) for m in ladder.members()])
    assert points[0] == points[1]
    assert sum(one[1] for one in points[0]) == pytest.approx(1800)
    assert sum(one[2] for one in points[0]) == 24

    class Killed(Threads):
        def each(self, work, items):
            yield next(iter(super().each(work, items)))
            raise KeyboardInterrupt

    ladder.join(["alphabeta:depth=3"])
    assert ladder.play(4, Killed(1)) == 0
    assert store.game_count(ladder.run) == 12  # nothing of the round that was broken off
    ladder.leave(["random"])
    assert "random" not in [member.spec for member in ladder.members()]
    ladder.join(["random "])  # the same, however it is written
    assert [m.games for m in ladder.members() if m.spec == "random"] == [
        games for spec, _, games in points[0] if spec == "random"
    ]
    with pytest.raises(SpielwerkError, match="is not on this ladder"):
        ladder.leave(["alphabeta:depth=2", "perfect"])
    assert "alphabeta:depth=2" in [member.spec for member in ladder.members()]
    with pytest.raises(SpielwerkError, match="is for tic-tac-toe"):
        open_ladder(store, "whole", "nim", 1)
    with pytest.raises(SpielwerkError, match="A person"):
        ladder.join(["perfect", "human"])
    assert "perfect" not in [member.spec for member in ladder.members()]  # all or nobody
    with pytest.raises(SpielwerkError, match="needs 2 members"):
        open_ladder(store, "empty", "nim", 1).play(2, Threads(1))


def test_two_who_play_the_same_ladder_do_not_mix_it_up(store):
    ladder = open_ladder(store, "one", "nim", 5)
    ladder.join(["random", "alphabeta:depth=1"])

    class Meanwhile(Threads):
        def each(self, work, items):
            found = list(super().each(work, items))
            ladder.play(1, Threads(1))
            return iter(found)

    with pytest.raises(SpielwerkError, match="being played somewhere else"):
        ladder.play(1, Meanwhile(1))
    assert store.game_count(ladder.run) == 1


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_games_are_exported(store, tmp_path, suffix):
    for plan in (FOUR, CARDS):
        begin(store, plan).play(Threads(1))
    path = tmp_path / f"games{suffix}"
    assert export_games(store, None, path) == FOUR.planned + CARDS.planned
    if suffix == ".csv":
        with path.open(newline="") as file:
            rows = list(csv.DictReader(file))
    else:
        import pyarrow.parquet

        rows = pyarrow.parquet.read_table(path).to_pylist()
    assert len(rows) == FOUR.planned + CARDS.planned
    assert (rows[0]["seat_1"], rows[0]["seat_2"]) == ("random", "alphabeta:depth=1")
    assert rows[-1]["seat_3"] in CARDS.specs
    assert {row["game"] for row in rows} == {"connect-four", CARDS.game}
    assert export_games(store, [1], path) == FOUR.planned
    with pytest.raises(SpielwerkError, match=r"FILE\.csv or FILE\.parquet"):
        export_games(store, None, tmp_path / "games.xlsx")


def write_games(address, number):
    """What each of several processes does: open the store, play, record."""
    store = Store.open(address)
    plan = Plan("nim", ("random", "random"), 400, number)
    run = store.begin_run("arena", "nim", {"writer": number}, number, 400)
    for first in range(0, 400, 20):
        store.record(run, play_batch(plan, range(first, first + 20)))
    store.close()


def test_eight_processes_write_at_once_and_nothing_is_lost(address):
    """Also making the tables is a race among them."""
    play_batch(Plan("nim", ("random", "random"), 1, 1), [0])  # compiled before they part
    writers = []
    for number in range(8):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside threads
            writer = os.fork()
        if writer == 0:
            code = 1
            try:
                write_games(address, number)
                code = 0
            finally:
                os._exit(code)
        writers.append(writer)
    assert [os.waitpid(writer, 0)[1] for writer in writers] == [0] * 8
    store = Store.open(address)
    runs = store.runs()
    assert sorted(run.settings["writer"] for run in runs) == list(range(8))
    for run in runs:
        numbers = [row["number"] for row in store.games(run.id)]
        assert numbers == list(range(400))
    store.close()


def test_a_new_database_has_the_tables_of_the_schema(store):
    found = inspect(store.engine)
    assert set(METADATA.tables) == set(found.get_table_names())
    for name, table in METADATA.tables.items():
        assert {column["name"] for column in found.get_columns(name)} == set(table.c.keys())


RELEASED = {2: "3e210ecd3959af23", 3: "62684951f8a863cc", 4: "f57a6b740ce9b2bb"}
"""What the tables look like that the first so many steps make."""


@pytest.mark.parametrize("version", RELEASED)
def test_released_steps_make_what_they_have_always_made(version, tmp_path):
    """If this fails you have changed a table: add a step that alters it, and give the older steps
    the tables as they were (see `migrations`)."""
    store = Store(store_module._engine(f"sqlite:///{tmp_path / 'store.sqlite'}"))
    with store.writing() as connection:
        migrate(connection, STEPS[:version])
    made = inspect(store.engine).get_table_names()
    store.close()
    dialect = sqlite.dialect()
    tables = [table for table in METADATA.sorted_tables if table.name in made]
    written = [str(CreateTable(table).compile(dialect=dialect)) for table in tables]
    digest = hashlib.sha256("".join("".join(written).split()).encode()).hexdigest()
    assert digest[:16] == RELEASED[version]
    assert len(STEPS) == max(RELEASED)


def test_looking_does_not_wait_for_whoever_writes(tmp_path):
    address = f"sqlite:///{tmp_path / 'store.sqlite'}"
    writer = Store.open(address)
    writer.begin_run("arena", "nim", {}, 1)
    with writer.writing() as connection:
        connection.execute(text("UPDATE runs SET game = 'chess'"))
        reader = Store.open(address)
        assert [run.game for run in reader.runs()] == ["nim"]
        reader.close()
    writer.close()


def test_an_old_database_is_brought_up_to_date(address):
    """Version 1 had no ladders. What is in it stays."""
    old = Store(store_module._engine(address))
    with old.writing() as connection:
        assert migrate(connection, STEPS[:1]) == 0
    run = old.begin_run("arena", "nim", {}, 1)
    assert "members" not in inspect(old.engine).get_table_names()
    old.close()
    store = Store.open(address)
    assert "members" in inspect(store.engine).get_table_names()
    assert store.run(run).game == "nim"
    with store.writing() as connection:
        assert migrate(connection) == len(STEPS)  # nothing to do any more
    store.close()


def test_a_failed_step_changes_nothing(address):
    def fail(connection):
        connection.execute(text("CREATE TABLE half (x INTEGER)"))
        raise ZeroDivisionError

    store = Store.open(address)
    with pytest.raises(ZeroDivisionError), store.writing() as connection:
        migrate(connection, (*STEPS, fail))
    assert "half" not in inspect(store.engine).get_table_names()
    with store.writing() as connection:
        assert migrate(connection) == len(STEPS)
    store.close()


def test_a_newer_database_is_refused(address):
    store = Store.open(address)
    with store.writing() as connection:
        connection.execute(text("UPDATE version SET number = 99"))
    store.close()
    with pytest.raises(SpielwerkError, match="written by a newer Spielwerk"):
        Store.open(address)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("no address", "no address of a database"),
        ("mysql://host/x", "SQLite or PostgreSQL"),
        ("sqlite:////no/such/folder/x.sqlite", "cannot be opened"),
        ("postgresql://nobody@127.0.0.1:1/x", "cannot be opened"),
    ],
)
def test_wrong_addresses_are_refused(address, message):
    with pytest.raises(SpielwerkError, match=message):
        Store.open(address)


def test_a_file_that_is_no_database_is_refused(tmp_path):
    path = tmp_path / "store.sqlite"
    path.write_text("This is no database, but a text that is long enough to look at." * 20)
    with pytest.raises(SpielwerkError, match="cannot be opened"):
        Store.open(f"sqlite:///{path}")


def test_the_users_own_store(monkeypatch, tmp_path):
    monkeypatch.delenv("SPIELWERK_DATABASE_URL", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    Store.open().close()
    assert (tmp_path / "spielwerk" / "store.sqlite").exists()
    engine = create_engine(f"sqlite:///{tmp_path / 'spielwerk' / 'store.sqlite'}")
    with engine.connect() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
    engine.dispose()
    assert Path(tmp_path).exists()


def test_a_reproduction_is_one_run_however_often_it_is_entered(store):
    options, rows = {"games": 4, "seed": 1}, [{"row": "a", "share": 50.0}, {"row": "ü"}]
    found = [Finding("a", 50.0, 40.0, 60.0), Finding("b", 1.0, 1.0, 1.0)]
    first = keep_reproduction(store, "some-table", options, "nim", found, rows)
    again = keep_reproduction(store, "some-table", options, "nim", found[:1], rows[:1])
    assert first == again
    assert findings_of(store, first) == found[:1]
    assert rows_of_files(store, first) == rows[:1]
    other = keep_reproduction(store, "some-table", {"games": 8, "seed": 1}, "nim", found, rows)
    assert other != first
    keep_reproduction(store, "some-figure", {"quick": True, "seed": 1}, "", found, rows)
    assert findings_of(store, other) == found
    assert rows_of_files(store, other) == rows
    names = [(run.name, run.state, run.seed) for run in store.runs(kind="lab")]
    assert names == [
        ("some-table --games 4 --seed 1", "finished", 1),
        ("some-table --games 8 --seed 1", "finished", 1),
        ("some-figure --quick --seed 1", "finished", 1),
    ]
