"""The API of open games: positions, moves, opinions, exact values, and what is refused."""

from dataclasses import replace
from itertools import pairwise

import pytest
from fastapi.testclient import TestClient

from spielwerk.games.catalogue import parse_game
from spielwerk.web.app import create_app
from spielwerk.web.opponents import opponents
from spielwerk.web.settings import Settings

SETTINGS = Settings(warm=False, hosts=("testserver",))


@pytest.fixture(scope="module")
def client():
    with TestClient(create_app(replace(SETTINGS, think_seconds=15.0))) as made:
        yield made


def position(client, **place):
    answer = client.get("/api/position", params=place)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(answer):
    """The code and the sentence of a refusal."""
    assert answer.status_code == 422, answer.text
    return answer.json()["error"], answer.json()["message"]


# Positions -------------------------------------------------------------------------------------


def test_a_position_is_its_moves(client):
    found = position(client, moves="4453")
    assert (found["mover"], found["began"], found["outcome"]) == (1, 1, "running")
    assert found["legal"] == found["names"] == list("1234567")
    stones = {piece["cell"]: (piece["key"], piece["owner"]) for piece in found["pieces"]}
    assert stones == {38: ("m1", 1), 31: ("m2", 2), 39: ("m3", 1), 37: ("m4", 2)}


def test_moves_may_be_written_with_spaces_and_commas(client):
    assert position(client, moves="4, 4 5,3")["moves"] == "4453"


def test_a_won_game_shows_its_line_and_no_moves(client):
    found = position(client, moves="1212121")
    assert (found["outcome"], found["winner"], found["mover"]) == ("won", 1, None)
    assert found["line"] == [14, 21, 28, 35]
    assert found["legal"] == []


def test_a_drawn_game_has_no_winner(client):
    found = position(client, game="tic-tac-toe", moves="123546879")
    assert (found["outcome"], found["winner"], found["line"]) == ("drawn", None, [])


@pytest.mark.parametrize(
    "start",
    [
        "4453",
        "......./......./......./......./...O.../..OXX..",
        str([0] * 31 + [2] + [0] * 5 + [2, 1, 1, 0, 0]),
    ],
)
def test_a_start_may_be_moves_a_drawing_or_a_list(client, start):
    found = position(client, start=start, moves="4")
    assert sorted((piece["cell"], piece["owner"]) for piece in found["pieces"]) == [
        (24, 1), (31, 2), (37, 2), (38, 1), (39, 1)
    ]  # fmt: skip
    assert [piece["key"] for piece in found["pieces"] if piece["cell"] == 24] == ["m1"]
    assert (found["start"], found["moves"], found["began"]) == (start, "4", 1)


def test_who_begins_after_a_start_follows_from_its_stones(client):
    found = position(client, start="445")
    assert (found["began"], found["mover"]) == (2, 2)


def test_nim_counts_its_stones(client):
    found = position(client, game="nim:n=10,k=4", moves="42")
    assert (found["total"], found["stones"], found["taken"]) == (10, 4, [4, 2])
    assert found["names"] == list("1234")


def test_a_game_of_a_thousand_moves_is_soon_found(client):
    assert position(client, game="nim:n=1000", moves="1" * 999)["stones"] == 1


@pytest.mark.parametrize(
    ("place", "code", "reason"),
    [
        ({"moves": "4444444"}, "illegal-move", "Column 4 is full"),
        ({"moves": "8"}, "illegal-move", 'There is no column "8"'),
        ({"moves": "12121212"}, "illegal-move", "The game is over"),
        ({"start": "X......" + "/......." * 5}, "impossible-position", "floats"),
        ({"start": "......./" * 5 + "XXX...."}, "impossible-position", "take turns"),
        ({"start": "[1, 2]"}, "wrong-input", "has 2 cells"),
        ({"start": "[" * 1500}, "wrong-input", "nested too deeply"),
        ({"game": "connectx:9x9,k=4"}, "unknown-spec", "64 at most"),
        ({"game": "connectx:0x4"}, "unknown-spec", "rows"),
        ({"game": "nim:n=2000"}, "unknown-spec", "1000"),
        ({"game": "chess"}, "unknown-spec", "chess"),
        ({"game": "skip-bo"}, "wrong-input", "nothing hidden"),
        ({"moves": "1" * 1501}, "wrong-input", "moves"),
    ],
)
def test_wrong_places_are_refused_with_the_reason(client, place, code, reason):
    found, message = refused(client.get("/api/position", params=place))
    assert found == code
    assert reason in message


