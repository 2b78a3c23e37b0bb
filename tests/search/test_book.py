"""Books: built in slices, read back, noticed when damaged, and never wrong."""

import numpy as np
import pytest

from spielwerk.games.catalogue import parse_game
from spielwerk.games.connectx import connectx
from spielwerk.games.rules import initial, legal_moves, outcome, transition, unpack
from spielwerk.kernels.bits import U64
from spielwerk.search import solving
from spielwerk.search.book import Book, DamagedBookError, read_book, shipped_book, shipped_path
from spielwerk.search.book_building import BookBuilder, is_undecided, wanted_positions
from spielwerk.search.solving import Solver

SMALL = parse_game("connectx:4x5")


def build(path, **limits):
    builder = BookBuilder(SMALL, 4, path)
    builder.run(limits.get("seconds"), limits.get("threads", 2), 16, lambda known, aim: None)
    return builder.book()


def test_a_book_is_read_back(tmp_path):
    book = build(tmp_path / "small.book")
    again = read_book(tmp_path / "small.book")
    assert book.coverage == again.coverage == 1
    assert (again.game, again.stones, again.aim) == ("connectx:4x5,k=4", 4, len(book.keys))
    assert (again.keys == book.keys).all()
    assert (again.scores == book.scores).all()


def test_every_score_of_a_book_is_exact(tmp_path):
    book = build(tmp_path / "small.book")
    own = Solver(SMALL, 16)
    for key, score in zip(book.keys, book.scores, strict=True):
        state = unpack(SMALL, U64(key))
        assert is_undecided(SMALL, state)
        assert own.score(state) == score


def test_a_book_changes_no_score_and_saves_work(tmp_path):
    book = build(tmp_path / "small.book")
    plain, booked = Solver(SMALL, 16), Solver(SMALL, 16, book=book)
    assert booked.score_moves(initial(SMALL)) == plain.score_moves(initial(SMALL))
    assert booked.nodes < plain.nodes / 2


def test_a_book_is_used_and_not_only_loaded():
    """A book that lies is believed: the search really asks it."""
    keys = wanted_positions(SMALL, 4)
    liar = Book("connectx:4x5,k=4", 4, len(keys), keys, np.full(len(keys), 5, np.int8))
    state = unpack(SMALL, keys[3])
    assert Solver(SMALL, 16, book=liar).score(state) == 5


def test_building_goes_on_where_it_stopped(tmp_path):
    path = tmp_path / "small.book"
    whole = build(tmp_path / "whole.book")
    half = Book(whole.game, 4, whole.aim, whole.keys[::2], whole.scores[::2])
    half.save(path)
    assert read_book(path).coverage < 1
    builder = BookBuilder(SMALL, 4, path)
    assert len(builder.missing) == whole.aim - len(half.keys)
    none = build(path, seconds=0.0, threads=1)
    assert set(half.keys.tolist()) <= set(none.keys.tolist())
    assert (build(path).scores == whole.scores).all()


@pytest.mark.parametrize("damage", ["cut", "flip", "text", "empty"])
def test_a_damaged_book_is_noticed(tmp_path, damage, monkeypatch):
    path = tmp_path / "small.book"
    build(path)
    data = bytearray(path.read_bytes())
    if damage == "flip":
        data[-5] ^= 1
    path.write_bytes({"cut": data[:-9], "flip": data, "text": b"{}\nx", "empty": b""}[damage])
    with pytest.raises(DamagedBookError, match="damaged and not used"):
        read_book(path)
    monkeypatch.setattr("spielwerk.search.book.shipped_path", lambda game: path)
    with pytest.warns(UserWarning, match="damaged and not used"):
        assert solving.usual_book(SMALL) is None


def test_the_aim_holds_the_known_number_of_quiet_positions():
    """67,557 with 8 stones have no forced move, counted up to symmetry, as in the public data set
    of that size; one threat is to be met in 9,597 more."""
    game = connectx()
    wanted = [unpack(game, U64(word)) for word in wanted_positions(game, 8)]
    quiet = [state for state in wanted if not threats_to_meet(game, state)]
    assert (len(quiet), len(wanted)) == (67557, 77154)


def threats_to_meet(game, state):
    """Moves with which the other player would win at once, by trying them out."""
    other = state._replace(mine=state.mine ^ state.filled)
    return [
        move for move in legal_moves(game, state) if outcome(game, transition(game, other, move))
    ]


def test_games_without_a_book_are_searched():
    assert shipped_book(parse_game("connectx:5x5")) is None
    assert solving.usual_book(parse_game("nim")) is None


def test_the_shipped_book_is_whole_and_right():
    """A sample of 20 positions, solved again without it."""
    game = connectx()
    book = read_book(shipped_path(game))
    assert book.stones == 8
    assert book.aim == len(book.keys) == 77154
    own = Solver(game, 64)
    for place in range(7, len(book.keys), len(book.keys) // 20):
        state = unpack(game, U64(book.keys[place]))
        assert outcome(game, state) == 0
        assert own.score(state) == book.scores[place]
