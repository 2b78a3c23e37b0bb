"""Equal time instead of equal iterations (Göppert 2020, §6.8).

Each player gets as many iterations as it makes while the reference makes its own. How fast they are
is measured here and now; a clock in every move would do the same, but then no game could be
repeated, and other programs on the machine would disturb the play instead of the measuring.
"""

import dataclasses
import statistics
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from spielwerk.agents.agent import Agent, Choice, check_agent, for_match
from spielwerk.agents.catalogue import agent_spec, parse_agent
from spielwerk.errors import SpielwerkError
from spielwerk.games.rules import RUNNING, Game, initial, legal_moves, outcome, transition
from spielwerk.kernels.rng import Rng

MEASURED = 4000
"""Iterations of each search that is timed."""
ROUNDS = 60
SEED = 13
"""Of the random games."""
RESTART = 20
"""Plies of a random game before another one begins."""


def at_equal_time(game: Game, specs: Sequence[str], reference: str) -> list[str]:
    """The same players with as many iterations as take the time the reference takes for its own."""
    whole = [*specs, reference]
    agents = [parse_agent(spec) for spec in whole]
    for spec, agent in zip(whole, agents, strict=True):
        check_agent(agent, game)
        if not hasattr(agent, "iterations"):
            raise SpielwerkError(f"{spec} has no iterations: its time cannot be made equal.")
        if getattr(agent, "seconds", None) is not None:
            raise SpielwerkError(f"{spec} keeps a time of its own; leave its seconds out.")
    if getattr(agents[-1], "iterations", None) is None:
        raise SpielwerkError(f"How many iterations does {reference} make? Add iterations=N to it.")
    speeds = measure_speeds(game, agents)
    theirs = agents[-1].iterations  # type: ignore[attr-defined]
    return [
        agent_spec(with_iterations(agent, max(1, round(theirs * speed / speeds[-1]))))
        for agent, speed in zip(agents[:-1], speeds[:-1], strict=True)
    ]


def with_iterations(agent: Agent, iterations: int) -> Agent:
    """The same agent with another number of iterations."""
    return dataclasses.replace(agent, iterations=iterations)  # type: ignore[type-var]


def measure_speeds(
    game: Game,
    agents: Sequence[Agent],
    rounds: int = ROUNDS,
    iterations: int = MEASURED,
    seed: int = SEED,
) -> list[float]:
    """Iterations per second: the median over positions of random games, in which all take turns."""
    rates: list[list[float]] = [[] for _ in agents]

    def work() -> None:
        players = [for_match(with_iterations(agent, iterations)) for agent in agents]
        rng, state = Rng(seed), initial(game)
        for turn in range(rounds):
            for player, rate in zip(players, rates, strict=True):
                found = player.choose(game, state, Rng(turn))
                assert isinstance(found, Choice)
                assert found.seconds is not None
                rate.append(found.statistics["iterations"] / found.seconds)
            legal = legal_moves(game, state)
            state = transition(game, state, legal[rng.below(len(legal))])
            if outcome(game, state) != RUNNING or turn % RESTART == RESTART - 1:
                state = initial(game)

    # Not on the main thread, where every search is handed to another one so that Ctrl-C works.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(work).result()
    return [statistics.median(rate) for rate in rates]
