"""Trainings of policy-value nets: settings, beginning, going on."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spielwerk.arena.net_learning import gate_of, puct_measure
from spielwerk.kernels.rng import derive_seed
from spielwerk.learning.nets import need_torch
from spielwerk.learning.nets.puct_config import KIND, PuctConfig, puct_config_from
from spielwerk.learning.runs import Measure
from spielwerk.learning.settings import gathered

if TYPE_CHECKING:
    from spielwerk.learning.nets.reinforcement import PuctRun


def puct_settings_of(
    game: str, preset: str | None, file: Path | None, changes: Sequence[str]
) -> tuple[PuctConfig, int | None]:
    """As `trainings.settings_of`."""
    settings, seed = gathered(game, KIND, preset, file, changes, PuctConfig)
    return puct_config_from(settings), seed


def begin_puct_run(game: str, config: PuctConfig, seed: int, command: str = "") -> "PuctRun":
    """A run that has not begun."""
    need_torch()
    from spielwerk.learning.nets.reinforcement import make_puct_run

    run = make_puct_run(game, config, seed, command)
    if config.gate > 0:
        run.gate = gate_of(run.game, config.gate_games)
    return run


def remake_puct_run(game: str, settings: Mapping[str, Any], seed: int, command: str) -> "PuctRun":
    """A run by the settings that a checkpoint names."""
    return begin_puct_run(game, puct_config_from(settings), seed, command)


def measure_of_puct(run: Any) -> Measure:
    """The shares of value-keeping moves, always on the same positions."""
    return puct_measure(run.game, run.config.evaluation_positions, derive_seed(run.seed, 4))
