"""Games as rows of a table, and back."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from spielwerk.arena.batch import Batch
from spielwerk.games.notation import MOVE_NAMES

_TO_NAMES = bytes(MOVE_NAMES, "ascii").ljust(256, b"?")
_FROM_NAMES = bytes(max(MOVE_NAMES.find(chr(code)), 0) for code in range(256))


def rows_of(run: int, batch: Batch, played: str) -> list[dict[str, Any]]:
    """A row per game."""
    return [
        {
            "run": run,
            "number": number,
            "seats": _join(seats),
            "seed": str(seed),
            "opening": names_of(opening),
            "moves": names_of(moves),
            "utilities": " ".join(f"{utility:g}" for utility in utilities),
            "plies": plies,
            "made": " ".join(f"{made:g}" for made in own),
            "seconds": " ".join(f"{one:.3g}" for one in seconds),
            "cards": None if batch.left is None else _join(batch.left[place].tolist()),
            "turns": None if batch.turns is None else int(batch.turns[place]),
            "played": played,
        }
        for place, (number, seats, seed, opening, moves, utilities, plies, own, seconds) in (
            enumerate(
                zip(
                    batch.numbers.tolist(),
                    batch.seats.tolist(),
                    batch.seeds,
                    batch.openings,
                    batch.moves,
                    batch.utilities.tolist(),
                    batch.plies.tolist(),
                    batch.made.tolist(),
                    batch.seconds.tolist(),
                    strict=True,
                )
            )
        )
    ]


def batch_of(rows: Sequence[Mapping[str, Any]]) -> Batch:
    """The games of some rows, which are of the same run."""
    cards = rows[0]["cards"] is not None
    return Batch(
        np.array([row["number"] for row in rows], np.int64),
        np.array([numbers_in(row["seats"]) for row in rows], np.int64),
        np.array([numbers_in(row["utilities"]) for row in rows]),
        np.array([row["plies"] for row in rows], np.int64),
        np.array([numbers_in(row["made"]) for row in rows]),
        np.array([numbers_in(row["seconds"]) for row in rows]),
        tuple(int(row["seed"]) for row in rows),
        tuple(moves_in(row["opening"]) for row in rows),
        tuple(moves_in(row["moves"]) for row in rows),
        np.array([numbers_in(row["cards"]) for row in rows], np.int64) if cards else None,
        np.array([row["turns"] for row in rows], np.int64) if cards else None,
    )


def names_of(moves: bytes) -> str:
    """Moves as they are written (see `games.notation`)."""
    return moves.translate(_TO_NAMES).decode("ascii")


def moves_in(names: str) -> bytes:
    return names.encode("ascii").translate(_FROM_NAMES)


def numbers_in(text: str) -> list[float]:
    return [float(word) for word in text.split()]


def _join(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))
