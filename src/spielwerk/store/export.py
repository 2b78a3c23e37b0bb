"""Stored games as files for other programs: CSV, or Parquet."""

import csv
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from spielwerk.errors import SpielwerkError
from spielwerk.games.skipbo import MOST_PLAYERS
from spielwerk.store.store import Store

COLUMNS = {
    "run": int,
    "number": int,
    "game": str,
    **{f"seat_{seat}": str for seat in range(1, MOST_PLAYERS + 1)},
    "seed": str,
    "opening": str,
    "moves": str,
    "utilities": str,
    "plies": int,
    "seconds": str,
    "cards": str,
    "turns": int,
    "played": str,
}
"""Seats hold the specs of players; lists of numbers are words parted by spaces."""
CHUNK = 20_000


def export_games(store: Store, runs: Sequence[int] | None, path: Path) -> int:
    """Write the games of some runs, or of all; returns how many. Whole, or not at all."""
    numbers = [run.id for run in store.runs()] if runs is None else [store.run(r).id for r in runs]
    if path.suffix not in (".csv", ".parquet"):
        raise SpielwerkError(f"Games are written as FILE.csv or FILE.parquet, not {path.name}.")
    scratch = path.with_name(f".{path.name}.new")
    write = _write_csv if path.suffix == ".csv" else _write_parquet
    try:
        count = write(_chunks(store, numbers), scratch)
        scratch.replace(path)
    except OSError as error:
        raise SpielwerkError(f"{path} cannot be written: {error.strerror}.") from None
    finally:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)
    return count


def _chunks(store: Store, runs: Sequence[int]) -> Iterator[list[dict[str, Any]]]:
    rows: list[dict[str, Any]] = []
    for number in runs:
        run, specs = store.run(number), store.specs(number)
        for row in store.games(number):
            seats = enumerate(row["seats"].split(), start=1)
            players = {f"seat_{seat}": specs[int(who)] for seat, who in seats}
            whole = {**row, **players, "game": run.game}
            rows.append({name: whole.get(name) for name in COLUMNS})
            if len(rows) == CHUNK:
                yield rows
                rows = []
    yield rows


def _write_csv(chunks: Iterator[list[dict[str, Any]]], path: Path) -> int:
    count = 0
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(COLUMNS), lineterminator="\n")
        writer.writeheader()
        for rows in chunks:
            writer.writerows(rows)
            count += len(rows)
    return count


def _write_parquet(chunks: Iterator[list[dict[str, Any]]], path: Path) -> int:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise SpielwerkError(
            "Parquet needs pyarrow; `pip install 'spielwerk[parquet]'` installs it, or write .csv."
        ) from None
    kinds = {int: pyarrow.int64(), str: pyarrow.string()}
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])
    count = 0
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        for rows in chunks:
            writer.write_table(pyarrow.Table.from_pylist(rows, schema))
            count += len(rows)
    return count
