"""One match: who moves, what is seen, what is undone, what is refused."""

import pytest

from spielwerk.agents.agent import Choice, Resign, TakeBack
from spielwerk.agents.catalogue import parse_agent
from spielwerk.arena.match import play_match
from spielwerk.errors import IllegalMoveError, SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.notation import format_moves, replay
from spielwerk.games.rules import legal_moves

C4, NIM = parse_game("connect-four"), parse_game("nim:n=6,k=4")


class Scripted:
    """Gives these decisions, one after the other; a number is a move."""

    def __init__(self, *decisions, is_person=False):
        self.decisions, self.is_person = list(decisions), is_person

    def choose(self, game, observation, rng):
        decision = self.decisions.pop(0)
        return Choice(decision) if isinstance(decision, int) else decision


@pytest.mark.parametrize("spec", ["connect-four", "tic-tac-toe", "nim:n=50"])
def test_same_seed_same_match(spec):
    game = parse_game(spec)
    agents = [parse_agent("alphabeta:depth=3"), parse_agent("random")]
    matches = [play_match(game, agents, seed=5) for _ in range(2)]
    assert matches[0] == matches[1]
    others = {play_match(game, agents, seed=seed).moves for seed in range(20)}
    assert len(others) > 1


def test_a_match_can_be_replayed_from_its_moves():
    match = play_match(C4, [parse_agent("random")] * 2, seed=3)
    state, moves = replay(C4, format_moves(match.moves))
    assert (state, moves) == (match.final, match.moves)
    assert sorted(match.utilities) in ([-1, 1], [0, 0])
    assert all(seconds > 0 for seconds in match.seconds)


class Wasteful:
    """Plays the leftmost column and draws a number of its own for nothing."""

    def __init__(self, draws):
        self.draws = draws

    def choose(self, game, observation, rng):
        for _ in range(self.draws):
            rng.bits()
        return Choice(legal_moves(game, observation)[0])


def test_the_chances_of_one_seat_do_not_depend_on_the_other():
    first, second = (
        play_match(C4, [Wasteful(draws), parse_agent("random")], seed=8) for draws in (0, 5)
    )
    assert first == second


def test_a_match_begins_anywhere():
    start, _ = replay(C4, "4453")
    match = play_match(C4, [parse_agent("random")] * 2, seed=1, start=start)
    assert match.start == start
    assert match.moves[0] in legal_moves(C4, start)
    finished, _ = replay(C4, "1122334")
    assert play_match(C4, [parse_agent("random")] * 2, seed=1, start=finished).utilities == (1, -1)


def test_an_illegal_move_is_an_error_that_names_everything():
    with pytest.raises(IllegalMoveError) as error:
        play_match(C4, [Scripted(2, 2, 2, 2), Scripted(2, 2, 2)], seed=1)
    assert str(error.value) == (
        "Scripted made an illegal move. Column 3 is full after 333333. Legal columns: 1 2 4 5 6 7."
    )
    with pytest.raises(IllegalMoveError, match="There is no column number 7"):
        play_match(C4, [Scripted(7), Scripted()], seed=1)


def test_an_illegal_move_from_a_start_position_says_so():
    start, _ = replay(C4, "33333")
    with pytest.raises(IllegalMoveError, match="full after 3 from the start position"):
        play_match(C4, [Scripted(2), Scripted(2)], seed=1, start=start)


@pytest.mark.parametrize("decision", [TakeBack(), None, "4"])
def test_a_program_must_return_a_choice(decision):
    with pytest.raises(SpielwerkError, match="where a Choice was expected"):
        play_match(C4, [Scripted(decision), Scripted(1)], seed=1)


def test_the_number_of_players_must_fit():
    with pytest.raises(SpielwerkError, match="for 2 players, not 1"):
        play_match(C4, [parse_agent("random")], seed=1)


def test_resigning_loses():
    match = play_match(C4, [Scripted(3, 3), Scripted(3, Resign())], seed=1)
    assert match.utilities == (1, -1)
    assert (match.resigned, format_moves(match.moves)) == (1, "444")


def test_a_person_takes_back_to_their_own_last_move():
    moments = []
    person = Scripted(0, 1, TakeBack(), 2, is_person=True)
    match = play_match(NIM, [person, Scripted(0, 0, 0)], 1, watch=moments.append)
    # 1, 1, 2, 1 was the game; the program's 1 and the person's 2 are taken back
    assert format_moves(match.moves) == "1131"
    assert [moment.taken_back for moment in moments] == [None] * 5 + [2] + [None] * 2
    assert moments[5].state == moments[2].state


def test_two_persons_take_back_one_move():
    persons = Scripted(0, 1, is_person=True), Scripted(TakeBack(), 3, is_person=True)
    match = play_match(NIM, persons, 1)
    assert format_moves(match.moves) == "24"


def test_nothing_to_take_back_is_said():
    moments = []
    person = Scripted(TakeBack(), 3, is_person=True)
    play_match(NIM, [person, Scripted(1)], 1, watch=moments.append)
    assert [moment.taken_back for moment in moments] == [None, 0, None, None]


def test_onlookers_see_every_move_with_what_was_thought():
    moments = []
    agents = [parse_agent("alphabeta:depth=2"), parse_agent("random")]
    match = play_match(C4, agents, seed=2, watch=moments.append)
    assert [moment.moves for moment in moments] == [
        match.moves[:count] for count in range(len(match.moves) + 1)
    ]
    assert [moment.mover for moment in moments[1:4]] == [0, 1, 0]
    assert moments[1].choice.values
    assert not moments[2].choice.values
