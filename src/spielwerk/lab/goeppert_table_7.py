"""Table 7: last good reply, forgetting or not, keeping replies between moves or not."""

from spielwerk.lab.goeppert import grid, name_of, table
from spielwerk.lab.printed import page_of

_NAME = name_of(7)
_ROWS = {
    row: f"playout=lgr,keep={'yes' if 'keep' in row else 'no'},"
    f"forget={'yes' if 'forget' in row else 'no'}"
    for row in page_of(_NAME).rows
}

TABLE = table(7, "last good reply", "replies between moves, bad replies", grid(_NAME, _ROWS))
