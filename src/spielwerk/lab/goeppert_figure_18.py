"""Figure 18: three representations, 20,000 examples, values from −1 to 1 (§5.4).

Printed in words: the naive representation gets to an MSE of 0.887 and an MAE of 0.886, where
guessing gets 0.896 and 0.9, and does not get better in 100 epochs; the other two learn. "Learns
nothing" agrees if the least MSE is no more than a twentieth below that of guessing, which is where
our curves begin, before the first step.

Ours: the nets of table 1 (dense for naive and regular, conv for planes), batches of 32 and a rate
of 0.001, as Keras has it, for 30 epochs; by then every MSE has long been rising again.
"""

from collections.abc import Sequence

from spielwerk.lab.figure import Claim, Figure, Point, Study, claim
from spielwerk.lab.goeppert_nets import (
    below,
    curve_name,
    error_curves,
    kept_errors,
    near,
    net_courses,
    net_settings,
)

NAIVE, REGULAR, PLANES = "naive", "regular", "three planes"
_CHANGES = {"examples": 20_000, "epochs": 30, "batch": 32, "rate": "0.001", "patience": 0}
_NOTHING = 0.95
_GUESSED = (0.896, 0.9)


def produce(study: Study) -> list[Point]:
    configs = {
        NAIVE: net_settings("dense-minimax", representation="naive", **_CHANGES),
        REGULAR: net_settings("dense-minimax", **_CHANGES),
        PLANES: net_settings("conv-minimax", **_CHANGES),
    }
    return error_curves(net_courses(configs, study), training=False)


def claims(points: Sequence[Point]) -> list[Claim]:
    naive, regular, planes = (kept_errors(points, name)[0] for name in (NAIVE, REGULAR, PLANES))
    start = {
        error: next(p.mean for p in points if p.curve == curve_name(NAIVE, error, True))
        for error in ("mse", "mae")
    }
    return [
        near("MSE before learning, as by guessing", _GUESSED[0], start["mse"]),
        near("MAE before learning, as by guessing", _GUESSED[1], start["mae"]),
        claim(
            "the naive representation learns nothing",
            "MSE 0.887, guessing 0.896",
            f"MSE {naive:.3f}, before learning {start['mse']:.3f}",
            naive >= _NOTHING * start["mse"],
        ),
        below("the regular one learns more than the naive one", "a curve", regular, naive),
        below("three planes learn more than the naive one", "a curve", planes, naive),
    ]


FIGURE = Figure(
    "goeppert-figure-18",
    "Göppert 2020, figure 18",
    "what nets see: errors on what was held out, 20,000 examples",
    "epochs",
    "error (values from −1 to 1)",
    produce,
    claims,
    full_seeds=1,
    quick_seeds=0,
    band="the lowest to the highest",
)
