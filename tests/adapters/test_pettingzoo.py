"""The environments: PettingZoo's own tests, what is seen, what it is worth, how it ends."""

import copy
import pickle
import subprocess
import sys
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from skipbo_hidden import shuffle_hidden

from spielwerk.adapters import pettingzoo as zoo
from spielwerk.adapters.pettingzoo.encodings import FIRST_SEAT, SEAT_ROWS, observe
from spielwerk.agents.agent import Choice
from spielwerk.agents.catalogue import parse_agent
from spielwerk.arena.match import play_match
from spielwerk.errors import IllegalMoveError, SpecError, SpielwerkError
from spielwerk.games import skipbo as sb
from spielwerk.games.catalogue import parse_game
from spielwerk.games.notation import draw, parse_position
from spielwerk.games.rules import (
    RUNNING,
    WON,
    legal_moves,
    observation,
    outcome,
    player,
    rule,
    transition,
)
from spielwerk.kernels.bits import ONE, U64, ZERO, signed
from spielwerk.kernels.rng import Rng

SPECS = [
    "connect-four",
    "connectx:5x4,k=3",
    "connectx:2x9,k=3",
    "tic-tac-toe",
    "nim:n=10",
    "nim:n=40,k=5",
    "skip-bo:stock=3",
    "skip-bo:players=4,stock=2",
    "skip-bo:players=3,turns=5",
]


def play(env, seed, rng=None):
    """A random match: the moves, and what every agent was paid when it was over."""
    env.reset(seed=seed)
    rng, moves, paid = rng or Rng(seed), [], {}
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        action = None
        if terminated or truncated:
            paid[agent] = reward
        else:
            assert reward == 0
            legal = np.flatnonzero(seen["action_mask"])
            action = int(legal[rng.below(len(legal))])
            moves.append(action)
        env.step(action)
    return moves, [paid[agent] for agent in env.possible_agents]


def positions(spec, seeds=range(3)):
    """All positions of some random matches, the last ones included."""
    env = zoo.raw_env(spec)
    for seed in seeds:
        env.reset(seed=seed)
        rng = Rng(seed)
        yield env
        while outcome(env.game, env.position) == RUNNING:
            moves = legal_moves(env.game, env.position)
            env.step(moves[rng.below(len(moves))])
            yield env


class Kayles(NamedTuple):
    """A user's game: knock down one pin, or two side by side (docs/add-a-game.md)."""

    pins: int


class KaylesState(NamedTuple):
    standing: np.uint64
    turn: np.uint64


def _rules_of_kayles():
    @rule(Kayles)
    def initial(game):
        return KaylesState((ONE << U64(game.pins)) - ONE, ZERO)

    @rule(Kayles)
    def action_count(game):
        return 2 * game.pins - 1

    @rule(Kayles)
    def player(game, state):
        return signed(state.turn)

    @rule(Kayles)
    def actions(game, state):
        pairs = state.standing & (state.standing >> ONE)
        return state.standing | (pairs << U64(game.pins))

    @rule(Kayles)
    def transition(game, state, move):
        hit = ONE << U64(move) if move < game.pins else U64(3) << U64(move - game.pins)
        return KaylesState(state.standing & ~hit, state.turn ^ ONE)

    @rule(Kayles)
    def outcome(game, state):
        return WON if state.standing == ZERO else RUNNING


_rules_of_kayles()


# What PettingZoo demands. It warns of what its own classics do, too: observations are dictionaries,
# an empty board is all zeros, and so is the mask of whoever cannot move.
OWN_WAYS = [
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably",
    "ignore:Observation numpy array is all zeros",
    "ignore:Action mask numpy array is all zeros",
]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.filterwarnings(*OWN_WAYS)
def test_pettingzoo_accepts_the_environment(spec):
    from pettingzoo.test import api_test, seed_test

    api_test(zoo.env(spec), num_cycles=300)
    api_test(zoo.raw_env(spec), num_cycles=30)
    seed_test(lambda: zoo.env(spec), num_cycles=300)


