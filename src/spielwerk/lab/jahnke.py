"""What Jahnke's experiments with Skip-Bo have in common (2007, §4.4 and §5).

Her learners are played by models that were trained as hers (preset `thesis`), the best of ten
trainings each (see docs/skip-bo.md): the stronger players that Spielwerk has trained otherwise
treat their neighbours otherwise as well, and three at one table show it.
"""

from collections.abc import Callable, Mapping

from spielwerk.lab.experiment import Cell, Table
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured

BASIC_MINUS, BASIC, MATURE, TD, LEA = "A^B−", "A^B", "A^M", "A^TD", "A^Lea"
SPECS = {
    BASIC_MINUS: "skipbo-basic-minus",
    BASIC: "skipbo-basic",
    MATURE: "skipbo-mature",
    TD: "skipbo-td:skip-bo-td-thesis",
    LEA: "skipbo-lea:skip-bo-lea-thesis",
}


def round_of_three(
    number: str,
    shows: str,
    in_words: tuple[str, ...] = (),
    claims: Callable[[Mapping[str, Measured]], Mapping[str, Measured]] | None = None,
) -> Table:
    """A figure of three players at one table: in each printed round who sits where, and how often
    they won. Every share is played by itself, with this player listed first; seats rotate.

    Rounds of which print tells in words are named as the printed ones, and judged by `claims`.
    """
    name = f"jahnke-figure-{number.replace('.', '-')}"
    page = page_of(name)
    cells = []
    for row in (*in_words, *page.rows):
        names = row.partition(") ")[2].split(", ")
        for seat, column in enumerate(page.columns):
            order = [SPECS[names[(seat + shift) % 3]] for shift in range(3)]
            cells.append(Cell(row, column, order[0], " ".join(order[1:])))
    return Table(
        name,
        f"Jahnke 2007, figure {number}",
        shows,
        "skip-bo:players=3",
        "round",
        "seat",
        tuple(cells),
        page,
        full_games=30_000,
        quick_games=300,
        share_label="games won, %",
        claims=claims,
    )
