"""Training runs of TD self-play. Between two games, where checkpoints lie, traces are empty."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.graph import game_graph
from spielwerk.games.notation import parse_position
from spielwerk.games.rules import RUNNING, Game, initial, outcome, pack
from spielwerk.kernels import interrupt
from spielwerk.kernels.rng import derive_seed
from spielwerk.learning.averaging import Average, make_average
from spielwerk.learning.column_play import ColumnLearner, column_self_play, make_column_learner
from spielwerk.learning.config import REWARDS, TdConfig, config_from
from spielwerk.learning.referee import Referee, make_referee
from spielwerk.learning.returns import Episode, make_episode
from spielwerk.learning.rules import parse_step, parse_trace
from spielwerk.learning.runs import Run
from spielwerk.learning.schedules import parse_schedule
from spielwerk.learning.self_play import Play, Tally, make_tally, self_play
from spielwerk.learning.step_sizes import AlphaBounds, Fixed, StepRule, TemporalCoherence
from spielwerk.learning.td import DivergedError, Learner, make_learner, slope_at
from spielwerk.learning.traces import Returns
from spielwerk.search.solving import plies_left
from spielwerk.values.approximators import LinearSigmoid, LinearTanh
from spielwerk.values.column_tuples import ColumnTuples
from spielwerk.values.function_catalogue import initial_weights, parse_shape
from spielwerk.values.learned import Learned, make_learned
from spielwerk.values.model import Model, make_features
from spielwerk.values.sparse import to_dense

RUNAWAY = 1000.0
"""Rewards are 1 at most: a weight beyond this means that the step size is too large."""


@dataclass
class TdRun(Run):
    """TD self-play of a value function."""

    KIND = "checkpoint"

    config: TdConfig
    learner: Learner | ColumnLearner
    episode: Episode
    average: Average
    referee: Referee
    starts: np.ndarray
    tally: Tally

    @property
    def games(self) -> int:
        return int(self.tally.games[0])

    @property
    def learned(self) -> Learned:
        """What is measured and kept: the value function with its averaged weights, if there are."""
        learned = self.learner.learned
        if self.average.every == 0 or self.games < self.average.every:
            return learned
        function = learned.function._replace(weights=self.average.weights)
        return learned._replace(function=function)

    def model(self) -> Model:
        config = self.config
        return Model(
            self.game_spec,
            config.features,
            config.function,
            config.bias,
            config.gamma,
            REWARDS[config.rewards],
            self.learned.function.weights,
            {
                "command": self.command,
                "seed": self.seed,
                "games": self.games,
                "config": config.to_dict(),
            },
        )

    def play_on(self, games: int) -> None:
        config = self.config
        numbers = np.arange(self.games, self.games + games)
        alphas = parse_schedule(config.alpha).rates(numbers, config.games)
        play = Play(
            config.random_plies,
            config.depth,
            config.explored == "learn",
            config.target == "search",
            config.siblings,
        )
        before = (self.learner, self.game, self.starts, play, self.referee)
        behind = (self.average, config.epsilons(numbers), alphas, self.tally)
        if isinstance(self.learner, ColumnLearner):
            fine = interrupt.run(column_self_play, *before, *behind)
        else:
            fine = interrupt.run(self_play, *before, self.episode, *behind)
        # A squashed output keeps error signals small whatever the weights are.
        if not (fine and np.abs(self.learner.learned.function.weights).max() <= RUNAWAY):
            raise _diverged(self)

    def row(self, measured: Mapping[str, float]) -> dict[str, float]:
        config, tally, games = self.config, self.tally, np.array([self.games])
        learned = max(int(tally.learned[0]), 1)
        row: dict[str, float] = {"games": self.games, **measured}
        first, second = config.epsilons(games)[0]
        row["epsilon"] = float(second)
        if config.epsilon_first != "same":
            row["epsilon_first"] = float(first)
        row["alpha"] = _alpha(self.learner.step_rule, config, games)
        row["error"] = float(np.sqrt(tally.squares[0] / learned))
        played = self.games - (self.rows[-1]["games"] if self.rows else 0)
        row["plies"] = int(tally.plies[0]) / max(played, 1)
        tally.plies[0] = tally.learned[0] = 0
        tally.squares[0] = 0.0
        return row

    def memory(self) -> dict[str, np.ndarray]:
        arrays = {
            f"step.{name}": value
            for name, value in self.learner.step_rule._asdict().items()
            if isinstance(value, np.ndarray)
        }
        arrays |= {f"tally.{name}": value for name, value in self.tally._asdict().items()}
        arrays["average"] = self.average.weights
        return {"weights": self.learner.learned.function.weights, **arrays}


def make_run(
    game_spec: str, config: TdConfig, seed: int, command: str = "", fast: bool = True
) -> TdRun:
    """A run that has not begun. If not `fast`, it learns in the general way in any case."""
    game = parse_game(game_spec)
    features = make_features(config.features, config.bias, game)
    shape = parse_shape(config.function)
    weights = initial_weights(shape, features.width, config.spread, derive_seed(seed, 0))
    if isinstance(features, ColumnTuples):
        weights = weights.astype(np.float32)  # a large part of the time is spent on fetching them
    function = shape.make(features.width, weights)
    learned = make_learned(features, function, config.gamma, REWARDS[config.rewards])
    learner = _make_learner(game, config, learned, fast)
    return TdRun(
        game_spec,
        config,
        seed,
        game,
        learner,
        _make_episode(game, learner),
        make_average(weights, config.average),
        make_referee(game, config.cut),
        _starts(game, config.start, config.cut),
        make_tally(derive_seed(seed, 1)),
        command=command,
    )


def remake_run(game_spec: str, settings: Mapping[str, Any], seed: int, command: str) -> TdRun:
    """A run by the settings that a checkpoint names."""
    return make_run(game_spec, config_from(settings), seed, command)


def _make_learner(
    game: Game, config: TdConfig, learned: Learned, fast: bool
) -> Learner | ColumnLearner:
    """The general learner, or the fast one where it can do what the settings ask for."""
    alpha = float(parse_schedule(config.alpha).rates(np.zeros(1), config.games)[0])
    weights = learned.function.weights
    step = parse_step(config.step).make(weights.size, alpha)
    rule = parse_trace(config.trace)
    if fast and has_fast_way(config, learned):
        if isinstance(step, TemporalCoherence):
            # Side by side in memory: they are fetched together.
            both = np.zeros((weights.size, 2), np.float32)
            step = step._replace(net=both[:, 0], absolute=both[:, 1])
        return make_column_learner(
            game, learned, step, isinstance(rule, Returns), rule.resetting, config.lam
        )
    return make_learner(learned, rule, step, config.lam)


def _make_episode(game: Game, learner: Learner | ColumnLearner) -> Episode:
    """Room for a game, if it is learned from at its end and in the general way."""
    if isinstance(learner, Learner) and isinstance(learner.trace_rule, Returns):
        return make_episode(plies_left(game, initial(game)), learner.here.indices.size)
    return make_episode(0, 0)


def has_fast_way(config: TdConfig, learned: Learned) -> bool:
    """Whether `column_play` can do the training."""
    return (
        isinstance(learned.features, ColumnTuples)
        and isinstance(learned.function, LinearTanh | LinearSigmoid)
        and config.step.partition(":")[0] in ("fixed", "tcl")
        and (config.lam == 0 or config.trace.partition(":")[0] == "returns")
        and (config.depth == 1 or (config.cut == 0 and config.gamma == 1))
    )


def _starts(game: Game, start: str, cut: int) -> np.ndarray:
    """Packed positions to begin games with; none means the initial one."""
    if start == "initial":
        return np.zeros(0, np.uint64)
    if start == "random":
        if cut:
            raise SpielwerkError("start=random and cut exclude each other.")
        graph = game_graph(game)
        return graph.words[graph.running]
    state = parse_position(game, start)
    if outcome(game, state) != RUNNING:
        raise SpielwerkError(f'The game is over in the start position "{start}".')
    if cut and plies_left(game, initial(game)) - plies_left(game, state) >= cut:
        raise SpielwerkError(f'The start position "{start}" has no fewer than cut={cut} stones.')
    return np.array([pack(game, state)], np.uint64)


def _alpha(rule: StepRule, config: TdConfig, games: np.ndarray) -> float:
    """What the curve shows as α: the schedule's, but for α-bounds, which has one of its own."""
    if isinstance(rule, AlphaBounds):
        return float(rule.alpha[0])
    return float(parse_schedule(config.alpha).rates(games, config.games)[0])


