"""Table 4: transpositions, with and without mirror symmetry."""

from spielwerk.lab.goeppert import grid, name_of, table
from spielwerk.lab.printed import page_of

_NAME = name_of(4)
_ROWS = {
    row: f"select={row[:4].lower()},symmetry={'yes' if 'symmetry' in row else 'no'}"
    for row in page_of(_NAME).rows
}

TABLE = table(4, "rules for transpositions", "rule", grid(_NAME, _ROWS))
