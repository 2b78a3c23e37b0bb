"""A training run: self-play by the settings, measured as it goes, kept so that nothing is lost.

A run lives in a folder: `config.toml` (what is run), `curve.csv` (a row per evaluation),
`checkpoint.safetensors` (everything to go on from), at the end `model.safetensors`. A run that is
stopped, even killed, and resumed ends with the very same files as one that was not: a checkpoint
lies between two games, where traces are empty, and holds the weights, the memory of the step sizes,
the random numbers and all sums.
"""

import csv
import io
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.files import make_folder, write_whole
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
from spielwerk.values.model import HEADER, MODEL, Model, make_features, read_tensors
from spielwerk.values.sparse import to_dense

CONFIG, CURVE, CHECKPOINT = "config.toml", "curve.csv", "checkpoint.safetensors"
CHUNK = 2000
"""Games between two looks at the clock and two reports of progress."""
CHECKPOINT_SECONDS = 10.0
CURVE_SECONDS = 1.0
RUNAWAY = 1000.0
"""Rewards are 1 at most: a weight beyond this means that the step size is too large."""

Measure = Callable[[Learned], Mapping[str, float]]
"""How good the value function is: named numbers, `success` first."""


@dataclass
class Run:
    """A training in memory, between two games."""

    game_spec: str
    config: TdConfig
    seed: int
    game: Game
    learner: Learner | ColumnLearner
    episode: Episode
    average: Average
    referee: Referee
    starts: np.ndarray
    tally: Tally
    rows: list[dict[str, float]] = field(default_factory=list)
    command: str = ""

    @property
    def games(self) -> int:
        return int(self.tally.games[0])

    @property
    def finished(self) -> bool:
        return self.games >= self.config.games

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


def make_run(
    game_spec: str, config: TdConfig, seed: int, command: str = "", fast: bool = True
) -> Run:
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
    return Run(
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
        [],
        command,
    )


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


def train(
    run: Run,
    measure: Measure,
    folder: Path | None = None,
    progress: Callable[[Run], None] = lambda run: None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
) -> None:
    """Go on with the run to its end. Ctrl-C leaves a checkpoint and is passed on."""
    saved = shown = time.monotonic()
    while True:
        measured = None
        try:
            if _is_due(run):
                measured = measure(run.learned)
            elif run.finished:
                break
            else:
                play_on(run, min(CHUNK, _next_report(run) - run.games))
            if time.monotonic() - saved >= checkpoint_seconds:
                save_checkpoint(run, folder)
                saved = time.monotonic()
            if run.rows and time.monotonic() - shown >= CURVE_SECONDS:
                _save_curve(run, folder)
                shown = time.monotonic()
        except KeyboardInterrupt:
            save_checkpoint(run, folder)
            _save_curve(run, folder)
            raise
        # Out of reach of the lines above: what is half entered must not be saved.
        if measured is not None:
            _add_row(run, measured)
        progress(run)
    save_checkpoint(run, folder)
    _save_curve(run, folder)
    if folder is not None:
        run.model().save(folder / MODEL)


def play_on(run: Run, games: int) -> None:
    config = run.config
    numbers = np.arange(run.games, run.games + games)
    alphas = parse_schedule(config.alpha).rates(numbers, config.games)
    play = Play(
        config.random_plies, config.depth, config.explored == "learn", config.target == "search"
    )
    before = (run.learner, run.game, run.starts, play, run.referee)
    behind = (run.average, config.epsilons(numbers), alphas, run.tally)
    if isinstance(run.learner, ColumnLearner):
        fine = interrupt.run(column_self_play, *before, *behind)
    else:
        fine = interrupt.run(self_play, *before, run.episode, *behind)
    # A squashed output keeps error signals small whatever the weights are.
    if not (fine and np.abs(run.learner.learned.function.weights).max() <= RUNAWAY):
        raise _diverged(run)


def play_until(run: Run, games: int) -> None:
    """Go on until so many games have been played, without measuring."""
    while run.games < games:
        play_on(run, min(CHUNK, games - run.games))


def _is_due(run: Run) -> bool:
    """Whether the curve lacks a row for what has been played."""
    if not run.rows:
        return True
    at_report = run.finished or run.games % run.config.evaluate_every == 0
    return at_report and run.rows[-1]["games"] < run.games


