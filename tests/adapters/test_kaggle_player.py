"""What a submission is made of: the plain player, and an agent that must answer in time."""

import random
import threading
import time
from dataclasses import dataclass

import pytest

from spielwerk.adapters.kaggle import player as module
from spielwerk.adapters.kaggle.plain import PlainPlayer
from spielwerk.adapters.kaggle.player import KagglePlayer, in_time, read_turn
from spielwerk.agents.agent import Choice
from spielwerk.agents.catalogue import AGENTS, parse_agent, register_agent
from spielwerk.agents.kaggle import kaggle_board
from spielwerk.games.connectx import connectx
from spielwerk.games.rules import (
    RUNNING,
    WON,
    initial,
    legal_moves,
    outcome,
    player,
    transition,
)
from spielwerk.kernels import interrupt

BOARDS = [(6, 7, 4), (4, 5, 3), (5, 4, 4), (3, 3, 3), (1, 4, 2), (10, 5, 4)]
LATER = 10.0**9


def observation(board, mark, bank=60.0):
    return {"board": board, "mark": mark, "remainingOverageTime": bank, "step": 0}


def configuration(rows=6, columns=7, inarow=4, seconds=2.0):
    return {"rows": rows, "columns": columns, "inarow": inarow, "actTimeout": seconds}


def random_positions(size, chance, count):
    """Positions of random games in which the game goes on."""
    game = connectx(*size)
    while count:
        state = initial(game)
        while outcome(game, state) == RUNNING:
            yield game, state
            count -= 1
            if not count:
                return
            state = transition(game, state, chance.choice(legal_moves(game, state)))


@pytest.mark.parametrize("size", BOARDS)
def test_the_plain_player_knows_the_rules(size, chance):
    plain = PlainPlayer(*size)
    for game, state in random_positions(size, chance, 60):
        board, mark = kaggle_board(game, state), player(game, state) + 1
        mine, theirs = plain.stones(board, mark)
        assert (mine, mine | theirs) == (state.mine, state.filled)
        moves = plain._moves(mine | theirs)
        assert sorted(column for column, _ in moves) == list(legal_moves(game, state))
        for column, stone in moves:
            after = transition(game, state, column)
            assert plain.wins(mine | stone) == (outcome(game, after) == WON)


def minimax(game, state):
    """The value for the player to move, by trying everything."""
    if outcome(game, state) != RUNNING:
        return -1 if outcome(game, state) == WON else 0
    return max(-minimax(game, transition(game, state, m)) for m in legal_moves(game, state))


def test_with_enough_time_the_plain_player_is_perfect(chance):
    plain = PlainPlayer(3, 4, 3)
    for game, state in random_positions((3, 4, 3), chance, 60):
        if state.filled.bit_count() < 3:
            continue
        move = plain.choose(kaggle_board(game, state), player(game, state) + 1, LATER)
        assert -minimax(game, transition(game, state, move)) == minimax(game, state)


def test_the_plain_player_answers_at_once_if_it_must():
    """Win, block, middle: without any time."""
    plain = PlainPlayer(8, 9, 5)
    board = [0] * 72
    assert plain.choose(board, 1, deadline=0.0) == 4
    for column in (0, 1, 2, 3):
        board[63 + column] = 2
    assert plain.choose(board, 1, deadline=0.0) == 4
    for row in (3, 4, 5, 6):
        board[9 * row + 8] = 1
    board[71] = 2
    assert plain.choose(board, 1, deadline=0.0) == 8


def test_kaggles_board_is_row_major_from_the_top():
    """`mark` says who we are: the same board is another position for the other player."""
    game, state = connectx(), initial(connectx())
    for move in (3, 3, 6):
        state = transition(game, state, move)
    board = kaggle_board(game, state)
    assert [place for place, owner in enumerate(board) if owner] == [31, 38, 41]
    assert (board[31], board[38], board[41]) == (2, 1, 1)
    turn = read_turn(observation(board, 2), configuration(), 0.0)
    seen = module._state(game, turn, PlainPlayer(6, 7, 4))
    assert seen == state


@pytest.mark.parametrize("size", [*BOARDS, (8, 9, 5), (2, 40, 6)])
def test_every_board_is_played_to_its_end(size):
    """Boards that a machine word cannot hold are the plain player's."""
    players = [KagglePlayer("alphabeta:depth=2,value=lines", "random"), KagglePlayer("random")]
    rows, columns, inarow = size
    plain, board = PlainPlayer(*size), [0] * (rows * columns)
    settings = configuration(rows, columns, inarow, seconds=0.02)
    for ply in range(rows * columns):
        mark = 1 + ply % 2
        column = players[ply % 2](observation(list(board), mark), settings)
        assert type(column) is int
        assert board[column] == 0
        row = max(r for r in range(rows) if board[columns * r + column] == 0)
        board[columns * row + column] = mark
        if plain.wins(plain.stones(board, mark)[0]):
            return
    assert 0 not in board


@dataclass(frozen=True)
class Sleeper:
    """An agent that never answers, unless its kernel is asked to stop."""

    begun = threading.Event()
    stopped = threading.Event()

    def choose(self, game, observation, rng):
        def kernel(flag):
            self.begun.set()
            while not flag[0]:
                time.sleep(0.001)
            self.stopped.set()

        interrupt.run(kernel)
        return Choice(0)


@pytest.fixture
def sleeper():
    register_agent("sleeper", "never answers", Sleeper)
    yield Sleeper
    del AGENTS["sleeper"]