def _diverged(run: TdRun) -> DivergedError:
    config = run.config
    alpha = _alpha(run.learner.step_rule, config, np.array([run.games]))
    steepness = _steepness(run)
    advice = [f"alpha below {min(1 / steepness, alpha / 2):.2g}"]
    name = config.step.partition(":")[0]
    if name in ("idbd", "k1", "autostep"):
        advice.append(f"a smaller {'mu' if name == 'autostep' else 'theta'} of {name}")
    if config.lam > 0:
        advice.append("a smaller lambda")
    return DivergedError(
        f"The learning diverged in game {run.games + 1}: values or weights have left the range of "
        f"the rewards a thousand times over. The step size (alpha = {alpha:.3g}) is too large: a "
        f"step moves a value by alpha · |gradient|² of its error, and |gradient|² is up to "
        f"{steepness:.3g} here. Try {', or '.join(advice)}."
    )


def _steepness(run: TdRun) -> float:
    """The largest |∇f|² of the first position and of the last of the last game, untrained."""
    fresh = make_run(run.game_spec, run.config, run.seed).learner.learned
    squares = [1.0]
    learner = make_learner(fresh, parse_trace("accumulating"), Fixed())
    slope_at(learner, run.game, initial(run.game), learner.here)
    slopes = [learner.here]
    if isinstance(run.learner, Learner):
        slopes.append(run.learner.here)
    for slope in slopes:
        dense = to_dense(slope, fresh.function.weights.size)
        squares.append(float(dense @ dense))
    return max(square for square in squares if np.isfinite(square))
