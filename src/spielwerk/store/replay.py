"""A stored game, played again by the rules."""

from collections.abc import Mapping
from typing import Any

from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.notation import check_move, parse_position
from spielwerk.games.rules import Game, State, deal, initial, player_count, transition
from spielwerk.kernels.dispatch import implements
from spielwerk.kernels.rng import derive_seed
from spielwerk.store.rows import moves_in
from spielwerk.store.store import Run


def positions(run: Run, row: Mapping[str, Any]) -> tuple[Game, list[State], list[int]]:
    """The game, all positions from the beginning to the end, and the moves between them."""
    game = parse_game(run.game)
    start = run.settings.get("start", "")
    if implements(deal, game):
        state = deal(game, derive_seed(int(row["seed"]), player_count(game)))
    else:
        state = parse_position(game, start) if start else initial(game)
    states, moves = [state], list(moves_in(row["opening"] + row["moves"]))
    for move in moves:
        try:
            check_move(game, states[-1], move)
        except SpielwerkError as error:
            raise SpielwerkError(f"The stored game cannot be played: {error}") from None
        states.append(transition(game, states[-1], move))
    return game, states, moves
