"""Which net for which representation: a search by Optuna in the place of AutoKeras.

Göppert (2020), §5.1 and §5.2: a tool tries some nets for each representation, and the best is kept.
A trial is a training by settings that Optuna proposes: at random at first, then by the
tree-structured Parzen estimator (Bergstra et al. 2011). A trial ends early if after some epoch its
best error on what is held out is above the median of the errors that the trials before it had then.

A search lives in a folder: `config.toml` (what all trials share), `study.sqlite` (Optuna's memory),
`trials.csv`, `best.toml` and `net.onnx` (the best so far), and while a trial goes on its own folder
`trial`. All trials learn with the seed of the search, and proposals depend on that seed, the number
of the trial and the trials before it. So, on a CPU, a search that was stopped, even killed, ends
with the same trials as one that was not, and a longer search begins with those of a shorter one.
"""

import csv
import io
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import optuna
from optuna.trial import TrialState
from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError

from spielwerk.errors import SpielwerkError
from spielwerk.files import make_folder, write_whole
from spielwerk.kernels import interrupt
from spielwerk.kernels.rng import derive_seed
from spielwerk.learning.nets.architectures import Architecture
from spielwerk.learning.nets.config import (
    KIND,
    STUDY,
    NetConfig,
    check_search,
    net_config_from,
)
from spielwerk.learning.nets.data import NetData, read_data
from spielwerk.learning.nets.supervised import NetRun, make_net_run, net_measure
from spielwerk.learning.runs import CONFIG, begin_folder, check_folder, resume_run, train
from spielwerk.learning.td import DivergedError
from spielwerk.values.net import NET
from spielwerk.values.net_inputs import CHANNELS

TRIALS, BEST, TRIAL = "trials.csv", "best.toml", "trial"
RANDOM_TRIALS = 4
"""So many are proposed at random, and never end early."""
WARM_UP = 3
"""No trial ends before so many epochs."""
RATES = 3e-4, 1e-2
"""Adam's rate at the beginning."""
RATE_FALL = 30
"""Its rate at the end is so many times smaller."""
PROPOSING = 5
"""A stream of chance, apart from those of a training."""
_NAME, _ATTRIBUTE, _RESULT = "nets", "search", "result"


@dataclass(frozen=True)
class TrialResult:
    """A trial that has ended."""

    trial: int  # from 1
    architecture: str
    rate: str
    batch: int
    parameters: int
    epochs: int
    best_epoch: int
    held_out_mse: float  # the best
    held_out_mae: float  # by the same weights
    outcome: str  # trained, pruned or diverged

    def settings(self, config: NetConfig) -> NetConfig:
        """What the trial was trained by."""
        return replace(config, architecture=self.architecture, rate=self.rate, batch=self.batch)


Watch = Callable[[int, NetRun], None]
"""Told, as it learns, the number of a trial, from 1, and its training."""


