"""How well somebody plays a small game, exactly: every line against perfect play, nothing sampled.

The player is given as a set of moves per position, between which it makes no difference. A perfect
opponent never gives anything away, and takes each of its equally good moves as often as the others.
"""

import functools
from dataclasses import dataclass

import numpy as np

from spielwerk.games.graph import NONE, Graph, game_graph
from spielwerk.games.rules import Game
from spielwerk.kernels.jit import kernel


@dataclass(frozen=True)
class Exact:
    """Points of 1 (won), 0.5 (drawn), 0 (lost), for each of the two seats."""

    worth: tuple[float, float]
    """What perfect play gets against perfect play."""
    points: tuple[float, float]
    """What this player gets on the average against perfect play."""
    worst: tuple[float, float]
    """What it gets in its worst line."""
    mistakes: int
    """Positions in which some move of its choice gives something away."""
    positions: int
    """Positions in which there is a choice."""

    @property
    def success(self) -> float:
        """The share of what can be had that the player gets, over the seats that offer anything.

        Thill's success rate (2012, §4.1.4) for games that the first player wins; for Tic-Tac-Toe,
        where only draws can be had, the share of games not lost (his figures 4.5 and 4.7, plus 1).
        """
        shares = [
            points / worth
            for points, worth in zip(self.points, self.worth, strict=True)
            if worth > 0
        ]
        return sum(shares) / len(shares)

    @property
    def is_perfect(self) -> bool:
        """No line against perfect play gives anything away."""
        return self.worst == self.worth


@functools.lru_cache(maxsize=32)
def exact_values(game: Game) -> np.ndarray:
    """The value of every position of `game_graph` for the player to move: 1, 0 or −1."""
    graph = game_graph(game)
    return _values(graph, _end_values(game, graph))


def _end_values(game: Game, graph: Graph) -> np.ndarray:
    from spielwerk.games.rules import player, unpack, utility

    ends = np.zeros(len(graph.words))
    for number in np.flatnonzero(~graph.running):
        state = unpack(game, graph.words[number])
        ends[number] = utility(game, state, player(game, state))
    return ends


def measure_exactly(game: Game, choices: np.ndarray) -> Exact:
    """`choices[n]` is the set of moves, as bits, that the player may make in position n."""
    graph, values = game_graph(game), exact_values(game)
    points, worst = _play_out(graph, values, choices)
    mistakes = _mistakes(graph, values, choices)
    root = float(values[graph.root] + 1) / 2
    return Exact(
        worth=(root, 1 - root),
        points=(float(points[0]), float(points[1])),
        worst=(float(worst[0]), float(worst[1])),
        mistakes=int(mistakes.sum()),
        positions=int(((graph.children != NONE).sum(axis=1) > 1).sum()),
    )


@kernel
def _values(graph: Graph, ends: np.ndarray) -> np.ndarray:
    """Minimax, from the ends of the game to its beginning."""
    values = ends.copy()
    for place in range(graph.order.size - 1, -1, -1):
        number = graph.order[place]
        if graph.running[number]:
            best = -2.0
            for child in graph.children[number]:
                if child != NONE:
                    best = max(best, -values[child])
            values[number] = best
    return values


@kernel
def _mistakes(graph: Graph, values: np.ndarray, choices: np.ndarray) -> np.ndarray:
    wrong = np.zeros(values.size, np.bool_)
    for number in range(values.size):
        for move in range(graph.children.shape[1]):
            child = graph.children[number, move]
            if child != NONE and choices[number] >> np.uint64(move) & np.uint64(1):
                wrong[number] |= -values[child] < values[number]
    return wrong


@kernel
def _play_out(
    graph: Graph, values: np.ndarray, choices: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and least points from the initial position, for the player in either seat."""
    mean, least = np.zeros(2), np.zeros(2)
    for seat in range(2):
        average, lowest = np.zeros(values.size), np.zeros(values.size)
        for place in range(graph.order.size - 1, -1, -1):
            number = graph.order[place]
            own = graph.players[number] == seat
            if not graph.running[number]:
                result = values[number] if own else -values[number]
                average[number] = lowest[number] = (result + 1) / 2
                continue
            total, ways, low = 0.0, 0, 2.0
            for move in range(graph.children.shape[1]):
                child = graph.children[number, move]
                if child == NONE:
                    continue
                if own:
                    taken = choices[number] >> np.uint64(move) & np.uint64(1) != np.uint64(0)
                else:
                    taken = -values[child] == values[number]
                if taken:
                    total += average[child]
                    low = min(low, lowest[child])
                    ways += 1
            average[number], lowest[number] = total / ways, low
        mean[seat], least[seat] = average[graph.root], lowest[graph.root]
    return mean, least
