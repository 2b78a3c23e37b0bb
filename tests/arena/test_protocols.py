"""Protocols against perfect play, the second player's side, kept values and leaks."""

from dataclasses import dataclass

import pytest

from spielwerk.agents.agent import Choice
from spielwerk.agents.catalogue import parse_agent
from spielwerk.agents.perfect import Perfect
from spielwerk.agents.td import Greedy
from spielwerk.arena.evaluation import PROTOCOLS, evaluate_agent, training_measure
from spielwerk.arena.leaks import find_leaks
from spielwerk.arena.match import play_match
from spielwerk.arena.sides import kept_values, second_side
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.notation import format_moves, parse_position
from spielwerk.games.rules import RUNNING, initial, legal_moves, outcome, player, transition
from spielwerk.kernels.rng import Rng, derive_seed
from spielwerk.learning.config import config_from
from spielwerk.learning.training import make_run
from spielwerk.search.solving import Solver, shared_solver

TTT = parse_game("tic-tac-toe")
C4 = parse_game("connect-four")
SMALL = parse_game("connectx:rows=4,cols=4,k=3")  # the first player wins
EVEN = parse_game("connectx:rows=4,cols=4")  # drawn


@dataclass(frozen=True)
class Leftmost:
    """Always the first legal move: it makes mistakes, always the same ones."""

    def choose(self, game, observation, rng):
        return Choice(legal_moves(game, observation)[0])

    def candidates(self, game, state):
        return legal_moves(game, state)[:1]


@dataclass(frozen=True)
class Faultless:
    """Says which moves it chooses between."""

    def choose(self, game, observation, rng):
        return Perfect().choose(game, observation, rng)

    def candidates(self, game, state):
        signs = shared_solver(game).sign_moves(state)
        return [move for move, sign in signs.items() if sign == max(signs.values())]


def test_signs_are_those_of_the_scores():
    own = Solver(C4, 16)
    for moves in ("44444432655667", "12121247474731", "44444435555333621"):
        state = parse_position(C4, moves)
        scores = own.score_moves(state)
        signs = Solver(C4, 16).sign_moves(state)
        assert signs == {move: (score > 0) - (score < 0) for move, score in scores.items()}
        assert list(scores) == sorted(scores)
        assert Solver(C4, 16).sign(state) == max(signs.values())


@pytest.mark.parametrize("game", [C4, SMALL, EVEN, TTT])
def test_best_moves_are_those_with_the_best_score_or_sign(game):
    """Also in positions with a win at once, and with the last cell to fill."""
    rng, own, told = Rng(11), Solver(game, 16), Solver(game, 16)
    for _ in range(40):
        state = parse_position(game, "44444432655667" if game == C4 else "")
        for _ in range(rng.below(28 if game == C4 else 12)):
            legal = legal_moves(game, state)
            after = transition(game, state, legal[rng.below(len(legal))])
            if outcome(game, after) != RUNNING:
                break
            state = after
        for signs in (False, True):
            all_moves = told.sign_moves(state) if signs else told.score_moves(state)
            best = max(all_moves.values())
            expected = {move: worth for move, worth in all_moves.items() if worth == best}
            assert own.best_moves(state, signs) == expected
            assert list(own.best_moves(state, signs)) == sorted(expected)


def test_known_positions_are_known_in_the_mirror():
    own = Solver(C4, 16)
    first = own.score_moves(parse_position(C4, "44444432655667"))
    nodes = own.nodes
    mirrored = own.score_moves(parse_position(C4, "44444456233221"))
    assert own.nodes == nodes  # nothing was searched
    assert mirrored == {6 - move: score for move, score in first.items()}
    first[0] = 99  # what was handed out is not what is remembered
    assert own.score_moves(parse_position(C4, "44444432655667"))[0] != 99


def test_varied_play_keeps_the_outcome_and_nothing_else():
    """In a lost position all moves are alike; with more stones the most stubborn one is made."""
    state = parse_position(SMALL, "2")
    assert set(shared_solver(SMALL).sign_moves(state).values()) == {-1}
    rng = Rng(3)
    varied = {Perfect(vary=12).choose(SMALL, state, rng).move for _ in range(60)}
    assert varied == {0, 1, 2, 3}
    later = {Perfect(vary=1).choose(SMALL, state, rng).move for _ in range(60)}
    scores = shared_solver(SMALL).score_moves(state)
    assert later == {move for move, score in scores.items() if score == max(scores.values())}
    assert later != varied
    for number in range(20):
        state = parse_position(EVEN, "")
        for _ in range(6):
            move = Perfect(vary=99).choose(EVEN, state, rng).move
            state = transition(EVEN, state, move)
        assert max(shared_solver(EVEN).sign_moves(state).values()) == 0, number


def test_a_depth_and_variety_exclude_each_other():
    with pytest.raises(SpielwerkError, match="vary"):
        parse_agent("perfect:depth=3,vary=4")


@pytest.mark.parametrize("protocol", ["thesis", "distant"])
def test_who_makes_no_mistake_has_full_success(protocol):
    found = evaluate_agent(SMALL, Perfect(), 20, 1, protocol=protocol)
    assert (found.success, found.games) == (1.0, 20)
    assert protocol in found.protocol
    worse = evaluate_agent(SMALL, Leftmost(), 20, 1, protocol=protocol)
    assert worse.success < 1


