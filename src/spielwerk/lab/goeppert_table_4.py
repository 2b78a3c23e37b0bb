"""Table 4: transpositions, with and without mirror symmetry."""

from collections.abc import Mapping

from spielwerk.lab.goeppert import grid, in_row, name_of, table
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured, difference, mean_of_cells

_NAME = name_of(4)
_ROWS = {
    row: f"select={row[:4].lower()},symmetry={'yes' if 'symmetry' in row else 'no'}"
    for row in page_of(_NAME).rows
}


def claims(cells: Mapping[str, Measured]) -> dict[str, Measured]:
    """What symmetry gains, of which the text tells for each rule."""
    return {
        f"{rule}: with symmetry less without, mean of the six C_p": difference(
            mean_of_cells(in_row(f"{rule}, symmetry", cells)), mean_of_cells(in_row(rule, cells))
        )
        for rule in ("UCT1", "UCT2", "UCT3")
    }


TABLE = table(4, "rules for transpositions", "rule", grid(_NAME, _ROWS), claims)
