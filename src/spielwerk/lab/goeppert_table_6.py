"""Table 6: RAVE."""

from spielwerk.lab.goeppert import grid, table

_PRINTED = {
    "10": (52.1, 57.3, 55.7, 57.6, 57.0),
    "20": (56.8, 60.9, 57.7, 57.0, 56.0),
    "50": (61.0, 60.6, 59.4, 56.2, 55.5),
    "100": (61.6, 59.1, 57.6, 51.7, 52.9),
    "200": (59.6, 59.1, 53.7, 50.3, 45.6),
}

TABLE = table(
    6,
    "RAVE",
    "k",
    grid({k: f"amaf=rave,k={k}" for k in _PRINTED}, ("0.2", "0.3", "0.4", "0.5", "0.6"), _PRINTED),
    games=500,
)