def _next_report(run: Run) -> int:
    """The number of games after which the next row of the curve is due."""
    every = run.config.evaluate_every
    return min((run.games // every + 1) * every, run.config.games)


def _add_row(run: Run, measured: Mapping[str, float]) -> None:
    """Add a row to the curve, and begin new sums."""
    config, tally, games = run.config, run.tally, np.array([run.games])
    learned = max(int(tally.learned[0]), 1)
    row: dict[str, float] = {"games": run.games, **measured}
    first, second = config.epsilons(games)[0]
    row["epsilon"] = float(second)
    if config.epsilon_first != "same":
        row["epsilon_first"] = float(first)
    row["alpha"] = _alpha(run.learner.step_rule, config, games)
    row["error"] = float(np.sqrt(tally.squares[0] / learned))
    played = run.games - (run.rows[-1]["games"] if run.rows else 0)
    row["plies"] = int(tally.plies[0]) / max(played, 1)
    tally.plies[0] = tally.learned[0] = 0
    tally.squares[0] = 0.0
    run.rows.append(row)


def _alpha(rule: StepRule, config: TdConfig, games: np.ndarray) -> float:
    """What the curve shows as α: the schedule's, but for α-bounds, which has one of its own."""
    if isinstance(rule, AlphaBounds):
        return float(rule.alpha[0])
    return float(parse_schedule(config.alpha).rates(games, config.games)[0])


def _diverged(run: Run) -> DivergedError:
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


def _steepness(run: Run) -> float:
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


def _memory(run: Run) -> dict[str, np.ndarray]:
    """Every array that a run changes and needs again, by name."""
    rule = run.learner.step_rule
    arrays = {
        f"step.{name}": value
        for name, value in rule._asdict().items()
        if isinstance(value, np.ndarray)
    }
    arrays |= {f"tally.{name}": value for name, value in run.tally._asdict().items()}
    arrays["average"] = run.average.weights
    return {"weights": run.learner.learned.function.weights, **arrays}


def save_checkpoint(run: Run, folder: Path | None) -> None:
    if folder is None:
        return
    from safetensors.numpy import save

    header = {
        "kind": "checkpoint",
        "game": run.game_spec,
        "seed": run.seed,
        "command": run.command,
        "config": run.config.to_dict(),
        "rows": run.rows,
    }
    tensors = {name: np.ascontiguousarray(array) for name, array in _memory(run).items()}
    write_whole(folder / CHECKPOINT, save(tensors, {HEADER: json.dumps(header)}))


def begin_folder(run: Run, folder: Path) -> None:
    """Make the folder of a run that has not begun; refused if it holds another one."""
    if any((folder / name).exists() for name in (CONFIG, CHECKPOINT, MODEL)):
        raise SpielwerkError(
            f"{folder} already holds a run: --resume {folder} goes on with it, --out names "
            "another folder."
        )
    make_folder(folder)
    save_checkpoint(run, folder)
    write_whole(folder / CONFIG, run.config.to_toml(run.game_spec, run.seed))


def resume(folder: Path) -> Run:
    """The run as its last checkpoint left it; the curve loses what came after that."""
    if not (folder / CHECKPOINT).exists():
        raise SpielwerkError(f"{folder} holds no run to go on with ({CHECKPOINT} is not there).")
    header, tensors = read_tensors(folder / CHECKPOINT)
    try:
        run = make_run(
            header["game"], config_from(header["config"]), header["seed"], header["command"]
        )
        for name, array in _memory(run).items():
            array[:] = tensors[name]
        run.rows = header["rows"]
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, SpielwerkError):
            raise
        raise SpielwerkError(f"{folder / CHECKPOINT} is damaged: {error}") from None
    _check_config(run, folder)
    _save_curve(run, folder)
    return run


def _check_config(run: Run, folder: Path) -> None:
    """Refuse to go on if `config.toml` says something else; write it if it is not there."""
    wanted = run.config.to_toml(run.game_spec, run.seed)
    if not (folder / CONFIG).exists():
        write_whole(folder / CONFIG, wanted)
    elif (folder / CONFIG).read_text() != wanted:
        raise SpielwerkError(
            f"{folder / CONFIG} was edited after the run had begun. A run goes on as it was begun: "
            "undo that, or begin another one with --config and --out."
        )


def _save_curve(run: Run, folder: Path | None) -> None:
    if folder is None or not run.rows:
        return
    text = io.StringIO()
    names = list(dict.fromkeys(name for row in run.rows for name in row))
    writer = csv.DictWriter(text, names, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _short(value) for name, value in row.items()} for row in run.rows)
    write_whole(folder / CURVE, text.getvalue())


def _short(value: float) -> float:
    return float(f"{value:.6g}") if isinstance(value, float) else value


@contextmanager
def sole_owner(folder: Path) -> Iterator[None]:
    """Refuse to run twice in one folder at once. However the process ends, its lock ends too."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    try:
        lock = (folder / ".lock").open("w")
    except OSError as error:
        raise SpielwerkError(f"{folder} cannot be used: {error.strerror}.") from None
    with lock as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SpielwerkError(f"Another process is training in {folder}.") from None
        yield
