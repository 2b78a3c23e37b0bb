"""Figure 5.1, which is a table: everybody against everybody, and what §5 says of A^B−.

A turn ends with any card of the hand (§2.2): wilds may be discarded. That matters to A^B−, who
discards at random; the others are as strong with it as without, as far as 5,000 games tell.
"""

from spielwerk.lab.experiment import Cell, Table
from spielwerk.lab.jahnke import SPECS
from spielwerk.lab.printed import page_of

_NAME = "jahnke-table-5-1"
_PAIRS = [tuple(name.split(" | ")) for name in page_of(_NAME).numbers]

TABLE = Table(
    _NAME,
    "Jahnke 2007, table 5.1",
    "games won by the row's player against the column's",
    "skip-bo:wilds=yes",
    "player",
    "against",
    tuple(Cell(row, column, SPECS[row], SPECS[column]) for row, column in _PAIRS),
    page_of(_NAME),
    full_games=20_000,
    quick_games=400,
    share_label="games won, %",
)
