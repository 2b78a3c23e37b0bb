"""Model files: the weights of a learned value function, and everything needed to use them.

A file is a safetensors file: nothing in it is executed. Its one tensor is `weights`; its header
says, as JSON, which game, features and function they belong to and how they came about.
"""

import functools
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from spielwerk.errors import SpielwerkError, unknown_name
from spielwerk.files import DATA, write_whole
from spielwerk.games.rules import Game
from spielwerk.values.feature_catalogue import parse_features
from spielwerk.values.features import Features, with_bias
from spielwerk.values.function_catalogue import parse_shape
from spielwerk.values.learned import Learned, make_learned

HEADER = "spielwerk"
MODEL = "model.safetensors"
"""The name of the model in the folder of a training run."""


@dataclass(frozen=True)
class Model:
    """A value function as it is kept: specs instead of code, and the weights."""

    game: str
    features: str
    function: str
    bias: bool
    gamma: float
    rewards: tuple[float, float, float]
    weights: np.ndarray = field(repr=False)
    origin: dict[str, Any] = field(default_factory=dict, repr=False)
    """How it was made: command, seed, games, configuration."""

    def learned(self, game: Game) -> Learned:
        """The value function for a game, which need not be the very one it was trained on."""
        if self.features.startswith("skipbo-"):
            raise SpielwerkError(f"This is a Skip-Bo player; play it as {self.features}:MODEL.")
        features = make_features(self.features, self.bias, game)
        shape = parse_shape(self.function)
        if shape.weight_count(features.width) != self.weights.size:
            raise SpielwerkError(
                f"The model was trained for {self.game}; it has {self.weights.size} weights where "
                f"this game needs {shape.weight_count(features.width)}."
            )
        function = shape.make(features.width, self.weights)
        return make_learned(features, function, self.gamma, self.rewards)

    def save(self, path: Path) -> None:
        from safetensors.numpy import save

        header = {
            "kind": "value function",
            "game": self.game,
            "features": self.features,
            "function": self.function,
            "bias": self.bias,
            "gamma": self.gamma,
            "rewards": list(self.rewards),
            "origin": self.origin,
        }
        # One entry: the order of several is not kept, and equal models should be equal files.
        write_whole(path, save({"weights": self.weights}, {HEADER: json.dumps(header)}))


def make_features(text: str, bias: bool, game: Game) -> Features:
    features = parse_features(text, game)
    return with_bias(features) if bias else features


def load_model(path: Path) -> Model:
    """Read a model file; a SpielwerkError if it is none, or damaged."""
    header, tensors = read_tensors(path)
    try:
        win, draw, loss = header["rewards"]
        return Model(
            header["game"],
            header["features"],
            header["function"],
            bool(header["bias"]),
            float(header["gamma"]),
            (float(win), float(draw), float(loss)),
            tensors["weights"],
            header["origin"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise SpielwerkError(f"{path} is no model of a value function ({error}).") from None


def read_tensors(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The header and the tensors of a file of ours."""
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:
        return read_tensors_plainly(path)
    try:
        with safe_open(path, framework="numpy") as file:
            header = json.loads((file.metadata() or {})[HEADER])
            return header, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise SpielwerkError(f"{path} is no file of Spielwerk's, or damaged ({error}).") from None


def read_tensors_plainly(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The same without the library, for a machine that lacks it. The file must be sound.

    Its format: the length of a JSON header, in eight bytes; the header; the numbers.
    """
    content = path.read_bytes()
    begin = 8 + int.from_bytes(content[:8], "little")
    described = json.loads(content[8:begin])
    header = json.loads(described.pop("__metadata__")[HEADER])
    kinds = {"F64": "<f8", "F32": "<f4", "F16": "<f2"}
    tensors = {}
    for name, about in described.items():
        first, last = (begin + place for place in about["data_offsets"])
        numbers = np.frombuffer(content[first:last], kinds[about["dtype"]])
        tensors[name] = numbers.reshape(about["shape"]).copy()
    return header, tensors


def shipped_models() -> dict[str, Path]:
    """The models that come with Spielwerk, by name."""
    found = {path.stem: path for path in (DATA / "models").glob("*.safetensors")}
    return dict(sorted(found.items()))


def find_model(text: str) -> Path:
    """A model by the name of a shipped one, by its file, or by the folder of its training run.

    A shipped one is what its name means, whatever lies in the current directory: experiments and
    the programs of the web table play with those. `./NAME` is the folder.
    """
    shipped = shipped_models()
    if text in shipped:
        return shipped[text]
    path = Path(text).expanduser()
    if path.is_file():
        return path
    if path.is_dir():
        if (path / MODEL).is_file():
            return path / MODEL
        raise SpielwerkError(
            f"{text} holds no finished model; `spielwerk train --resume {text}` goes on with it."
        )
    raise SpielwerkError(
        f"{unknown_name('model', text, shipped)} A file, or the folder of a training run, will do "
        "as well."
    )


def use_model(text: str) -> Model:
    """The model that `text` names, read once."""
    path = find_model(text).resolve()
    return _read(path, path.stat().st_mtime_ns)


def use_learned(text: str, game: Game) -> Learned:
    """The value function that `text` names, for this game, made once."""
    path = find_model(text).resolve()
    return _make(path, path.stat().st_mtime_ns, game)


@functools.lru_cache(maxsize=64)
def _read(path: Path, changed: int) -> Model:
    return load_model(path)


@functools.lru_cache(maxsize=64)
def _make(path: Path, changed: int, game: Game) -> Learned:
    return _read(path, changed).learned(game)
