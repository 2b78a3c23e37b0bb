"""Nets as players: without a search, with playouts and values, with PUCT."""

import numpy as np
import pytest

from spielwerk.agents.agent import check_agent
from spielwerk.agents.catalogue import agent_spec, parse_agent
from spielwerk.arena.equal_time import measure_speeds
from spielwerk.arena.match import play_match
from spielwerk.errors import SpecError, SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.connectx import connectx
from spielwerk.games.notation import replay
from spielwerk.games.rules import (
    RUNNING,
    WON,
    initial,
    legal_moves,
    outcome,
    pack,
    transition,
)
from spielwerk.kernels.bits import bit_indices
from spielwerk.kernels.rng import Rng
from spielwerk.values.net import use_net

C4 = connectx()


def positions(count, seed):
    rng, found = Rng(seed), []
    while len(found) < count:
        state = initial(C4)
        while outcome(C4, state) == RUNNING:
            found.append(state)
            legal = legal_moves(C4, state)
            state = transition(C4, state, legal[rng.below(len(legal))])
    return found[:count]


@pytest.mark.parametrize("spec", ["net", "net:by=policy", "net:mirror=no"])
def test_a_net_makes_the_move_that_it_holds_for_best(spec):
    agent, net = parse_agent(spec), use_net("connect-four", C4)
    words = []
    for state in positions(60, 1):
        choice = agent.choose(C4, state, Rng(1))
        moves = legal_moves(C4, state)
        wins = [m for m in moves if outcome(C4, transition(C4, state, m)) == WON]
        if wins:
            assert choice.move in wins
        elif "policy" in spec:
            logits = net.evaluate(np.array([pack(C4, state)], np.uint64))[0, 1:]
            assert choice.move == max(moves, key=lambda move: logits[move])
        else:
            scores = {}
            for move in moves:
                after = transition(C4, state, move)
                word = np.array([pack(C4, after)], np.uint64)
                over = outcome(C4, after) != RUNNING
                scores[move] = 0.0 if over else -net.evaluate(word, "no" not in spec)[0, 0]
            best = max(scores.values())
            assert scores[choice.move] == pytest.approx(best, abs=1e-3)
            assert choice.values[choice.move] == pytest.approx(best, abs=1e-3)
        words.append(pack(C4, state))
    sets = agent.best_moves(C4, np.array(words, np.uint64))
    for state, bits in zip(positions(60, 1), sets, strict=True):
        assert set(bit_indices(bits)) <= set(legal_moves(C4, state))
        assert agent.candidates(C4, state)


def test_values_are_for_the_player_to_move():
    """Three in a row with both ends open: whoever it is, its owner is glad of it."""
    won, lost = replay(C4, "444455")[0], replay(C4, "4444553")[0]
    values = parse_agent("net").choose(C4, won, Rng(1)).values
    assert max(values.values()) > 0.5
    assert max(parse_agent("net").choose(C4, lost, Rng(1)).values.values()) < -0.5


@pytest.mark.parametrize(
    "spec",
    [
        "mcts:value=net:connect-four,iterations=60",
        pytest.param(
            "mcts:value=net:connect-four,iterations=60,batch=4,mirror=no,weight=1,select=uct2,"
            "solver=yes",
            marks=pytest.mark.thorough,
        ),
        "mcts:value=net:connect-four,iterations=60,amaf=rave,playout=lgr,threads=2,tree=keep",
        "puct:iterations=40",
        "puct:iterations=40,batch=2,mirror=no,solver=no,choose=value,cp=3,fpu=0",
    ],
)
def test_the_same_seed_plays_the_same_game(spec):
    agent = parse_agent(spec)
    check_agent(agent, C4)
    one, other = (play_match(C4, [agent, parse_agent("random")], 3) for _ in range(2))
    assert one.moves == other.moves
    assert one.utilities[0] == 1
    assert agent_spec(agent).startswith(spec.partition(":")[0])


def test_puct_sees_a_win_and_a_threat():
    agent = parse_agent("puct:iterations=50")
    choice = agent.choose(C4, replay(C4, "445566")[0], Rng(1))
    assert choice.move in (2, 6)
    assert choice.notes[choice.move] == "proven win"
    assert agent.choose(C4, replay(C4, "4142431")[0], Rng(1)).move == 3


def test_more_thought_is_better_thought():
    """200 simulations do not lose to the bare policy from either side."""
    search, bare = parse_agent("puct:iterations=200"), parse_agent("net:by=policy")
    points = [play_match(C4, [search, bare], 1).utilities[0]]
    points.append(play_match(C4, [bare, search], 1).utilities[1])
    assert points[0] == 1
    assert sum(points) >= 0


@pytest.mark.parametrize(
    ("spec", "game", "complaint"),
    [
        ("net", "connectx:5x5", "trained for connect-four"),
        ("puct", "tic-tac-toe", "trained for connect-four"),
        ("net:dense,by=policy", "connect-four", "dense has no policy"),
        ("puct:dense", "connect-four", "use it as mcts:value=net:dense"),
        ("net:nowhere", "connect-four", 'No net "nowhere"'),
        ("mcts:value=net:nowhere", "connect-four", 'No net "nowhere"'),
        ("mcts:value=net:connect-four", "nim", "trained for connect-four"),
        ("alphabeta:value=net:connect-four", "connect-four", "that is for mcts"),
    ],
)
def test_who_cannot_play_says_why(spec, game, complaint):
    game = parse_game(game)
    with pytest.raises(SpielwerkError, match=complaint):
        check_agent(parse_agent(spec), game)


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("mcts:batch=8", "batch means nothing without value=net:NET"),
        ("mcts:mirror=no,value=lines", "mirror means nothing without value=net:NET"),
        ("puct:cp=0,fpu=0", "never look at a second move"),
        ("puct:iterations=1", "iterations"),
    ],
)
def test_options_that_mean_nothing(spec, complaint):
    with pytest.raises(SpecError, match=complaint):
        parse_agent(spec)


def test_nets_play_at_equal_time():
    agents = [parse_agent(spec) for spec in ("puct", "mcts:value=net:dense", "mcts")]
    puct, valued, plain = measure_speeds(C4, agents, rounds=3, iterations=50)
    assert 0 < puct < valued < plain
