"""Table 9: last good reply with RAVE."""

from spielwerk.lab.goeppert import grid, name_of, table
from spielwerk.lab.printed import page_of

_NAME = name_of(9)
_ROWS = {k: f"playout=lgr,amaf=rave,k={k}" for k in page_of(_NAME).rows}

TABLE = table(9, "last good reply with RAVE", "k", grid(_NAME, _ROWS))
