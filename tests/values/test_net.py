"""Nets as they are played: what they see, what they say, and which files are refused."""

import json

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from spielwerk.errors import SpielwerkError
from spielwerk.games.connectx import connectx
from spielwerk.games.connectx_notation import to_kaggle
from spielwerk.games.rules import RUNNING, image, initial, legal_moves, outcome, pack, transition
from spielwerk.kernels.rng import Rng
from spielwerk.values.model import HEADER
from spielwerk.values.net import NetHeader, find_net, open_net, read_header, shipped_nets, use_net
from spielwerk.values.net_inputs import REPRESENTATIONS, encode, input_shape, mirror
from spielwerk.values.net_memory import NetMemory

C4 = connectx()
SMALL = connectx(4, 5, 3)


def states(game, count, seed):
    """Positions of random games in which the game goes on."""
    rng, found = Rng(seed), []
    while len(found) < count:
        state = initial(game)
        while outcome(game, state) == RUNNING:
            found.append(state)
            legal = legal_moves(game, state)
            state = transition(game, state, legal[rng.below(len(legal))])
    return found[:count]


def packed(game, some):
    return np.array([pack(game, state) for state in some], np.uint64)


def seen(game, state, representation):
    """The slow way: from Kaggle's list, cell by cell."""
    board = np.array(to_kaggle(game, state), float).reshape(game.rows, game.cols)
    first_to_move = (board > 0).sum() % 2 == 0
    one, two = (board == 1).astype(float), (board == 2).astype(float)
    if representation == "naive":
        return board[None]
    if representation == "regular":
        return (one - two)[None]
    if representation == "planes":
        return np.array([one, two, np.full(board.shape, float(first_to_move))])
    return np.array([one, two] if first_to_move else [two, one])


@pytest.mark.parametrize("game", [C4, SMALL], ids=["connect-four", "small"])
@pytest.mark.parametrize("representation", REPRESENTATIONS)
def test_a_net_sees_the_board(game, representation):
    some = states(game, 60, 1)
    inputs = np.full((60, *input_shape(representation, game)), np.nan, np.float32)
    encode(game, REPRESENTATIONS.index(representation), packed(game, some), inputs)
    for state, one in zip(some, inputs, strict=True):
        assert np.array_equal(one, seen(game, state, representation))


def test_the_third_plane_is_zero_when_the_first_player_has_moved_last():
    """Göppert 2020, §5.2, in so many words."""
    inputs = np.zeros((2, 3, 6, 7), np.float32)
    begin = initial(C4)
    encode(C4, 2, packed(C4, [begin, transition(C4, begin, 3)]), inputs)
    assert (inputs[0, 2].all(), inputs[1, 2].any()) == (True, False)


def test_mirror_images():
    some = states(C4, 50, 2)
    mirrored = np.zeros(50, np.uint64)
    mirror(C4, packed(C4, some), mirrored)
    assert np.array_equal(mirrored, packed(C4, [image(C4, state, 1) for state in some]))


def test_the_mean_of_a_position_and_its_image():
    """§5.5; the policy's columns change places."""
    net, some = use_net("connect-four", C4), states(C4, 40, 3)
    straight = net.evaluate(packed(C4, some), symmetric=False)
    turned = net.evaluate(packed(C4, [image(C4, s, 1) for s in some]), symmetric=False)
    mean = net.evaluate(packed(C4, some))
    assert np.allclose(mean[:, 0], (straight[:, 0] + turned[:, 0]) / 2, atol=1e-5)
    assert np.allclose(mean[:, 1:], (straight[:, 1:] + turned[:, :0:-1]) / 2, atol=1e-4)
    assert not np.allclose(straight[:, 1:], mean[:, 1:], atol=1e-4)


@pytest.mark.parametrize("symmetric", [True, False])
def test_what_was_said_is_remembered(symmetric):
    net, some = use_net("connect-four", C4), states(C4, 80, 4)
    memory = NetMemory(net, symmetric)
    words = packed(C4, some)
    fresh = np.unique(words).size
    for _ in range(2):
        assert np.allclose(memory(words), net.evaluate(words, symmetric), atol=1e-4)
    assert memory.asked == 160
    assert memory.known >= 80
    images = packed(C4, [image(C4, state, 1) for state in some])
    before = memory.known
    assert np.allclose(memory(images), net.evaluate(images, symmetric), atol=1e-4)
    if symmetric:
        assert memory.known - before == 80
    else:
        assert memory.known - before < fresh


