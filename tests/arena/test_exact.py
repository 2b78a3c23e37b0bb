"""Exact evaluation against a plain recursion, and the small game as a whole."""

import functools

import numpy as np
import pytest

from spielwerk.agents.catalogue import parse_agent
from spielwerk.arena.evaluation import evaluate_agent
from spielwerk.arena.exact import exact_values, measure_exactly
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.graph import _graph, game_graph
from spielwerk.games.rules import (
    initial,
    legal_moves,
    pack,
    player,
    transition,
    unpack,
    utility,
)
from spielwerk.kernels.rng import Rng


@pytest.mark.parametrize(
    ("spec", "positions", "running"),
    [("tic-tac-toe", 5478, 4520), ("nim:n=10", 20, 18), ("connectx:3x3,k=3", 694, 505)],
)
def test_the_whole_game(spec, positions, running):
    graph = game_graph(parse_game(spec))
    assert (len(graph.words), int(graph.running.sum())) == (positions, running)
    place = np.argsort(graph.order)
    for number, children in enumerate(graph.children):
        assert all(place[number] < place[child] for child in children if child >= 0)


def test_a_large_game_is_refused():
    with pytest.raises(SpielwerkError, match="more than 1,000,000 positions"):
        game_graph(parse_game("connect-four"))
    hits = _graph.cache_info().hits
    with pytest.raises(SpielwerkError):
        game_graph(parse_game("connect-four"))
    assert _graph.cache_info().hits == hits + 1  # it takes seconds; found out once


def values_twin(game):
    @functools.cache
    def value(word):
        state = unpack(game, word)
        moves = legal_moves(game, state)
        if not moves:
            return utility(game, state, player(game, state))
        return max(-value(int(pack(game, transition(game, state, move)))) for move in moves)

    return value


def lines_twin(game, choices, seat):
    """Points of every line that the player's choices and perfect replies allow: mean, worst."""
    value, graph = values_twin(game), game_graph(game)

    @functools.cache
    def below(word):
        state = unpack(game, word)
        moves = legal_moves(game, state)
        if not moves:
            points = (utility(game, state, seat) + 1) / 2
            return points, points
        after = {move: int(pack(game, transition(game, state, move))) for move in moves}
        if player(game, state) == seat:
            chosen = int(choices[np.searchsorted(graph.words, np.uint64(word))])
            taken = [word for move, word in after.items() if chosen >> move & 1]
        else:
            best = max(-value(word) for word in after.values())
            taken = [word for word in after.values() if -value(word) == best]
        results = [below(word) for word in taken]
        return sum(mean for mean, _ in results) / len(results), min(low for _, low in results)

    return below(int(pack(game, initial(game))))


@pytest.mark.parametrize("spec", ["tic-tac-toe", "nim:n=9", "connectx:3x3,k=3"])
def test_exact_evaluation_equals_the_recursion(spec):
    game = parse_game(spec)
    graph, rng = game_graph(game), Rng(6)
    value = values_twin(game)
    assert exact_values(game).tolist() == [value(int(word)) for word in graph.words]
    choices = np.zeros(len(graph.words), np.uint64)
    for number, word in enumerate(graph.words):
        moves = legal_moves(game, unpack(game, word))
        for move in moves:
            if rng.below(2) or (move == moves[-1] and not choices[number]):
                choices[number] |= np.uint64(1 << move)
    found = measure_exactly(game, choices)
    for seat in range(2):
        mean, worst = lines_twin(game, choices, seat)
        assert found.points[seat] == pytest.approx(mean)
        assert found.worst[seat] == worst
    wrong = 0
    for number, word in enumerate(graph.words):
        state = unpack(game, word)
        best = value(int(word))
        wrong += any(
            -value(int(pack(game, transition(game, state, move)))) < best
            for move in legal_moves(game, state)
            if int(choices[number]) >> move & 1
        )
    assert found.mistakes == wrong


def test_perfect_choices_are_perfect():
    game = parse_game("tic-tac-toe")
    graph, values = game_graph(game), exact_values(game)
    choices = np.zeros(len(graph.words), np.uint64)
    for number, children in enumerate(graph.children):
        for move, child in enumerate(children):
            if child >= 0 and -values[child] == values[number]:
                choices[number] |= np.uint64(1 << move)
    found = measure_exactly(game, choices)
    assert found.is_perfect
    assert (found.success, found.mistakes, found.worth) == (1.0, 0, (0.5, 0.5))


def test_others_are_measured_by_games():
    game = parse_game("tic-tac-toe")
    found = evaluate_agent(game, parse_agent("alphabeta:depth=9"), 10, seed=1)
    assert (found.success, found.games, found.exact) == (1.0, 10, None)
    assert found.protocol == "10 games against perfect play (distant), as first and second player"
    nim = parse_game("nim:n=9")
    found = evaluate_agent(nim, parse_agent("random"), 40, seed=1)
    assert found.success < 0.3
    assert found.protocol == "40 games against perfect play (distant), as first player"
    against = evaluate_agent(nim, parse_agent("perfect"), 10, 1, parse_agent("random"))
    assert against.protocol == "10 games against random, as first and second player"
    with pytest.raises(SpielwerkError, match="Only programs"):
        evaluate_agent(game, parse_agent("human"), 10, seed=1)
    with pytest.raises(SpielwerkError, match="Only programs"):
        evaluate_agent(game, parse_agent("random"), 10, 1, parse_agent("human"))
