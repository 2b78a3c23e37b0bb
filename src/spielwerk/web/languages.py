"""German and English: texts by area, and which language a browser gets."""

import json
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "de")
COOKIE = "language"
_FOLDER = Path(__file__).parent / "text"


@cache
def texts(language: str, *areas: str) -> dict[str, Any]:
    """The texts of some areas (files `AREA.LANGUAGE.json`) under their names."""
    return {
        area: json.loads((_FOLDER / f"{area}.{language}.json").read_text(encoding="utf-8"))
        for area in areas
    }


def text(language: str, key: str, **values: object) -> str:
    """One text by its path, `AREA.group.name`, with {places} filled in."""
    area, *path = key.split(".")
    found: Any = texts(language, area)[area]
    for part in path:
        found = found[part]
    return str(found).format(**values) if values else str(found)


def choose_language(wanted: str | None, kept: str | None, accepted: str | None) -> str:
    """The language that was asked for, else the one chosen before, else the browser's first."""
    for choice in (wanted, kept):
        if choice in LANGUAGES:
            return choice
    ranked = sorted(_ranges(accepted or ""), key=lambda item: -item[1])
    for name, quality in ranked:
        primary = name.partition("-")[0].lower()
        if primary in LANGUAGES and quality > 0:
            return primary
    return LANGUAGES[0]


def _ranges(header: str) -> list[tuple[str, float]]:
    found = []
    for part in header.split(","):
        name, _, parameters = part.strip().partition(";")
        weight = parameters.strip().removeprefix("q=") if parameters else "1"
        try:
            found.append((name, float(weight)))
        except ValueError:
            continue
    return found