def test_a_small_memory_forgets_and_stays_right():
    net, some = use_net("connect-four", C4), packed(C4, states(C4, 200, 5))
    memory = NetMemory(net, True, bits=3)
    for begin in range(0, 200, 20):
        part = some[begin : begin + 20]
        assert np.allclose(memory(part), net.evaluate(part), atol=1e-4)


# --- files --------------------------------------------------------------------------------------


def header(**changes):
    known = {"game": "connect-four", "representation": "own", "target": "minimax"}
    return NetHeader(**known | {"mover": True, "policy": False} | changes)


def write_net(path, text, planes=2, rows=6, cols=7, outputs=1):
    """A net that adds everything up, with a header."""
    graph = helper.make_graph(
        [
            helper.make_node("Flatten", ["board"], ["flat"]),
            helper.make_node("MatMul", ["flat", "weights"], ["value"]),
        ],
        "sum",
        [helper.make_tensor_value_info("board", TensorProto.FLOAT, ["n", planes, rows, cols])],
        [helper.make_tensor_value_info("value", TensorProto.FLOAT, ["n", outputs])],
        [
            helper.make_tensor(
                "weights",
                TensorProto.FLOAT,
                [planes * rows * cols, outputs],
                [0.01] * (planes * rows * cols * outputs),
            )
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    if text is not None:
        entry = model.metadata_props.add()
        entry.key, entry.value = HEADER, text
    path.write_bytes(model.SerializeToString())
    return path


def test_values_are_for_the_player_to_move_from_minus_one_to_one(tmp_path):
    """A net may speak of the owner, and from 0 to 1 (§5.2)."""
    some = packed(C4, states(C4, 30, 6))
    plain = open_net(write_net(tmp_path / "a.onnx", header().to_json()), C4)
    stones = [int(word).bit_count() for word in some]
    assert len(set(stones)) > 3
    said = plain.evaluate(some, symmetric=False)[:, 0]
    owner = open_net(write_net(tmp_path / "b.onnx", header(mover=False).to_json()), C4)
    assert np.allclose(owner.evaluate(some, symmetric=False)[:, 0], -said)
    normal = open_net(write_net(tmp_path / "c.onnx", header(target="normal").to_json()), C4)
    assert np.allclose(normal.evaluate(some, symmetric=False)[:, 0], 2 * said - 1, atol=1e-6)


@pytest.mark.parametrize(
    ("text", "shape", "complaint"),
    [
        (None, {}, "not one of Spielwerk's"),
        ("no json", {}, "header cannot be read"),
        (json.dumps({"kind": "tree", "version": 1}), {}, "it is a tree"),
        (json.dumps(json.loads(header().to_json()) | {"version": 9}), {}, "another version"),
        (json.dumps(json.loads(header().to_json()) | {"target": "x"}), {}, 'No target "x"'),
        (json.dumps(json.loads(header().to_json()) | {"more": 1}), {}, "header cannot be read"),
        (header().to_json(), {"planes": 3}, "wrong shape"),
        (header().to_json(), {"rows": 5}, "wrong shape"),
        (header().to_json(), {"outputs": 2}, "wrong shape"),
        (header(policy=True).to_json(), {}, "wrong shape"),
        (header(game="connectx:5x4").to_json(), {}, "trained for connectx:5x4"),
    ],
)
def test_a_wrong_file_is_refused_in_a_sentence(tmp_path, text, shape, complaint):
    path = write_net(tmp_path / "net.onnx", text, **shape)
    with pytest.raises(SpielwerkError, match=complaint):
        open_net(path, C4)


def test_what_is_no_net_at_all(tmp_path):
    path = tmp_path / "net.onnx"
    path.write_bytes(b"no net")
    with pytest.raises(SpielwerkError, match="is no net, or damaged"):
        open_net(path, C4)
    path.write_bytes(shipped_nets()["connect-four"].read_bytes()[:5000])
    with pytest.raises(SpielwerkError, match="is no net, or damaged"):
        open_net(path, C4)
    with pytest.raises(SpielwerkError, match='No net "connect-for"'):
        find_net("connect-for")
    with pytest.raises(SpielwerkError, match="holds no finished net"):
        find_net(str(tmp_path.parent))


def test_shipped_nets_tell_how_they_were_made():
    assert "connect-four" in shipped_nets()
    for path in shipped_nets().values():
        origin = read_header(path).origin
        assert origin["command"].startswith("spielwerk train connect-four ")
        assert isinstance(origin["seed"], int)
        assert path.stat().st_size < 2_000_000
        onnx.checker.check_model(onnx.load(path))
