"""Windows: in every place, up to images of the board once."""

from itertools import combinations

import pytest

from spielwerk.arena.trainings import known_presets, settings_of
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.symmetry import cell_symmetries
from spielwerk.values.feature_catalogue import parse_features
from spielwerk.values.windows import all_windows

C4 = parse_game("connect-four")


def twin(high, wide, rows=6, cols=7):
    """All sets of cells that are such a window, found among the corners of the board."""
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    return {
        frozenset(r * cols + c for r, c in cells if top <= r <= bottom and left <= c <= right)
        for (top, left), (bottom, right) in combinations(cells, 2)
        if (bottom - top + 1, right - left + 1) == (high, wide)
    }


@pytest.mark.parametrize(("high", "wide"), [(2, 4), (4, 2), (3, 3), (1, 7), (3, 4), (6, 2)])
def test_a_window_stands_in_every_place(high, wide):
    images = cell_symmetries(C4)
    found = all_windows(f"{high}x{wide}", 6, 7, images[:1])
    assert len(found) == (7 - high) * (8 - wide)
    assert {frozenset(cells) for cells in found} == twin(high, wide)
    once = all_windows(f"{high}x{wide}", 6, 7, images)
    both = [frozenset(images[image][cells].tolist()) for cells in once for image in (0, 1)]
    assert set(both) == twin(high, wide)
    assert len(once) == -(-len(found) // 2) + (len(found) // (8 - wide) // 2 if wide % 2 else 0)


def test_a_diagonal_rises_and_falls_over_the_cells_below_it():
    """Of a board of 5x4: one of each, images of one another."""
    images = cell_symmetries(parse_game("connectx:5x4"))
    both = all_windows("diagonal", 5, 4, images[:1])
    assert sorted(both) == [[0, 4, 5, 9, 10, 14, 15, 19], [3, 6, 7, 9, 10, 12, 13, 16]]
    assert len(all_windows("diagonal", 5, 4, images)) == 1
    assert len(all_windows("diagonal", 6, 7, cell_symmetries(C4)[:1])) == 2 * 2 * 4


def test_shapes_that_overlap_count_once():
    images = cell_symmetries(C4)
    assert all_windows("2x4/2x4", 6, 7, images) == all_windows("2x4", 6, 7, images)


def test_they_are_tuples_like_others():
    """On Tic-Tac-Toe a row at the edge and one in the middle, of six lines."""
    assert parse_features("windows:1x3/3x1", parse_game("tic-tac-toe")).width == 2 * 27
    bottom_up = "/".join("-".join(str(7 * row + col) for col in range(1, 8)) for row in range(6))
    given, found = (parse_features(spec, C4) for spec in (f"tuples:{bottom_up}", "windows:1x7"))
    assert found.width == given.width


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("windows:7x1", "The window 7x1 does not fit on a board of 6x7 cells."),
        ("windows:2x4/", '"" is no window; say rows x columns, like 2x4, or diagonal.'),
        ("windows:0x4", '"0x4" is no window'),
        ("windows:big", '"big" is no window'),
        ("windows:4x4", "The window 4x4 has more than 12 cells."),
    ],
)
def test_what_is_no_window_is_refused(spec, message):
    with pytest.raises(SpielwerkError, match=message):
        parse_features(spec, C4)


def test_presets_of_tuples_can_be_trained():
    """`best` has windows."""
    names = [preset.name for preset in known_presets("connect-four", "ntuple")]
    assert "best" in names
    for name in names:
        settings_of("connect-four", "ntuple", name, None, [])
