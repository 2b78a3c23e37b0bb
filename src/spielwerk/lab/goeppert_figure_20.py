"""Figure 20: both nets as they learn, values of minimax (§5.4)."""

from spielwerk.lab.goeppert_nets import CONV, DENSE, training_figure
from spielwerk.lab.goeppert_table_1 import MINIMAX, PRINTED

FIGURE = training_figure(
    20,
    "nets that learn values from −1 to 1",
    {DENSE: "dense-minimax", CONV: "conv-minimax"},
    {net: PRINTED[net, MINIMAX] for net in (DENSE, CONV)},
)
