"""Table 11: iterations per second of the agents with nets (§6.7).

Measured as everywhere: one thread, 4,000 iterations a search, the median over positions of random
games, in which all agents take turns; leaves in batches, the mean of both mirror images (§5.5). The
thesis's machine had a GPU. Agrees if ours is at least as fast as printed; what §5.5 says of nets
beside the plain search agrees if our ratio lies in its range.
"""

from collections.abc import Sequence

from spielwerk.agents.catalogue import parse_agent
from spielwerk.arena.equal_time import measure_speeds
from spielwerk.games.catalogue import parse_game
from spielwerk.lab.figure import Claim, Figure, Point, Study, claim
from spielwerk.lab.goeppert import net_agents

PRINTED = {
    "DenseNet": 909,
    "ConvNet": 386,
    "LGR-DenseNet": 833,
    "LGR-ConvNet": 377,
    "RAVE-LGR-DenseNet": 772,
    "RAVE-LGR-ConvNet": 364,
}
PLAIN, PRINTED_PLAIN = "no net", 7000
OURS, THEIRS = "ours", "printed"
_SLOWER = (8, 18)


def produce(study: Study) -> list[Point]:
    """For every repetition all agents once; their range is the band."""
    game, options = parse_game("connect-four"), {**net_agents(), PLAIN: "cp=0.8"}
    agents = [parse_agent(f"mcts:iterations=1,{options[name]}") for name in (*PRINTED, PLAIN)]
    runs = []
    for done in range(study.seeds):
        study.progress(done, study.seeds)
        runs.append(measure_speeds(game, agents))
    points = []
    printed = (*PRINTED.values(), PRINTED_PLAIN)
    for place, (rates, said) in enumerate(zip(zip(*runs, strict=True), printed, strict=True), 1):
        mean = sum(rates) / len(rates)
        points.append(Point(OURS, place, mean, min(rates), max(rates), len(rates)))
        points.append(Point(THEIRS, place, said, said, said))
    return sorted(points, key=lambda point: point.curve)


def claims(points: Sequence[Point]) -> list[Claim]:
    ours = [point for point in points if point.curve == OURS]
    found = [
        claim(
            f"{name}: iterations per second",
            f"{printed:,}",
            f"{point.mean:,.0f} ({point.low:,.0f} to {point.high:,.0f}), "
            f"{point.mean / printed:,.0f} times as many",
            point.mean >= printed,
        )
        for (name, printed), point in zip(PRINTED.items(), ours, strict=False)
    ]
    dense, conv, plain = ours[0].mean, ours[1].mean, ours[-1].mean
    found.append(
        claim(
            "DenseNet is faster than ConvNet",
            f"{PRINTED['DenseNet'] / PRINTED['ConvNet']:.1f} times",
            f"{dense / conv:.1f} times",
            dense > conv,
        )
    )
    for name, rate in (("DenseNet", dense), ("ConvNet", conv)):
        found.append(
            claim(
                f"{name}: how many times slower than without a net",
                f"{_SLOWER[0]} to {_SLOWER[1]}",
                f"{plain / rate:.0f}",
                _SLOWER[0] <= round(plain / rate) <= _SLOWER[1],
            )
        )
    return found


FIGURE = Figure(
    "goeppert-table-11",
    "Göppert 2020, table 11",
    "iterations per second of the agents with nets",
    "1 DenseNet, 2 ConvNet; 3, 4: with LGR; 5, 6: with RAVE-LGR; 7: no net",
    "iterations per second",
    produce,
    claims,
    full_seeds=3,
    quick_seeds=1,
    stems=True,
    band="the lowest to the highest",
)