# Programs --------------------------------------------------------------------------------------


def ask(client, path, **asked):
    return client.post(f"/api/{path}", json=asked)


def test_a_program_moves_and_the_position_follows(client):
    moved = ask(client, "move", moves="112233", agent="alphabeta:depth=2").json()
    assert moved["thought"]["move"] == "4"
    assert moved["position"]["moves"] == "1122334"
    assert moved["position"]["winner"] == 1


def test_same_seed_same_move(client):
    wish = {"moves": "44", "agent": "mcts:iterations=60", "seed": 12}
    first, second = (ask(client, "move", **wish).json() for _ in range(2))
    for answer in (first, second):
        del answer["thought"]["seconds"]
    assert first == second
    without = ask(client, "move", moves="44", agent="random").json()
    again = ask(client, "move", moves="44", agent="random", seed=without["seed"]).json()
    assert again["thought"]["move"] == without["thought"]["move"]


def test_an_opinion_of_every_move(client):
    found = ask(client, "analysis", game="tic-tac-toe", agent="mcts:iterations=200", seed=1).json()
    thought = found["thought"]
    assert set(thought["values"]) == set("123456789")
    assert sum(thought["visits"].values()) == thought["iterations"] == 200
    assert all(-1 <= value <= 1 for value in thought["values"].values())


def test_exact_values_say_who_wins_and_when(client):
    exact = ask(client, "exact", game="nim:n=6").json()["exact"]
    assert {move: (value["result"], value["plies"]) for move, value in exact.items()} == {
        "1": ("loss", 4),
        "2": ("win", 3),
        "3": ("loss", 2),
    }


@pytest.mark.parametrize(
    ("wish", "code", "reason"),
    [
        ({"agent": "mtcs"}, "unknown-spec", 'Did you mean "mcts"'),
        ({"agent": "human"}, "unknown-spec", "people play in the browser"),
        ({"agent": "skipbo-basic"}, "wrong-input", "Skip-Bo"),
        ({"agent": "mcts:memory=4096"}, "unknown-spec", "megabytes"),
        ({"agent": "ntuple:../../etc/passwd"}, "unknown-spec", "model"),
        ({"agent": "net:../../etc/passwd"}, "unknown-spec", "net"),
        ({"agent": "puct:/etc/passwd"}, "unknown-spec", "net"),
        ({"agent": "mcts:value=net:/etc/passwd"}, "unknown-spec", "net"),
        ({"agent": "random", "moves": "1212121"}, "wrong-input", "yellow has won"),
        ({"agent": "random", "seed": -1}, "wrong-input", "seed"),
        ({"agent": "random", "seed": 2**53}, "wrong-input", "seed"),
        ({"agent": "random", "moves": 3}, "wrong-input", "moves"),
    ],
)
def test_wrong_wishes_are_refused_with_the_reason(client, wish, code, reason):
    for path in ("move", "analysis"):
        found, message = refused(ask(client, path, **wish))
        assert found == code
        assert reason in message


def test_a_program_can_be_asked_for_before_it_plays(client):
    known = client.get("/api/player", params={"agent": "mcts:iterations=7", "game": "nim"})
    assert known.json() == {"game": "nim", "agent": "mcts:iterations=7"}
    code, message = refused(client.get("/api/player", params={"agent": "mcts:iterations=none"}))
    assert code == "unknown-spec"
    assert "iterations" in message


@pytest.mark.parametrize(
    "game", ["connect-four", "connectx:4x4,k=3", "connectx:7x8", "tic-tac-toe", "nim", "nim:n=900"]
)
def test_every_program_of_a_menu_plays_its_game(client, game):
    menu = client.get("/api/opponents", params={"game": game}).json()
    assert [entry["level"] for entry in menu][:3] == ["chance", "beginner", "casual"]
    assert [entry["hints"] for entry in menu].count(True) == 1
    for entry in menu:
        known = client.get("/api/player", params={"agent": entry["spec"], "game": game})
        assert known.status_code == 200, known.text


