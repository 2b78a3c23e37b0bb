"""Table 13: everyone at equal time, trees kept between moves (§6.8).

The printed rows of the nets are those of table 12, though trees are kept here and dropped there,
and 500 games are said to have been played here and 300 there. Ours are played anew.
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

_REFERENCE = f"mcts:iterations={PLACE},cp=0.8,tree=keep"
_AGENTS = {
    "UCT1": "cp=0.8,select=uct1",
    "UCT2": "cp=1.0,select=uct2",
    "UCT3": "cp=0.9,select=uct3",
    "α-AMAF": "cp=0.4,amaf=alpha,alpha=0.5",
    "RAVE": "cp=0.2,amaf=rave,k=100",
    "LGR": "cp=1.0,playout=lgr",
    "AMAF-LGR": "cp=0.4,playout=lgr,amaf=alpha,alpha=0.5",
    "RAVE-LGR": "cp=0.2,playout=lgr,amaf=rave,k=50",
    **net_agents(),
}

TABLE = replace(
    table(
        13,
        "all agents at equal time",
        "agent",
        tuple(
            Cell(row, column, f"mcts:iterations={PLACE},{options},tree=keep", _REFERENCE)
            for row, options in _AGENTS.items()
            for column in EQUAL_TIMES
        ),
    ),
    column_label="iterations of the opponent in the same time",
    prepare=at_equal_time,
    quick_games=10,
)