def test_a_lost_game_is_not_played_to_its_end():
    """The result is that of perfect play, as if it had been."""
    played = []

    @dataclass(frozen=True)
    class Watched(Leftmost):
        def choose(self, game, observation, rng):
            played.append(int(observation.filled).bit_count())
            return super().choose(game, observation, rng)

    found = evaluate_agent(SMALL, Watched(), 6, 1, protocol="distant")
    assert found.success == 0
    assert len(played) < 6 * 4
    for stones in played:
        assert stones < 8


def test_openings_are_judged_where_they_are_cut():
    config = config_from(
        {
            "features": "walk:count=4,length=3",
            "games": 5,
            "cut": 8,
            "evaluation_games": 4,
            "function": "tanh",
            "rewards": "1/0/-1",
        }
    )
    run = make_run("connectx:rows=4,cols=4,k=3", config, seed=1)
    found = training_measure(run.game, config, 1)(run.learned)
    assert set(found) == {"success"}
    # The same games, played to their end by perfect players from where they were cut.
    points = 0.0
    for number in range(4):
        players = [Greedy(run.learned), PROTOCOLS["thesis"]]
        match = play_match(run.game, players, derive_seed(1, number), until=lambda s: cut_off(s, 8))
        if outcome(run.game, match.final) != RUNNING:
            points += (match.utilities[0] + 1) / 2
            continue
        rest = play_match(run.game, [Perfect(), Perfect()], 1, start=match.final)
        points += (rest.utilities[0] + 1) / 2
    assert found["success"] == points / 4


def cut_off(state, stones):
    return int(state.filled).bit_count() >= stones


def test_exact_where_that_can_be():
    assert evaluate_agent(TTT, parse_agent("td:tic-tac-toe"), 9, 1, protocol="exact").games == 0
    with pytest.raises(SpielwerkError, match="cannot be measured exactly"):
        evaluate_agent(SMALL, parse_agent("random"), 9, 1, protocol="exact")


def test_values_cannot_be_kept_where_nothing_can_be_lost():
    with pytest.raises(SpielwerkError, match="only 0 had moves of different value"):
        kept_values(parse_game("connectx:rows=3,cols=1,k=2"), parse_agent("random"), 1, 1)
    with pytest.raises(SpielwerkError, match="Only programs"):
        kept_values(SMALL, parse_agent("human"), 1, 1)


def test_one_solver_for_all():
    assert shared_solver(SMALL) is shared_solver(SMALL, 128, 1)


def test_plies_of_nim_are_not_stones():
    nim = parse_game("nim")
    with pytest.raises(SpielwerkError, match="places one stone"):
        second_side(nim, Perfect(), 1, 1)
    with pytest.raises(SpielwerkError, match="vary is for"):
        evaluate_agent(nim, Perfect(), 1, 1, protocol="thesis")


def test_the_second_player_takes_what_is_given():
    found = second_side(SMALL, Perfect(), 40, 5)
    assert found.wins.offered > 0
    assert found.wins.share == 1
    weak = second_side(SMALL, parse_agent("random"), 40, 5)
    assert weak.wins.share < 1
    low, high = weak.wins.interval
    assert 0 <= low <= weak.wins.share <= high <= 1


def test_kept_values():
    assert kept_values(SMALL, Perfect(), 12, 3).share == 1
    random = kept_values(SMALL, parse_agent("random"), 60, 3)
    assert 0.1 < random.share < 0.9
    assert random.offered == 60


@pytest.mark.parametrize("replies", ["best", "all"])
def test_no_leaks_where_there_are_none(replies):
    report = find_leaks(SMALL, Faultless(), replies, threads=2)
    assert (report.leaks, report.complete) == ([], True)
    assert report.positions == sum(report.by_stones.values()) > 5
    assert list(report.by_stones) == list(range(0, 2 * len(report.by_stones), 2))


def test_every_reply_is_more_than_every_best_one():
    best, every = (find_leaks(SMALL, Faultless(), replies) for replies in ("best", "all"))
    assert best.positions < every.positions


def test_leaks_are_what_they_say():
    report = find_leaks(EVEN, Leftmost(), "all", seat=1)
    assert report.leaks
    for leak in report.leaks:
        state = parse_position(EVEN, format_moves(leak.moves))
        signs = shared_solver(EVEN).sign_moves(state)
        assert max(signs.values()) == leak.before > leak.after == signs[leak.move]
        assert leak.move == legal_moves(EVEN, state)[0]


@pytest.mark.parametrize("plies", [4, 100])
def test_how_likely_it_is_that_nothing_is_given_away(plies):
    """Against a walk of the tree that knows no positions, only lines."""
    solver, agent = shared_solver(EVEN), Leftmost()

    def kept(state, left):
        if left == 0 or outcome(EVEN, state) != RUNNING:
            return 1.0
        moves = list(legal_moves(EVEN, state))
        if player(EVEN, state) == 1:
            signs = solver.sign_moves(state)
            moves = agent.candidates(EVEN, state)
            best = max(signs.values())
            later = [
                kept(transition(EVEN, state, move), left - 1) if signs[move] == best else 0.0
                for move in moves
            ]
        else:
            later = [kept(transition(EVEN, state, move), left - 1) for move in moves]
        return sum(later) / len(moves)

    report = find_leaks(EVEN, agent, "all", seat=1, plies=plies)
    assert 0 < report.kept < 1
    assert report.kept == pytest.approx(kept(initial(EVEN), plies))


def test_lines_can_be_given_up():
    report = find_leaks(SMALL, Faultless(), "all", plies=3)
    assert not report.complete
    assert report.plies == 3
    assert max(report.by_stones) == 2


def test_leaks_need_somebody_who_says_what_he_chooses_between():
    with pytest.raises(SpielwerkError, match="does not say"):
        find_leaks(SMALL, parse_agent("random"))
