"""Positions to learn from, with what became of them (Göppert 2020, §5.3): one file.

A safetensors file with four tensors: packed positions and values, for training and held out. A
value is for the *owner* of a position, the player who has moved into it: 1 won, −1 lost, or a mean
of these. The header says, as JSON, how they came about.
"""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.files import make_folder, write_whole
from spielwerk.games.catalogue import parse_game
from spielwerk.values.model import HEADER, read_tensors

KIND, VERSION = "net data", 1
MAKING = ("players", "matches", "positions", "held_out", "exact")
"""Settings that decide what is in a file, beside the game and the seed."""


class Rows(NamedTuple):
    """Distinct positions, a value for each."""

    words: np.ndarray  # uint64 [rows]
    values: np.ndarray  # float32 [rows], −1 … 1


@dataclass(frozen=True)
class NetData:
    """What a file holds."""

    game: str
    training: Rows
    held_out: Rows
    origin: dict[str, Any] = field(repr=False)
    """How they were made: command, seed, the settings of `MAKING`, and how many there were."""

    def digest(self) -> np.ndarray:
        """32 bytes that tell these rows from all others."""
        found = hashlib.sha256()
        for array in (*self.training, *self.held_out):
            found.update(np.ascontiguousarray(array).tobytes())
        return np.frombuffer(found.digest(), np.uint8).copy()

    def save(self, path: Path) -> None:
        from safetensors.numpy import save

        header = {"kind": KIND, "version": VERSION, "game": self.game, "origin": self.origin}
        tensors = {
            "training.words": self.training.words,
            "training.values": self.training.values,
            "held_out.words": self.held_out.words,
            "held_out.values": self.held_out.values,
        }
        make_folder(path.parent)
        write_whole(path, save(tensors, {HEADER: json.dumps(header)}))


def read_data(path: Path, game_spec: str) -> NetData:
    """The data in a file; a SpielwerkError if it has none, or those of another game."""
    if not path.is_file():
        raise SpielwerkError(f"There are no data for nets in {path}: the file is not there.")
    header, tensors = read_tensors(path)
    if header.get("kind") != KIND:
        raise SpielwerkError(f"{path} holds no data for nets; it is a {header.get('kind')}.")
    if header.get("version") != VERSION:
        raise SpielwerkError(
            f"{path} was written by another version of Spielwerk (format {header.get('version')}, "
            f"here {VERSION}); make it again."
        )
    try:
        data = NetData(
            header["game"],
            Rows(tensors["training.words"], tensors["training.values"]),
            Rows(tensors["held_out.words"], tensors["held_out.values"]),
            header["origin"],
        )
        missing = [name for name in MAKING if name not in data.origin]
        if missing:
            raise KeyError(missing[0])
    except (KeyError, TypeError) as error:
        raise SpielwerkError(f"{path} is damaged: {error} is not there.") from None
    for rows in (data.training, data.held_out):
        if not 0 < rows.words.size == rows.values.size:
            raise SpielwerkError(f"{path} is damaged: positions and values do not match.")
    if parse_game(data.game) != parse_game(game_spec):
        raise SpielwerkError(f"{path} has positions of {data.game}, not of {game_spec}.")
    return data
