"""The rule: agrees, same conclusion, undecided, differs. One for tables and figures."""

import math

import numpy as np
import pytest

from spielwerk.lab.figure import Point, mean_at, point_of
from spielwerk.lab.printed import Page, Printed, printed
from spielwerk.lab.verdicts import (
    AGREES,
    DIFFERS,
    NOT_MEASURED,
    SAME,
    UNDECIDED,
    Measured,
    average,
    by_itself,
    compare,
    deviation_of,
    difference,
    exact,
    in_units,
    mean_of,
    once,
    ratio,
    share_of,
    without_interval,
)


@pytest.mark.parametrize(
    ("value", "fits"), [(60.0, True), (56.0, True), (54.0, False), (66.0, False)]
)
def test_errors_of_both_are_taken_together(value, fits):
    """1000 games: ± 3.0; the printed value of 500 games: ± 4.3; together ± 5.3."""
    found = by_itself(printed(value, games=500), share_of(600, 1000))
    assert found == (AGREES if fits else DIFFERS)


def test_a_stated_tolerance_widens_the_verdict():
    """20,000 games are ± 0.7 each; she says that hers vary by two."""
    ours = share_of(7240, 20_000)  # 36.2 %
    assert agrees(printed(35.66, games=20_000, decimals=2), ours)
    assert not agrees(printed(38.1, games=20_000), ours)
    assert agrees(printed(38.1, games=20_000, tolerance=2.0), ours)
    assert not agrees(printed(39.0, games=20_000, tolerance=2.0), ours)


def agrees(one, ours):
    return by_itself(one, ours) == AGREES


def test_digits_leave_something_open():
    assert agrees(printed(0.9, decimals=1), exact(0.86))
    assert not agrees(printed(0.9, decimals=2), exact(0.86))
    about = Printed(25, 20, 30, words="about 25 %")
    assert agrees(about, exact(29))
    assert agrees(about, Measured(33, 29, 37))
    assert not agrees(about, Measured(33, 31, 35))


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [
        (exact(-3), AGREES),
        (Measured(-3, -5, -1), AGREES),
        (Measured(-7, -23, 9), UNDECIDED),  # the right sign, but not told apart from 0
        (Measured(15, -1, 31), UNDECIDED),
        (Measured(4, 1, 7), DIFFERS),
    ],
)
def test_a_claim_agrees_if_all_of_our_interval_lies_where_it_says(ours, verdict):
    assert by_itself(Printed(None, -math.inf, 0, words="worse"), ours) == verdict


@pytest.mark.parametrize(
    ("value", "half", "verdict"),
    [
        (91, 18, AGREES),  # a fifth of the printed value
        (91, 23, UNDECIDED),
        (25, 10, AGREES),
        (25, 11, UNDECIDED),
        (1, 26, UNDECIDED),
        (3.8, 1.2, AGREES),
        (25, 100, UNDECIDED),
    ],
)
def test_an_interval_that_holds_nearly_everything_is_no_agreement(value, half, verdict):
    ours = Measured(value + 1, value + 1 - half, value + 1 + half)
    assert by_itself(printed(value), ours) == verdict


def test_a_wide_interval_that_misses_the_value_differs():
    assert by_itself(printed(91), Measured(40, 10, 70)) == DIFFERS


def test_an_interval_reaches_as_far_as_it_does_towards_the_print():
    """50 to 70 around 55: 45 lies ten below, further than the interval reaches on that side."""
    about = Printed(40, 35, 45)
    assert by_itself(about, Measured(55, 50, 70)) == DIFFERS
    assert by_itself(about, Measured(55, 45, 65)) == AGREES
    assert by_itself(Printed(65, 65, 65), Measured(55, 50, 64)) == DIFFERS
    assert by_itself(Printed(65, 65, 65), Measured(55, 50, 66)) == AGREES


@pytest.mark.parametrize("told", [once, without_interval])
def test_what_has_no_interval_decides_nothing(told):
    """Neither that it lies where a claim says, nor that it does not."""
    for ours in (told(-3.0), told(4.0)):
        assert by_itself(Printed(None, -math.inf, 0, words="worse"), ours) == UNDECIDED
    for ours in (told(91.0), told(40.0)):
        assert by_itself(printed(91), ours) == UNDECIDED


def test_how_much_our_trainings_vary_is_no_error_of_theirs():
    """Five trainings from 44 to 54 do not agree with 40 because they vary."""
    assert by_itself(printed(40.2, trainings=1), mean_of(49, 4.3, 5)) == DIFFERS


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


def test_who_wins_is_a_conclusion():
    """Printed 35, 52 and 61.7 of 100; ours in the same order, but the last loses now."""
    numbers = {
        name: printed(value, games=5000, groups=("all",), even=50)
        for name, value in (("a", 35), ("b", 52), ("c", 61.7))
    }
    ours = {"a": share_of(200, 1000), "b": share_of(330, 1000), "c": share_of(420, 1000)}
    found = compare(Page("", numbers), ours)
    assert [one.verdict for one in found] == [SAME, DIFFERS, DIFFERS]


def test_what_was_measured_once_is_in_no_order():
    numbers = {name: printed(value, groups=("all",)) for name, value in (("a", 1), ("b", 2))}
    for measured, verdict in ((once, UNDECIDED), (exact, SAME)):
        found = compare(Page("", numbers), {"a": measured(7.0), "b": measured(7.1)})
        assert [one.verdict for one in found] == [verdict, verdict]


