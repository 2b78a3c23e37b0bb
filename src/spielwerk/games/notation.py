"""How positions and moves are written, and what is said of wrong ones.

A move is one character: 1 … 9, then a, b, c …, A, B, C … A game is the string of its moves
(`4453`). People may write moves otherwise, where a game has better words for them (`say_move`).
Boards can also be given as a drawing or as Kaggle's flat list, by the games that have a board.

What differs from game to game is a function chosen by the type of the game; each has a version that
serves a game with nothing special to say. They belong to plain Python: kernels never call them.
"""

from collections.abc import Iterable, Sequence
from functools import singledispatch

from spielwerk.errors import IllegalMoveError, SpielwerkError
from spielwerk.games.rules import (
    RUNNING,
    WON,
    Game,
    State,
    action_count,
    deal,
    initial,
    legal_moves,
    outcome,
    player,
    player_count,
    transition,
    utility,
)
from spielwerk.kernels.dispatch import implements

MOVE_NAMES = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Move number → its character. A game has no more moves than these (`parse_game` checks it)."""

BOARD_MOVE_NAMES = MOVE_NAMES[:35]
"""Those of a game whose positions can be drawn: X and O are stones there."""


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
    return ("first", "second", "third", "fourth", "fifth", "sixth")[: player_count(game)]


@singledispatch
def say_move(game: Game, state: State, move: int) -> str:
    """How people write a move in this position. Unless a game says otherwise: its character."""
    return move_name(move)


@singledispatch
def read_move(game: Game, state: State, text: str) -> int | None:
    """The move that people mean by this, legal or not; None if there is no such move."""
    number = MOVE_NAMES.find(text) if len(text) == 1 else -1
    return number if 0 <= number < action_count(game) else None


@singledispatch
def list_moves(game: Game, state: State, moves: Sequence[int]) -> str:
    """Some moves in one line."""
    return " ".join(say_move(game, state, move) for move in moves)


@singledispatch
def explain_moves(game: Game) -> str:
    """How moves are written, for somebody who wrote something else."""
    count, noun = action_count(game), move_noun(game)
    known = f"{move_name(0)} to {move_name(count - 1)}" if count > 1 else move_name(0)
    return f"{noun}s are {known}"


@singledispatch
def why_illegal(game: Game, state: State, move: int) -> str:
    """Why this move, which exists in the game, is not allowed here."""
    return f"{move_noun(game).capitalize()} {say_move(game, state, move)} is not allowed"


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
    number = read_move(game, state, text)
    if number is None:
        raise IllegalMoveError(
            f'There is no {move_noun(game)} "{text}"{_where(after)}: {explain_moves(game)}. '
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
            f"The game is over{where} ({result}); {move_noun(game)} "
            f"{say_move(game, state, move)} cannot be played."
        )
    raise IllegalMoveError(
        f"{why_illegal(game, state, move)}{where}. {describe_legal(game, state)}"
    )


def _where(after: str) -> str:
    return f" after {after}" if after else ""


def describe_legal(game: Game, state: State) -> str:
    names = list_moves(game, state, legal_moves(game, state))
    return f"Legal {move_noun(game)}s: {names}." if names else "The game is over."


def describe_outcome(game: Game, state: State) -> str:
    """In words: "yellow has won", "drawn", "red to move"."""
    names, result = player_names(game), outcome(game, state)
    if result == WON:
        seats = range(player_count(game))
        winner = max(seats, key=lambda seat: utility(game, state, seat))
        return f"{names[winner]} has won"
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
    if text and implements(deal, game):
        raise SpielwerkError(
            "A match of this game begins with a deal: no position can be given by its moves."
        )
    if any(mark in text for mark in ".[/\n|XO"):
        return parse_board(game, text)
    return replay(game, text)[0]
