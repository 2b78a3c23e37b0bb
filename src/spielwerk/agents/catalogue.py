"""The agents by name. A spec such as `alphabeta:depth=6,value=lines` makes one."""

from collections.abc import Callable

from spielwerk.agents.agent import Agent
from spielwerk.agents.alphabeta import AlphaBeta
from spielwerk.agents.human import Human
from spielwerk.agents.kaggle import Submission
from spielwerk.agents.mcts import Mcts
from spielwerk.agents.net import NetAgent
from spielwerk.agents.ntuple import NTuple
from spielwerk.agents.perfect import Perfect
from spielwerk.agents.puct import PuctAgent
from spielwerk.agents.random_agent import RandomAgent
from spielwerk.agents.skipbo import (
    SkipBoBasic,
    SkipBoBasicMinus,
    SkipBoLea,
    SkipBoMature,
    SkipBoSearch,
    SkipBoTd,
)
from spielwerk.agents.td import Td
from spielwerk.spec import Entry, format_spec, parse_spec

AGENTS: dict[str, Entry[Agent]] = {}


def register_agent(name: str, summary: str, build: Callable[..., Agent]) -> None:
    """Make an agent known by name. Annotated fields or parameters of `build` are options."""
    AGENTS[name] = Entry(name, summary, build)


def parse_agent(text: str) -> Agent:
    """The agent that a spec names.

    >>> parse_agent("alphabeta:depth=4").depth
    4
    """
    return parse_spec(text, "agent", AGENTS)


def agent_spec(agent: Agent) -> str:
    """The shortest spec that names an equal agent; the name of its type if it is not registered."""
    for entry in AGENTS.values():
        if entry.build is type(agent):
            return format_spec(entry.name, agent, entry)
    return type(agent).__name__


register_agent("human", "you, at the keyboard", Human)
register_agent("random", "any legal move, equally likely", RandomAgent)
register_agent("perfect", "makes no mistakes; slow early in Connect Four", Perfect)
register_agent("alphabeta", "looks ahead exhaustively, for any game of two", AlphaBeta)
register_agent("mcts", "tries moves out in random games, the better ones more often", Mcts)
register_agent("td", "plays by a value function learned from its own games", Td)
register_agent("ntuple", "n-tuples learned by self-play, with or without a search on top", NTuple)
register_agent("net", "a neural net, without any search", NetAgent)
register_agent("puct", "a neural net's values and policy with a search, as AlphaZero", PuctAgent)
register_agent("kaggle", "a ConnectX submission: any Python file that Kaggle accepts", Submission)
register_agent("skipbo-basic", "Skip-Bo: lays whatever fits, discards with a plan", SkipBoBasic)
register_agent("skipbo-basic-minus", "Skip-Bo: the same, discards at random", SkipBoBasicMinus)
register_agent("skipbo-mature", "Skip-Bo: plans for its stock, hinders the next", SkipBoMature)
register_agent("skipbo-td", "Skip-Bo: learned what tables are worth", SkipBoTd)
register_agent("skipbo-lea", "Skip-Bo: learned what moves are worth", SkipBoLea)
register_agent("skipbo-search", "Skip-Bo: searches its whole turn, the strongest", SkipBoSearch)