def test_a_wide_interval_may_still_tell_the_order():
    numbers = {"a": printed(25, groups=("all",)), "b": printed(90, groups=("all",))}
    ours = {"a": Measured(26, 12, 40), "b": Measured(70, 47, 93)}
    assert [one.verdict for one in compare(Page("", numbers), ours)] == [SAME, SAME]


def test_numbers_of_other_groups_are_not_compared():
    alone = Page("", {"a": printed(30.0, groups=("x",)), "b": printed(50.0, groups=("y",))})
    found = compare(alone, {"a": exact(40), "b": exact(60)})
    assert [one.verdict for one in found] == [DIFFERS, DIFFERS]


def test_ten_points_are_too_wide_for_percent_only():
    """Of other units a fifth of the value is, or what the print leaves open."""
    share, error = printed(25.0), printed(0.039, decimals=3, wide=0)
    assert by_itself(share, Measured(26, 17, 35)) == AGREES
    assert by_itself(share, Measured(26, 17, 37)) == UNDECIDED  # to one side is enough
    assert by_itself(error, Measured(0.04, 0.033, 0.047)) == AGREES
    assert by_itself(error, Measured(0.06, 0.03, 0.09)) == UNDECIDED
    nothing = Printed(0, -0.01, 0.01, wide=0)
    assert by_itself(nothing, Measured(0.0, -0.009, 0.009)) == AGREES
    assert by_itself(nothing, Measured(0.0, -0.02, 0.02)) == UNDECIDED


def test_a_claim_is_not_compared_with_what_equal_players_get():
    claim = Page("", {"a": Printed(None, -math.inf, 0, even=50)})
    assert [one.verdict for one in compare(claim, {"a": Measured(5, 4, 6)})] == [DIFFERS]


def test_differences_ratios_and_averages_carry_their_errors():
    one, other = Measured(60, 57, 63), Measured(50, 46, 54)
    assert difference(one, other) == Measured(10, 5, 15)
    assert ratio(exact(6), exact(4), 2) == exact(3)
    assert difference(one, once(50)).text == "10 (once)"
    assert difference(without_interval(60), other).text == "10 (no interval)"
    assert difference(mean_of(3, 3.0, 9), mean_of(1, 4.0, 9)).deviation == 5
    assert difference(mean_of(3, 3.0, 9), one).deviation is None
    both = average([Measured(60, 50, 70), Measured(80, 78, 82)])
    assert (both.value, both.error) == (70, 6)
    first = average([Measured(60, 50, 70), Measured(80, 78, 82)], [3, 1])
    assert (first.value, first.error) == (65, 8)
    assert average([one, without_interval(50)]).text == "55 (no interval)"
    assert average([mean_of(3, 3.0, 9), mean_of(1, 4.0, 9)]).deviation == 3.5
    assert average([mean_of(3, 3.0, 9), one]).deviation is None


def test_the_interval_of_a_difference_of_shares_is_newcombes():
    """His first example, 56 of 70 less 48 of 80, by method 10 (1998, table II)."""
    ours = difference(share_of(56, 70), share_of(48, 80))
    assert (ours.low, ours.high) == (pytest.approx(5.24, abs=0.01), pytest.approx(33.39, abs=0.01))


def test_the_interval_of_a_difference_of_deviations_is_told_as_a_range():
    """Larger deviations are less sure: the interval reaches further to their side."""
    ours = difference(deviation_of(27.0, 10), deviation_of(20.0, 10))
    assert ours.high - ours.value > ours.value - ours.low
    assert ours.text == "7 (-12 to 30)"


def test_another_unit_changes_everything_alike():
    ours = in_units(mean_of(0.975, 0.1, 20), 100)
    assert (ours.value, ours.deviation) == (97.5, 10)
    assert ours.error == pytest.approx(100 * mean_of(0.975, 0.1, 20).error)
    assert in_units(Measured(1, 0, 3), -2) == Measured(-2, -6, 0)
    assert in_units(without_interval(0.975), 100).text == "97.50 (no interval)"


@pytest.mark.parametrize("count", [2, 3, 4, 10, 11, 30])
def test_intervals_of_deviations_hold_the_truth_as_often_as_they_say(count):
    """Of 4,000 deviations of normal values 95 % of the intervals hold the truth, ± 0.7."""
    rng = np.random.default_rng(2)
    drawn = rng.normal(50, 10, (4000, count)).std(axis=1, ddof=1)
    found = [deviation_of(float(deviation), count) for deviation in drawn]
    held = np.mean([ours.low <= 10 <= ours.high for ours in found])
    assert held == pytest.approx(0.95, abs=0.01)


def test_deviations_are_told_with_their_intervals():
    assert deviation_of(4.5, 10).text == "4.5 (3.1 to 8.2)"  # √(9 / 19.02), √(9 / 2.700)
    assert deviation_of(3.0, 1) is None
    assert deviation_of(None, 10) is None


def test_intervals_of_means_hold_the_truth_as_often_as_they_say():
    """Of 4,000 means of ten normal values 95 % of the intervals hold the truth, ± 0.7."""
    rng = np.random.default_rng(1)
    held = 0
    for values in rng.normal(50, 10, (4000, 10)):
        ours = mean_at(point_of("", 0, values))
        held += ours.low <= 50 <= ours.high
    assert held / 4000 == pytest.approx(0.95, abs=0.007)


def test_what_was_done_once_has_no_interval():
    assert mean_at(Point("", 0, 5, 5, 5, 1)) == once(5)
    told = mean_at(Point("", 0, 5, 4, 6, 10))  # nobody knows by how much they vary
    assert (told.value, told.repeated, told.text) == (5, False, "5 (no interval)")
    assert once(5).text == "5 (once)"
    assert share_of(524, 1000).text == "52.4 ± 3.1"
