"""The rule by which a number of ours is compared with a printed one. There is no other.

*Agrees*: our 95 % interval contains the printed value, or the distance between our value and what
the print may mean (`Printed.low` to `high`) is no more than both errors together, √(ours² +
theirs²), and our interval is not too wide (see undecided). Ours is how far our interval reaches
towards the print. Theirs is the 95 % error of so many games, where their number is printed, or what
the work states, if that is more. How much trainings of theirs vary is not printed; then theirs is
0. A claim in words (`Printed.value` is None) agrees if our whole interval lies where it says.

*Same conclusion*: it does not agree, but stands where it should among the numbers that it is
compared with (the same row, the same column, the same group), and on the same side of what equal
players get, where it is a share of games. Of these, those count which print tells apart from it,
beyond digits and errors. None of them may be told apart from it the other way round by our
intervals, and at least half must be told apart as printed. What has no interval is told apart from
nothing.

*Undecided*: not the same conclusion, and it would agree, but our interval reaches too far to one
side: more than a fifth of the printed value, more than the print itself leaves open, and, of what
is percent, more than ten points (`Printed.wide`); or it lies on both sides of the end of a claim;
or there is no interval, since what was measured once decides nothing.

*Differs*: none of these. *Not measured*: there is no number of ours.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from spielwerk.arena.intervals import Z_95, wilson
from spielwerk.lab.printed import Page, Printed

AGREES, SAME, UNDECIDED, DIFFERS = "agrees", "same conclusion", "undecided", "differs"
NOT_MEASURED = "not measured"
VERDICTS = (AGREES, SAME, UNDECIDED, DIFFERS, NOT_MEASURED)
MARKS = {AGREES: "", SAME: " ≈", UNDECIDED: " ?", DIFFERS: " ≠", NOT_MEASURED: ""}
"""What stands behind a number in a table."""
WIDE_SHARE = 0.2

ONCE, NO_INTERVAL = "once", "no interval"
"""Why there is none: it was measured once, or nobody noted by how much it varies."""

_T_95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
_CHI_SQUARED_95 = (
    (0.000982, 5.024), (0.0506, 7.378), (0.2158, 9.348), (0.4844, 11.143), (0.8312, 12.833),
    (1.2373, 14.449), (1.6899, 16.013), (2.1797, 17.535), (2.7004, 19.023),
)  # fmt: skip
"""The middle 95 % of Student's t and of χ², for 1, 2, … degrees of freedom."""


@dataclass(frozen=True)
class Measured:
    """A number of ours with its 95 % interval.

    What is computed exactly has an interval without width; what has none says why in `lacks`.
    `deviation` is by how much single trainings vary (the standard deviation), if that is known.
    `words` stand for the number where ± would be wrong.
    """

    value: float
    low: float
    high: float
    lacks: str = ""
    deviation: float | None = None
    words: str = ""

    @property
    def repeated(self) -> bool:
        """Whether there is an interval."""
        return not self.lacks

    @property
    def error(self) -> float:
        return (self.high - self.low) / 2

    @property
    def text(self) -> str:
        if self.lacks:
            return f"{self.words or readable(self.value)} ({self.lacks})"
        if self.words:
            return self.words
        if self.low == self.high:
            return readable(self.value)
        return f"{readable(self.value, self.error)} ± {readable(self.error, self.error)}"


@dataclass(frozen=True)
class Comparison:
    """A printed number beside ours."""

    name: str
    printed: Printed
    measured: Measured | None
    verdict: str


def exact(value: float) -> Measured:
    """What was computed, not sampled."""
    return Measured(value, value, value)


def once(value: float) -> Measured:
    """What was measured once: a number without an interval."""
    return Measured(value, value, value, ONCE)


def without_interval(value: float) -> Measured:
    """What was measured several times, but not noted by how much it varied."""
    return Measured(value, value, value, NO_INTERVAL)


def share_of(count: float, of: int) -> Measured:
    """A share in percent, with Wilson's interval."""
    low, high = wilson(count, of)
    return Measured(100 * count / of, 100 * low, 100 * high)


def mean_of(value: float, deviation: float, repetitions: int) -> Measured:
    """A mean of so many values with this standard deviation, with Student's interval."""
    if repetitions < 2:
        return once(value)
    half = t_95(repetitions - 1) * deviation / math.sqrt(repetitions)
    return Measured(value, value - half, value + half, deviation=deviation)


