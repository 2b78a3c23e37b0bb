"""The settings of a training of a value net from data (Göppert 2020, chapter 5)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.errors import SpielwerkError, unknown_name
from spielwerk.learning.schedules import parse_schedule
from spielwerk.learning.settings import Settings, checked_settings, demand
from spielwerk.values.net import TARGETS
from spielwerk.values.net_inputs import REPRESENTATIONS

KIND = "net"
"""What such a training, and its checkpoints, are called."""
SEARCHED = ("architecture", "rate", "batch")
"""Settings that an architecture search looks for, unless they are given."""
STUDY = "study.sqlite"
"""The file that makes a folder that of an architecture search."""


@dataclass(frozen=True)
class NetConfig(Settings):
    """Everything that decides what a net learns, but for the game and the seed."""

    data: str  # the file to learn from
    players: str = "mcts:iterations=1000"  # who played for it, both sides
    matches: int = 16_000  # so many games
    positions: int = 400_000  # drawn from them, all if there are fewer
    held_out: float = 0.05  # the share of these that is never trained on
    exact: bool = False  # values by the solver, not by how games ended
    architecture: str = "dense:128-128-64"
    representation: str = "regular"
    target: str = "normal"  # values from 0 to 1, or `minimax`: from −1 to 1
    examples: int = 0  # so many of the positions for training; 0: all
    epochs: int = 60
    batch: int = 512
    rate: str = "exponential:0.003,end=0.0001"  # Adam's
    patience: int = 10  # epochs without a better error on what is held out; 0: never stop early

    def __post_init__(self) -> None:
        for name, options in (("representation", REPRESENTATIONS), ("target", TARGETS)):
            if getattr(self, name) not in options:
                raise SpielwerkError(unknown_name(name, getattr(self, name), options))
        demand(self.data != "", "data must be a file", '""')
        demand(self.matches >= 1, "matches must be 1 at least", self.matches)
        demand(self.positions >= 2, "positions must be 2 at least", self.positions)
        demand(0 < self.held_out < 1, "held_out must be between 0 and 1", self.held_out)
        demand(self.examples >= 0, "examples must be 1 at least, 0 for all", self.examples)
        demand(self.epochs >= 1, "epochs must be 1 at least", self.epochs)
        demand(self.batch >= 2, "batch must be 2 at least", self.batch)
        demand(self.patience >= 0, "patience must not be negative", self.patience)
        first, last = parse_schedule(self.rate).rates(np.array([0, self.epochs]), self.epochs)
        demand(first > 0, "rate must begin above 0", self.rate)
        demand(max(first, last) <= 1, "rate must be 1 at most", self.rate)


def net_config_from(settings: Mapping[str, Any]) -> NetConfig:
    """The configuration of a dictionary as `to_dict` makes it."""
    if "data" not in settings:
        raise SpielwerkError(
            "A net learns from data: --data FILE uses those in a file, or makes them if it is not "
            "there."
        )
    return NetConfig(**checked_settings(settings, NetConfig, needed=("data",)))


def check_search(fixed: tuple[str, ...], trials: int) -> None:
    """Refuse a search that would find nothing."""
    if trials < 1:
        raise SpielwerkError(f"A search has 1 trial at least, not {trials}.")
    if set(fixed) == set(SEARCHED):
        raise SpielwerkError(
            f"There is nothing to search: the settings say {', '.join(SEARCHED)}. Leave out one of "
            "them at least."
        )
