"""Table 5: α-AMAF."""

from spielwerk.lab.goeppert import grid, name_of, table
from spielwerk.lab.printed import page_of

_NAME = name_of(5)
_ROWS = {alpha: f"amaf=alpha,alpha={alpha}" for alpha in page_of(_NAME).rows}

TABLE = table(5, "α-AMAF", "α", grid(_NAME, _ROWS))
