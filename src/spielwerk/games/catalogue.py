"""The games by name. A spec such as `connectx:5x4,k=3` makes one."""

import re
from collections.abc import Callable
from functools import singledispatch
from typing import Annotated

import spielwerk.games.connectx_notation
import spielwerk.games.skipbo_notation  # noqa: F401
from spielwerk.errors import SpecError
from spielwerk.games.connectx import ConnectX, connectx
from spielwerk.games.nim import MOST_STONES, MOST_TAKEN, Nim, nim
from spielwerk.games.notation import BOARD_MOVE_NAMES, MOVE_NAMES
from spielwerk.games.rules import Game, action_count, deal
from spielwerk.games.skipbo import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    MOST_TURNS,
    THESIS_STOCK,
    SkipBo,
    boxed_stock,
    skipbo,
)
from spielwerk.games.tictactoe import TicTacToe
from spielwerk.kernels.dispatch import implements
from spielwerk.spec import Entry, Option, format_spec, parse_spec

GAMES: dict[str, Entry[Game]] = {}


def register_game(name: str, summary: str, build: Callable[..., Game]) -> None:
    """Make a game known by name. The annotated parameters of `build` are its options."""
    GAMES[name] = Entry(name, summary, build)


def parse_game(text: str) -> Game:
    """The game that a spec names.

    >>> parse_game("nim:n=10").n
    10
    """
    game = parse_spec(text, "game", GAMES)
    names = MOVE_NAMES if implements(deal, game) else BOARD_MOVE_NAMES
    if action_count(game) > len(names):
        raise SpecError(
            f"{text} has {action_count(game)} moves, and there are names for {len(names)}."
        )
    return game


def parse_game_for(text: str, players: int) -> Game:
    """The game that a spec names, for so many players if it leaves that open."""
    game = parse_game(text)
    if isinstance(game, SkipBo) and "players" not in text and players != game.players:
        return parse_game(f"{text}{',' if ':' in text else ':'}players={players}")
    return game


@singledispatch
def game_spec(game: Game) -> str:
    """The spec that names this game: the entry that makes games of its type, and its options.

    A game whose options are not fields of the same name registers a version of its own.
    """
    for entry in GAMES.values():
        if entry.makes(type(game)):
            return format_spec(entry.name, game, entry)
    return type(game).__name__


@game_spec.register
def _(game: ConnectX) -> str:
    size = (game.rows, game.cols, game.k)
    return "connect-four" if size == (6, 7, 4) else f"connectx:{game.rows}x{game.cols},k={game.k}"


def _connectx(
    size: Annotated[str, Option("rows × columns in short, e.g. 5x4", positional=True)] = "",
    rows: Annotated[int, Option("rows of the board", least=1)] = 6,
    cols: Annotated[int, Option("columns of the board", least=1)] = 7,
    k: Annotated[int, Option("stones in a row that win", least=1, most=64)] = 4,
) -> ConnectX:
    if size:
        found = re.fullmatch(r"(\d{1,2})[x×](\d{1,2})", size)
        if not found:
            raise SpecError(f'connectx: size is rows x columns, e.g. 5x4, not "{size}".')
        if (rows, cols) != (6, 7):
            raise SpecError("connectx: give the size either as 5x4 or as rows and cols, not both.")
        rows, cols = int(found[1]), int(found[2])
    return connectx(rows, cols, k)


def _tic_tac_toe() -> TicTacToe:
    return TicTacToe()


def _nim(
    n: Annotated[int, Option("stones at the beginning", least=1, most=MOST_STONES)] = 21,
    k: Annotated[int, Option("the most that may be taken at once", least=1, most=MOST_TAKEN)] = 3,
) -> Nim:
    return nim(n, k)


def _skip_bo(
    players: Annotated[
        int, Option("who takes part", least=FEWEST_PLAYERS, most=MOST_PLAYERS)
    ] = FEWEST_PLAYERS,
    stock: Annotated[str, Option("cards of a stock, or boxed: 30, with 5 or 6 players 20")] = str(
        THESIS_STOCK
    ),
    wilds: Annotated[bool, Option("whether wilds may be discarded")] = False,
    turns: Annotated[
        int, Option("the game is drawn after so many", least=1, most=MOST_TURNS)
    ] = SkipBo._field_defaults["turns"],
) -> SkipBo:
    if stock != "boxed" and not stock.isdecimal():
        raise SpecError(f'skip-bo: stock is a number of cards or "boxed", not "{stock}".')
    cards = boxed_stock(players) if stock == "boxed" else int(stock)
    return skipbo(players, cards, wilds, turns)


@game_spec.register
def _(game: SkipBo) -> str:
    usual = SkipBo()
    written = [
        f"{name}={'yes' if value is True else value}"
        for name, value in game._asdict().items()
        if value != getattr(usual, name)
    ]
    return "skip-bo" + (":" + ",".join(written) if written else "")


register_game("connect-four", "6 rows, 7 columns, four in a row", lambda: connectx())
register_game("connectx", "any board of up to 64 bits: drop stones, k in a row win", _connectx)
register_game("tic-tac-toe", "3 × 3, three in a row", _tic_tac_toe)
register_game("nim", "take 1 to k stones; who takes the last one wins", _nim)
register_game("skip-bo", "cards for 2 to 6: who first empties its stock wins", _skip_bo)
