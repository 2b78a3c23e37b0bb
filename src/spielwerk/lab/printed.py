"""What the works print: package data, one file per work (`data/printed/*.toml`).

A file names its work and has a part for each table or figure, under the name of the experiment:

    [goeppert-table-5]
    place = "table 5, §6.4, p. 56"
    games = 500
    decimals = 1
    columns = ["0.2", "0.3"]
    rows = { "0.3" = [28.2, 35.5], "0.5" = [43.9, { value = 58, decimals = 0 }] }

Numbers of figures, and those said in words, are a list instead (or as well):

    numbers = [{ name = "two tables", words = "over 80 %", low = 80, high = 90 }]

What holds for all numbers of a part (`games`, `trainings`, `tolerance`, `decimals`, `even`, `wide`)
is said once; a number may say something else. See `Printed` for what they mean. A claim is open
where nothing can be: "at least 90 %" of games is `low = 90` alone, for an interval may reach beyond
100. A part that is compared with what another one prints, under other conditions, says `like =
NAME` and has that one's rows and columns.
"""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from spielwerk.errors import SpielwerkError
from spielwerk.files import DATA

FOLDER = DATA / "printed"
_NUMBER = {
    "name", "value", "words", "low", "high", "about", "games", "trainings", "tolerance", "even",
    "decimals", "group", "curve", "x", "y", "read_off", "wide",
}  # fmt: skip
_SHARED = {"games", "trainings", "tolerance", "even", "decimals", "group", "wide"}
_PART = _SHARED | {
    "place", "also", "like", "rows", "columns", "numbers", "explanation", "note", "unmeasured",
}  # fmt: skip


@dataclass(frozen=True)
class Printed:
    """A number as a work gives it.

    `low` to `high` is what may be meant: half a unit of the last digit either way, more for words
    and for what is read off a picture. Without a value it is a claim in words: ours should lie
    between `low` and `high`. `games` or `trainings` is the sample behind it; of games, its error
    follows. `tolerance` is an error that the work states, `even` what equal players would get. An
    interval of ours that reaches further than `wide` (points of percent; 0 for other units), and
    than a fifth of the value, decides nothing.
    """

    value: float | None
    low: float
    high: float
    words: str = ""
    games: int | None = None
    trainings: int | None = None
    tolerance: float = 0.0
    even: float | None = None
    groups: tuple[str, ...] = ()
    """Numbers of one group are compared with each other: their order is a conclusion."""
    curve: str = ""
    x: float | None = None
    y: float | None = None
    """Where it is marked in the plot: at x, or all along; at its value, or at y, where the value is
    the moment at which a curve gets there."""
    read_off: bool = False
    decimals: int = 0
    wide: float = 10.0

    @property
    def text(self) -> str:
        if self.words or self.value is None:
            return self.words
        told = f"{self.value:,.{self.decimals}f}"
        return f"{told} (read off)" if self.read_off else told

    @property
    def middle(self) -> float:
        """The value, or the middle of what may be meant."""
        return self.value if self.value is not None else (self.low + self.high) / 2


def printed(value: float, *, decimals: int = 1, **more: Any) -> Printed:
    """A number with its digits.

    >>> printed(62.4, games=500).high
    62.45
    """
    half = 0.5 * 10.0**-decimals
    low, high = (round(value + sign * half, decimals + 2) for sign in (-1, 1))
    return Printed(value, low, high, decimals=decimals, **more)


@dataclass(frozen=True)
class Page:
    """A table or figure as it is printed: where it stands, its numbers by name."""

    place: str = ""
    numbers: Mapping[str, Printed] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    explanation: str = ""
    """Why numbers of ours differ, as far as was found; no verdict follows from it."""
    note: str = ""
    """Misprints, and whatever else is to be known of the printed numbers."""
    unmeasured: str = ""
    """Why some of the numbers have no counterpart of ours."""
    also: tuple[str, ...] = ()
    """Other names: of figures that are a part of this one, or what the work calls it."""


@dataclass(frozen=True)
class Work:
    """A publication with its tables and figures."""

    key: str
    name: str
    title: str
    own: bool  # aims of this project, no publication
    pages: Mapping[str, Page]


