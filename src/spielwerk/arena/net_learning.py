"""How good a policy-value net is while it learns, and whether a new one is better than the best."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from spielwerk.agents.agent import Choice
from spielwerk.agents.mcts import best_findings, choice_of
from spielwerk.agents.net import best_by_policy, best_by_value
from spielwerk.arena.match import play_match
from spielwerk.arena.openings import Openings
from spielwerk.arena.random_positions import telling_positions
from spielwerk.games.connectx import ConnectX
from spielwerk.games.rules import Game, State, initial, pack, transition
from spielwerk.kernels.rng import Rng, derive_seed
from spielwerk.search.puct import Puct
from spielwerk.search.puct_search import PuctSearch, PuctSettings
from spielwerk.search.solving import plies_left
from spielwerk.values.net import Net

LEAST, MOST = 2 / 7, 5 / 7
"""How full the boards of the measure are: from 12 to 30 stones in Connect Four."""
EMPTY = 30
"""Empty cells at most: with more, solving a position takes seconds."""
GATE_ITERATIONS = 50
OPENING = 4
"""Random plies at the beginning of a gate's games."""


def solved_positions(game: Game, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Random positions in which the move makes a difference, and the moves that keep the value.

    Both as words: packed positions, and sets of moves.
    """
    cells = plies_left(game, initial(game))
    most = round(MOST * cells)
    least = min(most, max(round(LEAST * cells), cells - EMPTY))
    words, keeping = list[int](), list[int]()
    for state, signs, _ in telling_positions(game, count, seed, least, most):
        best = max(signs.values())
        words.append(int(pack(game, state)))
        keeping.append(sum(1 << move for move, sign in signs.items() if sign == best))
    return np.array(words, np.uint64), np.array(keeping, np.uint64)


def puct_measure(game: ConnectX, positions: int, seed: int) -> Callable[[Net], dict[str, float]]:
    """Shares of random positions in which the net finds a move that keeps the value.

    `success`: one ply by its value; `policy`: the move that its policy likes best.
    """
    words, keeping = solved_positions(game, positions, seed)

    def measure(net: Net) -> dict[str, float]:
        found = {
            "success": best_by_value(net, words, symmetric=True),
            "policy": best_by_policy(net, words, symmetric=True),
        }
        # Of several that are equally good to the net each counts as far as it keeps the value.
        return {
            name: float(np.mean(_counts(best & keeping) / _counts(best)))
            for name, best in found.items()
        }

    return measure


def _counts(words: np.ndarray) -> np.ndarray:
    return np.array([int(word).bit_count() for word in words])


@dataclass
class _Searching:
    """A net in memory as a player."""

    net: Net
    iterations: int
    _search: PuctSearch | None = None

    def choose(self, game: Game, observation: State, rng: Rng) -> Choice:
        if self._search is None:
            settings = PuctSettings(
                Puct(), lambda: lambda words: self.net.evaluate(words), self.iterations
            )
            self._search = PuctSearch(game, settings)
        found = self._search.think(observation)
        best = best_findings(found, "visits")
        return choice_of(found, best[rng.below(len(best))])


def gate_of(game: ConnectX, games: int) -> Callable[[Net, Net, int], float]:
    """Matches from random openings, each played twice with the seats exchanged: the points of the
    first net, 0 … 1."""
    openings = Openings(random_plies=OPENING)

    def points(new: Net, old: Net, seed: int) -> float:
        players = [_Searching(new, GATE_ITERATIONS), _Searching(old, GATE_ITERATIONS)]
        total = 0.0
        for number in range(games):
            start = initial(game)
            for move in openings.opening(game, start, number // 2, seed):
                start = transition(game, start, move)
            seats = players if number % 2 == 0 else players[::-1]
            match = play_match(game, seats, derive_seed(seed, number), start)
            total += (1 + match.utilities[number % 2]) / 2
        return total / games

    return points
