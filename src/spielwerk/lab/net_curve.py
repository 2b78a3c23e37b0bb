"""The curve of a net that learns from data: its errors, epoch by epoch."""

from collections.abc import Mapping, Sequence
from pathlib import Path


def draw_net_curve(rows: Sequence[Mapping[str, float]], folder: Path, caption: str) -> None:
    """`curve.png` and `curve.svg` in the folder, from the rows of `curve.csv`.

    MSE above, MAE below (Göppert 2020, figures 18 to 20): in the epoch, while the net was learning,
    and after it on what was held out.
    """
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 5.0), layout="constrained")
    FigureCanvasAgg(figure)
    both = figure.subplots(2, 1, sharex=True)
    for axes, name in zip(both, ("mse", "mae"), strict=True):
        for column, label in ((name, "training"), (f"held_out_{name}", "held out")):
            known = [row for row in rows if column in row]
            axes.plot([row["epoch"] for row in known], [row[column] for row in known], label=label)
        axes.set_ylabel(name.upper())
        axes.set_ylim(bottom=0)
        axes.grid(color="0.9")
    both[0].legend()
    both[1].set_xlabel("epochs")
    figure.suptitle(caption, fontsize=8)
    figure.savefig(folder / "curve.png", dpi=110)
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "curve"}):
        figure.savefig(folder / "curve.svg", metadata={"Date": None})
