"""Figure 18: three representations, 20,000 examples, values from −1 to 1 (§5.4).

Guessing is where our curves begin, before the first step.

Ours: the nets of table 1 (dense for naive and regular, conv for planes), batches of 32 and a rate
of 0.001, as Keras has it, for 30 epochs; by then every MSE has long been rising again.
"""

from collections.abc import Sequence

from spielwerk.lab.figure import RANGE, Figure, Point, Study, mean_at, of_curve
from spielwerk.lab.goeppert_nets import (
    PANELS,
    curve_name,
    error_curves,
    kept_errors,
    net_courses,
    net_settings,
)
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured, difference

NAME = "goeppert-figure-18"
NAIVE, REGULAR, PLANES = "naive", "regular", "three planes"
_CHANGES = {"examples": 20_000, "epochs": 30, "batch": 32, "rate": "0.001", "patience": 0}


def produce(study: Study) -> list[Point]:
    configs = {
        NAIVE: net_settings("dense-minimax", representation="naive", **_CHANGES),
        REGULAR: net_settings("dense-minimax", **_CHANGES),
        PLANES: net_settings("conv-minimax", **_CHANGES),
    }
    return error_curves(net_courses(configs, study), training=False)


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    naive, regular, planes = (kept_errors(points, name) for name in (NAIVE, REGULAR, PLANES))
    start = {
        error: mean_at(of_curve(points, curve_name(NAIVE, error, True))[0])
        for error in ("mse", "mae")
    }
    return {
        "MSE by guessing": start["mse"],
        "MAE by guessing": start["mae"],
        "naive: least MSE": naive[0],
        "naive: MAE there": naive[1],
        "regular: least MSE less that of naive": difference(regular[0], naive[0]),
        "three planes: least MSE less that of naive": difference(planes[0], naive[0]),
    }


FIGURE = Figure(
    NAME,
    "Göppert 2020, figure 18",
    "what nets see: errors on what was held out, 20,000 examples",
    "epochs",
    "error (values from −1 to 1)",
    produce,
    measure,
    page_of(NAME),
    full_seeds=5,
    quick_seeds=0,
    band=RANGE,
    panels=PANELS,
)