def test_what_takes_too_long_is_not_in_a_menu():
    games = ("connect-four", "connectx:5x6", "connectx:7x8", "nim:n=900")
    levels = {game: [o.level for o in opponents(parse_game(game))] for game in games}
    assert [game for game in games if "perfect" not in levels[game]] == ["connectx:7x8"]


# Live ------------------------------------------------------------------------------------------


def answers(socket):
    """All answers to what was asked for last."""
    found = [socket.receive_json()]
    while not found[-1]["done"]:
        found.append(socket.receive_json())
    return found


def test_a_tree_search_is_shown_as_it_grows(client):
    wish = {"do": "analyse", "id": 5, "moves": "44", "agent": "mcts:iterations=2000", "seed": 3}
    with client.websocket_connect("/api/live") as socket:
        socket.send_json(wish)
        grown = answers(socket)
        socket.send_json(wish)
        again = answers(socket)
    visits = [answer["thought"]["visits"] for answer in grown]
    assert [sum(one.values()) for one in visits] == [100, 400, 1600, 2000]
    for younger, older in pairwise(visits):
        assert all(younger[move] <= older[move] for move in younger)
    assert {answer["id"] for answer in grown} == {5}
    assert [answer["thought"]["visits"] for answer in again] == visits
    assert grown[-1]["thought"]["line"][0] in "1234567"


def test_a_review_begins_at_the_end_and_finds_the_mistake(client):
    # X takes the centre, O an edge: lost. X wins from there.
    with client.websocket_connect("/api/live") as socket:
        socket.send_json({"do": "review", "id": 1, "game": "tic-tac-toe", "moves": "5219743"})
        found = answers(socket)
    assert [answer["ply"] for answer in found] == [6, 5, 4, 3, 2, 1, 0]
    judged = {answer["ply"]: answer for answer in found}
    assert (judged[1]["mover"], judged[1]["played"], judged[1]["kept"]) == (2, "2", False)
    assert judged[1]["best"]["result"] == "draw"
    assert judged[1]["exact"]["2"]["result"] == "loss"
    assert judged[0]["kept"]
    assert judged[6]["played"] == "3"


def test_the_position_that_is_on_the_board_is_judged_without_a_move(client):
    with client.websocket_connect("/api/live") as socket:
        socket.send_json({"do": "review", "game": "nim:n=5", "moves": "1"})
        last, first = answers(socket)
    assert (last["played"], last["kept"], last["best"]["result"]) == (None, None, "loss")
    assert (first["played"], first["kept"]) == ("1", True)


def test_positions_that_take_too_long_are_unknown():
    with (
        TestClient(create_app(replace(SETTINGS, think_seconds=0.2))) as client,
        client.websocket_connect("/api/live") as socket,
    ):
        socket.send_json({"do": "review", "game": "connectx:7x8", "moves": "4"})
        found = answers(socket)
    assert [(answer["ply"], answer["best"], answer["kept"]) for answer in found] == [
        (1, None, None),
        (0, None, None),
    ]


def test_a_review_of_nothing_ends(client):
    with client.websocket_connect("/api/live") as socket:
        socket.send_json({"do": "review", "game": "nim:n=1", "start": "1"})
        assert answers(socket) == [{"done": True, "id": 0}]


def test_live_errors_have_the_same_codes(client):
    with client.websocket_connect("/api/live") as socket:
        socket.send_json({"do": "analyse", "id": 2, "agent": "mtcs"})
        assert socket.receive_json()["error"] == "unknown-spec"
        socket.send_json({"do": "review", "id": 3, "moves": "9"})
        failure = socket.receive_json()
        assert (failure["error"], failure["id"], failure["done"]) == ("illegal-move", 3, True)
        socket.send_text("nonsense")
        assert socket.receive_json()["error"] == "wrong-input"
        socket.send_json({"do": "dance"})
        assert socket.receive_json()["error"] == "wrong-input"


def test_what_is_begun_can_be_stopped(client):
    with client.websocket_connect("/api/live") as socket:
        socket.send_json({"do": "analyse", "id": 1, "agent": "mcts:seconds=600"})
        socket.send_json({"do": "stop", "id": 1})
        socket.send_json({"do": "review", "id": 2, "game": "nim:n=3", "moves": "3"})
        assert answers(socket)[-1]["id"] == 2