def wider(one: Measured, other: Measured) -> Measured:
    """The first, with an interval that holds those of both."""
    return replace(one, low=min(one.low, other.low), high=max(one.high, other.high))


def difference(one: Measured, other: Measured) -> Measured:
    """One less the other, both measured apart from each other.

    The interval reaches as far as theirs do on the side that matters (Newcombe 1998, method 10, for
    shares; Zou & Donner 2008 for whatever has intervals that are not symmetric).
    """
    value = one.value - other.value
    low = value - math.hypot(one.value - one.low, other.high - other.value)
    high = value + math.hypot(one.high - one.value, other.value - other.low)
    spread = None
    if one.deviation is not None and other.deviation is not None:
        spread = math.hypot(one.deviation, other.deviation)
    words = _in_a_range(value, low, high) if one.words or other.words else ""
    return Measured(value, low, high, one.lacks or other.lacks, spread, words)


def ratio(one: Measured, other: Measured, scale: float = 1.0) -> Measured:
    """One over the other, times `scale`; relative errors add as for independent numbers."""
    value = scale * one.value / other.value
    half = abs(value) * math.hypot(one.error / one.value, other.error / other.value)
    return Measured(value, value - half, value + half, one.lacks or other.lacks)


def in_units(one: Measured, scale: float) -> Measured:
    """The same in another unit, so many of which are one of the old."""
    low, high = sorted((scale * one.low, scale * one.high))
    spread = None if one.deviation is None else abs(scale) * one.deviation
    return Measured(scale * one.value, low, high, one.lacks, spread)


def average(several: Sequence[Measured], weights: Sequence[float] = ()) -> Measured:
    """The mean of numbers of the same trainings, weighted if they count differently.

    Their errors, and their deviations, are taken to go together, as those of one training do: none
    cancels out, so the interval is as wide as it can be, and the deviation as large.
    """
    shares = np.asarray(weights or [1.0] * len(several))
    shares = shares / shares.sum()
    value, low, high = (
        float(shares @ [getattr(one, bound) for one in several])
        for bound in ("value", "low", "high")
    )
    known = [one.deviation for one in several if one.deviation is not None]
    spread = float(shares @ known) if len(known) == len(several) else None
    lacks = next((one.lacks for one in several if one.lacks), "")
    return Measured(value, low, high, lacks, spread)


def mean_of_cells(several: Sequence[Measured]) -> Measured:
    """The mean of numbers that were measured apart from each other."""
    value = sum(one.value for one in several) / len(several)
    low = value - math.hypot(*(one.value - one.low for one in several)) / len(several)
    high = value + math.hypot(*(one.high - one.value for one in several)) / len(several)
    lacks = next((one.lacks for one in several if one.lacks), "")
    return Measured(value, low, high, lacks)


def deviation_of(deviation: float | None, repetitions: int) -> Measured | None:
    """A standard deviation of so many normal values, with the interval that follows from χ²; None
    if it is not known."""
    if deviation is None or repetitions < 2:
        return None
    freedom = repetitions - 1
    low, high = (deviation * math.sqrt(freedom / bound) for bound in chi_squared_95(freedom)[::-1])
    return Measured(deviation, low, high, words=_in_a_range(deviation, low, high))


def _in_a_range(value: float, low: float, high: float) -> str:
    """A number whose interval reaches further to one side than to the other."""
    scale = max(abs(low), abs(high))
    told, least, most = (
        readable(one, digits) for one, digits in ((value, high - low), (low, scale), (high, scale))
    )
    return f"{told} ({least} to {most})"


def chi_squared_95(freedom: int) -> tuple[float, float]:
    """What χ² lies between with 95 % probability (Wilson & Hilferty 1931 from ten on).

    >>> [round(bound, 1) for bound in chi_squared_95(9) + chi_squared_95(20)]
    [2.7, 19.0, 9.6, 34.2]
    """
    if freedom <= len(_CHI_SQUARED_95):
        return _CHI_SQUARED_95[freedom - 1]
    share = 2 / (9 * freedom)
    low, high = (freedom * (1 - share + z * math.sqrt(share)) ** 3 for z in (-Z_95, Z_95))
    return low, high


