"""Table 7: last good reply, forgetting or not, keeping replies between moves or not."""

from collections.abc import Mapping

from spielwerk.lab.goeppert import grid, in_row, name_of, table
from spielwerk.lab.printed import page_of
from spielwerk.lab.verdicts import Measured, mean_of_cells

_NAME = name_of(7)
_ROWS = {
    row: f"playout=lgr,keep={'yes' if 'keep' in row else 'no'},"
    f"forget={'yes' if 'forget' in row else 'no'}"
    for row in page_of(_NAME).rows
}


def claims(cells: Mapping[str, Measured]) -> dict[str, Measured]:
    """The means that the text gives of rows with and without forgetting: those without keeping."""
    rows = ("drop, remember", "drop, forget")
    return {f"mean of {row}": mean_of_cells(in_row(row, cells)) for row in rows}


TABLE = table(
    7, "last good reply", "replies between moves, bad replies", grid(_NAME, _ROWS), claims
)
