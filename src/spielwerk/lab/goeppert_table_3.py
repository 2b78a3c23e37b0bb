"""Table 3: the exploration constant."""

from spielwerk.lab.experiment import Cell
from spielwerk.lab.goeppert import ITERATIONS, name_of, table
from spielwerk.lab.printed import page_of

TABLE = table(
    3,
    "C_p of plain UCT, against C_p = 1.0",
    "",
    tuple(
        Cell(
            "UCT",
            cp,
            f"mcts:iterations={ITERATIONS},cp={cp}",
            f"mcts:iterations={ITERATIONS},cp=1.0",
        )
        for cp in page_of(name_of(3)).columns
    ),
)
