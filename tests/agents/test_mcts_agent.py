"""`mcts` as a player: its options, what it refuses, what it returns."""

import pytest

from spielwerk.agents.agent import check_agent, for_match
from spielwerk.agents.catalogue import agent_spec, parse_agent
from spielwerk.arena.match import play_match
from spielwerk.arena.tournament import round_robin
from spielwerk.errors import SpecError, SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.notation import replay
from spielwerk.games.rules import initial, legal_moves
from spielwerk.kernels.rng import Rng

C4 = parse_game("connect-four")


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("mcts:cp=-1", "cp must be a number from 0 to 1000"),
        ("mcts:iterations=0", "iterations must be a whole number from 1"),
        ("mcts:seconds=0", "seconds must be a number from 0.001 to 86400"),
        ("mcts:k=50", "k means nothing without amaf=rave or linear"),
        ("mcts:amaf=alpha,k=50", "k means nothing without amaf=rave"),
        ("mcts:amaf=rave,alpha=0.5", "alpha means nothing without amaf=alpha"),
        ("mcts:amaf=rave,k=0", "k must be more than 0"),
        ("mcts:amaf=alpha,alpha=1.5", "alpha must be a number from 0 to 1"),
        ("mcts:forget=yes", "forget means nothing without playout=lgr"),
        ("mcts:keep=no,playout=decisive", "keep means nothing without playout=lgr"),
        ("mcts:symmetry=yes", "symmetry means nothing without select=uct1"),
        ("mcts:select=uct2,d1=1", "d1 means nothing without select=ucd"),
        ("mcts:weight=0.5", "weight means nothing without value"),
        ("mcts:select=uct4", "select must be uct|uct1|uct2|uct3|ucd"),
        ("mcts:threads=4,iterations=2", "4 threads need as many iterations"),
        ("mcts:iteratons=5", 'Did you mean "iterations"'),
    ],
)
def test_bad_options_are_refused_with_what_is_allowed(spec, says):
    with pytest.raises(SpecError, match="mcts") as error:
        parse_agent(spec)
    assert says in str(error.value)


@pytest.mark.parametrize(
    "spec",
    [
        "mcts",
        "mcts:iterations=500,cp=0.5",
        "mcts:seconds=0.5,select=ucd,symmetry=no,d1=2,d2=1",
        "mcts:amaf=rave,k=20.0,playout=lgr,keep=no,forget=yes,choose=visits",
        "mcts:value=lines,weight=0.25,tree=keep,solver=yes,threads=2",
    ],
)
def test_a_spec_survives_the_way_there_and_back(spec):
    agent = parse_agent(spec)
    assert parse_agent(agent_spec(agent)) == agent


@pytest.mark.parametrize("spec", ["tic-tac-toe", "nim:n=10,k=3", "connectx:4x5,k=3"])
@pytest.mark.parametrize(
    "options",
    ["select=uct2,amaf=rave,playout=lgr,tree=keep", "playout=decisive,solver=yes,threads=2"],
)
def test_it_plays_whole_games(spec, options):
    game = parse_game(spec)
    agents = [parse_agent(f"mcts:iterations=60,{options}")] * 2
    one, other = play_match(game, agents, 5), play_match(game, agents, 5)
    assert one == other


def test_values_need_lines_to_count():
    with pytest.raises(SpielwerkError, match="no lines to count"):
        play_match(parse_game("nim"), [parse_agent("mcts:value=lines"), parse_agent("random")], 1)


def test_an_unknown_value_is_answered_with_the_models_there_are():
    with pytest.raises(SpielwerkError, match='Did you mean "tic-tac-toe"'):
        check_agent(parse_agent("mcts:value=tictactoe"), parse_game("tic-tac-toe"))


def test_what_it_thought_comes_with_the_move():
    state, _ = replay(C4, "445")
    choice = parse_agent("mcts:iterations=2000,choose=visits").choose(C4, state, Rng(1))
    visits = choice.statistics["visits"]
    assert set(choice.values) == set(visits) == set(legal_moves(C4, state))
    assert sum(visits.values()) == choice.statistics["iterations"] == 2000
    assert visits[choice.move] == max(visits.values())
    assert choice.statistics["line"][0] == choice.move
    assert all(-1 <= value <= 1 for value in choice.values.values())
    by_value = parse_agent("mcts:iterations=2000").choose(C4, state, Rng(1))
    assert by_value.values[by_value.move] == max(by_value.values.values())


def test_proven_moves_are_named():
    state, _ = replay(C4, "121212")
    choice = parse_agent("mcts:iterations=2000,solver=yes").choose(C4, state, Rng(1))
    assert choice.move == 0
    assert choice.notes[0] == "proven win"
    assert choice.statistics["proven"] == 1


def test_each_match_has_a_memory_of_its_own():
    agent = parse_agent("mcts:iterations=50,tree=keep")
    assert for_match(agent) is not for_match(agent)
    assert for_match(parse_agent("random")) == parse_agent("random")


def test_more_iterations_play_better():
    """400 games, seed 3: four times the playouts win about three of four."""
    found = round_robin(
        C4, ["mcts:iterations=800", "mcts:iterations=200"], games=400, seed=3, threads=2
    )
    low, _ = found.total(0).interval
    assert low > 0.6


def test_every_search_begins_with_the_position_it_is_given():
    player = for_match(parse_agent("mcts:iterations=200,tree=keep"))
    first = player.choose(C4, initial(C4), Rng(1))
    again = player.choose(C4, initial(C4), Rng(1))  # not two plies later: begins anew
    assert first.statistics["visits"] == again.statistics["visits"]


def test_the_expected_line_begins_with_the_move():
    """Also where the move is chosen by proof, and another one was visited more."""
    game = parse_game("connectx:5x6")
    state, _ = replay(game, "334455")
    agent = parse_agent("mcts:iterations=20000,select=uct2,amaf=rave,playout=lgr,solver=yes")
    for seed in range(5):
        choice = agent.choose(game, state, Rng(seed))
        assert choice.statistics["line"][0] == choice.move
