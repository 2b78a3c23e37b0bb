"""The perfect Connect Four player's search, for every ConnectX board.

Null-window alpha-beta over a table of 8-byte entries that threads share without locks (Thill 2012,
§4.1.3, describes the family). Scores follow the convention of the published solvers: positive if
the player to move wins, the more the earlier (the winner's stones that are left at the end, plus
one); 0 is a draw.

What cuts the tree, each rule tested against plain search:

* *Forced moves.* The opponent threatens to complete a line: the stone goes there; two such cells,
  or a cell above the forced one, lose. A move below a winning cell of the opponent loses.
* *Double threats.* A move after which the opponent has no safe reply wins with the next stone but
  one. If there is none, that is the first upper bound for all others.
* *No line left.* A player whose stones and all empty cells hold no line cannot win.
* *Follow-up.* If every column has an even number of empty cells, the player who is *not* to move
  can answer each stone on top of it. Both then know which cells they get: if those hold no line for
  the player to move, the score is at most 0, and below 0 if the opponent's cells hold one.
* *The table*, also asked for all successors before one is searched (enhanced transposition
  cutoffs), and near the root for the mirrored position.
* *The opening book*, where the search meets a position with its number of stones.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.connectx import ConnectX, has_line, mirror, winning_cells
from spielwerk.kernels.bits import ONE, U64, ZERO, lowest_bit, multiply, popcount, prefetch, signed
from spielwerk.kernels.jit import kernel
from spielwerk.search.book import Book
from spielwerk.search.move_order import ByThreats, MoveOrder, rank_of

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_OFFSET = 64
_LAST_STORED = 6
"""Positions with fewer empty cells than this are searched faster than looked up."""
_LAST_ASKED = 16
"""Successors are looked up beforehand with at least so many empty cells …"""
_MIRRORED = 28
"""… and mirrored positions with at least so many."""
_FAR = 8
"""Bounds at least so far from zero are halved first."""

# Columns of a row of `Scratch.words`, and of `Scratch.numbers`; the moves follow, 32 at most.
_MINE, _FILLED, _NAME, _THREATS = 0, 1, 2, 8
_PARENT, _BEST, _LOWER, _UPPER, _COUNT, _PLACE, _ORDER = 0, 1, 2, 3, 4, 5, 8
_UNKNOWN = 1000
_BY_THREATS = ByThreats()


class Field(NamedTuple):
    """The game, and what the search derives from it once."""

    game: ConnectX
    mine_by_follow_up: np.uint64  # cells of the player to move if every reply lands on top
    theirs_by_follow_up: np.uint64
    cells: int
    key_mask: np.uint64
    key_bits: int
    book_stones: int  # positions with so many stones may be in the book; −1 without a book
    book_keys: np.ndarray  # uint64, ascending
    book_scores: np.ndarray  # int8
    order: MoveOrder
    order_stones: int  # it is asked with fewer stones than this …
    order_seats: int  # … if one of these players is to move, as bits


class Scratch(NamedTuple):
    """One thread's memory. Rows are numbered by the stones on the board of a node."""

    words: np.ndarray  # uint64 [64, 64]: a node's position, its name, and threats after each move
    numbers: np.ndarray  # int64 [64, 64]: its bounds, how far it got, and its moves, best first
    preference: np.ndarray  # int64 [64]: of a cell, when nothing else tells
    nodes: np.ndarray  # int64 [1]
    stop: np.ndarray  # uint8 [1]


def make_field(game: ConnectX, book: Book | None = None, order: MoveOrder = _BY_THREATS) -> Field:
    def rows(parity: int) -> int:
        """Cells whose column has an even (0) or odd (1) number of cells from there to the top."""
        stride = game.rows + 1
        return sum(
            1 << (col * stride + row)
            for col in range(game.cols)
            for row in range(game.rows)
            if (game.rows - row) % 2 == parity
        )

    bits = game.cols * (game.rows + 1)
    return Field(
        game,
        mine_by_follow_up=U64(rows(0)),
        theirs_by_follow_up=U64(rows(1)),
        cells=game.rows * game.cols,
        key_mask=U64((1 << bits) - 1),
        key_bits=bits,
        book_stones=-1 if book is None else book.stones,
        book_keys=np.empty(0, np.uint64) if book is None else book.keys,
        book_scores=np.empty(0, np.int8) if book is None else book.scores,
        order=order,
        order_stones=order.stones,
        order_seats=order.seats,
    )


