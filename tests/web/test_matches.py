"""Skip-Bo matches over the API: what each seat sees, who may do what, what survives."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import httpx2 as httpx
import numpy as np
import pytest
from fastapi.testclient import TestClient
from skipbo_hidden import shuffle_hidden
from sqlalchemy import text
from starlette.websockets import WebSocketDisconnect

from spielwerk.games.rules import RUNNING, legal_moves, outcome
from spielwerk.games.skipbo import CARDS, DRAW, HAND_SIZE, HELD, SEAT, SEATS, SkipBo, hand_of
from spielwerk.kernels.rng import Rng
from spielwerk.store.matches import Matches, Seat
from spielwerk.store.store import Store
from spielwerk.web import match_names, match_room, skipbo_play
from spielwerk.web.app import create_app
from spielwerk.web.settings import Settings
from spielwerk.web.skipbo_play import begin, event_of, play
from spielwerk.web.skipbo_views import view_of

TWO = [{"person": "Anna"}, {"person": "Ben"}]
ALONE = [{"person": "Anna"}, {"agent": "random"}]


@pytest.fixture
def settings(tmp_path):
    def make(**changes):
        address = f"sqlite:///{tmp_path / 'store.sqlite'}"
        return Settings(store=address, warm=False, hosts=("testserver",), **changes)

    return make


@pytest.fixture
def client(settings):
    with TestClient(create_app(settings())) as opened:
        yield opened


def make(client, seats, game="skip-bo:stock=3", seed=5, pause=0, **more):
    body = {"game": game, "seats": seats, "seed": seed, "pause": pause, **more}
    answer = client.post("/api/matches", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def look(client, match, token=None):
    answer = client.get(f"/api/matches/{match}", headers=bearer(token) if token else {})
    assert answer.status_code == 200, answer.text
    return answer.json()


def do(client, match, what, token=None, **body):
    headers = bearer(token) if token else {}
    return client.post(f"/api/matches/{match}/{what}", json=body, headers=headers)


def two_people(client, **more):
    """A match of two, both seated: its name and their tokens."""
    made = make(client, TWO, **more)
    invitation = made["invitations"][0]["invitation"]
    taken = do(client, made["match"], "seats", invitation=invitation, name="Ben").json()
    return made["match"], [made["token"], taken["token"]]


def wait_for(client, match, token, wanted):
    for _ in range(1200):
        view = look(client, match, token)
        if wanted(view):
            return view
        time.sleep(0.05)
    raise TimeoutError(view)


# What a seat sees.


def some_game(game, seed, most=300):
    """Situations and events of a game of random moves."""
    rng = Rng(seed)
    situations, events = [begin(game, seed)], []
    while situations[-1].end is None and len(events) < most:
        moves = legal_moves(game, situations[-1].state)
        laid = [move for move in moves if move < 40]
        choice = laid if laid and rng.below(3) else moves
        move = choice[rng.below(len(choice))]
        after = play(game, situations[-1], move)
        events.append(event_of(situations[-1], move, after, len(events) + 1))
        situations.append(after)
    return situations, events


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_a_view_does_not_depend_on_what_its_viewer_cannot_see(players):
    """Whatever lies in other hands, below the tops of the stocks and in the draw pile, and whatever
    the next shuffle will be: the bytes that are sent are the same."""
    game = SkipBo(players=players, stock=4)
    seats = [Seat(f"P{number}", token="t") for number in range(players)]
    rng = Rng(players)
    compared = 0
    for seed in range(3):
        situations, events = some_game(game, seed)
        for number in range(0, len(situations), 7):
            situation = situations[number]
            for viewer in (*range(players), None):
                hidden = shuffle_hidden(game, situation.state, viewer, rng)
                other = skipbo_play._situation(game, hidden)
                sent = [
                    view_of(
                        "m", game, one, seats, events[:number], number, viewer, end=one.end
                    ).model_dump_json()
                    for one in (situation, other)
                ]
                assert sent[0] == sent[1]
                compared += hidden != situation.state
    assert compared > 100


def test_a_view_shows_the_own_hand_whoever_moves():
    game = SkipBo(players=3, stock=4)
    seats = [Seat(f"P{number}", token="t") for number in range(3)]
    situations, _ = some_game(game, 1)
    for situation in situations:
        hands = [[card for card in hand_of(situation.state, seat) if card] for seat in range(3)]
        counts = [len(hand) for hand in hands]
        for viewer in range(3):
            view = view_of("m", game, situation, seats, [], 0, viewer)
            assert view.hand == hands[viewer]
            assert [seat.held for seat in view.seats] == counts
            assert all(seat.hand is None for seat in view.seats)
            assert bool(view.legal) == (viewer == situation.mover and situation.end is None)


def test_events_account_for_every_card():
    """Drawn cards are told by number: hands and the draw pile follow from the events alone."""
    game = SkipBo(players=3, stock=4)
    for seed in range(4):
        situations, events = some_game(game, seed)
        held = [HAND_SIZE, 0, 0]
        for before, event, after in zip(situations, events, situations[1:], strict=False):
            held[event.seat] -= event.source == "hand"
            held[event.seat] += event.drawn
            if event.turn is not None:
                held[event.turn] += event.turn_drawn
            table = after.state.open
            assert held == [table[SEATS + seat * SEAT + HELD] for seat in range(3)]
            drawn = event.drawn + event.turn_drawn
            left = before.state.open[DRAW] - table[DRAW]
            assert (left != drawn) == event.shuffled
            assert event.turn == (None if event.value else after.mover)
        assert any(event.completed for event in events) or len(events) < CARDS


# Playing.


def test_a_match_is_its_deal_and_its_moves(client, settings):
    """To its end, against a program; the store alone tells the same story."""
    made = make(client, ALONE, seed=9)
    match, token = made["match"], made["token"]
    assert made["seat"] == 0
    assert made["invitations"] == []
    rng = Rng(1)
    view = look(client, match, token)
    while view["state"] == "running":
        laid = [one for one in view["legal"] if one["target"] in "1234"]
        stock = [one for one in laid if one["source"] == "stock"]
        choice = stock or laid or view["legal"]
        move = choice[rng.below(len(choice))]["move"]
        answer = do(client, match, "moves", token, move=move, after=view["number"])
        assert answer.status_code == 200, answer.text
        view = wait_for(client, match, token, lambda v: v["turn"] == 0 or v["state"] == "over")
    assert view["result"]["reason"] in ("stock", "drawn")
    store = Store.open(settings().store)
    kept = Matches(store).find(match_names.hashed(match))
    store.close()
    game = SkipBo(players=2, stock=3)
    situation = begin(game, 9)
    for move in kept.moves:
        assert outcome(game, situation.state) == RUNNING
        situation = play(game, situation, move)
    assert situation.end == kept.end
    assert kept.end.winner == view["result"]["winner"]
    assert len(kept.moves) == view["number"]


def test_who_may_move(client):
    match, (anna, ben) = two_people(client)
    other = make(client, ALONE)["token"]
    view = look(client, match, anna)
    move = {"move": view["legal"][0]["move"], "after": 0}
    for token, code in (
        (None, "not-your-seat"),
        ("x", "not-your-seat"),
        (other, "not-your-seat"),
        (ben, "not-your-turn"),
    ):
        answer = do(client, match, "moves", token, **move)
        assert (answer.status_code, answer.json()["error"]) == (403, code)
    wrong = client.post(f"/api/matches/{match}/moves", json=move, headers={"Authorization": anna})
    assert wrong.status_code == 403
    illegal = do(client, match, "moves", anna, move="7>9", after=0)
    assert (illegal.status_code, illegal.json()["error"]) == (422, "illegal-move")
    assert "Legal moves" in illegal.json()["message"]
    stale = do(client, match, "moves", anna, move=move["move"], after=3)
    assert (stale.status_code, stale.json()["error"]) == (409, "stale")
    assert do(client, match, "moves", anna, **move).status_code == 200
    assert do(client, match, "moves", anna, **move).status_code == 409  # the same again
    assert look(client, match)["number"] == 1
    assert look(client, match, ben)["events"][0]["seat"] == 0
    assert client.get("/api/matches/nowhere").status_code == 404
    assert client.get(f"/api/matches/{match}", headers=bearer("x")).status_code == 403


def test_of_two_requests_at_once_one_wins(settings):
    async def race():
        app = create_app(settings())
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as http:
            body = {"game": "skip-bo:stock=3", "seats": ALONE, "seed": 5, "pause": 5}
            made = (await http.post("/api/matches", json=body)).json()
            headers, path = bearer(made["token"]), f"/api/matches/{made['match']}"
            view = (await http.get(path, headers=headers)).json()
            move = {"move": view["legal"][0]["move"], "after": 0}
            sent = [http.post(f"{path}/moves", json=move, headers=headers) for _ in range(8)]
            codes = [answer.status_code for answer in await asyncio.gather(*sent)]
            number = (await http.get(path, headers=headers)).json()["number"]
        async with app.router.lifespan_context(app):
            pass  # closes the store
        return codes, number

    with ThreadPoolExecutor(1) as thread:  # a browser of another test may have a loop in this one
        codes, number = thread.submit(lambda: asyncio.run(race())).result()
    assert sorted(codes) == [200] + 7 * [409]
    assert number == 1


def test_two_servers_on_one_store_do_not_mix_a_match_up(settings):
    """The numbers of moves are unique: who is late is told so, and sees what has happened."""
    with TestClient(create_app(settings())) as one, TestClient(create_app(settings())) as two:
        match, (anna, _) = two_people(one)
        views = [look(client, match, anna) for client in (one, two)]
        assert views[0]["hand"] == views[1]["hand"]
        first, second = (views[0]["legal"][place]["move"] for place in (0, 1))
        assert do(one, match, "moves", anna, move=first, after=0).status_code == 200
        late = do(two, match, "moves", anna, move=second, after=0)
        assert (late.status_code, late.json()["error"]) == (409, "stale")
        assert look(two, match) == look(one, match) | {"seats": look(two, match)["seats"]}
        assert look(two, match)["number"] == 1


def test_a_server_that_is_started_again_goes_on(settings):
    with TestClient(create_app(settings())) as client:
        match, tokens = two_people(client)
        for _ in range(5):
            mover = look(client, match)["turn"]
            view = look(client, match, tokens[mover])
            move = view["legal"][-1]["move"]
            do(client, match, "moves", tokens[mover], move=move, after=view["number"])
        before = [look(client, match, token) for token in tokens]
        alone = make(client, ALONE, pause=5)  # the program will not have moved by the end
        view = look(client, alone["match"], alone["token"])
        discard = next(one["move"] for one in view["legal"] if one["target"] in "abcd")
        do(client, alone["match"], "moves", alone["token"], move=discard, after=0)
        store = Store.open(settings().store)
        with store.writing() as connection:
            connection.execute(text("UPDATE matches SET pause = 0"))
        store.close()
    with TestClient(create_app(settings())) as client:
        assert [look(client, match, token) for token in tokens] == before
        back = wait_for(client, alone["match"], alone["token"], lambda v: v["turn"] == 0)
        assert back["number"] > 1


# Seats.


def test_an_invitation_is_used_once(client):
    made = make(client, [*TWO, {"person": "Cleo"}])
    match = made["match"]
    assert [one["seat"] for one in made["invitations"]] == [1, 2]
    view = look(client, match, made["token"])
    assert view["state"] == "waiting"
    assert view["hand"] == []
    early = do(client, match, "moves", made["token"], move="s>1", after=0)
    assert (early.status_code, early.json()["error"]) == (409, "waiting")
    first = made["invitations"][0]["invitation"]
    taken = do(client, match, "seats", invitation=first, name="  Ben\n the\x07 second ")
    assert taken.json()["seat"] == 1
    again = do(client, match, "seats", invitation=first, name="Eve")
    assert (again.status_code, again.json()["error"]) == (409, "seat-taken")
    wrong = do(client, match, "seats", invitation="guessed", name="Eve")
    assert (wrong.status_code, wrong.json()["error"]) == (403, "no-invitation")
    assert [seat["name"] for seat in look(client, match)["seats"]] == [
        "Anna",
        "Ben the second",
        "Cleo",
    ]
    last = made["invitations"][1]["invitation"]
    assert do(client, match, "seats", invitation=last).status_code == 200
    assert look(client, match)["seats"][2]["name"] == "Cleo"  # as the maker wrote
    assert look(client, match)["state"] == "running"


def test_only_hashes_are_kept(client, tmp_path):
    made = make(client, TWO)
    invitation = made["invitations"][0]["invitation"]
    token = do(client, made["match"], "seats", invitation=invitation).json()["token"]
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("store.sqlite*"))
    assert match_names.hashed(token).encode() in kept
    for secret in (made["match"], made["token"], invitation, token):
        assert len(secret) >= 22
        assert secret.encode() not in kept


def test_of_two_who_leaves_has_lost(client):
    match, (anna, ben) = two_people(client)
    assert do(client, match, "resign", "x").status_code == 403
    assert do(client, match, "resign", anna).status_code == 200
    result = look(client, match, ben)["result"]
    assert result == {"winner": 1, "reason": "left", "points": 25 + 5 * 3}
    answer = do(client, match, "moves", ben, move="s>1", after=0)
    assert (answer.status_code, answer.json()["error"]) == (409, "over")


def test_nobody_waits_again_for_somebody_who_never_came(client):
    made = make(client, TWO)
    assert do(client, made["match"], "resign", made["token"]).status_code == 200
    answer = do(client, made["match"], "again", made["token"])
    assert (answer.status_code, answer.json()["error"]) == (409, "waiting")


def test_of_three_a_program_plays_on_for_who_leaves(client):
    made = make(client, [*TWO, {"agent": "random"}], pause=5)
    match, invitation = made["match"], made["invitations"][0]["invitation"]
    ben = do(client, match, "seats", invitation=invitation, name="Ben").json()["token"]
    assert do(client, match, "resign", made["token"]).status_code == 200
    seat = look(client, match, ben)["seats"][0]
    assert (seat["agent"], seat["left"], seat["name"]) == (match_room.STAND_IN, True, "Anna")
    assert client.get(f"/api/matches/{match}", headers=bearer(made["token"])).status_code == 403
    assert do(client, match, "resign", ben).status_code == 200  # the last person
    assert look(client, match)["result"] == {"winner": None, "reason": "abandoned", "points": 0}


def test_a_program_plays_for_who_is_not_there(client, monkeypatch):
    made = make(client, [*TWO, {"person": "Cleo"}], pause=5)
    match, anna = made["match"], made["token"]
    ben = do(client, match, "seats", invitation=made["invitations"][0]["invitation"]).json()[
        "token"
    ]
    assert do(client, match, "seats/2/program", "x").status_code == 403
    assert do(client, match, "seats/2/program", anna).status_code == 200  # has not come
    assert look(client, match)["state"] == "running"
    gone = do(client, match, "seats", invitation=made["invitations"][1]["invitation"])
    assert gone.status_code == 409
    early = do(client, match, "seats/1/program", anna)
    assert (early.status_code, early.json()["error"]) == (403, "still-there")
    monkeypatch.setattr(match_room, "ABSENCE", 0.0)
    with client.websocket_connect(f"/api/matches/{match}/live") as socket:
        socket.send_json({"token": ben})
        socket.receive_json()
        assert do(client, match, "seats/1/program", anna).status_code == 403  # is connected
    wait_for(client, match, anna, lambda view: not view["seats"][1]["present"])
    assert do(client, match, "seats/1/program", anna).status_code == 200
    assert do(client, match, "seats/1/program", anna).status_code == 409
    assert do(client, match, "seats/5/program", anna).status_code == 409


def test_another_match_with_the_same_players(client):
    match, tokens = two_people(client, game="skip-bo:stock=2,wilds=yes")
    early = do(client, match, "again", tokens[0])
    assert (early.status_code, early.json()["error"]) == (409, "running")
    do(client, match, "resign", tokens[0])
    assert do(client, match, "again").status_code == 403
    answers = [do(client, match, "again", token).json() for token in tokens]
    assert answers[0]["match"] == answers[1]["match"] != match
    assert [answer["seat"] for answer in answers] == [1, 0]  # the other one begins
    following = answers[0]["match"]
    assert look(client, match, tokens[1])["next"] == following
    for token, answer in zip(tokens, answers, strict=True):
        view = look(client, following, token)
        assert view["seat"] == answer["seat"]
        assert (view["state"], view["stock"], view["wilds"]) == ("running", 2, True)
    assert [seat["name"] for seat in view["seats"]] == ["Ben", "Anna"]


# Programs.


def test_programs_among_themselves_are_watched(settings):
    seats = [{"agent": "random"}, {"agent": "random"}, {"agent": "random"}]
    with TestClient(create_app(settings())) as client:
        made = make(client, seats, game="skip-bo:stock=1", seed=3)
        match = made["match"]
        assert (made["seat"], made["token"]) == (None, None)
        seen = []
        with client.websocket_connect(f"/api/matches/{match}/live") as socket:
            socket.send_json({"token": None, "hands": True})
            view = socket.receive_json()
            while view["state"] != "over":
                assert [len(seat["hand"]) for seat in view["seats"]] == [
                    seat["held"] for seat in view["seats"]
                ]
                view = socket.receive_json()
                seen += [event["number"] for event in view["events"]]
        assert seen == list(range(1, view["number"] + 1))
        assert all(seat["hand"] is None for seat in look(client, match)["seats"])
    with TestClient(create_app(settings(public=True))) as client:
        hands = client.get(f"/api/matches/{match}?hands=true").json()["seats"]
        assert all(seat["hand"] is None for seat in hands)


def test_hands_are_never_open_where_a_person_plays(client):
    made = make(client, ALONE, pause=5)
    view = client.get(f"/api/matches/{made['match']}?hands=true").json()
    assert all(seat["hand"] is None for seat in view["seats"])
    assert view["hand"] == []
    with client.websocket_connect(f"/api/matches/{made['match']}/live") as socket:
        socket.send_json({"hands": True})
        assert all(seat["hand"] is None for seat in socket.receive_json()["seats"])


def test_a_program_that_fails_does_not_stop_the_match(client, monkeypatch):
    made = make(client, [{"agent": "random"}, {"person": "Anna"}], seed=2)
    real = match_room.player_of

    def broken(spec, game, settings):
        if spec == "random":
            raise match_room.SpielwerkError("The model is gone.")
        return real("random", game, settings)

    monkeypatch.setattr(match_room, "player_of", broken)
    view = wait_for(client, made["match"], made["token"], lambda view: view["turn"] == 1)
    assert view["number"] > 0


def test_a_hint_is_for_the_own_turn(client):
    match, (anna, ben) = two_people(client)
    hint = do(client, match, "hint", anna)
    assert hint.status_code == 200
    assert hint.json()["move"] in [one["move"] for one in look(client, match, anna)["legal"]]
    assert hint.json()["after"] == 0
    assert do(client, match, "hint", ben).status_code == 403
    assert do(client, match, "hint").status_code == 403
    assert look(client, match)["number"] == 0


def test_the_tutorial_is_the_same_for_everybody(settings):
    hands = set()
    with TestClient(create_app(settings(public=True))) as client:
        for name in ("Anna", "Ben"):
            made = client.post("/api/matches/tutorial", json={"name": name}).json()
            hands.add(tuple(look(client, made["match"], made["token"])["hand"]))
    assert len(hands) == 1


# Live.


def test_live_messages_tell_each_what_it_may_see(client):
    match, tokens = two_people(client)
    path = f"/api/matches/{match}/live"
    with client.websocket_connect(path) as anna, client.websocket_connect(path) as onlooker:
        anna.send_json({"token": tokens[0]})
        first = anna.receive_json()
        assert first["hand"] == look(client, match, tokens[0])["hand"]
        onlooker.send_json({})
        assert onlooker.receive_json()["hand"] == []
        assert first["seats"][0]["present"]
        assert not first["seats"][1]["present"]
        discard = next(one for one in first["legal"] if one["target"] in "abcd")
        do(client, match, "moves", tokens[0], move=discard["move"], after=0)
        for socket, hand in ((anna, 4), (onlooker, 0)):
            view = socket.receive_json()
            assert len(view["hand"]) == hand
            assert view["legal"] == []
            (event,) = view["events"]
            assert (event["source"], event["card"], event["target"]) == (
                "hand",
                discard["card"],
                discard["target"],
            )
            assert (event["turn"], event["turn_drawn"]) == (1, 5)
        with client.websocket_connect(path) as ben:
            ben.send_json({"token": tokens[1]})
            assert len(ben.receive_json()["hand"]) == 5
            assert anna.receive_json()["seats"][1]["present"]
        assert not anna.receive_json()["seats"][1]["present"]


@pytest.mark.parametrize(
    ("match", "first", "code"),
    [
        (None, '{"token": "wrong"}', 4403),
        ("nowhere", "{}", 4404),
        (None, "what?", 1013),
        (None, '{"token": 5}', 1013),
    ],
)
def test_wrong_greetings_are_refused(client, match, first, code):
    match = match or make(client, ALONE)["match"]
    with client.websocket_connect(f"/api/matches/{match}/live") as socket:
        socket.send_text(first)
        with pytest.raises(WebSocketDisconnect) as refused:
            socket.receive_json()
    assert refused.value.code == code


def test_listeners_are_limited(settings):
    with TestClient(create_app(settings(listeners=1))) as client:
        path = f"/api/matches/{make(client, ALONE)['match']}/live"
        with client.websocket_connect(path) as one:
            one.send_json({})
            one.receive_json()
            with client.websocket_connect(path) as two:
                with pytest.raises(WebSocketDisconnect) as refused:
                    two.receive_json()
                assert (refused.value.code, refused.value.reason) == (1013, "busy")


# Limits.


def test_matches_are_limited_and_stale_ones_make_room(settings):
    with TestClient(create_app(settings(matches=2))) as client:
        made = [make(client, ALONE, pause=5) for _ in range(2)]
        body = {"seats": ALONE}
        refused = client.post("/api/matches", json=body)
        assert (refused.status_code, refused.json()["error"]) == (429, "too-many")
        look(client, made[0]["match"])
        store = Store.open(settings().store)
        with store.writing() as connection:
            yesterday = "2000-01-01T00:00:00+00:00"
            query = "UPDATE matches SET touched = :at WHERE id = :id"
            oldest = match_names.hashed(made[0]["match"])
            connection.execute(text(query), {"at": yesterday, "id": oldest})
        store.close()
        assert client.post("/api/matches", json=body).status_code == 200
        assert look(client, made[0]["match"])["result"]["reason"] == "abandoned"
        assert look(client, made[1]["match"])["state"] == "running"


def test_strangers_choose_no_deal(settings):
    """On a public server a seed would let its maker know all cards."""
    with TestClient(create_app(settings(public=True))) as client:
        tops = set()
        for _ in range(6):
            made = make(client, ALONE, seed=5)
            view = look(client, made["match"], made["token"])
            tops.add((*view["hand"], *(seat["top"] for seat in view["seats"])))
    assert len(tops) > 1


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"seats": [{"person": "Anna"}]}, "at least 2"),
        ({"seats": [{"person": "A"}] * 7}, "at most 6"),
        ({"seats": [{}, {"person": "A"}]}, "a person or for an agent"),
        ({"seats": [{"person": "A", "agent": "random"}, {"person": "B"}]}, "a person or for"),
        ({"seats": [{"person": "A" * 31}, {"person": "B"}]}, "at most 30"),
        ({"seats": [{"person": "A"}, {"agent": "rnadom"}]}, 'Did you mean "random"'),
        ({"seats": [{"person": "A"}, {"agent": "human"}]}, "no program"),
        ({"seats": [{"person": "A"}, {"agent": "skipbo-td:/etc/passwd"}]}, "No model"),
        ({"seats": [{"person": "A"}, {"agent": "perfect"}]}, ""),
        ({"seats": ALONE, "game": "nim"}, "Skip-Bo"),
        ({"seats": ALONE, "game": "skip-bo:players=3"}, "for 3 players, the table has 2"),
        ({"seats": ALONE, "game": "skip-bo:stock=99"}, "1 to 30"),
        ({"seats": ALONE, "seed": 2**53}, "less than"),
        ({"seats": ALONE, "pause": 6}, "less than"),
    ],
)
def test_wrong_wishes_are_refused_with_a_reason(client, body, said):
    answer = client.post("/api/matches", json=body)
    assert answer.status_code == 422
    assert said in answer.json()["message"]
    assert answer.json()["message"].strip()


def test_boxed_stocks_follow_from_the_seats(client):
    for count, stock in ((2, 30), (5, 20)):
        seats = [{"person": "Anna"}, *([{"agent": "random"}] * (count - 1))]
        made = make(client, seats, game="skip-bo:stock=boxed", pause=5)
        assert look(client, made["match"], made["token"])["stock"] == stock


def test_hidden_cards_are_all_that_was_shuffled():
    """The twin that the property test leans on keeps every card in the game."""
    game = SkipBo(players=3, stock=4)
    state = begin(game, 4).state
    other = shuffle_hidden(game, state, 1, Rng(1))
    count = [np.bincount(list(s.open[:24] + s.closed[8:]), minlength=14) for s in (state, other)]
    assert other != state
    assert (count[0] == count[1]).all()
