"""Spec strings: what they build, and what is said of wrong ones."""

from typing import Annotated

import pytest

from spielwerk.agents.alphabeta import AlphaBeta
from spielwerk.agents.catalogue import AGENTS, agent_spec, parse_agent
from spielwerk.agents.random_agent import RandomAgent
from spielwerk.errors import SpecError
from spielwerk.games.catalogue import parse_game
from spielwerk.spec import Entry, Option, parse_spec


def test_specs_build_typed_objects():
    assert parse_agent("random") == RandomAgent()
    assert parse_agent("alphabeta") == AlphaBeta()
    wanted = AlphaBeta(depth=6, value="lines", memory=0.5)
    assert parse_agent("alphabeta:depth=6,value=lines,memory=0.5") == wanted
    assert parse_agent(" alphabeta: memory = 0.5 , depth=6,value=lines ") == wanted
    assert parse_agent("human:hint=alphabeta:depth=3").hint == "alphabeta:depth=3"


@pytest.mark.parametrize(
    "spec", ["random", "alphabeta", "alphabeta:depth=6,value=lines", "human:hint=random"]
)
def test_an_agent_knows_its_shortest_spec(spec):
    assert agent_spec(parse_agent(spec)) == spec
    assert agent_spec(parse_agent("alphabeta:depth=8")) == "alphabeta"


def test_games_take_their_size_in_two_ways():
    assert parse_game("connectx:5x4,k=3") == parse_game("connectx:rows=5,cols=4,k=3")
    assert parse_game("connectx:6x7") == parse_game("connect-four") == parse_game("connectx")


@pytest.mark.parametrize(
    ("parse", "text", "message"),
    [
        (
            parse_agent,
            "rnadom",
            'No agent "rnadom". Did you mean "random"? Known: alphabeta, human, kaggle, mcts, net',
        ),
        (parse_agent, "", 'No agent "". Known: '),
        (
            parse_agent,
            "alphabeta:dpth=3",
            'alphabeta: No option "dpth". Did you mean "depth"? Known',
        ),
        (parse_agent, "alphabeta:depth=0", 'depth must be a whole number from 1 to 1000, not "0".'),
        (
            parse_agent,
            "alphabeta:depth=2.5",
            'depth must be a whole number from 1 to 1000, not "2.5"',
        ),
        (parse_agent, "alphabeta:depth=", 'depth must be a whole number from 1 to 1000, not ""'),
        (
            parse_agent,
            "alphabeta:memory=nan",
            'memory must be a number from 0.01 to 8192, not "nan"',
        ),
        (parse_agent, "perfect:lose=soon", 'lose must be late|any, not "soon"'),
        (
            parse_agent,
            "alphabeta:depth=2,depth=3",
            '"alphabeta:depth=2,depth=3" gives depth twice.',
        ),
        (parse_agent, "alphabeta:6", '"6" in "alphabeta:6" is not of the form option=value.'),
        (parse_agent, "random:seed=1", 'random has no options, so "seed=1" means nothing.'),
        (parse_agent, "alphabeta:", '"" in "alphabeta:" is not of the form option=value.'),
        (parse_agent, "perfect:depth=4,lose=any", "with a depth, lose, win, vary and threads"),
        (parse_game, "conect-four", 'No game "conect-four". Did you mean "connect-four"?'),
        (parse_game, "connectx:5by4", 'size is rows x columns, e.g. 5x4, not "5by4"'),
        (parse_game, "connectx:5x4,rows=3", "either as 5x4 or as rows and cols, not both"),
        (parse_game, "connectx:9x9", "needs 90 bits; cols × (rows + 1) may be 64 at most"),
        (parse_game, "connectx:0x4", "rows must be 1 to 64, not 0."),
        (parse_game, "connectx:6x7,k=9999", 'k must be a whole number from 1 to 64, not "9999".'),
        (parse_game, "nim:n=0", 'n must be a whole number from 1 to 1000, not "0".'),
    ],
)
def test_wrong_specs_say_what_would_be_right(parse, text, message):
    with pytest.raises(SpecError) as error:
        parse(text)
    assert message in str(error.value)


def test_a_value_with_commas_stands_in_parentheses():
    spec = "human:hint=(alphabeta:depth=3,value=lines)"
    assert parse_agent(spec).hint == "alphabeta:depth=3,value=lines"
    assert agent_spec(parse_agent(spec)) == spec


def test_a_plain_class_and_a_function_can_be_built_from_specs():
    class Plain:
        def __init__(self, depth: Annotated[int, Option("how deep", least=1)], other=None):
            self.depth = depth

    def build(depth: Annotated[int, Option("how deep", least=1)] = 2) -> Plain:
        return Plain(depth)

    catalogue = {"plain": Entry("plain", "", Plain), "built": Entry("built", "", build)}
    assert parse_spec("plain:depth=3", "agent", catalogue).depth == 3
    assert parse_spec("built", "agent", catalogue).depth == 2
    assert catalogue["built"].makes(Plain)
    with pytest.raises(SpecError, match="plain needs depth"):
        parse_spec("plain", "agent", catalogue)


def test_a_spec_is_never_evaluated():
    with pytest.raises(SpecError):
        parse_agent("alphabeta:depth=__import__('os').getpid()")


def test_every_option_is_described():
    for entry in AGENTS.values():
        for option in entry.options():
            assert option.option.help
            assert option.describe_values()
