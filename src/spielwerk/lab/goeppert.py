"""What the tables of Göppert (2020), chapter 6, have in common.

Unless a table says otherwise: 1,000 iterations per move for both, no tree kept between moves, the
better value decides, the opponent is plain UCT with C_p = 0.8, first move in turn (§6.1, §6.2).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from spielwerk.agents.agent import Agent
from spielwerk.agents.catalogue import parse_agent
from spielwerk.agents.valuing import NET_PREFIX
from spielwerk.arena.equal_time import measure_speeds
from spielwerk.games.catalogue import parse_game
from spielwerk.lab.experiment import Cell, Table
from spielwerk.lab.printed import cell_name, page_of
from spielwerk.lab.verdicts import Measured

ITERATIONS = 1000
REFERENCE = f"mcts:iterations={ITERATIONS},cp=0.8"
PLACE = "ITERATIONS"
"""In a spec, to be replaced by as many as take equal time."""
EQUAL_TIMES = ("1000", "2000", "3000", "4000")
"""Iterations of the opponent in the same time (§6.7, §6.8)."""
_GAME = parse_game("connect-four")
_SLOWER, _CORRECTIONS = 20, 5
"""Of agents with nets: about how many times, to begin with, and how often that is corrected."""


def grid(name: str, rows: Mapping[str, str]) -> tuple[Cell, ...]:
    """Cells for every printed row, whose options are given, and every printed C_p."""
    page = page_of(name)
    return tuple(
        Cell(row, cp, f"mcts:iterations={ITERATIONS},cp={cp},{rows[row]}", REFERENCE)
        for row in page.rows
        for cp in page.columns
    )


def table(
    number: int,
    shows: str,
    row_label: str,
    cells: tuple[Cell, ...],
    claims: Callable[[Mapping[str, Measured]], Mapping[str, Measured]] | None = None,
) -> Table:
    return Table(
        name=name_of(number),
        source=f"Göppert 2020, table {number}",
        shows=shows,
        game="connect-four",
        row_label=row_label,
        column_label="C_p",
        cells=cells,
        page=page_of(name_of(number)),
        claims=claims,
    )


def in_row(row: str, cells: Mapping[str, Measured]) -> list[Measured]:
    """What was measured in this row."""
    return [ours for name, ours in cells.items() if name.startswith(cell_name(row, ""))]


def name_of(number: int) -> str:
    return f"goeppert-table-{number}"


PLAIN_AGENTS = {
    "UCT1": "cp=0.8,select=uct1",
    "UCT2": "cp=1.0,select=uct2",
    "UCT3": "cp=0.9,select=uct3",
    "α-AMAF": "cp=0.4,amaf=alpha,alpha=0.5",
    "RAVE": "cp=0.2,amaf=rave,k=100",
    "LGR": "cp=1.0,playout=lgr",
    "AMAF-LGR": "cp=0.4,playout=lgr,amaf=alpha,alpha=0.5",
    "RAVE-LGR": "cp=0.2,playout=lgr,amaf=rave,k=50",
}
"""The options of the agents without nets, as they are compared at equal time (§6.8)."""


def net_agents() -> dict[str, str]:
    """The options of the agents of §6.7: nets with normalised values at a weight of one half, the
    other parameters from §6.2 to §6.6."""
    searches = {
        "": "cp=0.8",
        "LGR-": "cp=1.0,playout=lgr",
        "RAVE-LGR-": "cp=0.2,playout=lgr,amaf=rave,k=50",
    }
    return {
        f"{search}{net}": f"{options},value={NET_PREFIX}{file},weight=0.5"
        for search, options in searches.items()
        for net, file in (("DenseNet", "dense"), ("ConvNet", "conv"))
    }


def at_equal_time(cells: Sequence[Cell]) -> list[Cell]:
    """Each agent with as many iterations as it makes while the opponent makes its own.

    An agent with a net is slower in a short search, which fills its batches less: its speed is
    measured with as many iterations as it gets.
    """
    specs = {spec for cell in cells for spec in (cell.spec, cell.opponent)}
    plain = sorted(spec for spec in specs if NET_PREFIX not in spec)
    speed = dict(zip(plain, measure_speeds(_GAME, [_agent(s) for s in plain]), strict=True))
    fair = []
    for cell in cells:
        theirs = int(cell.column)
        if cell.spec in speed:
            ours = max(1, round(theirs * speed[cell.spec] / speed[cell.opponent]))
        else:
            ours = _in_short_searches(cell, theirs)
        fair.append(
            replace(
                cell,
                spec=cell.spec.replace(PLACE, str(ours)),
                opponent=cell.opponent.replace(PLACE, str(theirs)),
            )
        )
    return fair


def _in_short_searches(cell: Cell, theirs: int) -> int:
    """Iterations by the speeds that both have with as many as they get.

    A search takes a + b n seconds for n iterations, so correcting n by the ratio of the times comes
    nearer to the solution by the share of a, about a half in the shortest searches.
    """
    ours = max(1, theirs // _SLOWER)
    for _ in range(_CORRECTIONS):
        (our_speed,) = measure_speeds(_GAME, [_agent(cell.spec)], iterations=ours)
        (their_speed,) = measure_speeds(_GAME, [_agent(cell.opponent)], iterations=theirs)
        ours = max(1, round(theirs * our_speed / their_speed))
    return ours


def _agent(spec: str) -> Agent:
    return parse_agent(spec.replace(PLACE, "1"))