def make_scratch(game: ConnectX, stop: np.ndarray, seed: int = 0) -> Scratch:
    """With a seed, cells of equal preference are tried in another order: for a second thread."""
    preference = np.zeros(64, np.int64)
    for col in range(game.cols):
        for row in range(game.rows):
            noise = (seed * 2654435761 + (col * 64 + row) * 40503) >> 7 & 7 if seed else 0
            centre = min(col, game.cols - 1 - col)
            preference[col * (game.rows + 1) + row] = 8 * centre + noise
    return Scratch(
        np.zeros((64, 64), np.uint64),
        np.zeros((64, 64), np.int64),
        preference,
        np.zeros(1, np.int64),
        stop,
    )


def make_table(game: ConnectX, megabytes: float) -> np.ndarray:
    """A table of at most this size.

    An entry holds 44 bits of a position's (scrambled) name; the slot it lies in tells the others.
    """
    bits = game.cols * (game.rows + 1)
    slots = int(np.log2(max(1.0, megabytes * 2**20 / 8)))
    return np.zeros(1 << min(bits, max(slots, bits - 44, 10)), np.uint64)


@kernel
def has_won_next(field: Field, mine: np.uint64, filled: np.uint64) -> bool:
    """Whether the player to move wins with the next stone."""
    game = field.game
    return winning_cells(game, mine) & (filled + game.bottom) & game.board & ~filled != ZERO


