"""What the tables of Göppert (2020), chapter 6, have in common.

Unless a table says otherwise: 1,000 iterations per move for both, no tree kept between moves, the
better value decides, the opponent is plain UCT with C_p = 0.8, first move in turn (§6.1, §6.2).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from spielwerk.agents.catalogue import parse_agent
from spielwerk.arena.equal_time import measure_speeds
from spielwerk.games.catalogue import parse_game
from spielwerk.lab.experiment import Cell, Table

ITERATIONS = 1000
REFERENCE = f"mcts:iterations={ITERATIONS},cp=0.8"
PLACE = "ITERATIONS"
"""In a spec, to be replaced by as many as take equal time."""


def grid(
    rows: Mapping[str, str], columns: Sequence[str], printed: Mapping[str, Sequence[float]]
) -> tuple[Cell, ...]:
    """Cells for every row, whose options are given, and every C_p."""
    return tuple(
        Cell(row, column, f"mcts:iterations={ITERATIONS},cp={column},{options}", REFERENCE, value)
        for row, options in rows.items()
        for column, value in zip(columns, printed[row], strict=True)
    )


def table(number: int, shows: str, row_label: str, cells: tuple[Cell, ...], games: int) -> Table:
    return Table(
        name=f"goeppert-table-{number}",
        source=f"Göppert 2020, table {number}",
        shows=shows,
        game="connect-four",
        row_label=row_label,
        column_label="C_p",
        cells=cells,
        printed_games=games,
    )


def at_equal_time(cells: Sequence[Cell]) -> list[Cell]:
    """Each agent with as many iterations as it makes while the opponent makes its own."""
    game = parse_game("connect-four")
    specs = sorted({spec for cell in cells for spec in (cell.spec, cell.opponent)})
    agents = [parse_agent(spec.replace(PLACE, "1")) for spec in specs]
    speed = dict(zip(specs, measure_speeds(game, agents), strict=True))
    fair = []
    for cell in cells:
        theirs = int(cell.column)
        ours = max(1, round(theirs * speed[cell.spec] / speed[cell.opponent]))
        fair.append(
            replace(
                cell,
                spec=cell.spec.replace(PLACE, str(ours)),
                opponent=cell.opponent.replace(PLACE, str(theirs)),
            )
        )
    return fair
