"""Figure 19: both nets as they learn, normalised values (§5.4)."""

from spielwerk.lab.goeppert_nets import CONV, DENSE, training_figure
from spielwerk.lab.goeppert_table_1 import NORMAL, PRINTED

FIGURE = training_figure(
    19,
    "nets that learn values from 0 to 1",
    {DENSE: "dense", CONV: "conv"},
    {net: PRINTED[net, NORMAL] for net in (DENSE, CONV)},
)
