"""What Thill's figures of training Connect Four have in common (2012, §4.2 to §4.6).

Trainings last ten million games, ten times over; his took four hours each, ours a minute or two.
What is compared is the success at the end, the mean over the last two fifths of the training (from
six to ten million games, as figure 4.14 says). He measures it every 100,000 games, we after six,
eight and ten million: ours is the mean of the lines between these. Schedules are functions of the
share of the training that is over, so a training can be shortened by shortening its schedules, as
the quick run does. What a short training shows need not be what a long one shows: figure 4.14 came
out otherwise with two million games.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import mean

from spielwerk.lab.figure import Figure, Point, Study, mean_at, of_curve
from spielwerk.lab.learning_curves import LATE, Rows, courses, mean_curve, preset_config
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured, average, deviation_of, difference
from spielwerk.learning.config import TdConfig

GAME = "connect-four"
GAMES, REPORTS = 10_000_000, 5
FULL_SEEDS, QUICK_SEEDS = 10, 0
SHORTER, QUICK_GAMES = 20, 100_000
"""By how much the quick run is shorter, and its games at most: to see it work, not to compare."""
SINCE = "2026-11-18"
"""The day on which the first of them were run as long as that."""
FINAL = 0.7
"""After seven million games at the latest a training has its final strength (§4.5.2)."""
SPREAD = "standard deviation of the trainings in the end, points"
SUCCESS = "success against the perfect player, %"
OF_SELF_PLAY = "games of self-play"


def basis(preset: str = "basis", games: int = GAMES, **changes: object) -> TdConfig:
    """The thesis's configuration, with the changes that a figure is about."""
    config = replace(
        preset_config(GAME, preset, "ntuple"),
        games=games,
        evaluate_every=games // REPORTS,
        evaluation_games=25,
    )
    return replace(config, **changes)  # type: ignore[arg-type]


def scaled_output(count: int) -> str:
    """The output of so many tuples, scaled to that of seventy (eq. 4.15)."""
    return "tanh" if count == 70 else f"tanh:slope={70 / count:.3g}"


def training_curves(configs: Mapping[str, TdConfig], study: Study) -> list[Point]:
    """Success over games for each configuration."""
    found = courses(GAME, *quickly(configs, study), from_zero=False)
    return [point for name, rows in found.items() for point in mean_curve(name, rows)]


def quickly(configs: Mapping[str, TdConfig], study: Study) -> tuple[Mapping[str, TdConfig], Study]:
    """The same, or for a quick study once and shorter."""
    if not study.quick:
        return configs, study
    short = {name: _in_short(config) for name, config in configs.items()}
    return short, replace(study, seeds=1)


def _in_short(config: TdConfig) -> TdConfig:
    shorter = max(SHORTER, config.games // QUICK_GAMES)
    return replace(
        config,
        games=config.games // shorter,
        evaluate_every=config.evaluate_every // shorter,
        evaluation_games=2,
    )


def training_figure(
    number: str,
    shows: str,
    configs: Callable[[], Mapping[str, TdConfig]],
    measure: Callable[[Sequence[Point]], Mapping[str, Measured]],
    since: str = SINCE,
) -> Figure:
    """The figure of this number: a learning curve for each configuration."""

    def produce(study: Study) -> list[Point]:
        return training_curves(configs(), study)

    name = f"thill-figure-{number.replace('.', '-')}"
    return Figure(
        name,
        f"Thill 2012, figure {number}",
        shows,
        OF_SELF_PLAY,
        SUCCESS,
        produce,
        measure,
        page_of(name),
        full_seeds=FULL_SEEDS,
        quick_seeds=QUICK_SEEDS,
        since=since,
    )


def final_success(rows: Rows) -> float:
    """Of one training, in percent, where it has its final strength."""
    end = max(row["games"] for row in rows)
    return 100 * mean(row["success"] for row in rows if row["games"] >= FINAL * end)


def at_the_end(points: Sequence[Point], curve: str, since: float = LATE) -> list[Point]:
    """The last two fifths of a curve, or what comes after another share of it."""
    own = of_curve(points, curve)
    return [point for point in own if point.x >= since * max(point.x for point in own)]


def end_of(points: Sequence[Point], curve: str) -> Measured:
    """The mean success over the last two fifths of the training, by the trapezoidal rule."""
    own = at_the_end(points, curve)
    places = [point.x for point in own]
    around = [places[0], *places, places[-1]]
    weights = [after - before for before, after in zip(around, around[2:], strict=False)]
    return average([mean_at(point) for point in own], weights if len(own) > 1 else ())


def deviation_at_the_end(points: Sequence[Point], curve: str, since: float) -> Measured | None:
    """The standard deviation of single trainings, the mean over the reports of their end."""
    own = at_the_end(points, curve, since)
    return deviation_of(average([mean_at(point) for point in own]).deviation, own[0].seeds)


def spread_less(points: Sequence[Point], curve: str, other: str) -> dict[str, Measured]:
    """By how much trainings of one curve differ, less by how much those of the other do."""
    ours, theirs = (deviation_at_the_end(points, name, LATE) for name in (curve, other))
    if ours is None or theirs is None:
        return {}
    return {f"{SPREAD}: {curve} less {other}": difference(ours, theirs)}


def first_above(points: Sequence[Point], curve: str, level: float) -> Measured:
    """The share of the training, in percent, after which the mean success is first above `level`.

    It lies between the report that shows it and the one before. The interval has every moment
    between two reports at which the means of many such trainings may pass it: from the first report
    whose interval reaches above the level to the first from which on all intervals lie above it.
    For success that only rises this holds the truth about as often as the intervals of the means
    do: the end is too soon only if the report before the truth and all later ones err alike.
    """
    own = of_curve(points, curve)
    means = [mean_at(point) for point in own]
    shares = [100 * point.x / own[-1].x for point in own]
    before = [0.0, *shares]
    lacks = next((mean.lacks for mean in means if mean.lacks), "")

    def first(above: Sequence[bool]) -> int | None:
        return next((place for place, one in enumerate(above) if one), None)

    shown = first([mean.value > level for mean in means])
    soonest = first([mean.high > level for mean in means])
    latest = first([all(later.low > level for later in means[n:]) for n in range(len(means))])
    low = 100.0 if soonest is None else before[soonest]
    high = 100.0 if latest is None else shares[latest]
    value, told = 100.0, "not within the training"
    if shown is not None:
        value = (before[shown] + shares[shown]) / 2
        told = f"{before[shown]:g} to {shares[shown]:g}"
    if not lacks and soonest is not None:
        told += f" ({low:g} to {'the end or later' if latest is None else f'{high:g}'})"
    return Measured(value, low, high, lacks, words=told)
