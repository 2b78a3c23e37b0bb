"""How strong somebody is, measured against perfect play.

Exactly where the game is small and the player says which moves it chooses between; by games with
seeds and a 95 % interval elsewhere.
"""

from collections.abc import Callable
from dataclasses import dataclass

from spielwerk.agents.agent import Agent, check_agent, is_person
from spielwerk.agents.catalogue import agent_spec, parse_agent
from spielwerk.agents.perfect import Perfect
from spielwerk.agents.td import Greedy
from spielwerk.arena.exact import Exact, measure_exactly
from spielwerk.arena.intervals import wilson
from spielwerk.arena.match import Match, play_match
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import game_spec
from spielwerk.games.graph import game_graph
from spielwerk.games.rules import RUNNING, Game, State, initial, outcome, player
from spielwerk.kernels.rng import derive_seed
from spielwerk.learning.config import TdConfig
from spielwerk.search.solving import plies_left, rough_seconds, shared_solver, usual_book
from spielwerk.values.learned import Learned, best_moves_of


@dataclass(frozen=True)
class Evaluation:
    """Shares of what the seats are worth; see `Exact.success`."""

    success: float
    low: float
    high: float
    games: int
    """Games played; 0 if it was measured exactly."""
    protocol: str
    exact: Exact | None = None


LONGEST_SOLVING = 60.0
"""Seconds that the empty board may take, by a rough estimate."""
THESIS_PLIES = 12
"""Thill's perfect player varies its play so long (2012, §4.1.4)."""

PROTOCOLS = {"thesis": Perfect(vary=THESIS_PLIES), "distant": Perfect()}
"""The perfect player as a yardstick, where it takes games.

* `thesis`: any move that keeps the value of the game for 12 plies, the most stubborn one after
  that.
* `distant`: always the most stubborn: it loses as late, and wins as soon as it can.
"""


def evaluate_agent(
    game: Game,
    agent: Agent,
    games: int,
    seed: int,
    opponent: Agent | None = None,
    progress: Callable[[int], None] = lambda played: None,
    protocol: str | None = None,
) -> Evaluation:
    """Strength against perfect play, or, in points, against another opponent.

    Exactly where that can be, if no protocol is named; `exact` demands it.
    """
    check_program(agent, game)
    if opponent is not None:
        check_program(opponent, game)
    elif protocol in (None, "exact"):
        exact = exactly(game, agent)
        if exact is None and protocol == "exact":
            raise SpielwerkError(
                "That cannot be measured exactly: the game is too large, or the agent does not say "
                "which moves it chooses between. Try --protocol thesis or distant."
            )
        if exact is not None:
            return Evaluation(
                exact.success,
                exact.success,
                exact.success,
                0,
                "exact: every line against perfect play, both seats",
                exact,
            )
    return _by_games(game, agent, games, seed, opponent, protocol or "distant", 0, progress)


def check_program(agent: Agent, game: Game) -> None:
    if is_person(agent):
        raise SpielwerkError("Only programs can be measured, and measure.")
    check_agent(agent, game)


def exactly(game: Game, agent: Agent) -> Exact | None:
    """None if the game is too large, or the agent does not tell what it chooses between."""
    tell = getattr(agent, "best_moves", None)
    if tell is None:
        return None
    try:
        words = game_graph(game).words
    except SpielwerkError:
        return None
    choices = tell(game, words)
    return None if choices is None else measure_exactly(game, choices)


def training_measure(
    game: Game, config: TdConfig, seed: int
) -> Callable[[Learned], dict[str, float]]:
    """What the curve of a training shows.

    Against `perfect`: success, and, in small games, positions in which the function would go wrong,
    exactly. Against somebody else: the share of points, always in the same games.
    """
    against = None
    if config.opponent != "perfect":
        against = parse_agent(config.opponent)
        check_program(against, game)
    elif config.cut == 0 and _is_small(game):
        words = game_graph(game).words

        def measure(learned: Learned) -> dict[str, float]:
            exact = measure_exactly(game, best_moves_of(learned, game, words))
            return {"success": exact.success, "mistakes": exact.mistakes}

        return measure
    else:
        check_solvable(game)
    games, protocol, cut = config.evaluation_games, config.protocol, config.cut
    return lambda learned: {
        "success": _by_games(game, Greedy(learned), games, seed, against, protocol, cut).success
    }


def check_solvable(game: Game) -> None:
    """Refuse to measure by perfect play where that would begin with hours of solving."""
    if usual_book(game) is None and rough_seconds(game, initial(game)) > LONGEST_SOLVING:
        raise SpielwerkError(
            f"{game_spec(game)} is too large to be solved, so it cannot be measured by perfect "
            "play; name an opponent, e.g. alphabeta:depth=4."
        )


def _is_small(game: Game) -> bool:
    try:
        game_graph(game)
    except SpielwerkError:
        return False
    return True


def _by_games(
    game: Game,
    agent: Agent,
    games: int,
    seed: int,
    opponent: Agent | None,
    protocol: str,
    cut: int = 0,
    progress: Callable[[int], None] = lambda played: None,
) -> Evaluation:
    """By games, judged by the solver after `cut` plies if that is not 0.

    Against perfect play a lost game is not played to its end (Thill 2012, §4.1.4).
    """
    solver = None
    worth, against = (1.0, 1.0), "" if opponent is None else agent_spec(opponent)
    if opponent is None:
        check_solvable(game)
        value = shared_solver(game).score(initial(game))
        worth = ((0.0, 1.0), (0.5, 0.5), (1.0, 0.0))[1 + (value > 0) - (value < 0)]
        opponent, against = PROTOCOLS[protocol], f"perfect play ({protocol})"
        check_agent(opponent, game)
        solver = shared_solver(game)
    seats = [seat for seat in range(2) if worth[seat] > 0]
    points = 0.0

    def is_decided(state: State) -> bool:
        if cut and plies_left(game, initial(game)) - plies_left(game, state) >= cut:
            return True
        if solver is None or player(game, state) == seat:
            return False
        return solver.sign(state) > 0

    for number in range(games):
        seat = seats[number % len(seats)]
        players = [agent, opponent] if seat == 0 else [opponent, agent]
        match = play_match(game, players, derive_seed(seed, number), until=is_decided)
        points += (_result(game, match, seat) + 1) / 2 / worth[seat]
        progress(number + 1)
    low, high = wilson(min(points, games), games)
    names = " and ".join(("first", "second")[seat] for seat in seats)
    return Evaluation(
        points / games, low, high, games, f"{games} games against {against}, as {names} player"
    )


def _result(game: Game, match: Match, seat: int) -> float:
    """The utility of a match, by perfect play from where it was cut off."""
    if outcome(game, match.final) != RUNNING:
        return match.utilities[seat]
    own = player(game, match.final) == seat
    return shared_solver(game).sign(match.final) * (1.0 if own else -1.0)
