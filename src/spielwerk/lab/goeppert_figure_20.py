"""Figure 20: both nets as they learn, values of minimax (§5.4)."""

from spielwerk.lab.goeppert_nets import CONV, DENSE, training_figure

FIGURE = training_figure(
    20,
    "nets that learn values from −1 to 1",
    {DENSE: "dense-minimax", CONV: "conv-minimax"},
    {"mse": CONV, "mae": CONV},
)
