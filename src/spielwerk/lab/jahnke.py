"""What Jahnke's experiments with Skip-Bo have in common (2007, §4.4 and §5)."""

from spielwerk.lab.experiment import Cell, Table
from spielwerk.lab.printed import page_of

BASIC_MINUS, BASIC, MATURE, TD, LEA = "A^B−", "A^B", "A^M", "A^TD", "A^Lea"
SPECS = {
    BASIC_MINUS: "skipbo-basic-minus",
    BASIC: "skipbo-basic",
    MATURE: "skipbo-mature",
    TD: "skipbo-td",
    LEA: "skipbo-lea",
}


def round_of_three(number: str, shows: str) -> Table:
    """A figure of three players at one table: in each printed round who sits where, and how often
    they won. Every share is played by itself, with this player listed first; seats rotate.
    """
    name = f"jahnke-figure-{number.replace('.', '-')}"
    page = page_of(name)
    cells = []
    for row in page.rows:
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
    )