def cell_name(row: str, column: str) -> str:
    """What a number of a table is called."""
    return f"{row} | {column}" if row else column


@cache
def works() -> tuple[Work, ...]:
    """All works, by the name of their file."""
    return tuple(read_work(path) for path in sorted(FOLDER.glob("*.toml")))


def page_of(name: str) -> Page:
    """What is printed in the table or figure of this name."""
    for work in works():
        if name in work.pages:
            return work.pages[name]
    raise SpielwerkError(
        f'No file in {FOLDER.name}/ has a part "{name}"; what is printed there belongs into it.'
    )


def is_published(name: str) -> bool:
    """Whether a work prints the table or figure of this name; our own aims are not."""
    return any(name in work.pages for work in works() if not work.own)


def read_work(path: Path) -> Work:
    """One file; whatever is not understood is an error."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        name, title, own = found.pop("work"), found.pop("title"), found.pop("own", False)
        pages = {key: _page(key, part) for key, part in found.items()}
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise SpielwerkError(f"{path.name} cannot be read: {error!r}.") from None
    return Work(path.stem, name, title, own, pages)


def _page(key: str, part: Mapping[str, Any]) -> Page:
    _check(key, part, _PART)
    if "like" in part:
        part = {**_in_common(part["like"]), **part}
    shared = {name: part[name] for name in _SHARED if name in part}
    columns, rows = tuple(part.get("columns", ())), part.get("rows", {})
    numbers = {}
    for row, values in rows.items():
        for column, value in zip(columns, values, strict=True):
            groups = (f"row {row}", f"column {column}")
            one = value if isinstance(value, Mapping) else {"value": value}
            _check(key, one, _NUMBER - {"name"})
            numbers[cell_name(row, column)] = _number(one, shared, groups)
    for one in part.get("numbers", ()):
        _check(key, one, _NUMBER)
        group = one.get("group", shared.get("group"))
        if one["name"] in numbers:
            raise ValueError(f"{key} has {one['name']} twice")
        numbers[one["name"]] = _number(one, shared, (group,) if group else ())
    texts = {name: part.get(name, "") for name in ("explanation", "note", "unmeasured")}
    return Page(
        part["place"],
        numbers,
        columns,
        tuple(rows),
        also=tuple(part.get("also", ())),
        **{name: " ".join(text.split()) for name, text in texts.items()},
    )


def _in_common(name: str) -> dict[str, Any]:
    """What is printed in the rows of another part, of whichever work."""
    for path in sorted(FOLDER.glob("*.toml")):
        other = tomllib.loads(path.read_text(encoding="utf-8")).get(name)
        if other is not None:
            return {word: other[word] for word in (*_SHARED, "columns", "rows") if word in other}
    raise ValueError(f'no part "{name}"')


def _check(key: str, part: Mapping[str, Any], known: set[str]) -> None:
    unknown = sorted(set(part) - known)
    if unknown:
        raise ValueError(f"{key} has unknown words: {', '.join(unknown)}")


def _number(one: Mapping[str, Any], shared: Mapping[str, Any], groups: tuple[str, ...]) -> Printed:
    said = {**shared, **one}
    value, decimals = one.get("value"), said.get("decimals", 0)
    if value is None and "low" not in one and "high" not in one:
        raise ValueError(f"{one} has neither a value nor a range")
    half = one.get("about", 0.5 * 10.0**-decimals)
    low = one.get("low", -math.inf if value is None else round(value - half, 9))
    high = one.get("high", math.inf if value is None else round(value + half, 9))
    return Printed(
        value,
        low,
        high,
        words=one.get("words", ""),
        games=said.get("games"),
        trainings=said.get("trainings"),
        tolerance=said.get("tolerance", 0.0),
        even=said.get("even"),
        groups=groups,
        curve=one.get("curve", ""),
        x=one.get("x"),
        y=one.get("y"),
        read_off=one.get("read_off", False),
        decimals=decimals,
        wide=said.get("wide", Printed.wide),
    )
