"""Konen 2015, figure 2: the eligibility trace of one weight that is activated now and then."""

from collections.abc import Sequence
from itertools import pairwise

from spielwerk.lab.figure import Figure, Point, Study, of_curve
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured, exact
from spielwerk.learning.rules import parse_trace
from spielwerk.learning.traces import make_traces, update_traces
from spielwerk.values.sparse import append, clear, make_sparse

PULSES = (3, 8, 9, 10, 17)
STEPS = 26
LAM = 0.8


def trace(kind: str, lam: float) -> list[float]:
    """e_t of a weight whose gradient is 1 at PULSES and 0 elsewhere, γ = 1."""
    rule, traces, slope, found = parse_trace(kind), make_traces(1), make_sparse(1), []
    for t in range(STEPS):
        clear(slope)
        if t in PULSES:
            append(slope, 0, 1.0)
        update_traces(rule, traces, lam, slope)
        found.append(float(traces.e[0]))
    return found


def produce(study: Study) -> list[Point]:
    curves = {
        f"accumulating, λ = {LAM}": trace("accumulating", LAM),
        f"replacing, λ = {LAM}": trace("replacing", LAM),
        "accumulating, λ = 1": trace("accumulating", 1.0),
        "activation": [float(t in PULSES) for t in range(STEPS)],
    }
    return [
        Point(name, t, e, e, e) for name, course in curves.items() for t, e in enumerate(course)
    ]


def measure(points: Sequence[Point]) -> dict[str, Measured]:
    def course(name: str) -> list[float]:
        return [point.mean for point in of_curve(points, name)]

    fading, stairs = course(f"accumulating, λ = {LAM}"), course("accumulating, λ = 1")
    # Six digits are saved: what is left of a long decay is not compared.
    ratios = [
        round(b / a, 4) for t, (a, b) in enumerate(pairwise(fading), 1) if t not in PULSES and a > 0
    ]
    rises = {t for t in range(1, STEPS) if stairs[t] > stairs[t - 1]}
    return {
        "λ < 1: largest difference between factors of decay": exact(max(ratios) - min(ratios)),
        "λ = 1: steps downwards": exact(sum(b < a for a, b in pairwise(stairs))),
        "λ = 1: rises where nothing was active, or none where something was": exact(
            len(rises ^ set(PULSES))
        ),
    }


FIGURE = Figure(
    "konen-figure-2",
    "Konen 2015, figure 2",
    "the eligibility trace of a weight",
    "time step t",
    "eligibility e_t",
    produce,
    measure,
    page_of("konen-figure-2"),
    steps=True,
    chance=False,
)
