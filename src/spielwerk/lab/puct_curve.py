"""The curve of a policy-value net that learns from its own games."""

from collections.abc import Mapping, Sequence
from pathlib import Path


def draw_puct_curve(rows: Sequence[Mapping[str, float]], folder: Path, caption: str) -> None:
    """`curve.png` and `curve.svg` in the folder, from the rows of `curve.csv`.

    Above, in how many positions the net keeps the value; below, the losses of the last generation.
    """
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 5.0), layout="constrained")
    FigureCanvasAgg(figure)
    upper, lower = figure.subplots(2, 1, sharex=True)
    games = [row["games"] for row in rows]
    for column, label in (("success", "by its values, one ply"), ("policy", "by its policy")):
        upper.plot(games, [100 * row[column] for row in rows], label=label)
    upper.set_ylabel("value kept, %")
    upper.grid(color="0.9")
    upper.legend()
    learned = [row for row in rows if row["games"] > 0]
    for column, label in (("policy_loss", "policy"), ("value_loss", "value")):
        lower.plot([row["games"] for row in learned], [row[column] for row in learned], label=label)
    lower.set_ylabel("loss")
    lower.set_ylim(bottom=0)
    lower.set_xlabel("games")
    lower.grid(color="0.9")
    lower.legend()
    figure.suptitle(caption, fontsize=8)
    figure.savefig(folder / "curve.png", dpi=110)
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "curve"}):
        figure.savefig(folder / "curve.svg", metadata={"Date": None})
