"""Figure 5.1, which is a table: everybody against everybody, and what §5 says of A^B−.

"Agrees" if within two points, by which she found repetitions to differ, and our own error.
"""

from spielwerk.lab.experiment import Cell, Table
from spielwerk.lab.jahnke import BASIC, BASIC_MINUS, LEA, MATURE, SPECS, TD, TOLERANCE

_PRINTED = {
    (BASIC_MINUS, BASIC): 42.11,
    (BASIC_MINUS, MATURE): 27.27,
    (BASIC, MATURE): 35.66,
    (BASIC, TD): 51.9,
    (BASIC, LEA): 41.02,
    (MATURE, TD): 65.7,
    (MATURE, LEA): 56.38,
    (TD, LEA): 38.84,
}

TABLE = Table(
    "jahnke-table-5-1",
    "Jahnke 2007, table 5.1",
    "games won by the row's player against the column's",
    "skip-bo",
    "player",
    "against",
    tuple(
        Cell(row, column, SPECS[row], SPECS[column], printed)
        for (row, column), printed in _PRINTED.items()
    ),
    printed_games=20_000,
    full_games=20_000,
    quick_games=400,
    tolerance=TOLERANCE,
)
