"""Column tables against eq. 2.6 on a dense table, and their sizes against eq. 4.7 to 4.13."""

import numpy as np
import pytest
from twins import random_states

from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.connectx_notation import to_kaggle
from spielwerk.games.rules import initial, player, transition
from spielwerk.kernels.rng import Rng
from spielwerk.values.column_tuples import column_tuples
from spielwerk.values.feature_catalogue import parse_features
from spielwerk.values.features import active
from spielwerk.values.sparse import make_sparse
from spielwerk.values.tuples import random_points, random_walk

C4 = parse_game("connect-four")


def cell(column, row):
    """Column a … g and row 0 … 5 from below, as the thesis names cells."""
    return (5 - row) * 7 + "abcdefg".index(column)


EXAMPLE = [
    cell(*c)
    for c in (("a", 0), ("b", 0), ("b", 1), ("c", 0), ("c", 1), ("c", 2), ("d", 1), ("d", 3))
]
"""Appendix A.2."""


def realisable(cells, m):
    """L_T by eq. 4.7 to 4.10, as printed."""

    def p(x, y):
        return int((5 - y) * 7 + x in cells and 0 <= y < 6)

    def z(y):
        return 1 if y == 0 else m - 2 if y < 6 else 0

    def s(x, y):
        if y >= 6:
            return 1
        return s(x, y + 1) * (p(x, y) + 1) + p(x, y) * (z(y) - 2 * (m - 3) * p(x, y + 1))

    return np.prod([s(x, 0) for x in range(7)])


def test_the_example_of_appendix_a_2():
    assert [realisable(EXAMPLE, m) for m in (3, 4)] == [2205, 3150]
    assert [column_tuples(C4, [EXAMPLE], m, 1, False).width for m in (3, 4)] == [2205, 3150]


def random_tuples(count, most, seed):
    rng = Rng(seed)
    return [sorted({rng.below(42) for _ in range(1 + rng.below(most))}) for _ in range(count)]


@pytest.mark.parametrize("m", [3, 4])
def test_tables_have_the_size_of_equation_4_7(m):
    for cells in random_tuples(60, 10, seed=m):
        assert column_tuples(C4, [cells], m, 1, False).width == realisable(cells, m)


def states_of(board, game, cells, m):
    """The states of a tuple's cells, cell by cell."""
    states = []
    for one in cells:
        below = one + game.cols
        reachable = board[one] == 0 and (below >= game.rows * game.cols or board[below] != 0)
        states.append(3 if m == 4 and reachable else board[one])
    return tuple(states)


@pytest.mark.parametrize("m", [3, 4])
@pytest.mark.parametrize("spec", ["connect-four", "connectx:5x4,k=3"])
def test_an_index_stands_for_one_pattern_and_a_pattern_for_one_index(spec, m):
    """Equal to eq. 2.6 on a table of m^N entries, up to the names of the entries that occur."""
    game = parse_game(spec)
    rng = Rng(9)
    cells = game.rows * game.cols
    tuples = [sorted({rng.below(cells) for _ in range(6)}) for _ in range(12)]
    features = column_tuples(game, tuples, m, tables=2, symmetric=True)
    into = make_sparse(features.most_active)
    seen = {}
    for state in random_states(game, initial(game), 60, seed=4):
        into.size[0] = 0
        active(features, game, state, into)
        board = to_kaggle(game, state)
        mirrored = [
            board[row * game.cols + game.cols - 1 - col]
            for row in range(game.rows)
            for col in range(game.cols)
        ]
        indices = into.indices[: int(into.size[0])].reshape(2, len(tuples)).T
        for number, pair in enumerate(indices):
            for image, index in zip((board, mirrored), pair, strict=True):
                mover = player(game, state)
                low = features.first[number] + mover * features.first[-1]
                assert low <= index < low + features.first[number + 1] - features.first[number]
                dense = sum(
                    s * m**i for i, s in enumerate(states_of(image, game, tuples[number], m))
                )
                assert seen.setdefault((number, mover, dense), index) == index
    assert len(set(seen.values())) == len(seen) > 400


def test_walks_are_connected_and_points_are_anywhere():
    for seed in range(20):
        cells = random_walk(6, 7, 8, Rng(seed))
        assert len(set(cells)) == 8
        reached, left = {cells[0]}, set(cells[1:])
        while near := {
            other
            for other in left
            for one in reached
            if abs(other // 7 - one // 7) <= 1 and abs(other % 7 - one % 7) <= 1
        }:
            reached |= near
            left -= near
        assert not left
        assert len(set(random_points(6, 7, 8, Rng(seed)))) == 8


@pytest.mark.parametrize(
    ("spec", "features", "most", "count"),
    [
        ("connect-four", "walk:count=5,length=6", 10, 2),
        ("connect-four", "walk:count=5,length=4-6,tables=1,symmetric=no", 5, 1),
        ("connect-four", "points:count=3,length=4,m=3", 6, 2),
        ("connect-four", "tuples:1-2-3-4/8-9", 4, 2),
        ("tic-tac-toe", "walk:count=4,length=3", 32, 1),
        ("tic-tac-toe", "tuples:123,tables=2", 8, 2),
    ],
)
def test_tuples_by_name(spec, features, most, count):
    game = parse_game(spec)
    made = parse_features(features, game)
    assert (made.most_active, made.tables) == (most, count)
    again = parse_features(features, game)
    assert all(np.array_equal(a, b) for a, b in zip(made, again, strict=True))


def test_two_tables_know_who_is_to_move():
    """A table of tuples that sees nothing but empty cells: only the second table tells."""
    game = parse_game("tic-tac-toe")
    features = parse_features("tuples:9,tables=2,symmetric=no", game)
    into = make_sparse(features.most_active)
    found = []
    for state in (initial(game), transition(game, initial(game), 0)):
        into.size[0] = 0
        active(features, game, state, into)
        found.append(int(into.indices[0]))
    assert found == [0, 3]


@pytest.mark.parametrize(
    ("spec", "features", "message"),
    [
        ("connect-four", "walk:length=0", "length must be 1 to 12 cells"),
        ("connect-four", "walk:length=9-7", "length must be 1 to 12 cells"),
        ("connect-four", "walk:length=long", "a number of cells or a range"),
        ("tic-tac-toe", "walk:length=10", "length must be 1 to 9 cells"),
        ("tic-tac-toe", "tuples:123,m=4", "for boards on which stones fall"),
        ("nim", "walk", "no board of cells"),
        ("connect-four", "tuples:1-99", "no tuple of cells 1 to 42"),
    ],
)
def test_wrong_tuples_are_answered(spec, features, message):
    with pytest.raises(SpielwerkError, match=message):
        parse_features(features, parse_game(spec))
