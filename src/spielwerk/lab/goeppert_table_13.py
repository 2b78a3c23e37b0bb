"""Table 13: everyone at equal time, trees kept between moves (§6.8).

The printed rows of the nets are those of table 12, though trees are kept here and dropped there,
and 500 games are said to have been played here and 300 there. Ours are played anew.
"""

from dataclasses import replace

from spielwerk.lab.experiment import Cell
from spielwerk.lab.goeppert import (
    EQUAL_TIMES,
    PLACE,
    PLAIN_AGENTS,
    at_equal_time,
    net_agents,
    table,
)

TABLE = replace(
    table(
        13,
        "all agents at equal time",
        "agent",
        tuple(
            Cell(
                row,
                column,
                f"mcts:iterations={PLACE},{options},tree=keep",
                f"mcts:iterations={PLACE},cp=0.8,tree=keep",
            )
            for row, options in {**PLAIN_AGENTS, **net_agents()}.items()
            for column in EQUAL_TIMES
        ),
    ),
    column_label="iterations of the opponent in the same time",
    prepare=at_equal_time,
    quick_games=10,
)
