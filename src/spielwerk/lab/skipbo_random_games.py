"""A million games of random legal moves: Skip-Bo never comes to an illegal table and never hangs.

Two to six players, stocks of 1, of 15 and as in the box, wilds discarded or not. After every move
all 162 cards are counted by value.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from spielwerk.games import skipbo as sb
from spielwerk.games.rules import RUNNING
from spielwerk.games.skipbo import SkipBo
from spielwerk.kernels import interrupt
from spielwerk.kernels.bits import nth_bit, popcount, signed
from spielwerk.kernels.jit import kernel
from spielwerk.kernels.rng import below, derive, derive_seed, next_random
from spielwerk.lab.figure import Figure, Point, Study, of_curve
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured, exact

GAMES, QUICKER = 1_000_000, 20
LONGEST, WHOLE = "turns of the longest game", "games without an illegal table"


@kernel
def is_whole(game: SkipBo, table: np.ndarray, closed: np.ndarray, counts: np.ndarray) -> bool:
    """Whether every card is somewhere, and none twice."""
    counts[:] = 0
    for place in range(int(table[sb.DRAW])):
        counts[closed[sb.DECK + place]] += 1
    for value in range(1, sb.WILD + 1):
        counts[value] += closed[sb.RETURNING + value]
    for pile in range(sb.PILE_COUNT):
        at = sb.WILDS + 2 * pile
        wilds = int(table[at]) | (int(table[at + 1]) << 8)
        for value in range(1, int(table[sb.PILES + pile]) + 1):
            counts[sb.WILD if (wilds >> (value - 1)) & 1 else value] += 1
    for slot in range(sb.HAND_SIZE):
        counts[table[sb.HAND + slot]] += 1
    for seat in range(game.players):
        base = sb.SEATS + seat * sb.SEAT
        for place in range(int(table[base + sb.STOCK])):
            counts[closed[sb.STOCKS + seat * sb.MOST_STOCK + place]] += 1
        if seat != int(table[sb.TURN]):
            for place in range(int(table[base + sb.HELD])):
                counts[closed[sb.HANDS + seat * sb.HAND_SIZE + place]] += 1
        for pile in range(sb.PILE_COUNT):
            for level in range(int(table[base + sb.HEIGHTS + pile])):
                counts[table[base + sb.DISCARDS + pile * sb.PILE + level]] += 1
    whole = counts[sb.WILD] == 18
    for value in range(1, sb.TOP_VALUE + 1):
        whole &= counts[value] == 12
    return bool(whole)


@kernel
def play_at_random(
    game: SkipBo,
    games: int,
    seed: np.uint64,
    table: np.ndarray,
    closed: np.ndarray,
    stop: np.ndarray,
) -> int:
    """So many random games: the turns of the longest, or −1 after an illegal table."""
    counts, longest = np.zeros(sb.WILD + 1, np.int64), 0
    for number in range(games):
        if stop[0]:
            return longest
        bits, stream = next_random(derive(seed, number))
        sb.deal_cards(game, table, closed, bits)
        while sb.result_of(game, table) == RUNNING:
            moves = sb.legal_set(game, table)
            if moves == 0 or not is_whole(game, table, closed, counts):
                return -1
            bits, stream = next_random(stream)
            move = signed(nth_bit(moves, below(bits, popcount(moves))))
            sb.make_move(game, table, closed, move)
        longest = max(longest, sb.turns_of(table))
    return longest


def longest_game(game: SkipBo, games: int, seed: int) -> int:
    """Of so many random games; −1 if one came to an illegal table."""
    table, closed = np.zeros(sb.open_size(game), np.uint8), np.zeros(sb.CLOSED, np.uint8)
    return int(interrupt.run(play_at_random, game, games, np.uint64(seed), table, closed))


def tables() -> list[SkipBo]:
    """Every number of players with every option."""
    return [
        SkipBo(players, stock, wilds)
        for players, wilds in product(range(2, 7), (False, True))
        for stock in (1, sb.THESIS_STOCK, sb.boxed_stock(players))
    ]


def produce(study: Study) -> list[Point]:
    """A point for each kind of table; the seeds of the study have all the games between them. Where
    one of them met an illegal table, the longest game has −1 turns."""
    kinds = tables()
    seeds = max(1, study.seeds)
    games = -(-GAMES // (len(kinds) * seeds * (QUICKER if study.quick else 1)))
    todo = [(kind, n) for kind in range(len(kinds)) for n in range(seeds)]
    first = study.seed

    def key(item: tuple[int, int]) -> list[Any]:
        return ["random skip-bo", kinds[item[0]], games, derive_seed(first, *item)]

    def find(item: tuple[int, int]) -> int:
        return longest_game(kinds[item[0]], games, derive_seed(first, *item))

    longest = study.found_for(todo, find, key)
    points = []
    for kind in range(len(kinds)):
        own = [longest[kind, n] for n in range(seeds)]
        whole = games * sum(turns >= 0 for turns in own)
        most = min(own) if min(own) < 0 else max(own)
        points.append(Point(LONGEST, kind, most, most, most, seeds))
        points.append(Point(WHOLE, kind, whole, whole, whole, seeds))
    return points


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    whole = sum(point.mean for point in of_curve(points, WHOLE))
    failed = any(point.mean < 0 for point in of_curve(points, LONGEST))
    if failed:
        whole = min(whole, GAMES - 1)  # so many games and one that went wrong are no success
    elif whole < GAMES:
        return {}  # a quick run: nothing went wrong, in too few games
    return {"random games without an illegal table or a hang": exact(whole)}


FIGURE = Figure(
    "skip-bo-random-games",
    "Spielwerk",
    "random legal moves, 2 to 6 players, all options",
    "kind of table: players, wilds, stock",
    "turns; games",
    produce,
    measure,
    page_of("skip-bo-random-games"),
    full_seeds=10,
    quick_seeds=0,
    stems=True,
)
