"""The count of table 4.1 against a slow twin on a plain board."""

import numpy as np
import pytest

from spielwerk.games.catalogue import parse_game
from spielwerk.games.rules import initial, pack, transition
from spielwerk.lab.thill_table_4_1 import met, met_by_ply
from spielwerk.search.enumeration import Ply, ply_by_ply
from spielwerk.values.lines import open_lines

ROWS, COLS = 6, 7
FOURS = [
    {(col + right * step, row + up * step) for step in range(4)}
    for col in range(COLS)
    for row in range(ROWS)
    for right, up in ((0, 1), (1, -1), (1, 0), (1, 1))
    if col + 3 * right < COLS and 0 <= row + 3 * up < ROWS
]


def plainly_met(moves):
    """Moves that he follows after these, in his order."""
    stones = ({}, {})
    heights = [0] * COLS
    for number, move in enumerate(moves):
        stones[number % 2][move, heights[move]] = True
        heights[move] += 1
    mine, theirs = stones[len(moves) % 2], stones[1 - len(moves) % 2]

    def order(move):
        through = [four for four in FOURS if (move, heights[move]) in four]
        spoiled = [four for four in through if any(place in theirs for place in four)]
        return 2 * len(through) + (heights[move] < 3) - len(spoiled), move

    found = []
    for move in sorted((move for move in range(COLS) if heights[move] < ROWS), key=order)[::-1]:
        own = {*mine, (move, heights[move])}
        if any(four <= own for four in FOURS):
            break
        found.append(move)
    return found


def word_of(game, moves):
    state = initial(game)
    for move in moves:
        state = transition(game, state, move)
    return pack(game, state)


def test_what_the_program_meets_is_what_a_plain_board_says():
    """200 games of moves that it follows, drawn at random, to their end."""
    game, rng = parse_game("connect-four"), np.random.default_rng(41)
    lines, cut = open_lines(game).masks, 0
    for _ in range(200):
        moves = []
        while True:
            after = plainly_met(moves)
            found = met(game, lines, np.array([word_of(game, moves)]))
            assert list(found) == [word_of(game, [*moves, move]) for move in after]
            cut += len(after) < COLS - sum(moves.count(col) == ROWS for col in range(COLS))
            if not after:
                break
            moves.append(int(rng.choice(after)))
    assert cut > 200  # a win was met at least that often


def test_the_numbers_of_the_thesis_come_from_that_order():
    assert [ply.number for ply in met_by_ply(parse_game("connect-four"), 8)] == [
        *(1, 7, 49, 238, 1120, 4263, 16422),
        *(53_955, 181_597),
    ]


@pytest.mark.parametrize("depth", [None, 3, 2, 0])
def test_ply_by_ply_counts_distinct_words_to_the_end(depth):
    """n leads to 2n and 2n + 1, each met twice; from eight on it is over."""

    def follow(words):
        going = words[words < 8]
        return np.concatenate([2 * going, 2 * going + 1] * 2), words.size - going.size

    found = list(ply_by_ply(follow, np.uint64(1), depth))
    assert found == [Ply(0, 1, 0), Ply(1, 2, 0), Ply(2, 4, 0), Ply(3, 8, 8)][: len(found)]
    assert len(found) == (4 if depth is None else depth + 1)
