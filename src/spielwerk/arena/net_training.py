"""Trainings of value nets: their data, made if they are not there, and how far they have come."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spielwerk.arena.net_data import Progress, make_net_data
from spielwerk.errors import SpielwerkError, unknown_name
from spielwerk.games.catalogue import parse_game
from spielwerk.learning.nets import need_torch
from spielwerk.learning.nets.config import KIND, SEARCHED, NetConfig, net_config_from
from spielwerk.learning.nets.data import MAKING, NetData, read_data
from spielwerk.learning.runs import Measure
from spielwerk.learning.settings import parse_setting, presets, read_config

if TYPE_CHECKING:
    from spielwerk.learning.nets.supervised import NetRun


def net_settings_of(
    game: str,
    preset: str | None,
    file: Path | None,
    changes: Sequence[str],
    data: str | None = None,
) -> tuple[NetConfig, int | None]:
    """As `trainings.settings_of`; `data` names the file to learn from.

    If that is there, what it says of how it was made takes the place of a preset's words on that;
    who asks for something else in so many words is refused.
    """
    settings, asked, seed = _told(game, preset, file, changes)
    if data is not None:
        asked["data"] = data
    config = net_config_from(settings | asked)
    if Path(config.data).exists():
        origin = read_data(Path(config.data), game).origin
        for name in MAKING:
            if name in asked and getattr(config, name) != origin[name]:
                raise SpielwerkError(
                    f"{config.data} was made with {name}={origin[name]}, not {asked[name]}: leave "
                    "that out, or name another file."
                )
        config = net_config_from(config.to_dict() | {name: origin[name] for name in MAKING})
    return config, seed


def not_searched(
    game: str, preset: str | None, file: Path | None, changes: Sequence[str]
) -> tuple[str, ...]:
    """Settings that a search would look for, if preset, file or changes did not say them."""
    settings, asked, _ = _told(game, preset, file, changes)
    return tuple(name for name in SEARCHED if name in settings | asked)


def _told(
    game: str, preset: str | None, file: Path | None, changes: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Any], int | None]:
    """What the preset says; what file and changes do; the seed of the file."""
    parse_game(game)
    known, settings, asked, seed = presets(game, KIND), dict[str, Any](), dict[str, Any](), None
    if preset is not None:
        if preset not in known:
            raise SpielwerkError(unknown_name(f"preset for {game}", preset, known))
        settings, _, _ = read_config(known[preset])
    if file is not None:
        asked, named, seed = read_config(file)
        if named is not None and named != game:
            raise SpielwerkError(f"{file} is for {named}, not for {game}.")
    asked |= dict(parse_setting(text, NetConfig) for text in changes)
    return settings, asked, seed


def begin_net_run(
    game: str,
    config: NetConfig,
    seed: int,
    command: str = "",
    progress: Progress = lambda what, done, total: None,
    threads: int | None = None,
) -> "NetRun":
    """A run that has not begun; its data are made, and kept, if they are not there."""
    need_torch()
    from spielwerk.learning.nets.architectures import parse_architecture
    from spielwerk.learning.nets.supervised import make_net_run

    parse_architecture(config.architecture)  # before minutes of games
    return make_net_run(
        game, config, data_for(game, config, seed, command, progress, threads), seed, command
    )


def data_for(
    game: str,
    config: NetConfig,
    seed: int,
    command: str = "",
    progress: Progress = lambda what, done, total: None,
    threads: int | None = None,
) -> NetData:
    """The data in the file that the settings name; made by them if it is not there."""
    path = Path(config.data)
    if path.exists():
        return read_data(path, game)
    if path.parent.exists() and not path.parent.is_dir():
        raise SpielwerkError(f"{path} cannot be written: {path.parent} is no folder.")
    data = make_net_data(game, config, seed, command, threads or os.cpu_count() or 1, progress)
    data.save(path)
    return data


def remake_net_run(game: str, settings: Mapping[str, Any], seed: int, command: str) -> "NetRun":
    """A run by the settings that a checkpoint names; its data must be where they were."""
    need_torch()
    from spielwerk.learning.nets.supervised import make_net_run

    config = net_config_from(settings)
    return make_net_run(game, config, read_data(Path(config.data), game), seed, command)


def measure_of_net(run: Any) -> Measure:
    """The errors on what is held out."""
    from spielwerk.learning.nets.supervised import net_measure

    return net_measure(run)
