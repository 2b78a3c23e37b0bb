"""Table 4: transpositions, with and without mirror symmetry."""

from spielwerk.lab.goeppert import grid, table

_PRINTED = {
    "UCT1, symmetry": (45.3, 53.0, 46.2, 49.6, 50.0, 50.0),
    "UCT2, symmetry": (46.2, 51.4, 51.5, 52.1, 52.1, 49.3),
    "UCT3, symmetry": (47.0, 49.5, 50.8, 47.0, 49.0, 48.2),
    "UCT1": (47.4, 51.0, 49.4, 49.6, 48.4, 47.2),
    "UCT2": (44.6, 49.5, 46.8, 47.4, 49.8, 45.3),
    "UCT3": (49.3, 48.2, 45.5, 50.0, 48.4, 50.9),
}
_ROWS = {
    row: f"select={row[:4].lower()},symmetry={'yes' if 'symmetry' in row else 'no'}"
    for row in _PRINTED
}

TABLE = table(
    4,
    "rules for transpositions",
    "rule",
    grid(_ROWS, ("0.7", "0.8", "0.9", "1.0", "1.1", "1.2"), _PRINTED),
    games=500,
)