def test_what_an_environment_says_of_itself():
    env = zoo.env("skip-bo:players=3,stock=10")
    assert env.metadata["name"] == str(env) == "skip-bo:players=3,stock=10"
    assert env.metadata["render_modes"] == ["human", "ansi", "rgb_array"]
    assert env.metadata["is_parallelizable"] is False
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    assert env.action_space("player_1").n == 61
    assert env.observation_space("player_1")["observation"].shape == (71, 14)
    assert zoo.env(parse_game("connectx:5x4,k=3")).metadata["name"] == "connectx:5x4,k=3"


# What an agent sees.


@pytest.mark.parametrize("spec", SPECS)
def test_the_mask_is_the_legal_moves_of_whoever_is_to_move(spec):
    for env in positions(spec):
        legal = legal_moves(env.game, env.position)
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            may_move = seat == player(env.game, env.position)
            assert np.flatnonzero(seen["action_mask"]).tolist() == (list(legal) if may_move else [])


def test_a_board_is_seen_from_both_sides():
    env = zoo.env("connectx:3x4,k=3")
    env.reset()
    for column in (1, 1, 3):
        env.step(column)
    first, second = (env.observe(agent)["observation"] for agent in env.agents)
    assert first[:, :, 0].tolist() == [[0, 0, 0, 0], [0, 0, 0, 0], [0, 1, 0, 1]]
    assert first[:, :, 1].tolist() == [[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
    assert np.array_equal(second, first[:, :, ::-1])


@pytest.mark.parametrize("spec", ["connect-four", "tic-tac-toe"])
def test_a_board_shows_what_the_drawing_shows(spec):
    for env in positions(spec):
        rows = draw(env.game, env.position).split("\n")
        for seat, marks in enumerate(("XO", "OX")):
            planes = env.observe(f"player_{seat}")["observation"]
            for mark, plane in zip(marks, np.moveaxis(planes, 2, 0), strict=True):
                shown = [[int(cell == mark) for cell in row.split()] for row in rows]
                assert plane.tolist() == shown[: len(plane)]


def test_nim_shows_the_stones_that_are_left():
    env = zoo.env("nim:n=6,k=3")
    env.reset()
    env.step(1)
    for agent in env.agents:
        assert env.observe(agent)["observation"].tolist() == [1, 1, 1, 1, 0, 0]


@pytest.mark.parametrize("spec", ["skip-bo:players=2,stock=5", "skip-bo:players=4,stock=3"])
def test_nothing_hidden_is_seen(spec):
    """The cards that a player cannot see may be any: it sees the same, whoever is to move."""
    rng, changed = Rng(11), 0
    for number, env in enumerate(positions(spec)):
        if number % 5:
            continue
        truth = env.position
        seen = [env.observe(agent) for agent in env.possible_agents]
        for seat, agent in enumerate(env.possible_agents):
            env.position = shuffle_hidden(env.game, truth, seat, rng)
            changed += env.position != truth
            again = env.observe(agent)
            assert np.array_equal(again["observation"], seen[seat]["observation"])
            assert np.array_equal(again["action_mask"], seen[seat]["action_mask"])
        env.position = truth
    assert changed > 20


def test_skip_bo_shows_all_cards_that_are_known():
    for env in positions("skip-bo:players=3,stock=4"):
        state = env.position
        for seat, agent in enumerate(env.possible_agents):
            rows = env.observe(agent)["observation"].astype(int)
            heaps = rows[1:]
            discards = np.concatenate([own_rows(rows, place)[2::5] for place in range(3)])
            held = [own_rows(rows, place)[:2] for place in range(3)]
            counted = [*heaps[: FIRST_SEAT - 1], *discards, *np.concatenate(held)]
            assert rows[0, 0] + rows[0, 1] + sum(heap[0] for heap in counted) == sb.CARDS
            assert rows[0, 2] == (state.open[sb.TURN] - seat) % 3
            assert np.array_equal(rows[1:5, 0], list(state.open[sb.PILES : sb.PILES + 4]))
            assert all(heap[1:].sum() == heap[0] for heap in [*rows[1:5], *discards])
            for place in range(3):
                other, own = (seat + place) % 3, own_rows(rows, place)
                stock, hand = own[:2]
                base = sb.SEATS + other * sb.SEAT
                assert stock[0] == state.open[base + sb.STOCK]
                assert np.flatnonzero(stock[1:]).tolist() == (
                    [state.open[base + sb.TOP] - 1] if stock[0] else []
                )
                assert hand[1:].sum() == (hand[0] if place == 0 else 0)
                for pile in range(4):
                    top = own[3 + 5 * pile]
                    card = sb.discard_top(sb.read_table(state), other, pile)
                    assert np.flatnonzero(top[1:]).tolist() == ([card - 1] if card else [])


def own_rows(rows, place):
    """The rows of one player, counted from the viewer."""
    return rows[FIRST_SEAT + place * SEAT_ROWS :][:SEAT_ROWS]


def test_a_skip_bo_table_by_hand():
    """Piles with a wild, a discard pile of more than four cards, a hand with equal cards."""
    env = zoo.raw_env("skip-bo")
    env.reset(seed=1)
    table = bytearray(env.position.open)
    table[sb.PILES], table[sb.WILDS] = 3, 0b10
    table[sb.HAND : sb.HAND + 5] = bytes([2, 2, 7, 12, sb.WILD])
    base = sb.SEATS + sb.SEAT
    table[base + sb.HEIGHTS + 1] = 5
    begin = base + sb.DISCARDS + sb.PILE
    table[begin : begin + 5] = bytes([9, 4, 4, 11, 1])
    env.position = env.position._replace(open=bytes(table))
    rows = env.observe("player_0")["observation"]
    assert cards(rows[1]) == [1, 3, 13]
    assert cards(own_rows(rows, 0)[1]) == [2, 2, 7, 12, 13]
    pile = own_rows(rows, 1)[2 + 5 :][:5]
    assert [cards(row) for row in pile] == [[1, 4, 4, 9, 11], [1], [11], [4], [4]]
    assert cards(own_rows(env.observe("player_1")["observation"], 0)[1]) == sorted(
        env.position.closed[sb.HANDS + 5 : sb.HANDS + 10].strip(b"\0")
    )


def cards(row):
    assert row[0] == row[1:].sum()
    return [kind for kind in range(1, 14) for _ in range(row[kind])]


# Matches.


@pytest.mark.parametrize("spec", SPECS)
def test_an_environment_plays_the_match_of_its_seed(spec):
    class Scripted:
        def choose(self, game, observation, rng):
            return Choice(moves.pop(0))

    env = zoo.env(spec)
    for seed in range(4):
        moves, paid = play(env, seed)
        played = len(moves)
        match = play_match(env.unwrapped.game, [Scripted()] * len(paid), seed)
        assert not moves
        assert len(match.moves) == played
        assert match.final == env.unwrapped.position
        assert list(match.utilities) == paid


@pytest.mark.parametrize(
    ("spec", "agents"),
    [
        ("tic-tac-toe", ["alphabeta:depth=2", "random"]),
        ("skip-bo:players=3,stock=3", ["random", "random", "random"]),
        pytest.param(
            "skip-bo:players=3,stock=3",
            ["skipbo-mature", "random", "skipbo-basic"],
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_our_agents_in_a_loop_play_the_match_of_that_seed(spec, agents):
    env = zoo.env(spec)
    chosen = dict(
        zip(env.possible_agents, [zoo.AgentPolicy(env, spec) for spec in agents], strict=True)
    )
    everyone = zoo.AgentPolicy(env, "random")
    for seed in (5, 5, 6):
        final = [loop(env, seed, chosen), loop(env, seed, dict.fromkeys(chosen, everyone))]
        players = [[env.unwrapped.game, names] for names in (agents, ["random"] * len(agents))]
        for end, (game, names) in zip(final, players, strict=True):
            assert end == play_match(game, [parse_agent(name) for name in names], seed).final


def loop(env, seed, chosen):
    env.reset(seed=seed)
    for agent in env.agent_iter():
        *_, terminated, truncated, _ = env.last(observe=False)
        env.step(None if terminated or truncated else chosen[agent]())
    return env.unwrapped.position


def test_an_agent_in_a_loop_is_asked_at_the_right_time_only():
    env = zoo.env("nim:n=2,k=1")
    chooser = zoo.AgentPolicy(env, "random")
    with pytest.raises(SpielwerkError, match=r"call reset\(\) first"):
        chooser()
    env.reset()
    env.step(chooser())
    env.step(chooser())
    with pytest.raises(SpielwerkError, match="The game is over"):
        chooser()
    with pytest.raises(SpielwerkError, match="knows Skip-Bo only"):
        zoo.AgentPolicy(env, "skipbo-basic")
    with pytest.raises(SpielwerkError, match="environment of Spielwerk's is needed, not 'nim'"):
        zoo.AgentPolicy("nim", "random")


def test_a_seed_decides_all_matches_that_follow():
    env, other = zoo.env("skip-bo"), zoo.env("skip-bo")

    def hands(env, resets):
        found = []
        for seed in resets:
            env.reset(seed=seed)
            found.append(env.last()[0]["observation"].tobytes())
        return found

    first, second, third = hands(env, [4, None, None])
    assert len({first, second, third}) == 3
    assert hands(other, [4, None, None]) == [first, second, third]
    assert hands(other, [4, 4]) == [first, first]
    assert env.unwrapped.episode == 3
    seed = env.unwrapped.match_seed
    assert hands(other, [seed]) == [third]
    unseeded = [hands(zoo.env("skip-bo"), [None])[0] for _ in range(2)]
    assert unseeded[0] != unseeded[1]


@pytest.mark.parametrize("seed", [-1, 1 << 64, 1.5, "one"])
def test_what_is_no_seed_is_refused(seed):
    env = zoo.env("nim")
    with pytest.raises(SpielwerkError, match="A seed is a whole number from 0"):
        env.reset(seed=seed)


# How games end.


def test_a_player_may_move_several_times_in_a_row():
    env = zoo.env("skip-bo:stock=3")
    turns = []
    env.reset(seed=2)
    for agent in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        turns.append(agent)
        # The lowest action lays a card, if one fits.
        env.step(None if terminated or truncated else int(seen["action_mask"].argmax()))
    assert any(one == other for one, other in pairwise(turns))


def test_the_limit_of_turns_truncates_and_being_stuck_terminates():
    env = zoo.env("skip-bo:players=3,turns=4")
    env.reset(seed=1)
    while env.agents and not any(env.truncations.values()):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[-1]))
        assert not any(env.terminations.values())
    assert all(env.truncations.values())
    assert list(env.rewards.values()) == [0, 0, 0]
    final = env.unwrapped.position
    stuck = bytearray(final.open)
    stuck[sb.PASSES] = 3
    assert zoo.is_cut_short(env.unwrapped.game, final)
    assert not zoo.is_cut_short(env.unwrapped.game, final._replace(open=bytes(stuck)))


def test_whoever_wins_gets_one_and_all_others_lose_one():
    env = zoo.env("skip-bo:players=4,stock=1")
    for seed in range(40):
        _, paid = play(env, seed)
        if 1 in paid:
            break
    assert sorted(paid) == [-1, -1, -1, 1]


def test_an_illegal_action_ends_the_game_as_in_pettingzoos_classics(caplog):
    env = zoo.env("connectx:1x2,k=2")
    env.reset()
    env.step(0)
    env.step(0)
    assert "Illegal move made" in caplog.text
    assert env.rewards == {"player_0": 0, "player_1": -1}
    assert all(env.terminations.values())
    paid = {}
    for agent in env.agent_iter():
        paid[agent] = env.last()[1]
        env.step(None)
    assert paid == {"player_0": 0, "player_1": -1}
    env.reset()
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(2)
    with pytest.raises(AssertionError, match="reset"):
        zoo.env("nim").step(0)


def test_without_wrappers_an_illegal_action_is_an_error_and_changes_nothing():
    env = zoo.raw_env("connectx:1x2,k=2")
    env.reset()
    env.step(np.int32(0))
    before = env.position
    with pytest.raises(IllegalMoveError, match="Column 1 is full"):
        env.step(0)
    with pytest.raises(IllegalMoveError, match="no column number 7"):
        env.step(7)
    with pytest.raises(SpielwerkError, match="An action is a whole number, not None"):
        env.step(None)
    assert env.position == before
    assert env.agent_selection == "player_1"


def test_nothing_can_be_asked_before_a_match_or_of_strangers():
    env = zoo.raw_env("nim", "ansi")
    for ask in (env.render, lambda: env.step(0), lambda: env.observe("player_0")):
        with pytest.raises(SpielwerkError, match=r"No match has begun: call reset\(\) first"):
            ask()
    env.reset()
    with pytest.raises(SpielwerkError, match=r'No agent "player_2".*Known: player_0, player_1'):
        env.observe("player_2")


def test_an_environment_can_be_copied_and_sent():
    env = zoo.env("skip-bo")
    env.reset(seed=3)
    for _ in range(5):
        env.step(int(env.last()[0]["action_mask"].argmax()))
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert twin.unwrapped.position == env.unwrapped.position
        twin.step(int(twin.last()[0]["action_mask"].argmax()))
        assert twin.unwrapped.position != env.unwrapped.position


# Rendering.


@pytest.mark.parametrize("spec", SPECS)
def test_ansi_is_what_the_terminal_draws_for_whoever_is_to_move(spec):
    env = zoo.env(spec, render_mode="ansi")
    env.reset(seed=1)
    begin = env.render()
    play(env, 1)
    game, state = env.unwrapped.game, env.unwrapped.position
    assert env.render() == draw(game, observation(game, state)) != begin


@pytest.mark.parametrize("spec", SPECS)
def test_a_picture_changes_with_every_move(spec):
    env = zoo.env(spec, render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    assert before.dtype == np.uint8
    assert before.ndim == 3
    assert before.shape[2] == 3
    env.step(int(env.last()[0]["action_mask"].argmax()))
    after = env.render()
    assert after.shape == before.shape
    assert not np.array_equal(before, after)


def test_stones_have_their_colours_in_the_picture():
    game = parse_game("connectx:2x3,k=3")
    picture = zoo.picture(game, parse_position(game, "13"))
    centres = picture[24::48, 24::48]
    yellow, red, hole = [240, 180, 41], [204, 59, 47], [22, 58, 115]
    assert centres.tolist() == [[hole, hole, hole], [yellow, hole, red]]
    game = parse_game("tic-tac-toe")
    picture = zoo.picture(game, parse_position(game, "12"))
    blue, ground = [20, 80, 168], [246, 244, 239]
    assert picture[24, 24::48].tolist() == [blue, ground, ground]  # a cross, a ring, nothing
    red_pixels = (picture == [176, 42, 28]).all(axis=2)
    assert red_pixels[:48, 48:96].any()
    assert not red_pixels[:, 96:].any()
    game = parse_game("nim:n=8,k=3")
    picture = zoo.picture(game, parse_position(game, "3"))
    lying = (picture[12::24, 12::24] == [141, 145, 153]).all(axis=2)
    assert lying.sum() == 5


def test_of_skip_bo_only_the_hand_of_whoever_is_to_move_is_drawn():
    game = parse_game("skip-bo:players=2,stock=5")
    env = zoo.raw_env(game, "rgb_array")
    env.reset(seed=2)
    picture, rng = env.render(), Rng(1)
    env.position = shuffle_hidden(game, env.position, player(game, env.position), rng)
    assert np.array_equal(env.render(), picture)
    env.position = shuffle_hidden(game, env.position, 1 - player(game, env.position), rng)
    assert not np.array_equal(env.render(), picture)


def test_human_prints_and_no_mode_warns(capsys):
    env = zoo.env("tic-tac-toe", render_mode="human")
    env.reset()
    env.step(4)
    assert capsys.readouterr().out == ". . .\n. . .\n. . .\n\n. . .\n. X .\n. . .\n\n"
    env = zoo.env("tic-tac-toe")
    env.reset()
    with pytest.warns(UserWarning, match="without a render mode"):
        assert env.render() is None
    env.close()
    with pytest.raises(SpielwerkError, match='Did you mean "rgb_array"'):
        zoo.env("tic-tac-toe", render_mode="rgb")


# Games of users; what is missing.


def test_what_is_no_game_is_refused():
    with pytest.raises(SpecError, match='Did you mean "connect-four"'):
        zoo.env("conect-four")
    with pytest.raises(SpielwerkError, match="A game or its spec is needed"):
        zoo.env(4)


@pytest.mark.filterwarnings(*OWN_WAYS)
def test_a_users_game_needs_an_encoding_and_nothing_else():
    from pettingzoo.test import api_test

    game = Kayles(5)
    with pytest.raises(SpielwerkError, match="Kayles has no encoding"):
        zoo.env(game)

    @zoo.encode.register
    def _(game: Kayles, seen, who) -> np.ndarray:
        return np.array([int(seen.standing) >> pin & 1 for pin in range(game.pins)], np.int8)

    @zoo.encoding_limits.register
    def _(game: Kayles) -> np.ndarray:
        return np.ones(game.pins, np.int8)

    env = zoo.env(game, render_mode="rgb_array")
    api_test(env, num_cycles=20)
    env.reset()
    env.step(5)
    assert env.observe("player_0")["observation"].tolist() == [0, 0, 1, 1, 1]
    assert env.render().std() > 0


def test_what_a_game_hides_is_not_shown_for_want_of_a_rule():
    class Secret(NamedTuple):
        size: int

    @rule(Secret)
    def player(game, state):
        return 0

    @rule(Secret)
    def observation(game, state):
        return "what player 0 knows"

    assert zoo.view(Secret(1), "all", 0) == "what player 0 knows"
    with pytest.raises(SpielwerkError, match="Secret hides something"):
        zoo.view(Secret(1), "all", 1)


def test_nothing_of_pettingzoo_is_loaded_before_it_is_needed():
    code = (
        "import sys, spielwerk, spielwerk.adapters; one = set(sys.modules);"
        "import spielwerk.adapters.pettingzoo as zoo;"
        "from spielwerk import parse_game, parse_agent, play_match;"
        "game = parse_game('nim');"
        "play_match(game, [zoo.PolicyAgent(lambda seen: 0), parse_agent('random')], seed=1);"
        "print({'pettingzoo', 'gymnasium', 'numpy'} & one, "
        "{'pettingzoo', 'gymnasium', 'matplotlib'} & set(sys.modules))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "set() set()\n"


def test_without_pettingzoo_one_is_told_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    for make in (zoo.env, zoo.raw_env):
        with pytest.raises(SpielwerkError, match=r"pip install 'spielwerk\[pettingzoo\]'"):
            make("nim")


def test_observe_serves_positions_without_an_environment():
    game = parse_game("tic-tac-toe")
    state = transition(game, parse_position(game, ""), 4)
    seen = observe(game, zoo.view(game, state, 1), 1)
    assert seen["observation"][1, 1].tolist() == [0, 1]
    assert seen["action_mask"].sum() == 8
