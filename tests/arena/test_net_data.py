"""Data for nets: what is in them, and what is on which side."""

from functools import cache

import numpy as np
import pytest

from spielwerk.agents.catalogue import parse_agent
from spielwerk.arena.match import play_match
from spielwerk.arena.net_data import GAMES, make_net_data
from spielwerk.arena.net_training import data_for, net_settings_of
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.rules import (
    RUNNING,
    WON,
    image,
    initial,
    legal_moves,
    outcome,
    pack,
    transition,
    unpack,
)
from spielwerk.kernels.rng import derive_seed
from spielwerk.learning.nets.config import NetConfig
from spielwerk.learning.nets.data import MAKING, read_data
from spielwerk.learning.nets.shuffling import shuffled

SPEC = "connectx:rows=4,cols=4,k=3"


def config(**changes):
    return NetConfig(**{"data": "d", "players": "random", "matches": 60, **changes})


def by_hand(spec, settings, seed):
    """Every position and mirror image, with the outcomes for its owner: the slow way."""
    game, agent = parse_game(spec), parse_agent(settings.players)
    found = {}
    for number in range(settings.matches):
        match = play_match(game, [agent, agent], derive_seed(seed, GAMES, number))
        state = initial(game)
        states = [(state, 0.0)]
        for ply, move in enumerate(match.moves):
            state = transition(game, state, move)
            states.append((state, match.utilities[ply % 2]))
        for state, worth in states:
            words = {int(pack(game, image(game, state, number))) for number in range(2)}
            # An image of itself counts twice as much on both sides of the mean: not at all.
            for word in words:
                found.setdefault(word, []).append(worth)
    return {word: float(np.mean(worths)) for word, worths in found.items()}


def rows_of(data):
    words = np.concatenate([data.training.words, data.held_out.words])
    values = np.concatenate([data.training.values, data.held_out.values])
    return dict(zip(words.tolist(), values.tolist(), strict=True))


def images_of(game, words):
    return {int(pack(game, image(game, unpack(game, word), 1))) for word in words}


def test_every_position_has_the_mean_outcome_of_its_owner():
    data, wanted = make_net_data(SPEC, config(), 5), by_hand(SPEC, config(), 5)
    rows, counts = rows_of(data), data.origin["counts"]
    assert rows == pytest.approx(wanted, abs=1e-6)
    assert counts["mirrored"] == len(wanted) == counts["training"] + counts["held_out"]
    assert counts["unique"] < counts["mirrored"] < 2 * counts["unique"]
    assert rows[int(pack(parse_game(SPEC), initial(parse_game(SPEC))))] == 0
    assert len(set(rows.values())) > 3  # means, not outcomes alone


def test_a_position_and_its_image_are_on_the_same_side():
    game, data = parse_game(SPEC), make_net_data(SPEC, config(positions=501), 6)
    training = set(data.training.words.tolist())
    held_out = set(data.held_out.words.tolist())
    assert len(training) + len(held_out) == 501
    assert 0.05 * 501 <= len(held_out) <= 0.05 * 501 + 2
    assert not training & held_out
    assert not training & images_of(game, data.held_out.words)
    assert images_of(game, data.held_out.words) == held_out
    assert len(training - images_of(game, data.training.words)) <= 1  # the last one drawn


def test_threads_change_nothing_and_the_seed_does():
    alone, together = (make_net_data(SPEC, config(), 7, threads=n) for n in (1, 3))
    np.testing.assert_array_equal(alone.digest(), together.digest())
    assert alone.origin == together.origin
    assert not np.array_equal(alone.digest(), make_net_data(SPEC, config(), 8).digest())


def test_exact_values_are_those_of_perfect_play():
    game = parse_game(SPEC)

    @cache
    def worth(word):
        """To the player to move."""
        state = unpack(game, np.uint64(word))
        if outcome(game, state) != RUNNING:
            return -1 if outcome(game, state) == WON else 0
        return max(
            -worth(int(pack(game, transition(game, state, move))))
            for move in legal_moves(game, state)
        )

    rows = rows_of(make_net_data(SPEC, config(exact=True, matches=20), 1, threads=2))
    empty = int(pack(game, initial(game)))
    assert rows == {word: 0 if word == empty else -worth(word) for word in rows}
    assert worth(empty) != 0  # the empty board is nobody's all the same
    assert set(rows.values()) == {-1, 0, 1}


def test_progress_is_told():
    told = []
    make_net_data(SPEC, config(matches=5, exact=True), 1, progress=lambda *now: told.append(now))
    assert told[4] == ("games", 5, 5)
    what, done, total = told[-1]
    assert what == "positions solved"
    assert done == total > 0


@pytest.mark.parametrize(
    ("spec", "changes", "message"),
    [
        ("tic-tac-toe", {}, "Nets are for ConnectX boards, not for tic-tac-toe"),
        (SPEC, {"players": "human"}, "made by programs"),
        (SPEC, {"players": "mtcs"}, 'Did you mean "mcts"'),
        ("connectx:rows=7,cols=8", {"exact": True}, "too large to be solved: set exact=no"),
        (SPEC, {"positions": 2, "held_out": 0.9}, "2 positions are too few"),
    ],
)
def test_what_cannot_be_made_is_told(spec, changes, message):
    with pytest.raises(SpielwerkError, match=message):
        make_net_data(spec, config(**changes), 1)


def test_a_file_is_made_once_and_says_how(tmp_path):
    path = tmp_path / "folder" / "data.safetensors"
    settings = config(data=str(path))
    made = data_for(SPEC, settings, 3, "the command")
    assert (made.origin["command"], made.origin["seed"]) == ("the command", 3)
    assert {name: made.origin[name] for name in MAKING} == {
        name: getattr(settings, name) for name in MAKING
    }
    kept = path.read_bytes()
    again = data_for(SPEC, config(data=str(path)), 4, "another")
    np.testing.assert_array_equal(again.digest(), made.digest())
    assert (again.origin, path.read_bytes()) == (made.origin, kept)
    found, _ = net_settings_of(SPEC, None, None, ["epochs=3"], str(path))
    assert (found.matches, found.players, found.epochs) == (60, "random", 3)
    with pytest.raises(SpielwerkError, match="was made with matches=60, not 61"):
        net_settings_of(SPEC, None, None, ["matches=61"], str(path))


def test_a_file_of_something_else_is_refused(tmp_path):
    path = tmp_path / "data.safetensors"
    with pytest.raises(SpielwerkError, match="the file is not there"):
        read_data(path, SPEC)
    path.write_bytes(b"nonsense")
    with pytest.raises(SpielwerkError, match="no file of Spielwerk's, or damaged"):
        read_data(path, SPEC)
    make_net_data(SPEC, config(), 1).save(path)
    with pytest.raises(SpielwerkError, match=r"has positions of connectx:.*not of connect-four"):
        read_data(path, "connect-four")
    from spielwerk.values.model import shipped_models

    with pytest.raises(SpielwerkError, match="holds no data for nets"):
        read_data(shipped_models()["nim"], SPEC)


def test_a_shuffle_is_fair():
    """Each of the six orders of three, 6000 times: 1000 ± 5 standard deviations (29)."""
    orders = [tuple(shuffled(3, derive_seed(1, number)).tolist()) for number in range(6000)]
    counts = {order: orders.count(order) for order in set(orders)}
    assert len(counts) == 6
    assert all(855 <= count <= 1145 for count in counts.values())
    assert sorted(shuffled(1000, 1).tolist()) == list(range(1000))
