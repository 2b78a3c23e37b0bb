"""The curve of a training: success over the games played, with ε and α."""

from collections.abc import Mapping, Sequence
from pathlib import Path


def draw_curve(
    rows: Sequence[Mapping[str, float]], folder: Path, opponent: str, caption: str
) -> None:
    """`curve.png` and `curve.svg` in the folder, from the rows of `curve.csv`."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    games = [row["games"] for row in rows]
    figure = Figure(figsize=(7.5, 5.0), layout="constrained")
    FigureCanvasAgg(figure)
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    upper.plot(games, [100 * row["success"] for row in rows], color="C0")
    upper.set_ylabel(f"success against {opponent}, %")
    upper.set_ylim(-3, 103)
    upper.grid(color="0.9")
    lower.plot(games, [row["epsilon"] for row in rows], color="C1", label="ε")
    lower.set_ylabel("ε", color="C1")
    lower.set_ylim(bottom=0)
    right = lower.twinx()
    right.plot(games, [row["alpha"] for row in rows], color="C2", label="α")
    right.set_ylabel("α", color="C2")
    right.set_ylim(bottom=0)
    lower.set_xlabel("games")
    figure.suptitle(caption, fontsize=8)
    figure.savefig(folder / "curve.png", dpi=110)
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "curve"}):
        figure.savefig(folder / "curve.svg", metadata={"Date": None})
