"""Table 10: both combinations against last good reply alone."""

from dataclasses import replace

from spielwerk.lab.experiment import Cell
from spielwerk.lab.goeppert import ITERATIONS, table

_BASE = f"mcts:iterations={ITERATIONS},playout=lgr"

TABLE = replace(
    table(
        10,
        "α-AMAF and RAVE on top of last good reply, against that alone",
        "",
        (
            Cell("LGR", "AMAF-LGR", f"{_BASE},cp=0.4,amaf=alpha,alpha=0.5", f"{_BASE},cp=1.0"),
            Cell("LGR", "RAVE-LGR", f"{_BASE},cp=0.2,amaf=rave,k=50", f"{_BASE},cp=1.0"),
        ),
    ),
    column_label="agent",
)
