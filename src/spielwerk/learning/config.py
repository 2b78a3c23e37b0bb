"""The settings of a TD training."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.errors import SpielwerkError, unknown_name
from spielwerk.learning.rules import parse_step, parse_trace
from spielwerk.learning.schedules import parse_schedule
from spielwerk.learning.settings import Settings, checked_settings, demand
from spielwerk.values.function_catalogue import NetShape, SigmoidShape, parse_shape
from spielwerk.values.tuple_files import spelled_out

REWARDS = {"1/0.5/0": (1.0, 0.5, 0.0), "1/0/-1": (1.0, 0.0, -1.0)}
"""White's, for a win, a draw and a loss (Konen 2015, §3; Thill 2012, §2.2)."""

EXPLORED = ("skip", "learn")
TARGETS = ("next", "search")
PROTOCOLS = ("thesis", "distant")
"""See `arena.evaluation`."""


@dataclass(frozen=True)
class TdConfig(Settings):
    """Everything that decides what a training learns, but for the game and the seed."""

    features: str
    games: int
    function: str = "linear"
    bias: bool = False
    spread: float = 0.0  # initial weights: even over −spread … spread
    alpha: str = "0.1"
    epsilon: str = "0.1"
    epsilon_first: str = "same"  # the first player's, if it has a schedule of its own
    gamma: float = 1.0
    lam: float = 0.0
    trace: str = "accumulating"
    step: str = "fixed"
    explored: str = "skip"  # or `learn`: from the greedy move beside an exploratory one
    depth: int = 1  # plies that greedy moves look ahead
    target: str = "next"  # learn from the next position, or `search`: from what the look found
    siblings: float = 0.0  # the positions after all moves learn too, with this share of α
    cut: int = 0  # end games with so many stones, by the solver's judgement (ConnectX)
    average: int = 0  # keep an average of the weights over about so many games
    rewards: str = "1/0.5/0"
    start: str = "initial"  # or `random`: any position of the game; or moves
    random_plies: int = 0  # up to so many random moves first
    evaluate_every: int = 100
    opponent: str = "perfect"  # to be measured against while it trains
    protocol: str = "thesis"  # how, where that takes games
    evaluation_games: int = 100  # so many

    def __post_init__(self) -> None:
        demand(self.games >= 1, "games must be 1 at least", self.games)
        demand(self.evaluate_every >= 1, "evaluate_every must be 1 at least", self.evaluate_every)
        demand(
            self.evaluation_games >= 2,
            "evaluation_games must be 2 at least",
            self.evaluation_games,
        )
        demand(0 <= self.gamma <= 1, "gamma must be 0 to 1", self.gamma)
        demand(0 <= self.lam <= 1, "lambda must be 0 to 1", self.lam)
        demand(0 <= self.spread <= 1000, "spread must be 0 to 1000", self.spread)
        demand(0 <= self.random_plies <= 1000, "random_plies must be 0 to 1000", self.random_plies)
        demand(1 <= self.depth <= 20, "depth must be 1 to 20", self.depth)
        demand(0 <= self.siblings <= 1, "siblings must be 0 (not at all) to 1", self.siblings)
        demand(0 <= self.cut <= 64, "cut must be 0 (not at all) to 64 stones", self.cut)
        demand(self.average >= 0, "average must be a number of games, 0 for none", self.average)
        if self.explored not in EXPLORED:
            raise SpielwerkError(unknown_name("way with explored moves", self.explored, EXPLORED))
        if self.target not in TARGETS:
            raise SpielwerkError(unknown_name("target", self.target, TARGETS))
        if self.target == "search" and self.depth == 1:
            raise SpielwerkError("target=search needs a depth of 2 at least to search.")
        if self.target == "search" and self.lam > 0 and not self.trace.startswith("returns"):
            raise SpielwerkError("target=search needs trace=returns, or lambda=0.")
        if self.siblings and self.lam > 0 and not self.trace.startswith("returns"):
            raise SpielwerkError("siblings need trace=returns, or lambda=0.")
        if self.siblings and self.step.partition(":")[0] not in ("fixed", "tcl"):
            raise SpielwerkError(f"siblings need step=fixed or tcl, not {self.step}.")
        if self.protocol not in PROTOCOLS:
            raise SpielwerkError(unknown_name("protocol", self.protocol, PROTOCOLS))
        if self.rewards not in REWARDS:
            raise SpielwerkError(unknown_name("rewards", self.rewards, REWARDS))
        shape = parse_shape(self.function)
        if isinstance(shape, SigmoidShape | NetShape) and min(REWARDS[self.rewards]) < 0:
            raise SpielwerkError(
                f"{self.function} gives values from 0 to 1 and cannot learn the rewards "
                f"{self.rewards}; set rewards=1/0.5/0, or function=tanh."
            )
        parse_trace(self.trace)
        parse_step(self.step)
        ends = np.array([0, self.games])
        for name, rate in (("epsilon", self.epsilon), ("epsilon_first", self.epsilon_first)):
            if name == "epsilon" or rate != "same":
                highest = parse_schedule(rate).rates(ends, self.games).max()
                demand(highest <= 1, f"{name} is a probability, 1 at most", rate)
        first = parse_schedule(self.alpha).rates(ends, self.games)[0]
        demand(first > 0, "alpha must begin above 0", self.alpha)

    def epsilons(self, numbers: np.ndarray) -> np.ndarray:
        """ε of the first and the second player, a row per game."""
        second = parse_schedule(self.epsilon).rates(numbers, self.games)
        own = self.epsilon if self.epsilon_first == "same" else self.epsilon_first
        return np.column_stack([parse_schedule(own).rates(numbers, self.games), second])


def config_from(settings: Mapping[str, Any]) -> TdConfig:
    """The configuration of a dictionary as `to_dict` makes it; features and games are needed."""
    checked = checked_settings(settings, TdConfig, needed=("features", "games"))
    checked["features"] = spelled_out(checked["features"])
    return TdConfig(**checked)
