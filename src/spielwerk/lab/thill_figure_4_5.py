"""Thill 2012, figure 4.5: one 9-tuple learns Tic-Tac-Toe.

His curves of ε and α are drawn, not told; ours are those of the preset `nine-tuple`.
"""

from collections.abc import Callable, Sequence

from spielwerk.lab.figure import Claim, Figure, Point, claim
from spielwerk.lab.learning_curves import last_mean, preset_config, stays_above, success_curves

NINE, POSITIONS = "9-tuple", "table of positions"
LEVEL = 99.0


def produce(seeds: int, seed: int, progress: Callable[[int, int], None]) -> list[Point]:
    configs = {
        NINE: preset_config("tic-tac-toe", "nine-tuple"),
        POSITIONS: preset_config("tic-tac-toe", "table"),
    }
    return success_curves("tic-tac-toe", configs, seeds, seed, progress)


def claims(points: Sequence[Point]) -> list[Claim]:
    """Agrees if the mean success is 99 % at least from some point up to 2,500 games on."""
    reached = stays_above(points, NINE, LEVEL)
    return [
        claim(
            "games until the best success rate",
            "about 2500",
            "not reached" if reached is None else f"{reached:g}",
            reached is not None and reached <= 2500,
        ),
        claim(
            "success at the end, %",
            "100 (0 on a scale from -1 to 0)",
            f"{last_mean(points, NINE):.1f}",
            last_mean(points, NINE) >= LEVEL,
        ),
    ]


FIGURE = Figure(
    "thill-figure-4-5",
    "Thill 2012, figure 4.5",
    "Tic-Tac-Toe learned with one 9-tuple",
    "games of self-play",
    "success against perfect play, %",
    produce,
    claims,
    full_seeds=50,
    quick_seeds=3,
)
