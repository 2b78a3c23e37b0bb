"""Positions of open games as the browser gets them. A position is a start and the moves since."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel, Field

from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import game_spec
from spielwerk.games.connectx import ConnectX
from spielwerk.games.connectx_notation import to_kaggle
from spielwerk.games.nim import Nim
from spielwerk.games.notation import (
    MOVE_NAMES,
    draw,
    format_moves,
    move_name,
    parse_move,
    parse_position,
    player_names,
)
from spielwerk.games.rules import (
    DRAWN,
    RUNNING,
    Game,
    State,
    action_count,
    deal,
    initial,
    legal_moves,
    outcome,
    player,
    transition,
)
from spielwerk.games.tictactoe import TicTacToe, to_list
from spielwerk.kernels.dispatch import implements
from spielwerk.web.players import game_of

LONGEST = 1500
"""Characters of a list of moves, and of a start."""
REMEMBERED = 64
"""Moves of a game whose positions are remembered: the next question is one move further on."""


class Place(BaseModel):
    """Where we are: a game, a start position if it is not the usual one, and the moves since."""

    game: str = Field("connect-four", max_length=300, examples=["connect-four", "connectx:5x4,k=3"])
    start: str = Field("", max_length=LONGEST, description="Moves, a drawing, or Kaggle's list.")
    moves: str = Field("", max_length=LONGEST, examples=["4453"])


class Piece(BaseModel):
    """A stone or mark. Its key stays the same from position to position."""

    key: str
    cell: int = Field(description="Row by row from the top left, from 0.")
    owner: Literal[1, 2]


class Position(BaseModel):
    """What there is to see, and what may be done."""

    game: str
    kind: Literal["connectx", "tic-tac-toe", "nim", "other"]
    rows: int = 0
    cols: int = 0
    k: int = Field(0, description="In a row to win; in Nim the most that may be taken.")
    start: str
    moves: str
    players: list[str]
    names: list[str] = Field(description="Every move of the game by name, legal or not.")
    began: Literal[1, 2] = Field(description="Who moved first since the start position.")
    mover: Literal[1, 2] | None = Field(description="Who is to move; null when the game is over.")
    legal: list[str]
    outcome: Literal["running", "won", "drawn"]
    winner: Literal[1, 2] | None
    pieces: list[Piece] = []
    line: list[int] = Field([], description="Cells of the winner's lines.")
    stones: int = Field(0, description="Nim: how many are left.")
    total: int = Field(0, description="Nim: how many there were at the beginning.")
    taken: list[int] = Field([], description="Nim: how many each move took.")
    drawing: str


@dataclass(frozen=True)
class Here:
    """A place, looked at: the state, how one came here, and what it is called."""

    game: Game
    start: str
    begin: State
    state: State
    moves: tuple[int, ...]
    changed: tuple[int, ...] = ()  # the cell that each move has filled

    @property
    def running(self) -> bool:
        return outcome(self.game, self.state) == RUNNING


def find(place: Place) -> Here:
    """The state at a place; a SpielwerkError says what is wrong with it."""
    game = game_of(place.game)
    if implements(deal, game):
        raise SpielwerkError("Here are the games with nothing hidden; Skip-Bo has matches.")
    start = place.start.strip()
    moves = _names(place.moves)
    return after(_reached(game, start, moves[:REMEMBERED]), moves[REMEMBERED:])


@lru_cache(maxsize=4096)
def _reached(game: Game, start: str, moves: str) -> Here:
    """The place after these moves, one after the place before, which has mostly been asked for."""
    if moves:
        return after(_reached(game, start, moves[:-1]), moves[-1])
    try:
        begin = parse_position(game, start) if start else initial(game)
    except RecursionError:
        raise SpielwerkError("The list of cells cannot be read: it is nested too deeply.") from None
    return Here(game, start, begin, begin, ())


def _names(moves: str) -> str:
    """Moves one after the other, whatever stood between them."""
    return "".join(moves.replace(",", " ").split())


def after(here: Here, moves: str) -> Here:
    """Further moves on."""
    for place in walk(here, moves):
        here = place
    return here


def walk(here: Here, moves: str) -> Iterator[Here]:
    """The place itself, and then the places on the way, one after every further move."""
    yield here
    for name in _names(moves):
        move = _parse(here, name)
        state = transition(here.game, here.state, move)
        changed = (*here.changed, _cell(here.game, here.state, state))
        here = Here(here.game, here.start, here.begin, state, (*here.moves, move), changed)
        yield here


def _parse(here: Here, name: str) -> int:
    """The legal move with this name. What it comes after is written out for an error only."""
    move = MOVE_NAMES.find(name)
    if move >= 0 and move in legal_moves(here.game, here.state):
        return move
    return parse_move(here.game, here.state, name, format_moves(here.moves))


def show(here: Here) -> Position:
    """A position for the browser."""
    game, state = here.game, here.state
    end = outcome(game, state)
    mover = player(game, state)
    common: dict[str, Any] = {
        "game": game_spec(game),
        "start": here.start,
        "moves": format_moves(here.moves),
        "players": list(player_names(game)),
        "names": [move_name(move) for move in range(action_count(game))],
        "began": player(game, here.begin) + 1,
        "mover": mover + 1 if end == RUNNING else None,
        "legal": [move_name(move) for move in legal_moves(game, state)] if end == RUNNING else [],
        "outcome": "running" if end == RUNNING else "drawn" if end == DRAWN else "won",
        # Whoever has just moved has won: in these games nobody loses by a move of their own.
        "winner": 2 - mover if end not in (RUNNING, DRAWN) else None,
        "drawing": draw(game, state),
    }
    if isinstance(game, Nim):
        return Position(
            **common,
            kind="nim",
            k=game.k,
            stones=int(state.stones),
            total=int(here.begin.stones),
            taken=[move + 1 for move in here.moves],
        )
    if isinstance(game, ConnectX):
        size = {"rows": game.rows, "cols": game.cols, "k": game.k}
        board = to_kaggle(game, state)
        kind = "connectx"
    elif isinstance(game, TicTacToe):
        size = {"rows": 3, "cols": 3, "k": 3}
        board = to_list(game, state)
        kind = "tic-tac-toe"
    else:
        return Position(**common, kind="other")
    pieces = _pieces(here, board)
    line = winning_cells(board, **size) if common["outcome"] == "won" else []
    return Position(**common, kind=kind, **size, pieces=pieces, line=line)  # type: ignore[arg-type]


def _pieces(here: Here, board: Sequence[int]) -> list[Piece]:
    """Every stone: those of the start keyed by their cell, the others by the number of the move."""
    placed = {cell: f"m{number}" for number, cell in enumerate(here.changed, start=1)}
    return [
        Piece(key=placed.get(cell, f"s{cell}"), cell=cell, owner=owner)  # type: ignore[arg-type]
        for cell, owner in enumerate(board)
        if owner
    ]


def _cell(game: Game, before: State, after: State) -> int:
    """The number of the cell that a move has filled; −1 where moves fill none."""
    if not isinstance(game, ConnectX | TicTacToe):
        return -1
    place = (int(before.filled) ^ int(after.filled)).bit_length() - 1
    if isinstance(game, ConnectX):
        col, row = divmod(place, game.rows + 1)
        return (game.rows - 1 - row) * game.cols + col
    return place


def winning_cells(board: Sequence[int], rows: int, cols: int, k: int) -> list[int]:
    """The cells of all rows of k and more of one colour."""
    found: set[int] = set()
    for row in range(rows):
        for col in range(cols):
            owner = board[row * cols + col]
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                far_row, far_col = row + down * (k - 1), col + right * (k - 1)
                if not owner or not (far_row < rows and 0 <= far_col < cols):
                    continue
                cells = [(row + down * i) * cols + col + right * i for i in range(k)]
                if all(board[cell] == owner for cell in cells):
                    found.update(cells)
    return sorted(found)
