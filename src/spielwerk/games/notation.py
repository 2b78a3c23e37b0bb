"""How positions and moves are written, and what is said of wrong ones.

A move is one character: 1 … 9, then a, b, c … A game is the string of its moves (`4453`). Boards
can also be given as a drawing or as Kaggle's flat list, by the games that have a board.

What differs from game to game is a function chosen by the type of the game; each has a version that
serves a game with nothing special to say. They belong to plain Python: kernels never call them.
"""

from collections.abc import Iterable
from functools import singledispatch

from spielwerk.errors import IllegalMoveError, SpielwerkError
from spielwerk.games.rules import (
    RUNNING,
    WON,
    Game,
    State,
    action_count,
    initial,
    legal_moves,
    outcome,
    player,
    transition,
)

MOVE_NAMES = "123456789abcdefghijklmnopqrstuvwxyz"
"""Move number → its character. A game has no more moves than these (`parse_game` checks it)."""


@singledispatch
def draw(game: Game, state: State) -> str:
    """The position as text of several lines. Stones or marks are X (began) and O, empty is `.`"""
    return "  ".join(f"{name} {value}" for name, value in state._asdict().items())


@singledispatch
def move_noun(game: Game) -> str:
    """What a move names: "column", "cell"."""
    return "move"


@singledispatch
def player_names(game: Game) -> tuple[str, ...]:
    """What the players are called, in the order in which they begin."""
    return ("first", "second")


@singledispatch
def why_illegal(game: Game, state: State, move: int) -> str:
    """Why this move, which exists in the game, is not allowed here."""
    return f"{move_noun(game).capitalize()} {move_name(move)} is not allowed"


@singledispatch
def parse_board(game: Game, text: str) -> State:
    """The position in a drawing or a list. Refuses positions that cannot arise, with the reason."""
    raise SpielwerkError(f"Positions of this game are given by their moves, not as {text!r}.")


def move_name(move: int) -> str:
    """The character that stands for a move.

    >>> move_name(3), move_name(9)
    ('4', 'a')
    """
    return MOVE_NAMES[move]


def format_moves(moves: Iterable[int]) -> str:
    return "".join(map(move_name, moves))


def parse_move(game: Game, state: State, text: str, after: str = "") -> int:
    """The legal move that `text` names; what it comes `after` is told in the error."""
    count = action_count(game)
    number = MOVE_NAMES.find(text) if len(text) == 1 else -1
    if not 0 <= number < count:
        noun = move_noun(game)
        known = f"{move_name(0)} to {move_name(count - 1)}" if count > 1 else move_name(0)
        raise IllegalMoveError(
            f'There is no {noun} "{text}"{_where(after)}: {noun}s are {known}. '
            f"{describe_legal(game, state)}"
        )
    check_move(game, state, number, after)
    return number


def check_move(game: Game, state: State, move: int, after: str = "") -> None:
    """Refuse an illegal move: which, where, why, and what would be legal."""
    if move in legal_moves(game, state):
        return
    where = _where(after)
    if not 0 <= move < action_count(game):
        reason = f"There is no {move_noun(game)} number {move}{where}"
        known = f"{move_noun(game).capitalize()}s are numbered 0 to {action_count(game) - 1} here."
        raise IllegalMoveError(f"{reason}. {known}")
    if outcome(game, state) != RUNNING:
        result = describe_outcome(game, state)
        raise IllegalMoveError(
            f"The game is over{where} ({result}); {move_noun(game)} {move_name(move)} "
            "cannot be played."
        )
    raise IllegalMoveError(
        f"{why_illegal(game, state, move)}{where}. {describe_legal(game, state)}"
    )


def _where(after: str) -> str:
    return f" after {after}" if after else ""


def describe_legal(game: Game, state: State) -> str:
    names = " ".join(map(move_name, legal_moves(game, state)))
    return f"Legal {move_noun(game)}s: {names}." if names else "The game is over."


def describe_outcome(game: Game, state: State) -> str:
    """In words: "yellow has won", "drawn", "red to move"."""
    names, result = player_names(game), outcome(game, state)
    if result == WON:
        return f"{names[1 - player(game, state)]} has won"
    return f"{names[player(game, state)]} to move" if result == RUNNING else "drawn"


def replay(game: Game, text: str) -> tuple[State, tuple[int, ...]]:
    """The state after the moves in `text`, and their numbers. Spaces and commas are allowed."""
    state, moves = initial(game), list[int]()
    for name in text.replace(",", " ").replace(" ", ""):
        move = parse_move(game, state, name, format_moves(moves))
        state = transition(game, state, move)
        moves.append(move)
    return state, tuple(moves)


def parse_position(game: Game, text: str) -> State:
    """A position by its moves (`4453`), as a drawing, or as Kaggle's list (`[0, 0, 1, …]`).

    A drawing has one line per row, top row first, or the rows parted by `/`.
    """
    text = text.strip()
    if any(mark in text for mark in ".[/\n|XO"):
        return parse_board(game, text)
    return replay(game, text)[0]
