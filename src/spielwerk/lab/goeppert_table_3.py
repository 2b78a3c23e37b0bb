"""Table 3: the exploration constant."""

from spielwerk.lab.experiment import Cell
from spielwerk.lab.goeppert import ITERATIONS, table

_CPS = ("0.6", "0.7", "0.8", "0.9", "1.0", "1.1", "1.2", "1.3", "1.4")
_PRINTED = (42.5, 43.5, 50.6, 50.0, 49.4, 49.5, 48.7, 48.0, 46.6)

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
            printed,
        )
        for cp, printed in zip(_CPS, _PRINTED, strict=True)
    ),
    games=900,
)