@dataclass
class Search:
    """A search in its folder, between two trials or in the midst of one."""

    folder: Path
    game: str
    config: NetConfig
    fixed: tuple[str, ...]
    """Those of `config.SEARCHED` that are as the settings say in every trial."""
    seed: int
    trials: int
    command: str
    data: NetData
    study: optuna.Study
    storage: optuna.storages.RDBStorage

    def close(self) -> None:
        """Let go of Optuna's file."""
        self.storage.remove_session()
        self.storage.engine.dispose()

    def results(self) -> list[TrialResult]:
        """All trials that have ended, in their order."""
        ended = self.study.get_trials(
            deepcopy=False, states=(TrialState.COMPLETE, TrialState.PRUNED)
        )
        return [TrialResult(**trial.user_attrs[_RESULT]) for trial in ended]

    def best(self) -> TrialResult | None:
        """The trial with the smallest error on what is held out, of those that came to their end.

        None if there is no such trial.
        """
        return min(
            (result for result in self.results() if result.outcome == "trained"),
            key=lambda result: result.held_out_mse,
            default=None,
        )

    def go_on(
        self,
        watch: Watch = lambda number, run: None,
        ended: Callable[[TrialResult], None] = lambda result: None,
    ) -> None:
        """Go on to the last trial. Ctrl-C is passed on; the trial goes on when resumed."""
        for left in self.study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
            self.study.tell(left.number, state=TrialState.FAIL)  # it is proposed again
        self._write()
        while (done := len(self.results())) < self.trials:
            result = self._try(done + 1, watch)
            self._write()
            ended(result)

    def _try(self, number: int, watch: Watch) -> TrialResult:
        """Propose, train, and enter what came out."""
        self.study.sampler = _sampler(self.seed, number)
        trial = self.study.ask()
        config = proposed(trial, self.config, self.fixed)
        run = interrupt.run(lambda flag: self._run(config))  # it encodes positions, in a kernel
        outcome, state = "trained", TrialState.COMPLETE
        try:
            self._train(number, trial, run, watch)
        except optuna.TrialPruned:
            outcome, state = "pruned", TrialState.PRUNED
        except DivergedError:
            outcome, state = "diverged", TrialState.PRUNED
        result = TrialResult(
            number,
            config.architecture,
            config.rate,
            config.batch,
            sum(weights.numel() for weights in run.net.parameters()),
            run.epoch,
            run.best_epoch,
            float(run.errors[0]),
            float(run.errors[1]),
            outcome,
        )
        best = self.best()
        if outcome == "trained" and (best is None or result.held_out_mse < best.held_out_mse):
            write_whole(self.folder / NET, (self.folder / TRIAL / NET).read_bytes())
        trial.set_user_attr(_RESULT, asdict(result))
        self.study.tell(
            trial, result.held_out_mse if state == TrialState.COMPLETE else None, state=state
        )
        shutil.rmtree(self.folder / TRIAL)
        return result

    def _run(self, config: NetConfig) -> NetRun:
        """The training in the folder `trial` if it is by these settings, else a new one there."""

        def make(game: str, settings: Mapping[str, Any], seed: int, command: str) -> NetRun:
            return make_net_run(game, net_config_from(settings), self.data, seed, command)

        folder = self.folder / TRIAL
        wanted = config.to_toml(self.game, self.seed)
        if (folder / CONFIG).exists() and (folder / CONFIG).read_text() == wanted:
            left = resume_run(folder, {KIND: make})
            assert isinstance(left, NetRun)
            return left
        shutil.rmtree(folder, ignore_errors=True)
        run = make_net_run(self.game, config, self.data, self.seed, self.command)
        begin_folder(run, folder)
        return run

    def _train(self, number: int, trial: optuna.Trial, run: NetRun, watch: Watch) -> None:
        """To the end, unless the median of the trials before says that it is not worth it."""
        reported = 0

        def look(run: NetRun) -> None:
            nonlocal reported
            news = run.rows[reported:]
            for row in news:
                trial.report(row["held_out_mse"], int(row["epoch"]))
            reported = len(run.rows)
            watch(number, run)
            if news and not run.finished and trial.should_prune():
                raise optuna.TrialPruned

        train(run, net_measure(run), self.folder / TRIAL, look)

    def _write(self) -> None:
        """`trials.csv` and `best.toml`, as far as the search has come."""
        text = io.StringIO()
        writer = csv.DictWriter(
            text, [field.name for field in fields(TrialResult)], lineterminator="\n"
        )
        writer.writeheader()
        for result in self.results():
            errors = (result.held_out_mse, result.held_out_mae)
            mse, mae = (float(f"{error:.6g}") for error in errors)
            writer.writerow(asdict(replace(result, held_out_mse=mse, held_out_mae=mae)))
        write_whole(self.folder / TRIALS, text.getvalue())
        best = self.best()
        if best is not None:
            toml = best.settings(self.config).to_toml(self.game, self.seed)
            write_whole(self.folder / BEST, toml)


def begin_search(run: NetRun, folder: Path, fixed: tuple[str, ...], trials: int) -> Search:
    """A search for a better net than that of a run that has not begun: same game, data, seed.

    It gets a folder of its own; refused if that holds a run.
    """
    check_search(fixed, trials)
    check_folder(folder)
    make_folder(folder)
    study, storage = _open(folder)
    search = Search(
        folder,
        run.game_spec,
        run.config,
        fixed,
        run.seed,
        trials,
        run.command,
        run.data,
        study,
        storage,
    )
    _remember(search)
    write_whole(folder / CONFIG, run.config.to_toml(run.game_spec, run.seed))
    return search


