"""Table 13: everyone at equal time, trees kept between moves (§6.8).

The printed rows of the nets are those of table 12, though trees are kept here and dropped there,
and 500 games are said to have been played here and 300 there. Ours are played anew.
"""

from dataclasses import replace

from spielwerk.lab.experiment import Cell
from spielwerk.lab.goeppert import (
    EQUAL_TIMES,
    NETS_PRINTED,
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
_PRINTED = {
    "UCT1": (47.9, 47.7, 50.5, 46.8),
    "UCT2": (47.5, 44.9, 44.9, 45.0),
    "UCT3": (43.7, 39.8, 42.4, 40.9),
    "α-AMAF": (59.2, 60.3, 60.8, 55.1),
    "RAVE": (61.7, 57.6, 59.9, 60.2),
    "LGR": (68.9, 73.9, 76.9, 79.6),
    "AMAF-LGR": (76.2, 77.7, 78.2, 82.8),
    "RAVE-LGR": (76.0, 82.7, 83.4, 81.4),
    **NETS_PRINTED,
}

TABLE = replace(
    table(
        13,
        "all agents at equal time",
        "agent",
        tuple(
            Cell(row, column, f"mcts:iterations={PLACE},{options},tree=keep", _REFERENCE, printed)
            for row, options in _AGENTS.items()
            for column, printed in zip(EQUAL_TIMES, _PRINTED[row], strict=True)
        ),
        games=500,
    ),
    column_label="iterations of the opponent in the same time",
    prepare=at_equal_time,
)
