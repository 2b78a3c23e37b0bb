"""Monte-Carlo tree search from the empty Connect Four board, beside OpenSpiel's C++."""

import threading
from collections.abc import Callable, Iterator

import numpy as np

from spielwerk.agents.catalogue import parse_agent
from spielwerk.agents.mcts import Mcts
from spielwerk.bench.line import Line, rates_in_turn
from spielwerk.games.connectx import connectx
from spielwerk.games.rules import initial
from spielwerk.kernels.bits import U64
from spielwerk.search.mcts.kernel import run
from spielwerk.search.mcts.search import Search
from spielwerk.search.mcts.tree import clear

SIZES = (1_000, 100_000)
OPTIONS = {
    "solver": "solver=yes",
    "transpositions (uct1)": "select=uct1",
    "transpositions (uct2)": "select=uct2",
    "transpositions (uct3)": "select=uct3",
    "alpha-AMAF": "amaf=alpha",
    "RAVE": "amaf=rave",
    "last good reply": "playout=lgr",
    "RAVE and last good reply": "amaf=rave,playout=lgr",
    "decisive playouts": "playout=decisive",
}
_NEVER = U64(2**63)


def measure(seconds: float) -> Iterator[Line]:
    for iterations in SIZES:
        rate, peer_rate = rates_in_turn(
            searches(f"mcts:iterations={iterations}"), open_spiel_searches(iterations), seconds
        )
        yield Line(
            f"mcts, {iterations} iterations",
            "iterations/s",
            rate * iterations,
            peer_name="OpenSpiel C++",
            peer=None if peer_rate is None else peer_rate * iterations,
            ratio=None if peer_rate is None else rate / peer_rate,
            missing=None
            if peer_rate is not None
            else "OpenSpiel is not installed: pip install open_spiel",
        )
    for name, options in OPTIONS.items():
        plain = searches(f"mcts:iterations={SIZES[0]}")
        rate, plain_rate = rates_in_turn(
            searches(f"mcts:iterations={SIZES[0]},{options}"), plain, seconds
        )
        assert plain_rate is not None
        yield Line(
            f"mcts with {name}, {SIZES[0]} iterations",
            "iterations/s",
            rate * SIZES[0],
            peer_name="plain",
            peer=plain_rate * SIZES[0],
            ratio=rate / plain_rate,
        )
    yield _two_threads(seconds)


def _two_threads(seconds: float) -> Line:
    """Searches on two threads at once beside the same number of searches on one."""
    spec = f"mcts:iterations={SIZES[1]}"
    workers = [searches(spec), searches(spec)]

    def both(count: int) -> None:
        threads = [threading.Thread(target=worker, args=(count,)) for worker in workers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    rate, one = rates_in_turn(both, searches(spec), seconds)
    assert one is not None
    return Line(
        f"mcts on 2 threads, {SIZES[1]} iterations each",
        "iterations/s",
        2 * rate * SIZES[1],
        peer_name="1 thread",
        peer=one * SIZES[1],
        ratio=2 * rate / one,
    )


def searches(spec: str) -> Callable[[int], None]:
    """A program that makes a number of searches, each from the beginning."""
    agent = parse_agent(spec)
    assert isinstance(agent, Mcts)
    game = connectx()
    settings = agent.settings(game)
    own = Search(game, settings)
    root, _ = own._turn(initial(game))
    own._prepare(root, 1)
    tree, never = own._trees[0], np.zeros(1, np.uint8)

    def program(count: int) -> None:
        for _ in range(count):
            clear(tree)
            run(game, settings.parts, root, tree, settings.iterations or 0, _NEVER, never)

    return program


def open_spiel_searches(iterations: int) -> Callable[[int], None] | None:
    """OpenSpiel's `MCTSBot`, one random rollout per leaf; None if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)

    def program(count: int) -> None:
        for _ in range(count):
            bot = pyspiel.MCTSBot(game, evaluator, 0.8, iterations, 1000, False, 1, False)
            bot.mcts_search(state)

    return program