@kernel
def null_window(
    field: Field,
    mine: np.uint64,
    filled: np.uint64,
    alpha: int,
    known: np.ndarray,
    table: np.ndarray,
    scratch: Scratch,
) -> int:
    """Whether the score is above `alpha`: a lower bound > alpha if so, else an upper bound ≤ alpha.

    The player to move cannot win with the next stone. The search is given up, and `_UNKNOWN`
    returned, when `scratch.stop` is raised, or when the `known` bounds, which another thread may
    narrow, answer the question. This is negamax without recursion, whose calls would cost more than
    the work: a node that has to be searched leaves its frame in the row of its number of stones.
    """
    game = field.game
    words, numbers, preference = scratch.words, scratch.numbers, scratch.preference
    shift = U64(field.key_bits) - lowest_bit(U64(table.size))
    check_mask = (ONE << shift) - ONE
    stones = signed(popcount(filled))
    root, window, parent, nodes = stones, alpha, -1, 0
    threats = winning_cells(game, mine ^ filled)
    while True:
        # Enter a node: find its value, or leave a frame for it.
        nodes += 1
        value = _UNKNOWN
        theirs = mine ^ filled
        empty = game.board & ~filled
        floor = filled + game.bottom
        possible = floor & game.board
        left = field.cells - stones

        # The table is large and memory slow: ask for the entry now, read it in step 6.
        name = multiply(floor + mine, _FACTOR) & field.key_mask
        if left < _MIRRORED:
            prefetch(table, name >> shift)

        # Step 1. Moves that do not lose at once.
        threats &= empty
        moves = possible
        forced = possible & threats
        if forced != ZERO:
            moves = forced if forced & (forced - ONE) == ZERO else ZERO
        moves &= ~(threats >> ONE)
        lower, upper = -((left - 2) >> 1), (left - 1) >> 1
        if moves == ZERO:
            value = -(left >> 1)
        elif left <= 2:
            value = 0
        # Step 2. Neither player can win with the next stone: that bounds the score.
        elif lower > alpha:
            value = lower
        elif upper <= alpha:
            value = upper
        # Step 3. What the book knows, of this position or of its image.
        elif stones == field.book_stones:
            key = min(floor + mine, mirror(game, filled) + mirror(game, mine) + game.bottom)
            found = np.searchsorted(field.book_keys, key)
            if found < field.book_keys.size and field.book_keys[found] == key:
                value = signed(field.book_scores[found])
        # Step 4. A single move is no choice: nothing to order, nothing to remember.
        if value != _UNKNOWN:
            pass
        elif moves & (moves - ONE) == ZERO:
            threats = winning_cells(game, mine | moves)
            mine, filled, stones, alpha = theirs, filled | moves, stones + 1, -alpha - 1
            continue
        # Step 5. No line left; follow-up.
        elif not has_line(game, (mine if alpha >= 0 else theirs) | empty):
            value = 0
        elif (
            alpha >= -1
            and floor & field.theirs_by_follow_up == ZERO
            and not has_line(game, mine | (empty & field.mine_by_follow_up))
        ):
            if alpha >= 0:
                value = 0
            elif has_line(game, theirs | (empty & field.theirs_by_follow_up)):
                value = -1

        # Step 6. What the table knows.
        if value == _UNKNOWN and left >= _LAST_STORED:
            if left >= _MIRRORED:
                key = min(floor + mine, mirror(game, filled) + mirror(game, mine) + game.bottom)
                name = multiply(key, _FACTOR) & field.key_mask
            entry = table[name >> shift]
            if entry >> U64(20) == name & check_mask and entry != ZERO:
                lower = max(lower, signed((entry >> U64(7)) & U64(127)) - _OFFSET)
                upper = min(upper, signed(entry & U64(127)) - _OFFSET)
                if lower > alpha:
                    value = lower
                elif upper <= alpha:
                    value = upper

        # Step 7. Order the moves by the threats they make; one that must be answered at once is
        # soon gone, and counts half. A move that leaves no safe reply wins.
        if value == _UNKNOWN:
            count = 0
            rest = moves
            while rest != ZERO:
                move = rest & (ZERO - rest)
                rest ^= move
                made = winning_cells(game, mine | move)
                open_threats = made & empty & ~move
                replies = (possible ^ move) | ((move << ONE) & game.board)
                answers = open_threats & replies
                if answers != ZERO:
                    replies = answers if answers & (answers - ONE) == ZERO else ZERO
                if replies & ~(open_threats >> ONE) == ZERO:
                    value = (left - 1) >> 1
                    break
                cell = signed(lowest_bit(move))
                rank = signed(popcount(open_threats)) * 512 + preference[cell]
                if answers != ZERO:
                    rank -= 256
                if stones < field.order_stones and (field.order_seats >> (stones & 1)) & 1:
                    rank = rank_of(field.order, game, mine, filled, move)
                word = (rank << 11) | (count << 6) | cell
                words[stones, _THREATS + count] = made
                place = count
                while place > 0 and numbers[stones, _ORDER + place - 1] < word:
                    numbers[stones, _ORDER + place] = numbers[stones, _ORDER + place - 1]
                    place -= 1
                numbers[stones, _ORDER + place] = word
                count += 1
            if value == _UNKNOWN:
                upper = min(upper, ((left - 1) >> 1) - 1)
                if upper <= alpha:
                    value = upper

            # Step 8. Enhanced transposition cutoffs.
            if value == _UNKNOWN and _LAST_ASKED <= left <= _MIRRORED:
                rest = moves
                while rest != ZERO:
                    move = rest & (ZERO - rest)
                    rest ^= move
                    other = multiply((filled | move) + theirs + game.bottom, _FACTOR)
                    other &= field.key_mask
                    entry = table[other >> shift]
                    if entry >> U64(20) == other & check_mask and entry != ZERO:
                        score = _OFFSET - signed(entry & U64(127))
                        if score > alpha:
                            value = score
                            break

            if value == _UNKNOWN:
                words[stones, _MINE], words[stones, _FILLED], words[stones, _NAME] = (
                    mine,
                    filled,
                    name,
                )
                numbers[stones, _LOWER], numbers[stones, _UPPER] = lower, upper
                numbers[stones, _COUNT], numbers[stones, _PLACE] = count, 0
                numbers[stones, _BEST], numbers[stones, _PARENT] = -_OFFSET, parent
                parent = stones
                if scratch.stop[0] or known[0] > window or known[1] <= window:
                    scratch.nodes[0] += nodes
                    return _UNKNOWN

        # Step 9. Hand a value up, as far as it decides.
        while value != _UNKNOWN:
            if parent < 0:
                scratch.nodes[0] += nodes
                return -value if (stones - root) & 1 else value
            if (stones - parent) & 1:
                value, alpha = -value, -alpha - 1
            stones = parent
            best = max(numbers[stones, _BEST], value)
            numbers[stones, _BEST] = best
            if best <= alpha and numbers[stones, _PLACE] < numbers[stones, _COUNT]:
                value = _UNKNOWN
                continue
            value = best
            parent = numbers[stones, _PARENT]
            if field.cells - stones >= _LAST_STORED:
                lower, upper = numbers[stones, _LOWER], numbers[stones, _UPPER]
                if best > alpha:
                    lower = best
                else:
                    upper = best
                name = words[stones, _NAME]
                table[name >> shift] = (
                    ((name & check_mask) << U64(20))
                    | (U64(lower + _OFFSET) << U64(7))
                    | U64(upper + _OFFSET)
                )

        # Step 10. The next move of the innermost frame.
        stones = parent
        place = numbers[stones, _PLACE]
        numbers[stones, _PLACE] = place + 1
        word = numbers[stones, _ORDER + place]
        threats = words[stones, _THREATS + ((word >> 6) & 31)]
        mine = words[stones, _MINE] ^ words[stones, _FILLED]
        filled = words[stones, _FILLED] | (ONE << U64(word & 63))
        stones, alpha = stones + 1, -alpha - 1


