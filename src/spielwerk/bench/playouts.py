"""Random playouts from the empty board, on one core, beside OpenSpiel's C++."""

from collections.abc import Callable, Iterator

from spielwerk.bench.line import Line, rates_in_turn
from spielwerk.games.catalogue import parse_game
from spielwerk.games.rules import initial
from spielwerk.kernels.bits import U64
from spielwerk.search.playout import playouts

PEER_NAMES = {"connect-four": "connect_four", "tic-tac-toe": "tic_tac_toe"}


def measure(seconds: float) -> Iterator[Line]:
    for name, peer_name in PEER_NAMES.items():
        game = parse_game(name)
        state = initial(game)

        def ours(count: int, game: object = game, state: object = state) -> object:
            return playouts(game, state, U64(1), count)

        peer = open_spiel_playouts(peer_name)
        rate, peer_rate = rates_in_turn(ours, peer, seconds)
        yield Line(
            f"random playouts, {name}",
            "games/s",
            rate,
            peer_name="OpenSpiel C++",
            peer=peer_rate,
            ratio=rate / peer_rate if peer_rate else None,
            missing=None if peer else "OpenSpiel is not installed: pip install open_spiel",
        )


def open_spiel_playouts(name: str) -> Callable[[int], object] | None:
    """OpenSpiel's random rollouts, in its C++; None if it is not installed.

    Python can reach them through a search of a single simulation, whose leaf is valued by the
    wanted number of rollouts.
    """
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(name)
    state = game.new_initial_state()

    def run(count: int) -> object:
        evaluator = pyspiel.RandomRolloutEvaluator(count, 1)
        return pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, False, 1, False).mcts_search(state)

    return run
