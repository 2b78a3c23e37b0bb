"""Policies as agents: what they see, what they may return, how they enter the arena."""

from collections import Counter

import numpy as np
import pytest

from spielwerk.adapters import pettingzoo as zoo
from spielwerk.agents import catalogue
from spielwerk.agents.agent import check_agent
from spielwerk.agents.catalogue import parse_agent, register_agent
from spielwerk.arena.match import play_match
from spielwerk.arena.tournament import round_robin
from spielwerk.errors import IllegalMoveError, SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.notation import parse_position
from spielwerk.games.rules import initial
from spielwerk.kernels.rng import Rng

NIM, C4 = parse_game("nim:n=10,k=3"), parse_game("connect-four")


def choose(policy, game=NIM, state=None, seed=1, **options):
    state = initial(game) if state is None else state
    return zoo.PolicyAgent(policy, **options).choose(game, state, Rng(seed)).move


def perfect_nim(seen):
    """Leaves a multiple of four."""
    return (seen["observation"].sum() % 4 or 1) - 1


@pytest.mark.parametrize("spec", ["connect-four", "nim", "skip-bo:players=3,stock=2"])
def test_a_policy_sees_what_the_environment_shows(spec):
    seen = []

    def lowest(observation):
        seen.append(observation)
        return observation["action_mask"].argmax()

    game = parse_game(spec)
    env = zoo.env(game)
    match = play_match(game, [zoo.PolicyAgent(lowest)] * len(env.possible_agents), seed=4)
    env.reset(seed=4)
    for move, observation in zip(match.moves, seen, strict=True):
        shown = env.last()[0]
        assert shown.keys() == observation.keys()
        assert all(np.array_equal(shown[key], observation[key]) for key in shown)
        env.step(move)
    assert env.unwrapped.position == match.final


def test_a_policy_in_a_tournament(monkeypatch):
    monkeypatch.setattr(catalogue, "AGENTS", dict(catalogue.AGENTS))
    register_agent("mine", "perfect at Nim", lambda: zoo.PolicyAgent(perfect_nim))
    result = round_robin(NIM, ["mine", "random"], games=200, seed=1)
    assert result.share(0) > 0.95
    assert result.interval(0)[0] > 0.9
    again = round_robin(NIM, ["mine", "random"], games=200, seed=1, threads=2)
    assert (again.wins == result.wins).all()
    perfect = round_robin(NIM, ["mine", "alphabeta:depth=12"], games=20, seed=1)
    assert perfect.first_player().wins == 20  # ten stones are won by whoever begins


def test_the_highest_legal_score_is_chosen_and_equal_ones_by_chance():
    full = parse_position(C4, "111111")
    scores = np.array([9.0, 1, 2, 5, -3, 5, 4])
    chosen = Counter(choose(lambda seen: scores, C4, full, seed) for seed in range(200))
    assert set(chosen) == {3, 5}
    assert min(chosen.values()) > 70
    logits = np.full(7, -np.inf)
    logits[6] = -1e9
    assert choose(lambda seen: logits, C4) == 6
    assert choose(lambda seen: [0, 0, 0, 0, 1, 0, 0], C4) == 4


def test_sampling_draws_by_probability_among_what_is_legal():
    full = parse_position(C4, "111111")
    shares = np.array([0.5, 0.1, 0.0, 0.4, 0.0, 0.0, 0.0])
    games = 4000
    chosen = Counter(
        choose(lambda seen: shares, C4, full, seed, sample=True) for seed in range(games)
    )
    assert set(chosen) == {1, 3}
    # 1/5 of 4000 with a standard deviation of 25: four of them on either side.
    assert abs(chosen[1] - 800) < 100
    assert choose(lambda seen: np.eye(7)[6], C4, sample=True) == 6


def test_sampling_comes_from_the_match():
    agent = zoo.PolicyAgent(lambda seen: np.full(7, 1 / 7), sample=True)
    matches = [play_match(C4, [agent, agent], seed) for seed in (1, 1, 2)]
    assert matches[0] == matches[1]
    assert matches[0].moves != matches[2].moves


@pytest.mark.parametrize(
    "action", [2, np.int64(2), np.array(2), np.int8(2)], ids=lambda action: type(action).__name__
)
def test_an_action_may_be_any_kind_of_whole_number(action):
    assert choose(lambda seen: action) == 2


@pytest.mark.thorough
def test_an_action_may_be_a_tensor():
    torch = pytest.importorskip("torch")
    assert choose(lambda seen: torch.tensor(2)) == 2
    assert choose(lambda seen: torch.tensor([0.1, 0.7, 0.2])) == 1
    with pytest.raises(SpielwerkError, match=r"Tensor, is no array of numbers.*grad"):
        choose(lambda seen: torch.tensor([0.1, 0.7, 0.2], requires_grad=True))


WRONG = {
    "shape of another game": (np.ones(7), {}, r"of shape \(3,\).*of shape \(7,\)"),
    "a batch": (np.ones((1, 3)), {}, r"of shape \(1, 3\)"),
    "no number": (0.5, {}, "an action or a number for every action, not 0.5"),
    "nothing": (None, {}, "not None"),
    "action and state": ((np.array(1), None), {}, r"returned tuple of shape \(2,\)"),
    "words": (["left", "right", "up"], {}, "list, is no array of numbers"),
    "NaN": (np.array([0.1, np.nan, 0]), {}, "NaN for a legal action"),
    "logits": (np.array([-1.0, 2, 0]), {"sample": True}, "add up to 1; these go from -1 to 2"),
    "scores": (np.array([4.0, 2, 0]), {"sample": True}, "add up to 6. Take the softmax"),
    "infinite": (np.array([np.inf, 0, 0]), {"sample": True}, "add up to inf"),
    "an action to sample": (1, {"sample": True}, "returned the action 1"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_a_policy_may_not_return(case):
    answer, options, sentence = WRONG[case]
    with pytest.raises(SpielwerkError, match=sentence):
        choose(lambda seen: answer, **options)


def test_a_policy_is_a_function():
    with pytest.raises(SpielwerkError, match="function of an observation, not 'weights"):
        zoo.PolicyAgent("weights.npy")


def test_illegal_actions_are_named_with_the_reason():
    full = parse_position(C4, "111111")
    with pytest.raises(IllegalMoveError, match=r"chose action 0, which is illegal\. Column 1 is"):
        choose(lambda seen: 0, C4, full)
    with pytest.raises(IllegalMoveError, match="no column number 7"):
        choose(lambda seen: 7, C4, full)
    with pytest.raises(SpielwerkError, match="all probability to illegal actions"):
        choose(lambda seen: np.eye(7)[0], C4, full, sample=True)


def test_a_policy_may_say_which_game_it_is_for():
    agent = zoo.PolicyAgent(perfect_nim, game="nim:k=3,n=10")
    check_agent(agent, NIM)
    with pytest.raises(SpielwerkError, match="is for nim:k=3,n=10, not for nim:n=11"):
        play_match(parse_game("nim:n=11"), [agent, parse_agent("random")], seed=1)
