"""Table 1: MSE and MAE of the best nets on what was held out (§5.4).

The full run trains the four nets by their presets (about forty minutes on one core: five for the
games, half a minute for an epoch of a ConvNet); the quick one takes what the files of the shipped
nets tell of their training. Both measure the shipped nets on the positions of new games as well. An
error agrees if it is within a fifth of the printed one.

Printed errors and ours are not of the same task, and neither is of unknown games: positions are
held out, not games, and a position shares its outcome with its neighbours, which are examples. New
games show what that is worth: errors about twice as large. In the thesis, mirror images of held-out
positions may be examples too; here they never are (`arena/net_data.py`).
"""

from collections.abc import Mapping, Sequence

import numpy as np

from spielwerk.kernels.rng import derive_seed
from spielwerk.lab.figure import Claim, Figure, Point, Study, claim
from spielwerk.lab.goeppert_nets import (
    CONV,
    DENSE,
    ERRORS,
    SOME,
    below,
    best_row,
    fresh_rows,
    is_quick,
    near,
    net_courses,
    net_settings,
    shipped_errors,
)
from spielwerk.values.net import find_net, read_header

NORMAL, MINIMAX = "normalised", "minimax"
PRINTED = {
    (DENSE, NORMAL): (0.022, 0.107),
    (CONV, NORMAL): (0.039, 0.076),
    (DENSE, MINIMAX): (0.351, 0.398),
    (CONV, MINIMAX): (0.130, 0.116),
}
PRESETS = {
    (DENSE, NORMAL): "dense",
    (CONV, NORMAL): "conv",
    (DENSE, MINIMAX): "dense-minimax",
    (CONV, MINIMAX): "conv-minimax",
}
SAID, HELD_OUT, NEW, GUESSED = "printed", "held out", "new games", "0 for all, new games"
_GUESSING = (0.896, 0.9)

Net = tuple[str, str]
Errors = Sequence[float]


def produce(study: Study) -> list[Point]:
    """Errors by net, in the order of the printed table: 1 to 4."""
    held_out = {net: [_told(preset)] for net, preset in PRESETS.items()}
    if not is_quick(study):
        configs = {preset: net_settings(preset) for preset in PRESETS.values()}
        courses = net_courses(configs, study)
        held_out = {
            net: [_errors(best_row(course)) for course in courses[preset]]
            for net, preset in PRESETS.items()
        }
    rows = fresh_rows(derive_seed(study.seed, 1))
    points = []
    for place, (net, preset) in enumerate(PRESETS.items(), start=1):
        points += _points(SAID, place, [PRINTED[net]])
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
        Point(f"{error.upper()}, {what}", place, sum(own) / len(own), min(own), max(own), len(own))
        for error, own in zip(ERRORS, zip(*errors, strict=True), strict=True)
    ]


def claims(points: Sequence[Point]) -> list[Claim]:
    at = {(point.curve, point.x): point.mean for point in points}
    found: list[Claim] = []
    errors: dict[Net, list[float]] = {}
    for place, (net, printed) in enumerate(PRINTED.items(), start=1):
        errors[net] = [at[f"{error.upper()}, {HELD_OUT}", place] for error in ERRORS]
        found += [
            near(f"{net[0]}, {net[1]}: {error.upper()}", said, own)
            for error, said, own in zip(ERRORS, printed, errors[net], strict=True)
        ]
    for target in (NORMAL, MINIMAX):
        found.append(
            below(
                f"{target}: MAE of {CONV} below that of {DENSE}",
                f"{PRINTED[CONV, target][1]} and {PRINTED[DENSE, target][1]}",
                errors[CONV, target][1],
                errors[DENSE, target][1],
            )
        )
    for kind in (DENSE, CONV):
        # Distances are half as long between 0 and 1 as between −1 and 1, their squares a quarter.
        normal, minimax = errors[kind, NORMAL][0], errors[kind, MINIMAX][0] / 4
        found.append(
            claim(
                f"{kind}: normalised values are easier to learn (MSE in the same units)",
                f"{PRINTED[kind, NORMAL][0]:.3f}, minimax / 4: {PRINTED[kind, MINIMAX][0] / 4:.3f}",
                f"{normal:.3f}, minimax / 4: {minimax:.3f}",
                normal < (1 - SOME) * minimax,
            )
        )
    for error, said in zip(ERRORS, _GUESSING, strict=True):
        guessed = at[f"{error.upper()}, {GUESSED}", 3]
        found.append(near(f"minimax: {error.upper()} by guessing", said, guessed))
    return found


FIGURE = Figure(
    "goeppert-table-1",
    "Göppert 2020, table 1",
    "errors of the nets",
    "1 DenseNet, 2 ConvNet, normalised; 3 DenseNet, 4 ConvNet, minimax",
    "error, in units of the target",
    produce,
    claims,
    full_seeds=1,
    quick_seeds=0,
    stems=True,
    band="the lowest to the highest",
)
