"""Table 2: nets in the search, 100 iterations against 400 without a net (§5.5).

The thesis does not say which C_p was used here; ours is 0.8 for both, as in chapter 6. Leaves are
valued one by one, as there (`batch=1`). The nets are those that come with Spielwerk, trained as in
table 1. The printed seconds are not compared: see table 11 for speed.
"""

from dataclasses import replace

from spielwerk.lab.experiment import Cell
from spielwerk.lab.goeppert import table

_OPPONENT = "mcts:iterations=400,cp=0.8"
_WEIGHTS = ("0.5", "0.85")
_NETS = {
    "DenseNet": "dense-minimax",
    "DenseNet, normalised": "dense",
    "ConvNet": "conv-minimax",
    "ConvNet, normalised": "conv",
}

TABLE = replace(
    table(
        2,
        "100 iterations with a net against 400 without",
        "net",
        tuple(
            Cell(
                row,
                weight,
                f"mcts:iterations=100,cp=0.8,value=net:{net},weight={weight},batch=1",
                _OPPONENT,
            )
            for row, net in _NETS.items()
            for weight in _WEIGHTS
        ),
    ),
    column_label="weight of the net",
    full_games=400,
)
