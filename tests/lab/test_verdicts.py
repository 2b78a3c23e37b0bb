"""The rule: agrees, same conclusion, differs. One for tables and figures."""

import math

import numpy as np
import pytest

from spielwerk.lab.figure import DECILES, RANGE, Point, band_width, mean_at
from spielwerk.lab.printed import Page, Printed, printed
from spielwerk.lab.verdicts import (
    AGREES,
    DIFFERS,
    NOT_MEASURED,
    SAME,
    Measured,
    agrees,
    average,
    compare,
    difference,
    exact,
    mean_of,
    once,
    ratio,
    share_of,
    t_95,
)


@pytest.mark.parametrize(
    ("value", "fits"), [(60.0, True), (56.0, True), (54.0, False), (66.0, False)]
)
def test_errors_of_both_are_taken_together(value, fits):
    """1000 games: ± 3.0; the printed value of 500 games: ± 4.3; together ± 5.3."""
    assert agrees(printed(value, games=500), share_of(600, 1000)) is fits


def test_a_stated_tolerance_widens_the_verdict():
    """20,000 games are ± 0.7 each; she says that hers vary by two."""
    ours = share_of(7240, 20_000)  # 36.2 %
    assert agrees(printed(35.66, games=20_000, decimals=2), ours)
    assert not agrees(printed(38.1, games=20_000), ours)
    assert agrees(printed(38.1, games=20_000, tolerance=2.0), ours)
    assert not agrees(printed(39.0, games=20_000, tolerance=2.0), ours)


def test_digits_and_words_leave_something_open():
    assert agrees(printed(0.9, decimals=1), exact(0.86))
    assert not agrees(printed(0.9, decimals=2), exact(0.86))
    over = Printed(80, 80, 90, words="over 80 %")
    assert agrees(over, exact(88))
    assert not agrees(over, exact(79))
    assert agrees(over, Measured(75, 69, 81))
    less = Printed(None, -math.inf, 0, words="worse")
    assert agrees(less, exact(-3))
    assert agrees(less, Measured(2, -1, 5))
    assert not agrees(less, Measured(4, 1, 7))


def test_a_mean_of_few_trainings_has_the_error_that_ours_would_have():
    """One training may be anywhere among ours; a mean of ten may not."""
    ours = mean_of(50, 10, 25)
    assert ours.error == pytest.approx(t_95(24) * 2)
    assert agrees(printed(65, decimals=0, trainings=1), ours)
    assert not agrees(printed(65, decimals=0, trainings=10), ours)


def page(*values):
    numbers = {
        name: printed(value, games=500, groups=("all",))
        for name, value in zip("abc", values, strict=True)
    }
    return Page("nowhere", numbers)


def verdicts(on, **shares):
    return {
        one.name: one.verdict
        for one in compare(on, {name: share_of(10 * share, 1000) for name, share in shares.items()})
    }


def test_the_order_is_a_conclusion():
    """All three stronger than printed, in the printed order; or one of them in another place."""
    on = page(30, 50, 70)
    assert verdicts(on, a=30, b=50, c=70) == {"a": AGREES, "b": AGREES, "c": AGREES}
    assert verdicts(on, a=40, b=60, c=80) == {"a": SAME, "b": SAME, "c": SAME}
    assert verdicts(on, a=60, b=50, c=70) == {"a": DIFFERS, "b": AGREES, "c": AGREES}
    assert verdicts(on, a=40, b=60) == {"a": SAME, "b": SAME, "c": NOT_MEASURED}


def test_an_order_that_our_intervals_leave_open_is_no_conclusion():
    on = page(30, 50, 70)
    assert verdicts(on, a=80, b=80, c=80) == {"a": DIFFERS, "b": DIFFERS, "c": DIFFERS}
    close = page(50, 51, 52)  # nor is one that print leaves open
    assert verdicts(close, a=60, b=61, c=62) == {"a": DIFFERS, "b": DIFFERS, "c": DIFFERS}


def test_numbers_of_other_groups_are_not_compared():
    alone = Page("", {"a": printed(30.0, groups=("x",)), "b": printed(50.0, groups=("y",))})
    found = compare(alone, {"a": exact(40), "b": exact(60)})
    assert [one.verdict for one in found] == [DIFFERS, DIFFERS]


def test_differences_ratios_and_averages_carry_their_errors():
    one, other = Measured(60, 57, 63), Measured(50, 46, 54)
    assert difference(one, other) == Measured(10, 5, 15)
    assert ratio(exact(6), exact(4), 2) == exact(3)
    assert not difference(one, once(50)).repeated
    both = average([Measured(60, 50, 70), Measured(80, 78, 82)])
    assert (both.value, both.error) == (70, 6)


@pytest.mark.parametrize("band", [DECILES, RANGE])
def test_the_interval_of_a_mean_is_told_from_the_band(band):
    """Of 4,000 means of ten normal values 95 % of the intervals hold the truth, ± 0.7."""
    rng = np.random.default_rng(1)
    held = 0
    for values in rng.normal(50, 10, (4000, 10)):
        low, high = np.percentile(values, [10, 90]) if band == DECILES else np.sort(values)[[0, -1]]
        ours = mean_at(Point("", 0, values.mean(), low, high, 10), band)
        held += ours.low <= 50 <= ours.high
    assert held / 4000 == pytest.approx(0.95, abs=0.012)
    assert band_width(10, band) > 2


def test_what_was_done_once_has_no_interval():
    assert mean_at(Point("", 0, 5, 5, 5, 1)) == once(5)
    assert once(5).text == "5 (once)"
    assert share_of(524, 1000).text == "52.4 ± 3.1"
