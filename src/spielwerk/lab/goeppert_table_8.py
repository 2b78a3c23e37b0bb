"""Table 8: last good reply with α-AMAF."""

from spielwerk.lab.goeppert import grid, name_of, table
from spielwerk.lab.printed import page_of

_NAME = name_of(8)
_ROWS = {alpha: f"playout=lgr,amaf=alpha,alpha={alpha}" for alpha in page_of(_NAME).rows}

TABLE = table(8, "last good reply with α-AMAF", "α", grid(_NAME, _ROWS))
