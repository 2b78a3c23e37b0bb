"""What a game is: initial state, player to move, actions, transition, end, utility.

The formal definition is Göppert's (2020, §2.1.1). A game is a NamedTuple of parameters, a state a
NamedTuple of machine words, and the rules are pure functions of both. They are called by the same
names from kernels, where the version of the game at hand is compiled in, and from plain Python.

A module that brings a game registers its versions with `rule`:

    @rule(Nim)
    def transition(game, state, move): ...

Moves are numbers 0 … `action_count` − 1, at most 64 of them, so that a set of moves is one word.
Only `initial`, `action_count`, `actions`, `transition`, `outcome` and `player` are demanded of
every game; the others have a version that serves most games, or serve some tools only (`pack`,
`unpack`).
"""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import numpy as np

from spielwerk.errors import SpielwerkError, unknown_name
from spielwerk.kernels.bits import bit_indices
from spielwerk.kernels.dispatch import generic, generic_with_default, implement

Game: TypeAlias = Any
"""A NamedTuple of parameters, of a type that the rules are registered for."""

State: TypeAlias = Any
"""A NamedTuple of machine words."""

RUNNING, WON, DRAWN = 0, 1, 2
"""What `outcome` returns. WON: by the player who has just moved."""

Function = TypeVar("Function", bound=Callable[..., Any])


@generic
def initial(game: Game) -> State:
    """The state in which the game begins."""


@generic
def action_count(game: Game) -> int:
    """Moves are numbers below this one."""


@generic
def player(game: Game, state: State) -> int:
    """Who is to move: 0 for the player who began, 1 for the other."""


@generic
def actions(game: Game, state: State) -> np.uint64:
    """The legal moves as a set of bits. The game must be running (see `legal_moves`)."""


@generic
def transition(game: Game, state: State, move: int) -> State:
    """The state after a legal `move`."""


@generic
def outcome(game: Game, state: State) -> int:
    """RUNNING, WON (by the player who has just moved) or DRAWN."""


@generic_with_default
def deal(game: Game, seed: int) -> State:
    """The state in which a match begins. Unless a game has chances of its own: always the same."""
    return initial(game)


@generic_with_default
def player_count(game: Game) -> int:
    """How many play. Unless a game says otherwise: two."""
    return 2


@generic_with_default
def utility(game: Game, state: State, who: int) -> float:
    """What the finished game is worth to player `who`: 1 won, 0 drawn, −1 lost."""
    if outcome(game, state) != WON:
        return 0.0
    return -1.0 if player(game, state) == who else 1.0


@generic_with_default
def observation(game: Game, state: State) -> State:
    """What the player to move may know. Unless a game says otherwise: everything."""
    return state


@generic_with_default
def public(game: Game, state: State) -> State:
    """What onlookers may see. Unless a game says otherwise: everything."""
    return state


@generic
def pack(game: Game, state: State) -> np.uint64:
    """The whole state in one word: different states, different words."""


@generic
def unpack(game: Game, word: np.uint64) -> State:
    """The state that `pack` made this word of."""


@generic_with_default
def symmetry_count(game: Game) -> int:
    """How many symmetries the game has, the identity included."""
    return 1


@generic_with_default
def image(game: Game, state: State, symmetry: int) -> State:
    """The state seen through one of the game's symmetries; 0 is the identity."""
    return state


@generic_with_default
def move_image(game: Game, move: int, symmetry: int) -> int:
    """The move that does in the image what `move` does in the state.

    image(transition(state, move)) = transition(image(state), move_image(move)).
    """
    return move


@generic_with_default
def cell(game: Game, state: State, move: int) -> int:
    """What the move does, as a number below 64 that means the same in every position.

    On a board: where the stone comes to lie (Göppert 2020, §3.2, names a move by it and by the
    colour). Unless a game says otherwise, the move itself.
    """
    return move


@generic_with_default
def cell_image(game: Game, place: int, symmetry: int) -> int:
    """Where a symmetry takes a `cell`."""
    return move_image(game, place, symmetry)


def rule(cls: type) -> Callable[[Function], Function]:
    """Register the decorated function as this game's version of the rule of the same name."""

    def register(version: Function) -> Function:
        generic_rule = globals().get(version.__name__)
        if generic_rule is None or not hasattr(generic_rule, "versions"):
            known = [name for name, function in globals().items() if hasattr(function, "versions")]
            raise SpielwerkError(unknown_name("rule", version.__name__, known))
        return implement(generic_rule, cls)(version)

    return register


def legal_moves(game: Game, state: State) -> tuple[int, ...]:
    """The legal moves in ascending order; none when the game is over."""
    if outcome(game, state) != RUNNING:
        return ()
    return tuple(bit_indices(actions(game, state)))
