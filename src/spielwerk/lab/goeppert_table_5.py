"""Table 5: α-AMAF."""

from spielwerk.lab.goeppert import grid, table

_PRINTED = {
    "0.3": (28.2, 35.5, 52.5, 53.3, 60.0),
    "0.5": (43.9, 58.5, 62.4, 62.1, 57.6),
    "0.8": (61.5, 55.8, 51.8, 53.0, 51.6),
}
_CPS = ("0.2", "0.3", "0.4", "0.5", "0.6")

TABLE = table(
    5,
    "α-AMAF",
    "α",
    grid({alpha: f"amaf=alpha,alpha={alpha}" for alpha in _PRINTED}, _CPS, _PRINTED),
    games=500,
)
