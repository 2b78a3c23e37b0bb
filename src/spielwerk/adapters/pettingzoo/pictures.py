"""Positions as small pictures: arrays [height, width, 3] of bytes. Colours are those of the web."""

from functools import lru_cache, singledispatch
from math import ceil, sqrt

import numpy as np

from spielwerk.games.connectx import ConnectState, ConnectX
from spielwerk.games.connectx_notation import to_kaggle
from spielwerk.games.nim import Nim, NimState
from spielwerk.games.notation import draw
from spielwerk.games.rules import Game, State
from spielwerk.games.skipbo import (
    ASIDE,
    DRAW,
    HAND,
    HAND_SIZE,
    HEIGHTS,
    HELD,
    PILE_COUNT,
    PILES,
    SEAT,
    SEATS,
    STOCK,
    TOP,
    TURN,
    SkipBo,
    SkipBoState,
    discard_top,
    read_table,
)
from spielwerk.games.skipbo_notation import card_name
from spielwerk.games.tictactoe import TicTacToe, TicTacToeState, to_list


def _rgb(code: str) -> np.ndarray:
    return np.frombuffer(bytes.fromhex(code), np.uint8).astype(np.float64)


GROUND, INK, SOFT, EDGE, WHITE = map(_rgb, ("f6f4ef", "1d2026", "565d69", "d9d4c8", "ffffff"))
BOARD, HOLE, FIRST, SECOND = map(_rgb, ("2456a6", "163a73", "f0b429", "cc3b2f"))
CROSS, RING, PEBBLE = map(_rgb, ("1450a8", "b02a1c", "8d9199"))

CELL, STONE = 48, 24
"""Pixels of a cell of a board, and of a stone of Nim."""
CARD_WIDTH, CARD_HEIGHT, GAP = 36, 50, 8


@singledispatch
def picture(game: Game, state: State) -> np.ndarray:
    """A position for the eye. Unless a game has one of its own: the drawing, as letters."""
    letters = lettering(draw(game, state), 14)
    canvas = _canvas(letters.shape[0] + 4 * GAP, letters.shape[1] + 4 * GAP, GROUND)
    _paint(canvas, letters, INK, 2 * GAP, 2 * GAP)
    return _bytes(canvas)


@picture.register
def _(game: ConnectX, state: ConnectState) -> np.ndarray:
    canvas = _canvas(game.rows * CELL, game.cols * CELL, BOARD)
    for place, owner in enumerate(to_kaggle(game, state)):
        row, col = divmod(place, game.cols)
        _paint(canvas, disc(CELL), (HOLE, FIRST, SECOND)[owner], row * CELL, col * CELL)
    return _bytes(canvas)


@picture.register
def _(game: TicTacToe, state: TicTacToeState) -> np.ndarray:
    canvas = _canvas(3 * CELL, 3 * CELL, GROUND)
    for line in (CELL, 2 * CELL):
        canvas[line - 1 : line + 1] = SOFT
        canvas[:, line - 1 : line + 1] = SOFT
    for place, owner in enumerate(to_list(game, state)):
        top, left = (CELL * part for part in divmod(place, 3))
        if owner == 1:
            _paint(canvas, cross(CELL), CROSS, top, left)
        elif owner == 2:
            _paint(canvas, disc(CELL, hollow=True), RING, top, left)
    return _bytes(canvas)


