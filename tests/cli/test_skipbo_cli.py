"""Skip-Bo at the command line: what a person sees and types, and what is refused."""

import json

import pytest
from typer.testing import CliRunner

from spielwerk.cli.main import app
from spielwerk.errors import SpielwerkError


def spielwerk(*words, typed=None):
    """In this process, where kernels are compiled once; errors as `main` treats them."""
    result = CliRunner().invoke(app, list(words), input=typed)
    if isinstance(result.exception, SpielwerkError):
        return 2, str(result.exception)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


def test_a_person_sees_the_own_hand_only():
    code, text = spielwerk(
        *[
            "play",
            "skip-bo:players=3",
            "--players",
            "skipbo-basic",
            "human",
            "skipbo-mature",
            "--seed",
            "4",
        ],
        typed="h\nu\n?\n7>9\nr\n",
    )
    assert code == 0
    hands = [line for line in text.split("\n") if line.startswith("▸ player")]
    assert hands
    for line in hands:
        own = line.startswith("▸ player 2")
        assert line.rstrip().endswith(("cards", "card")) != own
    assert "skipbo-mature would play" in text
    assert "Moves cannot be taken back here" in text
    assert 'There is no move "7>9"' in text
    assert "player 2 (human) resigns" in text


def test_two_people_would_see_each_others_cards():
    code, text = spielwerk("play", "skip-bo", "--players", "human", "human", typed="r\n")
    assert code == 2
    assert "only one person" in text


def test_a_hint_by_name_must_be_possible():
    code, text = spielwerk("play", "skip-bo", "--players", "human:hint=alphabeta", "random")
    assert code == 2
    assert "alphabeta plays games of two" in text


def test_a_table_of_programs_as_text_and_json():
    words = [
        "arena",
        "skip-bo",
        "skipbo-basic",
        "skipbo-mature",
        "random",
        "--games",
        "60",
        "--seed",
        "1",
    ]
    code, text = spielwerk(*words)
    assert code == 0
    assert "score %" in text
    code, text = spielwerk(*words, "--json")
    found = json.loads(text)
    assert (found["game"], found["games"], found["complete"]) == ("skip-bo:players=3", 60, True)
    assert sum(player["wins"] for player in found["players"]) + found["draws"] == 60
    assert sum(found["seats"]) + found["draws"] == 60
    assert found["players"][2]["cards_left"] > found["players"][0]["cards_left"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("play skip-bo --players skipbo-basic", "from 2 to 6"),
        ("arena skip-bo random random random random random random random", "from 2 to 6"),
        ("arena skip-bo:players=3 random random", "for 3 players, not 2"),
        ("arena skip-bo human random", "A person cannot play a tournament"),
        ("play skip-bo --players random random --start 123", "begins with a deal"),
        ("perft skip-bo 2", "cannot be counted"),
        ("positions skip-bo 2", "cannot be counted"),
        ("solve skip-bo", "SkipBo cannot be solved"),
        ("analyse skip-bo --agent alphabeta", "alphabeta plays games of two"),
        ("evaluate skip-bo random", "SkipBo"),
        ("train skip-bo ntuple", ""),
        ("arena connect-four skipbo-basic random", "knows Skip-Bo only"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(words, says):
    code, text = spielwerk(*words.split())
    assert code == 2, text
    assert says in text
    assert "Traceback" not in text


def test_the_first_turn_of_a_deal_can_be_analysed():
    seen = set()
    for seed in "12":
        code, text = spielwerk("analyse", "skip-bo", "--agent", "skipbo-basic", "--seed", seed)
        assert code == 0
        assert "skipbo-basic plays" in text
        seen.add(text.split("\n")[1])
    assert len(seen) == 2
