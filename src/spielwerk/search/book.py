"""Opening books: exact scores of all positions with a certain number of stones, in one small file.

The first line is a JSON header: the game, the number of stones, how many positions the book aims
at, how many it has, and a checksum. The rest, compressed, is the positions (packed, the smaller of
a position and its mirror image, sorted, as differences) and their scores.
"""

import hashlib
import json
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.files import DATA, write_whole
from spielwerk.games.catalogue import game_spec
from spielwerk.games.connectx import ConnectX

FORMAT = 1


class DamagedBookError(SpielwerkError):
    """A book whose contents do not fit its checksum."""


@dataclass(frozen=True)
class Book:
    """Sorted positions and their scores for the player to move."""

    game: str
    stones: int
    aim: int
    keys: np.ndarray  # uint64 [n], ascending
    scores: np.ndarray  # int8 [n]

    @property
    def coverage(self) -> float:
        return len(self.keys) / self.aim if self.aim else 1.0

    def save(self, path: Path) -> None:
        """Write the whole file, then put it in place of the old one."""
        body = zlib.compress(
            np.diff(self.keys, prepend=np.uint64(0)).astype("<u8").tobytes()
            + self.scores.astype("<i1").tobytes(),
            9,
        )
        header = {
            "format": FORMAT,
            "game": self.game,
            "stones": self.stones,
            "aim": self.aim,
            "positions": len(self.keys),
            "sha256": hashlib.sha256(body).hexdigest(),
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(header).encode() + b"\n" + body)


def read_book(path: Path) -> Book:
    """The book in a file; `DamagedBookError` if it is not as it was written."""
    try:
        header_line, _, body = path.read_bytes().partition(b"\n")
        header = json.loads(header_line)
        if header["format"] != FORMAT or hashlib.sha256(body).hexdigest() != header["sha256"]:
            raise ValueError
        content = zlib.decompress(body)
        count = int(header["positions"])
        keys = np.cumsum(np.frombuffer(content[: 8 * count], "<u8"), dtype=np.uint64)
        scores = np.frombuffer(content[8 * count :], "<i1")
        if len(scores) != count:
            raise ValueError
        return Book(header["game"], header["stones"], header["aim"], keys, scores.astype(np.int8))
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise DamagedBookError(
            f"The book {path.name} is damaged and not used; positions are searched instead."
        ) from error


def shipped_path(game: ConnectX) -> Path:
    """Where the book that comes with the package lies, if there is one for this game."""
    name = game_spec(game).replace(":", "-").replace(",", "-").replace("=", "")
    return DATA / f"{name}.book"


def shipped_book(game: ConnectX) -> Book | None:
    """The book that comes with the package; None if there is none for this game."""
    path = shipped_path(game)
    if not path.exists():
        return None
    book = read_book(path)
    return book if book.game == game_spec(game) else None
