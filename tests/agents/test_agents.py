"""What the agents choose, and what a person can say."""

from collections import Counter

import pytest

from spielwerk.agents.agent import Choice, Resign, TakeBack, analyse, check_agent
from spielwerk.agents.alphabeta import AlphaBeta
from spielwerk.agents.catalogue import AGENTS, parse_agent
from spielwerk.agents.human import Human
from spielwerk.agents.perfect import Perfect
from spielwerk.arena.match import play_match
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.notation import replay
from spielwerk.games.rules import initial, legal_moves, transition
from spielwerk.kernels.rng import Rng
from spielwerk.values.model import shipped_models

C4, TTT, NIM = (parse_game(name) for name in ("connect-four", "tic-tac-toe", "nim"))


GAMES = ["connect-four", "tic-tac-toe", "nim"]
NOT_FOR_ALL = {"human", "perfect", "td", "ntuple"}
NOT_FOR_ALL |= {name for name in AGENTS if name.startswith("skipbo")}  # test_skipbo_agents
NOT_FOR_ALL |= {"net", "puct"}  # test_net_agents
NOT_FOR_ALL |= {"kaggle"}  # test_kaggle
PLAYERS = [
    *((name, game) for name in sorted(set(AGENTS) - NOT_FOR_ALL) for game in GAMES),
    ("ntuple", "connect-four"),
    ("ntuple:depth=4", "connect-four"),
    *((f"td:{game}", game) for game in shipped_models() if not game.startswith("skip-bo")),
]


@pytest.mark.parametrize(("spec", "name"), PLAYERS)
def test_every_agent_chooses_legal_moves_by_its_seed_alone(spec, name):
    game, agent = parse_game(name), parse_agent(spec)
    state = initial(game)
    for step in range(4):
        choice = agent.choose(game, state, Rng(step))
        assert choice.move in legal_moves(game, state)
        assert choice == agent.choose(game, state, Rng(step))
        assert set(choice.values) <= set(legal_moves(game, state))
        assert all(-1 <= value <= 1 for value in choice.values.values())
        state = transition(game, state, choice.move)


def test_random_is_even_over_the_legal_moves():
    """3,000 draws from six columns: each about 500; 4.5 standard deviations are 92."""
    state, _ = replay(C4, "111111")
    rng = Rng(9)
    counts = Counter(parse_agent("random").choose(C4, state, rng).move for _ in range(3000))
    assert set(counts) == {1, 2, 3, 4, 5, 6}
    assert all(abs(count - 500) < 92 for count in counts.values())


def test_alphabeta_sees_within_its_depth():
    state, _ = replay(C4, "33445")
    blind = AlphaBeta(depth=1).choose(C4, state, Rng(1))
    assert set(blind.values.values()) == {0}
    seeing = AlphaBeta(depth=2).choose(C4, state, Rng(1))
    assert set(seeing.values.values()) == {-1}
    assert seeing.notes[0] == "loses in 2 plies"
    assert seeing.statistics["nodes"] > 0


def test_alphabeta_draws_among_equals_by_chance():
    moves = {AlphaBeta(depth=2).choose(C4, initial(C4), Rng(seed)).move for seed in range(60)}
    assert moves == set(range(7))


def test_alphabeta_says_which_value_does_not_fit_the_game():
    with pytest.raises(SpielwerkError, match="Nim has no lines to count; use value=even"):
        check_agent(AlphaBeta(value="lines"), NIM)


@pytest.mark.parametrize("game", [TTT, NIM], ids=["tic-tac-toe", "nim"])
def test_perfect_never_loses_what_it_need_not(game):
    """100 games against chance, from both sides: no draw or win of the start is given away."""
    agent, rival = parse_agent("perfect"), parse_agent("random")
    for seed in range(50):
        for seat in (0, 1):
            agents = [agent, rival] if seat == 0 else [rival, agent]
            match = play_match(game, agents, seed)
            worth = 0 if game is TTT else (1 if seat == 0 else None)
            if worth is not None:
                assert match.utilities[seat] >= worth


