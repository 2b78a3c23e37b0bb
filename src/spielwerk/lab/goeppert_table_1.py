"""Table 1: MSE and MAE of the best nets on what was held out (§5.4).

The full run trains the four nets by their presets, five times (about twenty minutes of one core
each time: an epoch of a ConvNet takes half a minute); the quick one takes what the files of the
shipped nets tell of their training. Both measure the shipped nets on the positions of new games as
well.

Printed errors and ours are not of the same task, and neither is of unknown games: positions are
held out, not games, and a position shares its outcome with its neighbours, which are examples. New
games show what that is worth: errors about twice as large. In the thesis, mirror images of held-out
positions may be examples too; here they never are (`arena/net_data.py`).
"""

from collections.abc import Mapping, Sequence

import numpy as np

from spielwerk.kernels.rng import derive_seed
from spielwerk.lab.figure import RANGE, Figure, Point, Study, at, mean_at, point_of
from spielwerk.lab.goeppert_nets import (
    CONV,
    DENSE,
    ERRORS,
    best_row,
    fresh_rows,
    net_courses,
    net_settings,
    shipped_errors,
)
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured, ratio
from spielwerk.values.net import find_net, read_header

NAME = "goeppert-table-1"
NORMAL, MINIMAX = "normalised", "minimax"
PRESETS = {
    (DENSE, NORMAL): "dense",
    (CONV, NORMAL): "conv",
    (DENSE, MINIMAX): "dense-minimax",
    (CONV, MINIMAX): "conv-minimax",
}
HELD_OUT, NEW, GUESSED = "held out", "new games", "0 for all, new games"

Net = tuple[str, str]
Errors = Sequence[float]


def produce(study: Study) -> list[Point]:
    """Errors by net, in the order of the printed table: 1 to 4."""
    held_out = {net: [_told(preset)] for net, preset in PRESETS.items()}
    if not study.quick:
        configs = {preset: net_settings(preset) for preset in PRESETS.values()}
        courses = net_courses(configs, study)
        held_out = {
            net: [_errors(best_row(course)) for course in courses[preset]]
            for net, preset in PRESETS.items()
        }
    rows = fresh_rows(derive_seed(study.seed, 1))
    points = []
    for place, (net, preset) in enumerate(PRESETS.items(), start=1):
        points += _points(HELD_OUT, place, held_out[net])
        points += _points(NEW, place, [shipped_errors(preset, rows)])
        scale = 2 if net[1] == NORMAL else 1
        guess = np.abs(rows.values) / scale
        points += _points(GUESSED, place, [(float(np.mean(guess**2)), float(np.mean(guess)))])
    return points


def _told(preset: str) -> Errors:
    """What the file of a shipped net says of its training."""
    return _errors(read_header(find_net(preset)).origin)


def _errors(told: Mapping[str, float]) -> Errors:
    return told["held_out_mse"], told["held_out_mae"]


def _points(what: str, place: int, errors: Sequence[Errors]) -> list[Point]:
    return [
        point_of(f"{error.upper()}, {what}", place, own, RANGE)
        for error, own in zip(ERRORS, zip(*errors, strict=True), strict=True)
    ]


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    found = {}
    for place, (net, target) in enumerate(PRESETS, start=1):
        for error in ERRORS:
            own = at(points, f"{error.upper()}, {HELD_OUT}", place)
            found[f"{net}, {target}: {error.upper()}"] = mean_at(own)
    for net in (DENSE, CONV):
        # Distances are half as long between 0 and 1 as between −1 and 1, their squares a quarter.
        told = f"{net}: MSE of minimax values over that of normalised ones, same units"
        found[told] = ratio(found[f"{net}, {MINIMAX}: MSE"], found[f"{net}, {NORMAL}: MSE"], 1 / 4)
    return found


FIGURE = Figure(
    NAME,
    "Göppert 2020, table 1",
    "errors of the nets",
    "1 DenseNet, 2 ConvNet, normalised; 3 DenseNet, 4 ConvNet, minimax",
    "error, in units of the target",
    produce,
    measure,
    page_of(NAME),
    full_seeds=5,
    quick_seeds=0,
    stems=True,
    band=RANGE,
    names={place: ", ".join(net) for place, net in enumerate(PRESETS, start=1)},
)
