"""Table 8: last good reply with α-AMAF."""

from spielwerk.lab.goeppert import grid, table

_PRINTED = {
    "0.3": (56.8, 70.6, 77.9, 78.9, 80.3),
    "0.5": (77.3, 80.2, 83.4, 81.9, 78.6),
    "0.8": (81.3, 82.4, 78.6, 76.6, 73.4),
}

TABLE = table(
    8,
    "last good reply with α-AMAF",
    "α",
    grid(
        {alpha: f"playout=lgr,amaf=alpha,alpha={alpha}" for alpha in _PRINTED},
        ("0.2", "0.3", "0.4", "0.5", "0.6"),
        _PRINTED,
    ),
    games=500,
)
