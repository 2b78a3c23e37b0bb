"""Thill 2012, figure 4.5: one 9-tuple learns Tic-Tac-Toe.

His curves of ε and α are drawn, not told; ours are those of the preset `nine-tuple`.
"""

from collections.abc import Sequence

from spielwerk.lab.figure import Claim, Figure, Point, Study
from spielwerk.lab.learning_curves import perfect_claim, preset_config, success_curves

NINE, POSITIONS = "9-tuple", "table of positions"


def produce(study: Study) -> list[Point]:
    configs = {
        NINE: preset_config("tic-tac-toe", "nine-tuple"),
        POSITIONS: preset_config("tic-tac-toe", "table"),
    }
    return success_curves("tic-tac-toe", configs, study)


def claims(points: Sequence[Point]) -> list[Claim]:
    return [perfect_claim(points, NINE, 2500), perfect_claim(points, POSITIONS, 2500)]


FIGURE = Figure(
    "thill-figure-4-5",
    "Thill 2012, figure 4.5",
    "Tic-Tac-Toe learned with one 9-tuple",
    "games of self-play",
    "success against perfect play; runs; %",
    produce,
    claims,
    full_seeds=100,
    quick_seeds=3,
)