@kernel
def narrow(
    field: Field,
    mine: np.uint64,
    filled: np.uint64,
    bounds: np.ndarray,
    table: np.ndarray,
    scratch: Scratch,
) -> None:
    """Make the bounds of the score equal, unless `scratch.stop` is raised.

    `bounds`, lower and upper, are what is known before and after; threads that work on the same
    position share them, so that none goes on asking what another has answered. While they are far
    apart, the windows lie halfway between a bound and zero: that finds quick wins and losses, which
    are cheap to see. Then it is decided who wins, and from there the bounds that come back lead the
    way, as in MTD(f).
    """
    stones = signed(popcount(filled))
    left = field.cells - stones
    if left == 0:
        bounds[0], bounds[1] = 0, 0
    elif has_won_next(field, mine, filled):
        bounds[0], bounds[1] = (left + 1) >> 1, (left + 1) >> 1
    else:
        bounds[0], bounds[1] = max(bounds[0], -(left >> 1)), min(bounds[1], (left - 1) >> 1)
    while not scratch.stop[0]:
        lower, upper = bounds[0], bounds[1]
        if lower >= upper:
            return
        if lower <= -_FAR and upper > 0:
            middle = -((-lower) >> 1)
        elif upper >= _FAR and lower < 0:
            middle = upper >> 1
        elif lower < 0 < upper:
            middle = 0
        else:
            middle = lower if lower >= 0 else upper - 1
        bound = null_window(field, mine, filled, middle, bounds, table, scratch)
        if bound == _UNKNOWN:
            continue
        if bound <= middle:
            bounds[1] = min(bounds[1], bound)
        else:
            bounds[0] = max(bounds[0], bound)


@kernel
def narrow_all(
    field: Field,
    mines: np.ndarray,
    filleds: np.ndarray,
    bounds: np.ndarray,
    table: np.ndarray,
    scratch: Scratch,
) -> None:
    """`narrow` for many positions; `bounds[i]` is what is known of position i, before and after."""
    for i in range(mines.size):
        if scratch.stop[0]:
            return
        narrow(field, mines[i], filleds[i], bounds[i], table, scratch)
