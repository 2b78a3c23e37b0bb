"""Table 12: agents with nets at equal time, no tree kept (§6.7).

Leaves are valued in batches, as many as the agent takes by itself; one by one, as in the thesis, a
ConvNet has a third of the speed and a DenseNet less than a tenth. Ours make other numbers of
iterations than the thesis's: beside our plain search, which is four hundred times as fast as that
one, a net costs more.
"""

from dataclasses import replace

from spielwerk.lab.experiment import Cell
from spielwerk.lab.goeppert import (
    EQUAL_TIMES,
    PLACE,
    at_equal_time,
    net_agents,
    table,
)

TABLE = replace(
    table(
        12,
        "agents with nets at equal time",
        "agent",
        tuple(
            Cell(
                row,
                column,
                f"mcts:iterations={PLACE},{options}",
                f"mcts:iterations={PLACE},cp=0.8",
            )
            for row, options in net_agents().items()
            for column in EQUAL_TIMES
        ),
    ),
    column_label="iterations of the opponent in the same time",
    prepare=at_equal_time,
    quick_games=10,
)
