"""Thill 2012, figures 4.6 and 4.7: four 3-tuples, 108 weights, learn Tic-Tac-Toe.

Which tuples they are is drawn, not told. Of the sixteen 3-tuples up to symmetry we take the three
lines (edge, middle, diagonal) and the one that did best as the fourth: corner, edge, centre.
"""

from collections.abc import Callable, Sequence

from spielwerk.lab.figure import Claim, Figure, Point, claim
from spielwerk.lab.learning_curves import last_mean, preset_config, stays_above, success_curves

FOUR = "four 3-tuples"
LEVEL = 97.0


def produce(seeds: int, seed: int, progress: Callable[[int, int], None]) -> list[Point]:
    configs = {FOUR: preset_config("tic-tac-toe", "four-tuples")}
    return success_curves("tic-tac-toe", configs, seeds, seed, progress)


def claims(points: Sequence[Point]) -> list[Claim]:
    """Agrees if the mean success is 97 % at least from some point up to 4,000 games on."""
    reached = stays_above(points, FOUR, LEVEL)
    return [
        claim(
            f"games until the mean success stays above {LEVEL:g} %",
            "about 4000 (perfect play)",
            "not reached" if reached is None else f"{reached:g}",
            reached is not None and reached <= 4000,
        ),
        claim(
            "success at the end, %",
            "100 (0 on a scale from -1 to 0)",
            f"{last_mean(points, FOUR):.1f}",
            last_mean(points, FOUR) >= LEVEL,
        ),
    ]


FIGURE = Figure(
    "thill-figure-4-7",
    "Thill 2012, figure 4.7",
    "Tic-Tac-Toe learned with four 3-tuples",
    "games of self-play",
    "success against perfect play, %",
    produce,
    claims,
    full_seeds=50,
    quick_seeds=3,
)
