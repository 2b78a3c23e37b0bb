"""Patterns of tuples and their entries, and tuples from files."""

import numpy as np
import pytest

from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.notation import parse_position
from spielwerk.learning.config import config_from
from spielwerk.values.feature_catalogue import parse_features
from spielwerk.values.features import active
from spielwerk.values.sparse import make_sparse
from spielwerk.values.tuple_files import read_tuples, spelled_out
from spielwerk.values.tuple_patterns import (
    draw_tuple,
    entry_of,
    pattern_of,
    place_of,
    tuple_cells,
    tuple_facts,
)

C4, TTT = parse_game("connect-four"), parse_game("tic-tac-toe")


@pytest.mark.parametrize(
    ("game", "spec"),
    [
        (C4, "walk:count=3,length=4-5"),
        (C4, "points:count=2,length=4,m=3"),
        (TTT, "tuples:123/159/2468"),
    ],
)
def test_entries_and_patterns_name_each_other(game, spec):
    features = parse_features(spec, game)
    for number in range(len(features.cells)):
        entries = int(features.first[number + 1] - features.first[number])
        patterns = [pattern_of(features, game, number, entry) for entry in range(entries)]
        assert len(set(patterns)) == entries
        assert [entry_of(features, game, number, pattern) for pattern in patterns] == list(
            range(entries)
        )


def test_the_pattern_is_what_lies_on_the_board():
    features = parse_features("tuples:36-37-38-39-40-41-42/32-25-18,symmetric=no", C4)
    state = parse_position(C4, "44435")  # row by row from the bottom: ..XXO.. / ...O... / ...X...
    into = make_sparse(features.most_active)
    active(features, C4, state, into)
    found = {}
    for index in into.indices[: into.size[0]].tolist():
        number, table, entry = place_of(features, index)
        assert table == 1  # the second player is to move
        found[number] = pattern_of(features, C4, number, entry)
    assert found == {0: "++OXX++", 1: "OX+"}


def test_tuples_that_cannot_be():
    with pytest.raises(SpielwerkError, match="names a cell twice"):
        parse_features("tuples:1-01-2", C4)
    with pytest.raises(SpielwerkError, match="12 rows at most"):
        parse_features("walk:count=1,length=2", parse_game("connectx:rows=13,cols=4"))


def test_patterns_that_cannot_be():
    features = parse_features("tuples:35-42-41", C4)
    for pattern, message in [
        ("X.", "needs 3 signs"),
        ("X?O", "needs 3 signs"),
        ("X.+", "cannot occur"),  # a stone over an empty cell
        ("+++", "cannot occur"),  # two cells of a column within reach
    ]:
        with pytest.raises(SpielwerkError, match=message):
            entry_of(features, C4, 0, pattern)
    with pytest.raises(SpielwerkError, match="stones fall"):
        entry_of(parse_features("tuples:123", TTT), TTT, 0, "X+O")


def test_facts_of_a_tuple():
    features = parse_features("tuples:36-29-30", C4)
    weights = np.zeros(features.width, np.float32)
    initial = np.full_like(weights, 0.1)
    weights[:] = initial
    weights[[0, 3]] = 0.5, -1.5
    facts = tuple_facts(features, weights, initial, 0)
    assert facts.cells == [35, 28, 29] == tuple_cells(features, 0)
    assert (facts.entries, facts.possible) == (features.width // 2, 64)
    assert facts.used == pytest.approx(2 / features.width)
    assert facts.size == 1.0
    assert draw_tuple(C4, facts.cells).splitlines()[-2:] == ["b c . . . . .", "a . . . . . ."]


def test_tuples_from_a_file(tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text("# two ways\n3-4-8\n\n.xx\n..x  # drawn\n...\n123\n")
    assert read_tuples(file) == "3-4-8/3x3:2-3-6/123"
    drawn = parse_features(f"tuples:file={file}", TTT)
    given = parse_features("tuples:3-4-8/2-3-6/123", TTT)
    assert drawn.cells.tolist() == given.cells.tolist()
    spec = f"tuples:file={file},symmetric=no"
    assert spelled_out(spec) == "tuples:3-4-8/3x3:2-3-6/123,symmetric=no"
    with pytest.raises(SpielwerkError, match="drawn on a board of 3x3 cells; this one is 6x7"):
        parse_features(spec, C4)
    assert config_from({"features": spec, "games": 5}).features == spelled_out(spec)
    assert spelled_out("walk:count=7") == "walk:count=7"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no tuples"),
        ("..x\n.x\n", "same length"),
        ("...\n...\n", "only dots"),
        ("3-99\n", "no tuple of cells"),
    ],
)
def test_wrong_files_are_answered(tmp_path, text, message):
    file = tmp_path / "mine.txt"
    file.write_text(text)
    with pytest.raises(SpielwerkError, match=message):
        parse_features(f"tuples:file={file}", C4)
    with pytest.raises(SpielwerkError, match="cannot be read"):
        parse_features(f"tuples:file={tmp_path / 'nowhere'}", C4)
    with pytest.raises(SpielwerkError, match="and not both"):
        parse_features(f"tuples:123,file={file}", C4)
