"""The settings of a Skip-Bo training."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.errors import SpielwerkError, unknown_name
from spielwerk.learning.schedules import parse_schedule
from spielwerk.learning.settings import Settings, checked_settings, demand

LEARNERS = ("td", "lea", "search")
"""A^TD (tables after a move), A^Lea (moves), and ours (whole turns)."""
STARTS = ("zero", "groups")
KEEPS = ("last", "best")
STEPS = ("fixed", "tcl")
SELF = "self"


@dataclass(frozen=True)
class SkipBoConfig(Settings):
    """Everything that decides what a Skip-Bo player learns, but for the game and the seed."""

    learner: str
    games: int  # each is followed by an update (eq. 1)
    alpha: str = "0.001"
    beta: float = 0.2  # r(x) = tanh(β J(x))
    lam: float = 0.7
    step: str = "fixed"  # or `tcl`: temporal coherence
    epsilon: str = "0"  # how often any legal move is made
    norm: float = 0.0  # the largest weight at most; 0: not bounded
    start: str = "zero"  # or `groups`: equal weights within each group of moves (lea)
    stock: float = 1.0  # with start=groups: so many times as much for laying from the stock
    against: str = SELF  # or an agent: who sits in all other seats
    self_games: int = 0  # so many games against itself first
    average: int = 0  # keep an average of the weights over about so many games
    keep: str = "last"  # or `best`: the weights that did best when they were measured
    evaluate_every: int = 100
    opponent: str = "skipbo-basic"  # to be measured against while it trains
    evaluation_games: int = 1000  # so many

    def __post_init__(self) -> None:
        for name, options in (
            ("learner", LEARNERS),
            ("start", STARTS),
            ("keep", KEEPS),
            ("step", STEPS),
        ):
            if getattr(self, name) not in options:
                raise SpielwerkError(unknown_name(name, getattr(self, name), options))
        demand(self.games >= 1, "games must be 1 at least", self.games)
        demand(self.evaluate_every >= 1, "evaluate_every must be 1 at least", self.evaluate_every)
        demand(
            self.evaluation_games >= 2, "evaluation_games must be 2 at least", self.evaluation_games
        )
        demand(0 < self.beta <= 100, "beta must be above 0, and 100 at most", self.beta)
        demand(0 <= self.lam <= 1, "lambda must be 0 to 1", self.lam)
        demand(self.norm >= 0, "norm must not be negative", self.norm)
        demand(0 <= self.stock <= 1000, "stock must be 0 to 1000", self.stock)
        demand(self.self_games >= 0, "self_games must not be negative", self.self_games)
        demand(self.average >= 0, "average must be a number of games, 0 for none", self.average)
        if self.start == "zero" and self.stock != 1:
            raise SpielwerkError("stock raises a weight of start=groups; with zeros it is nothing.")
        if self.against == SELF and self.self_games:
            raise SpielwerkError("self_games come before games against somebody else.")
        if self.start == "groups" and self.learner != "lea":
            raise SpielwerkError("start=groups is for lea: the others have no groups of moves.")
        ends = np.array([0, self.games])
        highest = parse_schedule(self.epsilon).rates(ends, self.games).max()
        demand(highest <= 1, "epsilon is a probability, 1 at most", self.epsilon)
        first = parse_schedule(self.alpha).rates(np.zeros(1), self.games)[0]
        demand(first > 0, "alpha must begin above 0", self.alpha)


def skipbo_config_from(settings: Mapping[str, Any]) -> SkipBoConfig:
    """The configuration of a dictionary as `to_dict` makes it; learner and games are needed."""
    checked = checked_settings(settings, SkipBoConfig, needed=("learner", "games"))
    return SkipBoConfig(**checked)
