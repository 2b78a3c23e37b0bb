"""What Jahnke's experiments with Skip-Bo have in common (2007, §4.4 and §5)."""

from collections.abc import Sequence

from spielwerk.lab.experiment import Cell, Table

BASIC_MINUS, BASIC, MATURE, TD, LEA = "A^B−", "A^B", "A^M", "A^TD", "A^Lea"
SPECS = {
    BASIC_MINUS: "skipbo-basic-minus",
    BASIC: "skipbo-basic",
    MATURE: "skipbo-mature",
    TD: "skipbo-td",
    LEA: "skipbo-lea",
}
TOLERANCE = 2.0
"""Percent: she reports that repetitions of 20,000 games can differ by so much (figure 5.1)."""


def round_of_three(
    number: str,
    shows: str,
    rounds: Sequence[tuple[Sequence[str], Sequence[float]]],
    first: int = 1,
) -> Table:
    """A figure of three players at one table: in each round who sits where, and how often they won.

    Rounds are numbered from `first` on. Every share is played by itself, with this player listed
    first; seats rotate.
    """
    cells = []
    for experiment, (names, printed) in enumerate(rounds, start=first):
        for seat, share in enumerate(printed):
            order = [SPECS[names[(seat + shift) % 3]] for shift in range(3)]
            cells.append(
                Cell(
                    f"({experiment}) {', '.join(names)}",
                    f"player {seat + 1}",
                    order[0],
                    " ".join(order[1:]),
                    share,
                )
            )
    return Table(
        f"jahnke-figure-{number.replace('.', '-')}",
        f"Jahnke 2007, figure {number}",
        shows,
        "skip-bo:players=3",
        "round",
        "games won, %",
        tuple(cells),
        printed_games=30_000,
        full_games=30_000,
        quick_games=300,
        tolerance=TOLERANCE,
    )
