"""The walks of figure 4.21 against a slow twin."""

import numpy as np

from spielwerk.kernels.rng import Rng
from spielwerk.lab.thill_figure_4_21 import distinct_walks, draw_walks

DIRECT = (-1, 0, 1)


def plain_walk(rows, cols, length, rng):
    """The cells of one walk, or None if it had nowhere to go."""
    row, col = divmod(rng.below(rows * cols), cols)
    walk = [(row, col)]
    while len(walk) < length:
        near = [(walk[-1][0] + down, walk[-1][1] + right) for down in DIRECT for right in DIRECT]
        free = [
            (row, col)
            for row, col in near
            if 0 <= row < rows and 0 <= col < cols and (row, col) not in walk
        ]
        ways = [*free, *[None] * (9 - len(free))]
        tries = (ways[rng.below(9)] for _ in range(20))
        step = next((way for way in tries if way is not None), None)
        if step is None:
            return None
        walk.append(step)
    return sum(1 << (row * cols + col) for row, col in walk)


def test_walks_go_as_plain_ones():
    """Of six cells on 3 × 4 many end early, and are not there."""
    found, _ = draw_walks(3, 4, 6, 300, np.uint64(5))
    rng, plain, lost = Rng(5), [], 0
    while len(plain) < 300:
        walk = plain_walk(3, 4, 6, rng)
        if walk is None:
            lost += 1
        else:
            plain.append(walk)
    assert lost > 5
    assert list(found) == plain
    assert all(walk.bit_count() == 6 for walk in plain)


def test_walks_with_the_same_cells_are_drawn_again():
    found = distinct_walks(3, 4, 6, 100, 5)
    every, _ = draw_walks(3, 4, 6, 300, np.uint64(5))
    assert list(found) == list(dict.fromkeys(every))[:100]
    assert len(set(found)) == 100 < len(set(every)) < 300


def test_on_two_by_two_there_are_six_pairs():
    """Two cells of four: all six, whichever comes first."""
    assert sorted(distinct_walks(2, 2, 2, 6, 1)) == [0b0011, 0b0101, 0b0110, 0b1001, 0b1010, 0b1100]


def test_a_million_distinct_walks_do_not_exist():
    """All sets of eight cells that a walk on Connect Four's board can visit, by their last cells:
    464,897. The explanation of the figure says so."""
    rows, cols = 6, 7
    words = [(1 << cell, cell) for cell in range(rows * cols)]
    walks = np.array([cells << 6 | last for cells, last in words], np.uint64)
    six, one = np.uint64(6), np.uint64(1)
    for _ in range(7):
        cells, (row, col) = walks >> six, np.divmod((walks & np.uint64(63)).astype(int), cols)
        parts = []
        for down in DIRECT:
            for right in DIRECT:
                inside = (row + down >= 0) & (row + down < rows)
                inside &= (col + right >= 0) & (col + right < cols)
                place = (row + down) * cols + col + right
                bit = one << np.where(inside, place, 0).astype(np.uint64)
                free = inside & (cells & bit == 0)
                parts.append(((cells | bit) << six | place.astype(np.uint64))[free])
        walks = np.unique(np.concatenate(parts))
    assert np.unique(walks >> six).size == 464_897
