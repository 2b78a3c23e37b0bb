"""What the tables of Göppert (2020), chapter 6, have in common.

Unless a table says otherwise: 1,000 iterations per move for both, no tree kept between moves, the
better value decides, the opponent is plain UCT with C_p = 0.8, first move in turn (§6.1, §6.2).
"""

import statistics
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from spielwerk.agents.agent import Choice, for_match
from spielwerk.agents.catalogue import parse_agent
from spielwerk.games.catalogue import parse_game
from spielwerk.games.rules import RUNNING, initial, legal_moves, outcome, transition
from spielwerk.kernels.rng import Rng
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
    """Give each agent as many iterations as it makes while the opponent makes its own.

    How fast they are is measured here and now, in turns, on positions of random games. Equal
    numbers of iterations by measured speed, rather than a clock in every move: the games can then
    be repeated, and other programs on the machine disturb the measuring, not the play.
    """
    speed = measure_speed(sorted({spec for cell in cells for spec in (cell.spec, cell.opponent)}))
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


def measure_speed(
    specs: Sequence[str], rounds: int = 60, iterations: int = 4000
) -> dict[str, float]:
    """Iterations per second of `mcts` agents: the median over positions of random games."""
    rates: dict[str, list[float]] = {spec: [] for spec in specs}

    def work() -> None:
        game, rng = parse_game("connect-four"), Rng(13)
        agents = {spec: parse_agent(spec.replace(PLACE, str(iterations))) for spec in specs}
        players = {spec: for_match(agent) for spec, agent in agents.items()}
        state = initial(game)
        for turn in range(rounds):
            for spec, player in players.items():
                found = player.choose(game, state, Rng(turn))
                assert isinstance(found, Choice)
                assert found.seconds is not None
                rates[spec].append(found.statistics["iterations"] / found.seconds)
            legal = legal_moves(game, state)
            state = transition(game, state, legal[rng.below(len(legal))])
            if outcome(game, state) != RUNNING or turn % 20 == 19:
                state = initial(game)

    # Not on the main thread, where every search is handed to another one so that Ctrl-C works.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(work).result()
    return {spec: statistics.median(found) for spec, found in rates.items()}
