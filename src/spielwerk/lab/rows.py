"""The CSV files of results, read back: whole and with their columns, or an error that says why."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from spielwerk.errors import SpielwerkError


def read_rows(path: Path, columns: Iterable[str]) -> list[dict[str, str]]:
    """Every row by column; at least one, each with all of its values."""
    try:
        text = path.read_bytes().decode("utf-8")
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        rows = list(reader)
    except OSError as error:
        raise SpielwerkError(f"{path} cannot be read: {error.strerror}.") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise damaged(path, str(error)) from None
    missing = [name for name in columns if name not in (reader.fieldnames or ())]
    if missing:
        raise damaged(path, f"it lacks the column {missing[0]}")
    if not rows:
        raise damaged(path, "it has no rows")
    if not text.endswith("\n"):
        raise damaged(path, "its last line is cut off")
    for number, row in enumerate(rows, start=1):
        if None in row or None in row.values():
            raise damaged(path, f"row {number} has too few or too many values")
    return rows


def damaged(path: Path, why: str) -> SpielwerkError:
    return SpielwerkError(f"{path} is damaged ({why}); delete it to begin anew.")
