"""Settings of trainings: from TOML files, presets, or single settings by name.

A configuration is a frozen dataclass whose fields are its settings; the type of a field is the type
of the setting.
"""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from spielwerk.errors import SpielwerkError, unknown_name
from spielwerk.files import DATA

_NAMES = {"lambda": "lam"}
"""Settings whose name is a word of Python's."""


class Settings:
    """What all configurations can do."""

    def to_toml(self, game: str, seed: int) -> str:
        """The settings as a file that `--config` reads."""
        settings = {"game": game, "seed": seed, **self.to_dict()}
        # What JSON writes for a string, a number, true and false, TOML reads.
        lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
        return "\n".join(lines) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """The settings by the names that users write."""
        return {_public(name): getattr(self, name) for name in _kinds(type(self))}


def read_config(path: Path) -> tuple[dict[str, Any], str | None, int | None]:
    """The settings in a TOML file, and the game and the seed if it names them."""
    try:
        settings = tomllib.loads(path.read_text())
    except (OSError, UnicodeDecodeError) as error:
        raise SpielwerkError(f"{path} cannot be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise SpielwerkError(f"{path} is not TOML: {error}") from None
    game, seed = settings.pop("game", None), settings.pop("seed", None)
    if game is not None and not isinstance(game, str):
        raise SpielwerkError(f"{path}: game must be text, not {game!r}.")
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise SpielwerkError(f"{path}: seed must be a whole number, not {seed!r}.")
    return settings, game, seed


def presets(game: str, kind: str = "td") -> dict[str, Path]:
    """The presets for a game, by name: `nim:n=50` has those of `nim`."""
    folder = DATA / "presets"
    start = f"{kind}.{game.partition(':')[0]}."
    return {
        path.name.removeprefix(start).removesuffix(".toml"): path
        for path in sorted(folder.glob(f"{start}*.toml"))
    }


def gathered(
    game: str,
    kind: str,
    preset: str | None,
    file: Path | None,
    changes: Sequence[str],
    config: type,
) -> tuple[dict[str, Any], int | None]:
    """Preset, file, single changes, the later ones before the earlier; and the seed of the file.

    Without a preset and a file it is the preset `default`, if there is one.
    """
    known = presets(game, kind)
    settings: dict[str, Any] = {}
    seed = None
    if preset is not None and preset not in known:
        raise SpielwerkError(unknown_name(f"preset for {game}", preset, known))
    if preset is None and file is None:
        preset = "default" if "default" in known else None
    if preset is not None:
        settings, _, _ = read_config(known[preset])
    if file is not None:
        more, named, seed = read_config(file)
        if named is not None and named != game:
            raise SpielwerkError(f"{file} is for {named}, not for {game}.")
        settings |= more
    return settings | dict(parse_setting(text, config) for text in changes), seed


def parse_setting(text: str, config: type) -> tuple[str, Any]:
    """`alpha=0.1` as a name and a value of the right type."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise SpielwerkError(f'"{text}" is not of the form setting=value.')
    kinds = _kinds(config)
    kind = kinds.get(_NAMES.get(name, name))
    if kind is None:
        raise SpielwerkError(unknown_name("setting", name, map(_public, kinds)))
    if kind is bool:
        if value not in ("true", "false", "yes", "no"):
            raise SpielwerkError(f'{name} must be yes or no, not "{value}".')
        return name, value in ("true", "yes")
    try:
        return name, kind(value)
    except ValueError:
        word = {int: "a whole number", float: "a number"}[kind]
        raise SpielwerkError(f'{name} must be {word}, not "{value}".') from None


def checked_settings(
    settings: Mapping[str, Any], config: type, needed: tuple[str, ...]
) -> dict[str, Any]:
    """The settings by the names of the fields, all of the right type; some are needed."""
    kinds, checked = _kinds(config), {}
    for name, value in settings.items():
        own = _NAMES.get(name, name)
        if own not in kinds or (own in _NAMES.values() and name == own):
            raise SpielwerkError(unknown_name("setting", name, map(_public, kinds)))
        kind = kinds[own]
        if kind is str and isinstance(value, int | float) and not isinstance(value, bool):
            value = repr(value)  # alpha = 0.1
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if type(value) is not kind:
            word = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
            raise SpielwerkError(f"{name} must be {word[kind]}, not {value!r}.")
        checked[own] = value
    for name in needed:
        if name not in checked:
            raise SpielwerkError(f"The configuration does not say which {name}.")
    return checked


def _kinds(config: Any) -> dict[str, Any]:
    return {field.name: field.type for field in fields(config)}


def _public(own: str) -> str:
    return next((name for name, other in _NAMES.items() if other == own), own)


def demand(holds: bool, rule: str, value: object) -> None:
    if not holds:
        raise SpielwerkError(f"{rule}, not {value}.")
