"""Both languages say the same, everywhere."""

import json
import re
from pathlib import Path

import pytest

import spielwerk.web
from spielwerk.web.languages import LANGUAGES, choose_language, text

WEB = Path(spielwerk.web.__file__).parent
AREAS = sorted({path.name.partition(".")[0] for path in (WEB / "text").glob("*.json")})


def leaves(value, path=""):
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, f"{path}.{name}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from leaves(inner, f"{path}.{number}")
    else:
        yield path, value


def texts_of(area, language):
    return dict(leaves(json.loads((WEB / "text" / f"{area}.{language}.json").read_text())))


@pytest.mark.parametrize("area", AREAS)
def test_every_text_is_there_in_both_languages_with_the_same_places(area):
    english, german = (texts_of(area, language) for language in LANGUAGES)
    assert set(english) == set(german)
    for key in english:
        places = [sorted(re.findall(r"\{\w+\}", language[key])) for language in (english, german)]
        assert places[0] == places[1], key
        assert english[key].strip(), key
        assert german[key].strip(), key


def known_texts():
    return {f"{area}{key}" for area in AREAS for key in texts_of(area, "en")}


def test_every_text_that_a_page_or_script_names_exists():
    known = known_texts()
    named = {}
    for path in [*(WEB / "static").rglob("*.js"), *(WEB / "templates").glob("*.html")]:
        for key in re.findall(r"\bt\(\s*[\"']([\w.-]+)[\"']\s*[,)]", path.read_text()):
            named[key] = path.name
    missing = {key: file for key, file in named.items() if key not in known}
    assert missing == {}
    assert len(named) > 20


@pytest.mark.parametrize(
    ("wanted", "kept", "accepted", "language"),
    [
        (None, None, None, "en"),
        (None, None, "de-DE,de;q=0.9,en;q=0.8", "de"),
        (None, None, "fr,en;q=0.5,de;q=0.7", "de"),
        (None, None, "fr", "en"),
        (None, None, "de;q=0,en;q=0.1", "en"),
        (None, None, "de;q=x, ;;,", "en"),
        (None, "de", "en", "de"),
        ("en", "de", "de", "en"),
        ("xx", "yy", "de", "de"),
    ],
)
def test_who_gets_which_language(wanted, kept, accepted, language):
    assert choose_language(wanted, kept, accepted) == language


def test_places_are_filled():
    assert text("de", "common.pages.connect-four") == "Vier gewinnt"
