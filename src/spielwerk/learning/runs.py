"""A training run: games by the settings, measured as it goes, kept so that nothing is lost.

A run lives in a folder: `config.toml` (what is run), `curve.csv` (a row per evaluation),
`checkpoint.safetensors` (everything to go on from), at the end `model.safetensors`, of nets
`net.onnx`. A run that is
stopped, even killed, and resumed ends with the very same files as one that was not: a checkpoint
lies between two games and holds the weights, the memory of the step sizes, the random numbers and
all sums.
"""

import csv
import io
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.files import make_folder, write_whole
from spielwerk.games.rules import Game
from spielwerk.values.model import HEADER, MODEL, Model, read_tensors, shipped_models
from spielwerk.values.net import NET, shipped_nets

CONFIG, CURVE, CHECKPOINT = "config.toml", "curve.csv", "checkpoint.safetensors"
LOCK = ".lock"
LOOKS = 10
CHECKPOINT_SECONDS = 10.0
CURVE_SECONDS = 1.0

Measure = Callable[[Any], Mapping[str, float]]
"""How good what a run has learned is: named numbers, `success` first."""


@dataclass
class Training(ABC):
    """A training in memory, between two of the steps that it counts."""

    KIND: ClassVar[str]
    """What its checkpoints are called."""
    COUNTED: ClassVar[str] = "games"
    """What it counts: the column of the curve that says how far it had come."""
    CHUNK: ClassVar[int] = 2000
    """`chunk`, where it is the same for all of a kind."""

    game_spec: str
    config: Any
    seed: int
    game: Game
    rows: list[dict[str, float]] = field(default_factory=list, kw_only=True)
    command: str = field(default="", kw_only=True)

    @property
    @abstractmethod
    def done(self) -> int:
        """How many steps have been made."""

    @property
    @abstractmethod
    def total(self) -> int:
        """How many there will be, unless it finishes early."""

    @property
    @abstractmethod
    def every(self) -> int:
        """So many from one row of the curve to the next."""

    @property
    def chunk(self) -> int:
        """Steps between two looks at the clock and two reports of progress."""
        return self.CHUNK

    @property
    def finished(self) -> bool:
        return self.done >= self.total

    @property
    @abstractmethod
    def learned(self) -> Any:
        """What is measured."""

    @abstractmethod
    def go_on(self, steps: int) -> None:
        """Make so many steps more. Ctrl-C comes between two of them."""

    @abstractmethod
    def row(self, measured: Mapping[str, float]) -> dict[str, float]:
        """A row of the curve, with what was measured; sums begin anew."""

    @abstractmethod
    def memory(self) -> dict[str, np.ndarray]:
        """Every array that a run changes and needs again, by name."""

    def restore(self, tensors: Mapping[str, np.ndarray]) -> None:
        """Go on from what `memory` gave."""
        for name, array in self.memory().items():
            array[:] = tensors[name]

    @abstractmethod
    def save_learned(self, folder: Path) -> None:
        """Keep what was learned, to be played."""


@dataclass
class Run(Training):
    """A training that counts games; settings have `games` and `evaluate_every` among them."""

    @property
    @abstractmethod
    def games(self) -> int:
        """How many have been played."""

    def model(self) -> Model:
        """What is kept, if it is a model file. Who keeps something else has a `save_learned`."""
        raise SpielwerkError(f"A training of the kind {self.KIND} keeps no model file.")

    @abstractmethod
    def play_on(self, games: int) -> None:
        """Play so many games more, and learn from them. Ctrl-C comes between two games."""

    @property
    def done(self) -> int:
        return self.games

    @property
    def total(self) -> int:
        return int(self.config.games)

    @property
    def every(self) -> int:
        return int(self.config.evaluate_every)

    def go_on(self, steps: int) -> None:
        self.play_on(steps)

    def save_learned(self, folder: Path) -> None:
        self.model().save(folder / MODEL)


