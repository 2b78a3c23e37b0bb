"""The settings of a policy-value net that learns from its own games."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.learning.schedules import parse_schedule
from spielwerk.learning.settings import Settings, checked_settings, demand

KIND = "puct"
"""What the training is called, on the command line and in its checkpoints."""


@dataclass(frozen=True)
class PuctConfig(Settings):
    """Everything that decides what is learned, but for the game and the seed."""

    games: int
    architecture: str = "residual:48x3-64"
    generation: int = 500  # games between two trainings
    simulations: int = 100  # per move
    cp: float = 1.5
    fpu: float = 0.2
    noise: float = 0.25  # Dirichlet noise at the root: its share,
    alpha: float = 1.0  # and its parameter
    warm: int = 12  # plies in which moves are chosen in proportion to their visits
    random_share: float = 0.5  # games that begin with random moves, as a share,
    random_plies: int = 16  # so many at most
    lookahead: float = 0.5  # values to learn: so much from the search, the rest from the end
    buffer: int = 300_000  # positions that are remembered
    batch: int = 512  # positions of a step
    passes: float = 2.0  # how often a position is learned from, on average
    rate: str = "0.002"  # of Adam
    decay: float = 1e-4  # of weights
    gate: float = 0.0  # points that a new net must make against the best; 0: it always follows
    gate_games: int = 40
    evaluate_every: int = 1000
    evaluation_positions: int = 400

    def __post_init__(self) -> None:
        for name in ("games", "generation", "simulations", "buffer", "batch", "evaluate_every"):
            demand(getattr(self, name) >= 1, f"{name} must be 1 at least", getattr(self, name))
        demand(self.simulations >= 2, "simulations must be 2 at least", self.simulations)
        for name in ("noise", "random_share", "lookahead", "gate"):
            demand(0 <= getattr(self, name) <= 1, f"{name} must be 0 to 1", getattr(self, name))
        for name in ("cp", "fpu", "decay"):
            demand(getattr(self, name) >= 0, f"{name} must not be negative", getattr(self, name))
        for name in ("alpha", "passes"):
            demand(getattr(self, name) > 0, f"{name} must be above 0", getattr(self, name))
        for name in ("warm", "random_plies"):
            demand(getattr(self, name) >= 0, f"{name} must not be negative", getattr(self, name))
        demand(
            self.gate_games >= 2 and self.gate_games % 2 == 0,
            "gate_games must be even, so that both begin as often, and 2 at least",
            self.gate_games,
        )
        demand(
            self.evaluation_positions >= 10,
            "evaluation_positions must be 10 at least",
            self.evaluation_positions,
        )
        for name in ("games", "evaluate_every"):
            if getattr(self, name) % self.generation:
                raise SpielwerkError(
                    f"{name} must be whole generations of {self.generation} games, not "
                    f"{getattr(self, name)}."
                )
        rates = parse_schedule(self.rate).rates(np.array([0, self.games]), self.games)
        demand(rates.min() >= 0 and rates.max() > 0, "rate must be above 0", self.rate)


def puct_config_from(settings: Mapping[str, Any]) -> PuctConfig:
    """The configuration of a dictionary as `to_dict` makes it; games are needed."""
    return PuctConfig(**checked_settings(settings, PuctConfig, needed=("games",)))
