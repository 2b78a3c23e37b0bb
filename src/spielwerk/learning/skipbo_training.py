"""Training runs of Skip-Bo players: a game, then an update, by eq. (1) of Jahnke (2007, §4.3)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.skipbo import SkipBo
from spielwerk.kernels import interrupt
from spielwerk.kernels.rng import derive_seed
from spielwerk.learning.averaging import Average, make_average
from spielwerk.learning.runs import Run
from spielwerk.learning.schedules import parse_schedule
from spielwerk.learning.skipbo_config import SELF, SkipBoConfig
from spielwerk.learning.skipbo_self_play import (
    Lesson,
    Sequences,
    Tally,
    learn_games,
    make_sequences,
    make_tally,
)
from spielwerk.learning.td import DivergedError
from spielwerk.search.skipbo_policies import (
    ACTIONS,
    MOST_WEIGHTS,
    STATES,
    TURNS,
    WEIGHTS,
    Policies,
    Policy,
    Table,
    Thought,
    make_policies,
    make_table,
    make_thought,
)
from spielwerk.values import skipbo_actions
from spielwerk.values.model import Model

KINDS = {"td": STATES, "lea": ACTIONS, "search": TURNS}
RUNAWAY = 1000.0
"""A weight beyond this means that the step size is too large."""


@dataclass
class SkipBoRun(Run):
    """A Skip-Bo player that learns at a table with itself or with others."""

    KIND = "skip-bo checkpoint"
    CHUNK = 100

    config: SkipBoConfig
    policies: Policies
    average: Average
    pulls: np.ndarray
    tally: Tally
    best: np.ndarray
    """The weights that did best so far, and behind them how well."""
    table: Table
    thought: Thought
    sequences: Sequences

    @property
    def games(self) -> int:
        return int(self.tally.games[0])

    @property
    def weights(self) -> np.ndarray:
        return self.policies.weights[0]

    @property
    def learned(self) -> Policy:
        """Who is measured: with averaged weights, if there are."""
        has_average = 0 < self.average.every <= self.games
        return self._policy(self.average.weights if has_average else self.weights)

    @property
    def kept(self) -> Policy:
        """Who is kept: the last one, or the best that was measured."""
        return self._policy(self.best[:-1]) if self.config.keep == "best" else self.learned

    def _policy(self, weights: np.ndarray) -> Policy:
        kind = KINDS[self.config.learner]
        return Policy(kind, weights=tuple(weights[: WEIGHTS[kind]].tolist()))

    def model(self) -> Model:
        return Model(
            self.game_spec,
            f"skipbo-{self.config.learner}",
            f"tanh:slope={self.config.beta:g}",
            False,
            1.0,
            (1.0, -1.0, -1.0),
            np.array(self.kept.weights),
            {
                "command": self.command,
                "seed": self.seed,
                "games": self.games,
                "config": self.config.to_dict(),
            },
        )

    def play_on(self, games: int) -> None:
        config = self.config
        alone = self.games < config.self_games
        if alone:
            games = min(games, config.self_games - self.games)
        numbers = np.arange(self.games, self.games + games)
        # Among players by themselves the learner is the only one.
        policies = Policies(*(part[:1] for part in self.policies)) if alone else self.policies
        interrupt.run(
            learn_games,
            self.game,
            policies,
            0,
            Lesson(config.lam, config.beta, config.norm, config.step == "tcl"),
            self.average,
            self.pulls,
            parse_schedule(config.alpha).rates(numbers, config.games),
            parse_schedule(config.epsilon).rates(numbers, config.games),
            np.uint64(derive_seed(self.seed, 1)),
            self.table,
            self.thought,
            self.sequences,
            np.zeros(MOST_WEIGHTS),
            self.tally,
        )
        if not np.abs(self.weights).max() <= RUNAWAY:
            raise DivergedError(
                f"The learning diverged before game {self.games + 1}: a weight is larger than "
                f"{RUNAWAY:g}. Try a smaller alpha, or bound the weights by norm."
            )

    def row(self, measured: Mapping[str, float]) -> dict[str, float]:
        tally, games = self.tally, np.array([self.games])
        if measured["success"] > self.best[-1]:
            weights = self.learned.weights
            self.best[: len(weights)] = weights
            self.best[-1] = measured["success"]
        played = self.games - (self.rows[-1]["games"] if self.rows else 0)
        row: dict[str, float] = {"games": self.games, **measured}
        for name in ("epsilon", "alpha"):
            schedule = parse_schedule(getattr(self.config, name))
            row[name] = float(schedule.rates(games, self.config.games)[0])
        row["error"] = float(np.sqrt(tally.squares[0] / max(int(tally.choices[0]), 1)))
        row["turns"] = int(tally.turns[0]) / max(played, 1)
        tally.turns[0] = tally.choices[0] = 0
        tally.squares[0] = 0.0
        if len(self.learned.weights) <= MOST_WRITTEN:
            row |= {f"w{i + 1}": weight for i, weight in enumerate(self.learned.weights)}
        return row

    def memory(self) -> dict[str, np.ndarray]:
        return {
            "weights": self.policies.weights[:1],
            "average": self.average.weights,
            "pulls": self.pulls,
            "best": self.best,
            **{f"tally.{name}": value for name, value in self.tally._asdict().items()},
        }


MOST_WRITTEN = 100
"""Players with so few weights have them in every row of the curve (§6, "learn to file")."""


def make_skipbo_run(
    game_spec: str,
    config: SkipBoConfig,
    seed: int,
    command: str = "",
    rival: Policy | None = None,
) -> SkipBoRun:
    """A run that has not begun; `rival` is who `against` names, unless that is itself."""
    game = parse_game(game_spec)
    if not isinstance(game, SkipBo):
        raise SpielwerkError(f"{game_spec} is not Skip-Bo.")
    kind = KINDS[config.learner]
    first = Policy(kind, weights=tuple(initial_weights(config).tolist()))
    if (rival is None) != (config.against == SELF):
        raise ValueError("A rival is wanted exactly if it is not to learn from itself.")
    players = [first] if rival is None else [first, rival]
    policies = make_policies(players)
    return SkipBoRun(
        game_spec,
        config,
        seed,
        game,
        policies,
        make_average(policies.weights[0], config.average),
        np.zeros((2, MOST_WEIGHTS)),
        make_tally(),
        np.append(policies.weights[0], -1.0),
        make_table(game),
        make_thought(game),
        make_sequences(game.players),
        command=command,
    )


def initial_weights(config: SkipBoConfig) -> np.ndarray:
    """Zeros; or equal weights in each group, so that moves are alike (Jahnke 2007, §4.4.2).

    Source and target weigh 1, the three parts of a discard's target a third each, wilds 1, the next
    player 2: as much as source and target together.
    """
    weights = np.zeros(WEIGHTS[KINDS[config.learner]])
    if config.start == "groups":
        weights[:] = 1.0
        weights[skipbo_actions.STRATEGY : skipbo_actions.WILDS] = 1 / 3
        weights[skipbo_actions.NEXT :] = 2.0
        weights[skipbo_actions.SOURCE_STOCK] = config.stock
    return weights
