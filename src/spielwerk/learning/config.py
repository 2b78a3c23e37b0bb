"""The settings of a TD training: from a TOML file, a preset, or single settings by name."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from spielwerk.errors import SpielwerkError, unknown_name
from spielwerk.learning.rules import parse_step, parse_trace
from spielwerk.learning.schedules import parse_schedule
from spielwerk.values.function_catalogue import NetShape, SigmoidShape, parse_shape
from spielwerk.values.tuple_files import spelled_out

REWARDS = {"1/0.5/0": (1.0, 0.5, 0.0), "1/0/-1": (1.0, 0.0, -1.0)}
"""White's, for a win, a draw and a loss (Konen 2015, §3; Thill 2012, §2.2)."""

EXPLORED = ("skip", "learn")
TARGETS = ("next", "search")
PROTOCOLS = ("thesis", "distant")
"""See `arena.evaluation`."""

_NAMES = {"lambda": "lam"}
"""Settings whose name is a word of Python's."""


@dataclass(frozen=True)
class TdConfig:
    """Everything that decides what a training learns, but for the game and the seed."""

    features: str
    games: int
    function: str = "linear"
    bias: bool = False
    spread: float = 0.0  # initial weights: even over −spread … spread
    alpha: str = "0.1"
    epsilon: str = "0.1"
    epsilon_first: str = "same"  # the first player's, if it has a schedule of its own
    gamma: float = 1.0
    lam: float = 0.0
    trace: str = "accumulating"
    step: str = "fixed"
    explored: str = "skip"  # or `learn`: from the greedy move beside an exploratory one
    depth: int = 1  # plies that greedy moves look ahead
    target: str = "next"  # learn from the next position, or `search`: from what the look found
    cut: int = 0  # end games with so many stones, by the solver's judgement (ConnectX)
    average: int = 0  # keep an average of the weights over about so many games
    rewards: str = "1/0.5/0"
    start: str = "initial"  # or `random`: any position of the game; or moves
    random_plies: int = 0  # up to so many random moves first
    evaluate_every: int = 100
    opponent: str = "perfect"  # to be measured against while it trains
    protocol: str = "thesis"  # how, where that takes games
    evaluation_games: int = 100  # so many

    def __post_init__(self) -> None:
        _demand(self.games >= 1, "games must be 1 at least", self.games)
        _demand(self.evaluate_every >= 1, "evaluate_every must be 1 at least", self.evaluate_every)
        _demand(
            self.evaluation_games >= 2,
            "evaluation_games must be 2 at least",
            self.evaluation_games,
        )
        _demand(0 <= self.gamma <= 1, "gamma must be 0 to 1", self.gamma)
        _demand(0 <= self.lam <= 1, "lambda must be 0 to 1", self.lam)
        _demand(0 <= self.spread <= 1000, "spread must be 0 to 1000", self.spread)
        _demand(0 <= self.random_plies <= 1000, "random_plies must be 0 to 1000", self.random_plies)
        _demand(1 <= self.depth <= 20, "depth must be 1 to 20", self.depth)
        _demand(0 <= self.cut <= 64, "cut must be 0 (not at all) to 64 stones", self.cut)
        _demand(self.average >= 0, "average must be a number of games, 0 for none", self.average)
        if self.explored not in EXPLORED:
            raise SpielwerkError(unknown_name("way with explored moves", self.explored, EXPLORED))
        if self.target not in TARGETS:
            raise SpielwerkError(unknown_name("target", self.target, TARGETS))
        if self.target == "search" and self.depth == 1:
            raise SpielwerkError("target=search needs a depth of 2 at least to search.")
        if self.target == "search" and self.lam > 0 and not self.trace.startswith("returns"):
            raise SpielwerkError("target=search needs trace=returns, or lambda=0.")
        if self.protocol not in PROTOCOLS:
            raise SpielwerkError(unknown_name("protocol", self.protocol, PROTOCOLS))
        if self.rewards not in REWARDS:
            raise SpielwerkError(unknown_name("rewards", self.rewards, REWARDS))
        shape = parse_shape(self.function)
        if isinstance(shape, SigmoidShape | NetShape) and min(REWARDS[self.rewards]) < 0:
            raise SpielwerkError(
                f"{self.function} gives values from 0 to 1 and cannot learn the rewards "
                f"{self.rewards}; set rewards=1/0.5/0, or function=tanh."
            )
        parse_trace(self.trace)
        parse_step(self.step)
        ends = np.array([0, self.games])
        for name, rate in (("epsilon", self.epsilon), ("epsilon_first", self.epsilon_first)):
            if name == "epsilon" or rate != "same":
                highest = parse_schedule(rate).rates(ends, self.games).max()
                _demand(highest <= 1, f"{name} is a probability, 1 at most", rate)
        first = parse_schedule(self.alpha).rates(ends, self.games)[0]
        _demand(first > 0, "alpha must begin above 0", self.alpha)

    def epsilons(self, numbers: np.ndarray) -> np.ndarray:
        """ε of the first and the second player, a row per game."""
        second = parse_schedule(self.epsilon).rates(numbers, self.games)
        own = self.epsilon if self.epsilon_first == "same" else self.epsilon_first
        return np.column_stack([parse_schedule(own).rates(numbers, self.games), second])

    def to_toml(self, game: str, seed: int) -> str:
        """The settings as a file that `--config` reads."""
        settings = {"game": game, "seed": seed, **self.to_dict()}
        # What JSON writes for a string, a number, true and false, TOML reads.
        lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
        return "\n".join(lines) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """The settings by the names that users write."""
        return {_public(field.name): getattr(self, field.name) for field in fields(self)}


def config_from(settings: Mapping[str, Any]) -> TdConfig:
    """The configuration of a dictionary as `to_dict` makes it; features and games are needed."""
    checked = _checked(settings)
    for needed in ("features", "games"):
        if needed not in checked:
            raise SpielwerkError(f"The configuration does not say which {needed}.")
    checked["features"] = spelled_out(checked["features"])
    return TdConfig(**checked)


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
    folder = Path(str(resources.files("spielwerk"))) / "data" / "presets"
    start = f"{kind}.{game.partition(':')[0]}."
    return {
        path.name.removeprefix(start).removesuffix(".toml"): path
        for path in sorted(folder.glob(f"{start}*.toml"))
    }


def parse_setting(text: str) -> tuple[str, Any]:
    """`alpha=0.1` as a name and a value of the right type."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise SpielwerkError(f'"{text}" is not of the form setting=value.')
    kind = _kinds().get(_NAMES.get(name, name))
    if kind is None:
        raise SpielwerkError(unknown_name("setting", name, map(_public, _kinds())))
    if kind is bool:
        if value not in ("true", "false", "yes", "no"):
            raise SpielwerkError(f'{name} must be yes or no, not "{value}".')
        return name, value in ("true", "yes")
    try:
        return name, kind(value)
    except ValueError:
        word = {int: "a whole number", float: "a number"}[kind]
        raise SpielwerkError(f'{name} must be {word}, not "{value}".') from None


def _checked(settings: Mapping[str, Any]) -> dict[str, Any]:
    kinds, checked = _kinds(), {}
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
    return checked


def _kinds() -> dict[str, Any]:
    return {field.name: field.type for field in fields(TdConfig)}


def _public(own: str) -> str:
    return next((name for name, other in _NAMES.items() if other == own), own)


def _demand(holds: bool, rule: str, value: object) -> None:
    if not holds:
        raise SpielwerkError(f"{rule}, not {value}.")
