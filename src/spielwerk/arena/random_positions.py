"""Random positions in which the move makes a difference, solved."""

from collections.abc import Iterator

from spielwerk.errors import SpielwerkError
from spielwerk.games.rules import RUNNING, Game, State, initial, legal_moves, outcome, transition
from spielwerk.kernels.rng import Rng, derive_seed
from spielwerk.search.solving import shared_solver

TRIES = 1000
"""Positions that are tried for each that is wanted, at most."""


def telling_positions(
    game: Game, count: int, seed: int, least: int, most: int
) -> Iterator[tuple[State, dict[int, int], Rng]]:
    """Positions after `least` to `most` random moves whose moves are not all worth the same.

    With what each move leads to by perfect play (1, 0 or −1), and the chance to go on with. They
    depend on the seed alone. A SpielwerkError if there are next to none.
    """
    solver, found = shared_solver(game), 0
    for tried in range(TRIES * count):
        if found == count:
            return
        rng = Rng(derive_seed(seed, tried))
        state = _after(game, least + rng.below(most - least + 1), rng)
        if state is None:
            continue
        signs = solver.sign_moves(state)
        if len(set(signs.values())) > 1:
            found += 1
            yield state, signs, rng
    if found < count:
        raise SpielwerkError(
            f"Of {TRIES * count:,} random positions only {found} had moves of different value."
        )


def _after(game: Game, plies: int, rng: Rng) -> State | None:
    """The position after so many random moves; None if the game is over by then."""
    state = initial(game)
    for _ in range(plies):
        legal = legal_moves(game, state)
        state = transition(game, state, legal[rng.below(len(legal))])
        if outcome(game, state) != RUNNING:
            return None
    return state