def test_who_is_late_is_stopped_and_the_plain_player_answers(sleeper):
    player = KagglePlayer("sleeper", "random")
    board = [0] * 42
    move = player(observation(board, 1, bank=0.0), configuration(seconds=0.05))
    assert move in (2, 3, 4)
    assert sleeper.begun.is_set()
    assert sleeper.stopped.wait(5)
    board[38], board[31] = 1, 2
    # It is then left alone for a while: the other one plays.
    sleeper.begun.clear()
    for stones in ((), (24, 17), (10, 3)):
        for number, place in enumerate(stones):
            board[place] = 1 + number
        asked = not sleeper.begun.is_set()
        player(observation(board, 1, bank=0.0), configuration(seconds=0.05))
        assert asked
    assert sleeper.begun.is_set()  # two moves later it is asked again


def test_a_cold_agent_may_draw_on_more_of_the_bank(sleeper):
    turn = read_turn(observation([0] * 42, 1, bank=45.0), configuration(), began=100.0)
    assert turn.until(module.IN_TIME) == 101.6
    assert turn.until(module.IN_TIME, module.COLD) == 131.6  # five seconds are nobody's
    assert turn.until(module.IN_TIME, module.WARM) == 111.6
    empty = read_turn(observation([0] * 42, 1, bank=-1.0), configuration(), began=100.0)
    assert empty.until(module.IN_TIME, module.COLD) == 101.6


def test_only_the_first_move_of_a_process_is_cold(sleeper, monkeypatch):
    """Whoever was late does not draw on three quarters again, nor does the one that plays next."""
    waited = []
    monkeypatch.setattr(module.Thought, "wait", lambda thought, until: waited.append(until))
    player = KagglePlayer("sleeper", "sleeper")
    for bank in (45.0, 25.0):
        turn = observation([0] * 42, 1, bank)
        player(turn, configuration(), began=100.0)
        for seat in player._seats.values():
            seat.late = None  # as if it had come back
    assert [until - 101.6 for until in waited] == pytest.approx([30.0, 5.0])


def test_nothing_else_begins_while_someone_is_late(sleeper, monkeypatch, capfd):
    """Two compilations at once would take twice as long: the plain player answers alone."""
    monkeypatch.setattr(module.Thought, "stop", lambda thought: None)
    player, quick = KagglePlayer("sleeper", "random"), configuration(seconds=0.02)
    board = [0] * 42
    try:
        for place, owner in ((38, 1), (31, 2), (24, 1), (17, 2)):
            if owner == 1:
                assert player(observation(board, 1, bank=0.0), quick) in range(7)
            board[place] = owner
        told = capfd.readouterr().err.splitlines()
        assert told == [
            "spielwerk: the plain player answers: sleeper is late.",
            "spielwerk: the plain player answers: sleeper is not ready.",
        ]
    finally:
        for seat in player._seats.values():
            seat.late._flag[0] = 1


def test_searches_by_the_clock_keep_kaggles():
    agent = in_time(parse_agent("mcts"), 1.6)
    assert (agent.iterations, agent.seconds) == (10_000, 1.6)
    assert in_time(parse_agent("mcts:seconds=1"), 1.6).seconds == 1
    assert in_time(parse_agent("mcts:seconds=9"), 1.6) == parse_agent("mcts:seconds=1.6")
    assert in_time(parse_agent("perfect"), 1.6) == parse_agent("perfect")


@dataclass(frozen=True)
class Broken:
    def choose(self, game, observation, rng):
        raise ZeroDivisionError


def test_who_fails_is_replaced_and_the_log_says_why(capfd):
    register_agent("broken", "fails", Broken)
    try:
        move = KagglePlayer("broken")(observation([0] * 42, 1), configuration(seconds=0.05))
        assert move in range(7)
    finally:
        del AGENTS["broken"]
    told = capfd.readouterr().err
    assert "ZeroDivisionError" in told
    assert "spielwerk: the plain player answers: broken failed." in told


def test_an_impossible_question_still_gets_a_legal_answer():
    """A mark that is not to move, a game that is over, a full board: never an exception."""
    player, quick = KagglePlayer("random"), configuration(seconds=0.05)
    board = [0] * 42
    board[38] = 1
    assert board[player(observation(board, 1), quick)] == 0
    board[35:39], board[28:32] = [1] * 4, [2] * 4
    assert board[player(observation(board, 1), quick)] == 0
    assert player(observation([1, 2] * 21, 1), quick) in range(7)


def test_same_seed_same_moves():
    """Also in the next game of the same process. Without one, Python's own chance decides."""

    def moves(seed, player=None):
        chance, found = random.Random(1), []
        player = player or KagglePlayer("random", seed=seed)
        for game, state in random_positions((6, 7, 4), chance, 12):
            board = kaggle_board(game, state)
            found.append(player(observation(board, 1 + len(found) % 2), configuration()))
        return found

    assert moves(5) == moves(5)
    assert moves(5) != moves(6)
    twice = KagglePlayer("random", seed=5)
    assert moves(5, twice) == moves(5, twice)
    free = []
    for seed in (3, 3, 4):
        random.seed(seed)
        free.append(moves(None))
    assert free[0] == free[1] != free[2]


def test_the_pace_of_another_game_is_another_one():
    player = KagglePlayer("mcts:iterations=5,seconds=9")
    for seconds in (2.0, 0.5):
        player(observation([0] * 42, 1), configuration(seconds=seconds))
    paces = [seat.agent.seconds for seat in player._seats.values()]
    assert paces == pytest.approx([1.4, 0.35])