def resume_search(folder: Path, trials: int | None = None) -> Search:
    """The search in a folder, as whatever stopped it left it; its data must be where they were.

    `trials` makes it longer, or ends it sooner.
    """
    if not (folder / STUDY).exists():
        raise SpielwerkError(f"{folder} holds no search to go on with ({STUDY} is not there).")
    study, storage = _open(folder)
    try:
        known = study.user_attrs[_ATTRIBUTE]
        game, config = known["game"], net_config_from(known["config"])
        data = read_data(Path(config.data), game)
        if data.digest().tobytes().hex() != known["data"]:
            raise SpielwerkError(
                f"{config.data} has other positions than when the search began; it cannot go on."
            )
        search = Search(
            folder,
            game,
            config,
            tuple(known["fixed"]),
            known["seed"],
            known["trials"],
            known["command"],
            data,
            study,
            storage,
        )
    except (KeyError, TypeError) as error:
        raise SpielwerkError(f"{folder / STUDY} is damaged: {error} is not there.") from None
    if trials is not None:
        done = len(search.results())
        if trials < max(1, done):
            raise SpielwerkError(f"{folder} has {done} trials already, not {trials}.")
        search.trials = trials
        _remember(search)
    return search


def proposed(trial: Any, config: NetConfig, fixed: tuple[str, ...]) -> NetConfig:
    """The settings of a trial: what is searched, proposed by Optuna; the rest as it is.

    One plane (naive, regular): 1 to 4 dense layers of 32 to 512 neurons, or filters as below.
    Several planes: 1 to 4 layers of 8 to 64 filters, then up to 2 dense ones. Sizes are powers
    of 2.
    """
    changes: dict[str, Any] = {}
    if "architecture" not in fixed:
        kinds = ["dense", "conv"] if CHANNELS[config.representation] == 1 else ["conv"]
        kind = trial.suggest_categorical("kind", kinds)
        changes["architecture"] = str(_architecture(trial, kind))
    if "rate" not in fixed:
        start = float(f"{trial.suggest_float('rate', *RATES, log=True):.3g}")
        changes["rate"] = f"exponential:{start:g},end={start / RATE_FALL:.3g}"
    if "batch" not in fixed:
        changes["batch"] = 2 ** trial.suggest_int("log2 batch", 7, 10)
    return replace(config, **changes)


def _architecture(trial: Any, kind: str) -> Architecture:
    filters = layers = 0
    fewest, most = 1, 4
    if kind == "conv":
        filters = 2 ** trial.suggest_int("log2 filters", 3, 6)
        layers = trial.suggest_int("conv layers", 1, 4)
        fewest, most = 0, 2
    # Named by kind: the same name must stand for the same range in all trials.
    count = trial.suggest_int(f"{kind}: dense layers", fewest, most)
    dense = [
        2 ** trial.suggest_int(f"{kind}: log2 neurons {place}", 5, 9)
        for place in range(1, count + 1)
    ]
    return Architecture(kind, filters, layers, tuple(dense))


def _sampler(seed: int, number: int) -> optuna.samplers.BaseSampler:
    """A new one for each trial: what it proposes does not depend on when the search was resumed."""
    return optuna.samplers.TPESampler(
        n_startup_trials=RANDOM_TRIALS,
        seed=derive_seed(seed, PROPOSING, number) >> 32,  # NumPy's generator takes 32 bits
        multivariate=False,
        constant_liar=False,
    )


def _open(folder: Path) -> tuple[optuna.Study, optuna.storages.RDBStorage]:
    """Optuna's memory in a folder; an empty one if there is none."""
    path = folder / STUDY
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    url = URL.create("sqlite", database=str(path)).render_as_string(hide_password=False)
    pruner = optuna.pruners.MedianPruner(n_startup_trials=RANDOM_TRIALS, n_warmup_steps=WARM_UP)
    try:
        storage = optuna.storages.RDBStorage(url)
        study = optuna.create_study(
            study_name=_NAME, storage=storage, pruner=pruner, load_if_exists=True
        )
    except (SQLAlchemyError, optuna.exceptions.OptunaError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        raise SpielwerkError(f"{path} cannot be used: {reason}") from None
    return study, storage


def _remember(search: Search) -> None:
    """What `resume_search` needs, in Optuna's memory."""
    search.study.set_user_attr(
        _ATTRIBUTE,
        {
            "game": search.game,
            "config": search.config.to_dict(),
            "fixed": list(search.fixed),
            "seed": search.seed,
            "trials": search.trials,
            "command": search.command,
            "data": search.data.digest().tobytes().hex(),
        },
    )
