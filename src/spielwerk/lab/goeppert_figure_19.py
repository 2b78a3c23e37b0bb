"""Figure 19: both nets as they learn, normalised values (§5.4)."""

from spielwerk.lab.goeppert_nets import CONV, DENSE, training_figure

FIGURE = training_figure(
    19,
    "nets that learn values from 0 to 1",
    {DENSE: "dense", CONV: "conv"},
    {"mse": DENSE, "mae": CONV},
)
