"""How the games of a tournament begin: as usual, with every opening in turn, or with chance moves.

Each opening is played once from every seat before the next one is taken, so that none is favoured
who happens to have the better side of it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from spielwerk.errors import SpielwerkError
from spielwerk.games.notation import format_moves, parse_move
from spielwerk.games.rules import RUNNING, Game, State, deal, legal_moves, outcome, transition
from spielwerk.kernels.dispatch import implements
from spielwerk.kernels.rng import Rng, derive_seed

MOST = 100_000
"""Openings, and plies drawn by chance, that are still sensible."""
_MANY_TRIES = 1000

Moves = tuple[int, ...]


@dataclass(frozen=True)
class Openings:
    """Either a list of openings, played in turn, or a number of random plies."""

    known: tuple[Moves, ...] = ((),)
    random_plies: int = 0

    @property
    def cycle(self) -> int:
        """Openings until the first one comes again."""
        return len(self.known)

    def opening(self, game: Game, start: State, index: int, seed: int) -> Moves:
        """The moves of opening number `index`; those by chance depend on seed and index alone.

        A list is played in an order by chance, all of it before the first one comes again.
        """
        if self.random_plies == 0:
            many = len(self.known)
            return self.known[_shuffled(many, derive_seed(seed, index // many))[index % many]]
        for attempt in range(_MANY_TRIES):
            rng = Rng(derive_seed(seed, index, attempt))
            moves, state = list[int](), start
            while len(moves) < self.random_plies and outcome(game, state) == RUNNING:
                legal = legal_moves(game, state)
                moves.append(legal[rng.below(len(legal))])
                state = transition(game, state, moves[-1])
            if outcome(game, state) == RUNNING:
                return tuple(moves)
        raise SpielwerkError(
            f"After {self.random_plies} random moves this game is practically always over; take "
            "fewer."
        )


@lru_cache(maxsize=256)
def _shuffled(many: int, seed: int) -> tuple[int, ...]:
    """The numbers below `many` in an order by chance (Fisher & Yates)."""
    rng, order = Rng(seed), list(range(many))
    for place in range(many - 1, 0, -1):
        other = rng.below(place + 1)
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def parse_openings(game: Game, start: State | None, text: str) -> Openings:
    """`2-ply`: every position after two plies; `random:4`: four moves by chance; `moves:44,443`:
    these in turn. Nothing: the beginning. (A file is spelled out first, see `spelled_openings`.)"""
    if not text:
        return Openings()
    if implements(deal, game):
        raise SpielwerkError("This game begins with a deal: there are no openings.")
    assert start is not None
    if found := re.fullmatch(r"(\d{1,2})-ply", text):
        return Openings(_every_position(game, start, int(found[1])))
    if found := re.fullmatch(r"random:(\d{1,3})", text):
        if int(found[1]) == 0:
            raise SpielwerkError("random:N needs one move at least.")
        return Openings(random_plies=int(found[1]))
    if text.startswith("moves:"):
        lines = text.removeprefix("moves:").split(",")
        return Openings(tuple(_line(game, start, line) for line in lines))
    raise SpielwerkError(
        f'Openings are "2-ply" (all positions after two), "random:4" (four moves by chance), '
        f'"moves:44,4453", or a file with moves line by line; there is no file "{text}".'
    )


def spelled_openings(text: str) -> str:
    """The same openings, with those of a file spelled out: a plan must not change with the file."""
    path = Path(text).expanduser()
    if not text or not path.is_file():
        return text
    try:
        lines = [line.partition("#")[0] for line in path.read_text("utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise SpielwerkError(f"{path} cannot be read as openings: {error}.") from None
    found = ["".join(line.replace(",", " ").split()) for line in lines]
    if not any(found):
        raise SpielwerkError(f"{path} holds no openings.")
    return "moves:" + ",".join(line for line in found if line)


def _every_position(game: Game, start: State, plies: int) -> tuple[Moves, ...]:
    """One line of moves for every position after so many plies that is not the end."""
    found: dict[State, Moves] = {start: ()}
    for _ in range(plies):
        deeper: dict[State, Moves] = {}
        for state, moves in found.items():
            for move in legal_moves(game, state):
                after = transition(game, state, move)
                if outcome(game, after) == RUNNING:
                    deeper.setdefault(after, (*moves, move))
        found = deeper
        if len(found) > MOST:
            raise SpielwerkError(f"There are more than {MOST:,} positions after {plies} plies.")
    if not found:
        raise SpielwerkError(f"No game lasts longer than {plies} plies from here.")
    return tuple(found.values())


def _line(game: Game, start: State, line: str) -> Moves:
    state, moves = start, list[int]()
    for name in line:
        moves.append(parse_move(game, state, name, format_moves(moves)))
        state = transition(game, state, moves[-1])
    if outcome(game, state) != RUNNING:
        raise SpielwerkError(f"After the opening {line} the game is over.")
    return tuple(moves)


def after(game: Game, start: State, moves: Sequence[int]) -> State:
    """The position after some moves."""
    state = start
    for move in moves:
        state = transition(game, state, move)
    return state