def test_perfect_chooses_among_equals_and_tells_scores():
    state, _ = replay(C4, "44444435555333")  # columns 1, 2, 3 win, the others lose
    choices = [Perfect(memory=16).choose(C4, state, Rng(seed)) for seed in range(30)]
    assert {choice.move for choice in choices} == {0, 1, 2}
    team = [Perfect(memory=16, threads=2).choose(C4, state, Rng(seed)) for seed in range(5)]
    assert [choice.move for choice in team] == [choice.move for choice in choices[:5]]
    assert set(choices[0].values) == {0, 1, 2}
    for seed, choice in enumerate(choices):
        told = analyse(Perfect(memory=16), C4, state, Rng(seed))
        assert told.move == choice.move
        assert told.values[5] == -1
        assert told.notes[5] == "loses in 4 plies"
        assert told.statistics["scores"][4] == -4
        assert {move: told.notes[move] for move in choice.notes} == choice.notes


def test_perfect_has_two_ways_to_lose_and_to_win():
    lost, _ = replay(C4, "444444355553336")  # after yellow's 6, red loses or wins by the score
    scores = Perfect(memory=16).analyse(C4, lost, Rng(1)).statistics["scores"]
    best = max(scores.values())
    soon = {Perfect(memory=16).choose(C4, lost, Rng(s)).move for s in range(40)}
    assert soon == {move for move, score in scores.items() if score == best}
    loosely = {Perfect(memory=16, win="any").choose(C4, lost, Rng(s)).move for s in range(60)}
    assert loosely == {move for move, score in scores.items() if (score > 0) == (best > 0)}
    ranks = Perfect(lose="any")
    assert ranks._rank(-3) == ranks._rank(-12) < ranks._rank(0)
    assert Perfect()._rank(-3) > Perfect()._rank(-12)


def test_perfect_with_a_depth_can_be_beaten():
    state, _ = replay(C4, "33445")
    assert set(Perfect(depth=1).choose(C4, state, Rng(1)).values.values()) == {0}


class Script:
    """A person who says these things, one after the other."""

    def __init__(self, *answers):
        self.answers, self.heard = list(answers), []

    def ask(self, prompt):
        self.heard.append(prompt)
        return self.answers.pop(0)

    def say(self, text):
        self.heard.append(text)


def test_a_person_is_asked_until_the_move_is_legal():
    state, _ = replay(C4, "333333")
    script = Script("", "3", "9", "four", "4")
    assert Human(terminal=script).choose(C4, state, Rng(1)) == Choice(3)
    assert script.heard[0] == "yellow, your column (1 2 4 5 6 7, ? for help): "
    assert "Column 3 is full. Legal columns: 1 2 4 5 6 7." in script.heard
    assert any('no column "four"' in line for line in script.heard)


@pytest.mark.parametrize(
    ("answer", "decision"),
    [("u", TakeBack()), ("UNDO", TakeBack()), ("r", Resign()), (" resign ", Resign())],
)
def test_a_person_can_take_back_and_resign(answer, decision):
    assert Human(terminal=Script(answer)).choose(C4, initial(C4), Rng(1)) == decision


def test_a_hint_comes_from_the_agent_asked_and_changes_no_chance():
    state, _ = replay(C4, "112233")
    script, rng = Script("h", "?", "4"), Rng(7)
    Human(terminal=script).choose(C4, state, rng)
    assert "alphabeta would play 4 (wins in 1 ply)." in script.heard
    assert any("undo" in line and "hint" in line for line in script.heard)
    assert rng.bits() == Rng(7).bits()


def test_on_a_wide_board_letters_are_columns():
    wide = parse_game("connectx:1x32,k=3")
    for letter in "uhr":
        script = Script(letter)
        assert isinstance(Human(terminal=script).choose(wide, initial(wide), Rng(1)), Choice)
    assert Human(terminal=Script("undo")).choose(wide, initial(wide), Rng(1)) == TakeBack()


def test_a_hint_says_no_more_than_the_agent_said():
    script = Script("hint", "1")
    Human(hint="random", terminal=script).choose(C4, initial(C4), Rng(7))
    assert any(
        line.startswith("random would play ") and "value" not in line for line in script.heard
    )


def test_a_person_gives_no_hints():
    with pytest.raises(SpielwerkError, match="a hint comes from a program"):
        check_agent(Human(hint="human"), C4)


def test_a_hint_from_an_agent_that_cannot_play_is_refused_at_once():
    with pytest.raises(SpielwerkError, match="Nim has no lines"):
        check_agent(Human(hint="alphabeta:value=lines"), NIM)
