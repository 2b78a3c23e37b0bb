"""Table 9: last good reply with RAVE."""

from spielwerk.lab.goeppert import grid, table

_PRINTED = {
    "10": (80.7, 81.8, 85.1, 81.7, 80.3),
    "20": (81.5, 82.1, 80.4, 81.8, 81.2),
    "50": (87.4, 81.8, 83.2, 81.0, 77.3),
    "100": (83.1, 81.3, 78.3, 80.1, 79.4),
    "200": (81.3, 79.5, 77.9, 71.7, 78.0),
}

TABLE = table(
    9,
    "last good reply with RAVE",
    "k",
    grid(
        {k: f"playout=lgr,amaf=rave,k={k}" for k in _PRINTED},
        ("0.2", "0.3", "0.4", "0.5", "0.6"),
        _PRINTED,
    ),
    games=500,
)