def train(
    run: Training,
    measure: Measure,
    folder: Path | None = None,
    progress: Callable[[Any], None] = lambda run: None,
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
                run.go_on(min(run.chunk, _next_report(run) - run.done))
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
            run.rows.append(run.row(measured))
        progress(run)
    save_checkpoint(run, folder)
    _save_curve(run, folder)
    if folder is not None:
        run.save_learned(folder)


def play_until(run: Run, games: int) -> None:
    """Go on until so many games have been played, without measuring."""
    while run.games < games:
        run.play_on(min(run.chunk, games - run.games))


def _is_due(run: Training) -> bool:
    """Whether the curve lacks a row for what has been done."""
    if not run.rows:
        return True
    at_report = run.finished or run.done % run.every == 0
    return at_report and run.rows[-1][run.COUNTED] < run.done


def _next_report(run: Training) -> int:
    """The number of steps after which the next row of the curve is due."""
    return min((run.done // run.every + 1) * run.every, run.total)


def save_checkpoint(run: Training, folder: Path | None) -> None:
    if folder is None:
        return
    from safetensors.numpy import save

    header = {
        "kind": run.KIND,
        "game": run.game_spec,
        "seed": run.seed,
        "command": run.command,
        "config": run.config.to_dict(),
        "rows": run.rows,
    }
    tensors = {name: np.ascontiguousarray(array) for name, array in run.memory().items()}
    write_whole(folder / CHECKPOINT, save(tensors, {HEADER: json.dumps(header)}))


def begin_folder(run: Training, folder: Path) -> None:
    """Make the folder of a run that has not begun; refused if it holds another one."""
    check_folder(folder)
    make_folder(folder)
    save_checkpoint(run, folder)
    write_whole(folder / CONFIG, run.config.to_toml(run.game_spec, run.seed))


def check_folder(folder: Path) -> None:
    """Refuse a folder that holds a run, and one that is called as a shipped model: its name would
    mean that one."""
    if str(folder) in {**shipped_models(), **shipped_nets()}:
        raise SpielwerkError(
            f"{folder} is the name of a model that comes with Spielwerk: --out takes another "
            f"folder, runs/{folder} for example."
        )
    if any((folder / name).exists() for name in (CONFIG, CHECKPOINT, MODEL, NET)):
        raise SpielwerkError(
            f"{folder} already holds a run: --resume {folder} goes on with it, --out names "
            "another folder."
        )


Maker = Callable[[str, Mapping[str, Any], int, str], Training]
"""Makes a run that has not begun: of a game, settings, a seed and the command that began it."""


def resume_run(folder: Path, makers: Mapping[str, Maker]) -> Training:
    """The run as its last checkpoint left it; the curve loses what came after that."""
    if not (folder / CHECKPOINT).exists():
        raise SpielwerkError(f"{folder} holds no run to go on with ({CHECKPOINT} is not there).")
    header, tensors = read_tensors(folder / CHECKPOINT)
    try:
        make = makers[header["kind"]]
        run = make(header["game"], header["config"], header["seed"], header["command"])
        run.restore(tensors)
        run.rows = header["rows"]
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, SpielwerkError):
            raise
        raise SpielwerkError(f"{folder / CHECKPOINT} is damaged: {error}") from None
    _check_config(run, folder)
    _save_curve(run, folder)
    return run


def _check_config(run: Training, folder: Path) -> None:
    """Refuse to go on if `config.toml` says something else; write it if it is not there."""
    wanted = run.config.to_toml(run.game_spec, run.seed)
    if not (folder / CONFIG).exists():
        write_whole(folder / CONFIG, wanted)
    elif (folder / CONFIG).read_text() != wanted:
        raise SpielwerkError(
            f"{folder / CONFIG} was edited after the run had begun. A run goes on as it was begun: "
            "undo that, or begin another one with --config and --out."
        )


def _save_curve(run: Training, folder: Path | None) -> None:
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


def is_owned(folder: Path) -> bool:
    """Whether a process, this one or another, is training in a folder right now."""
    try:
        import fcntl
    except ImportError:  # Windows
        return False
    try:
        with (folder / LOCK).open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                return True
    except OSError:  # nobody ever was
        return False
    return False


@contextmanager
def sole_owner(folder: Path) -> Iterator[None]:
    """Refuse to run twice in one folder at once. However the process ends, its lock ends too."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    try:
        lock = (folder / LOCK).open("w")
    except OSError as error:
        raise SpielwerkError(f"{folder} cannot be used: {error.strerror}.") from None
    with lock as file:
        for _ in range(LOOKS):  # somebody may be looking, which takes an instant
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                time.sleep(0.01)
        else:
            raise SpielwerkError(f"Another process is training in {folder}.")
        yield
