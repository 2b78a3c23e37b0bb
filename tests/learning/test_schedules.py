"""The schedules of ε and α: their ends, their middles, what is refused."""

import numpy as np
import pytest

from spielwerk.errors import SpecError
from spielwerk.learning.schedules import parse_schedule


def at(spec, *shares):
    return parse_schedule(spec).rates(np.array(shares) * 1000, 1000)


@pytest.mark.parametrize("name", ["linear", "exponential", "jump"])
def test_they_begin_and_end_where_they_should(name):
    assert at(f"{name}:0.9,end=0.1", 0, 1) == pytest.approx([0.9, 0.1])


def test_what_lies_between():
    assert at("0.25", 0, 0.5, 1).tolist() == [0.25] * 3
    assert at("1e-3", 0.5).tolist() == [0.001]
    assert at("linear:0.9,end=0.1", 0.25) == pytest.approx([0.7])
    assert at("exponential:0.01,end=0.0001", 0.5) == pytest.approx([0.001])  # eq. 4.5
    assert at("jump:0.9,end=0.1,at=0.3", 0.299, 0.3).tolist() == [0.9, 0.1]
    # Eq. 4.1 and 4.2: in the middle at the inflection point; S(x) = 1 / (e^2x + 1).
    assert at("sigmoid:0.9,end=0.1,at=0.4", 0.4) == pytest.approx([0.5])
    assert at("sigmoid:0.9,end=0.1,at=0.4,slope=5", 0.5) == pytest.approx(
        [0.8 / (np.exp(2 * 0.5) + 1) + 0.1]
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fast", 'No schedule "fast"'),
        ("linear:0.9", "linear needs end"),
        ("exponential:0.9,end=0", "must be more than 0"),
        ("jump:0.9,end=0.1,at=2", "at must be a number from 0 to 1"),
        ("-0.1", "start must be a number, at least 0"),
    ],
)
def test_wrong_schedules_are_answered(text, message):
    with pytest.raises(SpecError, match=message):
        parse_schedule(text)