def t_95(freedom: int) -> float:
    """Student's t: a mean lies within ± so many standard errors with 95 % probability.

    >>> round(t_95(9), 3), round(t_95(99), 3)
    (2.262, 1.984)
    """
    if freedom <= len(_T_95):
        return _T_95[freedom - 1]
    z = Z_95  # Abramowitz & Stegun 26.7.5
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return z + first / freedom + second / freedom**2


def printed_error(printed: Printed) -> float:
    """The 95 % error of a printed number, in its own unit; of games, if that is percent.

    Draws, which would make the error of games smaller, are not printed.
    """
    if printed.games is None or printed.value is None:
        return printed.tolerance
    variance = max(printed.value * (100 - printed.value), 1.0)
    return max(printed.tolerance, Z_95 * math.sqrt(variance / printed.games))


def by_itself(printed: Printed, ours: Measured) -> str:
    """Whether it agrees, differs or leaves that undecided, whatever stands beside it."""
    if not ours.repeated:
        return UNDECIDED
    if printed.value is None:
        if printed.low <= ours.low and ours.high <= printed.high:
            return AGREES
        apart = ours.high < printed.low or printed.high < ours.low
        return DIFFERS if apart else UNDECIDED
    distance = max(printed.low - ours.value, ours.value - printed.high, 0.0)
    below = ours.value > printed.high
    reach = ours.value - ours.low if below else ours.high - ours.value
    near = distance <= math.hypot(reach, printed_error(printed))
    if not near and not ours.low <= printed.value <= ours.high:
        return DIFFERS
    reach = max(ours.value - ours.low, ours.high - ours.value)
    left_open = (printed.high - printed.low) / 2
    wide = reach > max(printed.wide, WIDE_SHARE * abs(printed.value), left_open)
    return UNDECIDED if wide else AGREES


def compare(page: Page, measured: Mapping[str, Measured]) -> list[Comparison]:
    """Every printed number with ours and the verdict, in the order of the page."""
    found = []
    for name, printed in page.numbers.items():
        ours = measured.get(name)
        verdict = NOT_MEASURED if ours is None else by_itself(printed, ours)
        if verdict in (UNDECIDED, DIFFERS) and _same_conclusion(name, page, measured):
            verdict = SAME
        found.append(Comparison(name, printed, ours, verdict))
    return found


def _same_conclusion(name: str, page: Page, measured: Mapping[str, Measured]) -> bool:
    """Whether the number stands among its peers as printed."""
    own = page.numbers[name]
    orders = []
    if own.even is not None and own.value is not None:
        even = Printed(own.even, own.even, own.even)
        wanted = _printed_order(own, even)
        orders = [wanted * _our_order(measured[name], exact(own.even))] if wanted else []
    for peer, printed in page.numbers.items():
        if peer == name or peer not in measured or not set(own.groups) & set(printed.groups):
            continue
        wanted = _printed_order(own, printed)
        if wanted:
            orders.append(wanted * _our_order(measured[name], measured[peer]))
    return bool(orders) and -1 not in orders and 2 * orders.count(1) >= len(orders)


def _printed_order(one: Printed, other: Printed) -> int:
    """1 or −1 if print tells the one to be larger or smaller, 0 if it leaves that open."""
    error = math.hypot(printed_error(one), printed_error(other))
    return int(one.low - other.high > error) - int(other.low - one.high > error)


def _our_order(one: Measured, other: Measured) -> int:
    if not (one.repeated and other.repeated):
        return 0
    error, step = math.hypot(one.error, other.error), one.value - other.value
    return int(step > error) - int(step < -error)


def count_verdicts(comparisons: Sequence[Comparison]) -> dict[str, int]:
    """How often each verdict was found, in the order of VERDICTS."""
    counts = Counter(one.verdict for one in comparisons)
    return {verdict: counts[verdict] for verdict in VERDICTS}


def readable(value: float, error: float | None = None) -> str:
    """A number with four digits, or with as many as its error makes sense of.

    >>> readable(86285.6), readable(0.0677466), readable(62.17, 3.01), readable(18103767)
    ('86,286', '0.06775', '62.2', '18,103,767')
    """
    scale = abs(value) if error is None else max(error, 1e-12)
    if scale == 0:
        return "0"
    if error is None and value == round(value):
        return f"{value:,.0f}"
    digits = (3 if error is None else 1) - math.floor(math.log10(scale))
    if digits > 9:
        return f"{value:.2g}"
    return f"{value:,.{max(0, digits)}f}"
