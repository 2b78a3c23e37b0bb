"""The cross table as a picture."""

from pathlib import Path

from spielwerk.arena.tournament import Tournament

LONGEST = 34
"""Characters of a name that are shown."""


def draw_heat_map(tournament: Tournament, path: Path) -> None:
    """Points of the row against the column, the best player on top."""
    import numpy as np
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    order = tournament.ranking()
    many = len(order)
    shares = np.full((many, many), np.nan)
    for row, one in enumerate(order):
        for column, other in enumerate(order):
            score = tournament.against(one, other)
            if one != other and score.games:
                shares[row, column] = 100 * score.share
    names = [f"{place}  {_short(tournament.specs[one])}" for place, one in enumerate(order, 1)]
    figure = Figure(figsize=(4.2 + 0.75 * many, 1.9 + 0.55 * many), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    image = axes.imshow(shares, cmap="RdBu", vmin=0, vmax=100, aspect="auto")
    for row, one in enumerate(order):
        for column, other in enumerate(order):
            if not np.isnan(shares[row, column]):
                low, high = tournament.against(one, other).interval
                axes.text(
                    column,
                    row,
                    f"{shares[row, column]:.1f}\n{100 * low:.0f}–{100 * high:.0f}",
                    ha="center",
                    va="center",
                    fontsize=8,
                    color="white" if abs(shares[row, column] - 50) > 35 else "black",
                )
    axes.set_xticks(range(many), [str(place) for place in range(1, many + 1)])
    axes.set_yticks(range(many), names, fontsize=8, parse_math=False)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    figure.colorbar(image, ax=axes, label="points of the row against the column, %")
    figure.suptitle(
        f"{tournament.plan.game}, {tournament.played} games, seed {tournament.plan.seed}; "
        "below: 95 % interval",
        fontsize=9,
        parse_math=False,
    )
    figure.savefig(path, dpi=130)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