@picture.register
def _(game: Nim, state: NimState) -> np.ndarray:
    """About twice as wide as high; stones that have been taken leave a trace."""
    cols = ceil(sqrt(2 * game.n))
    canvas = _canvas(ceil(game.n / cols) * STONE, cols * STONE, GROUND)
    for stone in range(game.n):
        colour = PEBBLE if stone < int(state.stones) else EDGE
        _paint(canvas, disc(STONE), colour, stone // cols * STONE, stone % cols * STONE)
    return _bytes(canvas)


@picture.register
def _(game: SkipBo, state: SkipBoState) -> np.ndarray:
    """Above the building piles and how many cards are left to draw and set aside; then for each
    player, from the left, the stock, the discard piles and the hand. A bar marks whose turn it is.
    Small numbers say how many cards lie there."""
    table = read_table(state)
    height, columns = CARD_HEIGHT + 3 * GAP, 2 + PILE_COUNT + HAND_SIZE
    canvas = _canvas((1 + game.players) * height + GAP, columns * (CARD_WIDTH + GAP) + GAP, GROUND)

    def lay(row: int, column: float, face: str | None, count: int | None = None) -> None:
        top, left = 2 * GAP + row * height, round(GAP + column * (CARD_WIDTH + GAP))
        _paint(canvas, card_shape(), EDGE if face == "" else INK, top, left)
        inside = GROUND if face == "" else WHITE if face else BOARD
        _paint(canvas, card_shape()[1:-1, 1:-1], inside, top + 1, left + 1)
        if face:
            _write(canvas, face, 18, top + CARD_HEIGHT // 2, left + CARD_WIDTH // 2)
        if count is not None:
            below = top + CARD_HEIGHT + GAP
            _write(canvas, str(count), 9, below, left + CARD_WIDTH // 2)

    def name(card: int) -> str:
        return card_name(card) if card else ""

    for pile in range(PILE_COUNT):
        lay(0, 1.5 + pile, name(table[PILES + pile]))
    for column, place in ((6, DRAW), (7, ASIDE)):
        lay(0, column, None if table[place] else "", int(table[place]))
    for seat in range(game.players):
        base, row = SEATS + seat * SEAT, 1 + seat
        if seat == table[TURN]:
            top = 2 * GAP + row * height
            canvas[top : top + CARD_HEIGHT, 2 : GAP - 2] = SECOND
        lay(row, 0, name(table[base + TOP]), int(table[base + STOCK]))
        for pile in range(PILE_COUNT):
            on_top, many = discard_top(table, seat, pile), int(table[base + HEIGHTS + pile])
            lay(row, 1.5 + pile, name(on_top), many)
        for card in range(int(table[base + HELD])):
            known = seat == table[TURN] and table[HAND]
            lay(row, 6 + card, name(table[HAND + card]) if known else None)
    return _bytes(canvas)


@lru_cache
def disc(size: int, hollow: bool = False) -> np.ndarray:
    """How much of each pixel of a square a disc or a ring covers."""
    places = np.arange(size) + 0.5 - size / 2
    distance = np.hypot(places[:, None], places)
    covered = np.clip(0.4 * size - distance + 0.5, 0, 1)
    return covered - np.clip(0.29 * size - distance + 0.5, 0, 1) if hollow else covered


@lru_cache
def cross(size: int) -> np.ndarray:
    """The same for two crossing strokes."""
    places = np.arange(size) + 0.5 - size / 2
    sums, differences = places[:, None] + places, places[:, None] - places
    along, across = np.abs(sums) / sqrt(2), np.abs(differences) / sqrt(2)
    strokes = [
        np.clip(0.06 * size - one + 0.5, 0, 1) * np.clip(0.4 * size - other + 0.5, 0, 1)
        for one, other in ((along, across), (across, along))
    ]
    return np.maximum(*strokes)


@lru_cache
def card_shape() -> np.ndarray:
    """The same for a card with round corners."""
    corner = 5.0
    across = np.abs(np.arange(CARD_WIDTH) + 0.5 - CARD_WIDTH / 2) - CARD_WIDTH / 2 + corner
    along = np.abs(np.arange(CARD_HEIGHT) + 0.5 - CARD_HEIGHT / 2) - CARD_HEIGHT / 2 + corner
    distance = np.hypot(np.maximum(along, 0)[:, None], np.maximum(across, 0))
    return np.clip(corner - distance + 0.5, 0, 1)


@lru_cache(maxsize=1024)
def lettering(text: str, size: int) -> np.ndarray:
    """The same for text, cut to where there is ink."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    lines = text.split("\n")
    inches = (max(map(len, lines)) + 2) * size / 72, (len(lines) + 1) * 1.5 * size / 72
    figure = Figure(figsize=inches, dpi=72)
    canvas = FigureCanvasAgg(figure)
    figure.text(0.5, 0.5, text, fontsize=size, family="monospace", ha="center", va="center")
    canvas.draw()  # type: ignore[no-untyped-call]
    pixels = np.asarray(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    ink = 1 - pixels[:, :, 0] / 255
    rows, cols = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if rows.size == 0:
        return np.zeros((1, 1))
    return ink[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]


def _canvas(height: int, width: int, colour: np.ndarray) -> np.ndarray:
    return np.full((height, width, 3), colour)


def _paint(
    canvas: np.ndarray, covered: np.ndarray, colour: np.ndarray, top: int, left: int
) -> None:
    """Lay a colour over the canvas as far as it covers each pixel."""
    part = canvas[top : top + covered.shape[0], left : left + covered.shape[1]]
    part += covered[:, :, None] * (colour - part)


def _write(canvas: np.ndarray, text: str, size: int, row: int, col: int) -> None:
    """Text around a centre."""
    letters = lettering(text, size)
    _paint(canvas, letters, INK, row - letters.shape[0] // 2, col - letters.shape[1] // 2)


def _bytes(canvas: np.ndarray) -> np.ndarray:
    return np.rint(canvas).astype(np.uint8)
