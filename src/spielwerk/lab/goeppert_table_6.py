"""Table 6: RAVE."""

from spielwerk.lab.goeppert import grid, name_of, table
from spielwerk.lab.printed import page_of

_NAME = name_of(6)
_ROWS = {k: f"amaf=rave,k={k}" for k in page_of(_NAME).rows}

TABLE = table(6, "RAVE", "k", grid(_NAME, _ROWS))
