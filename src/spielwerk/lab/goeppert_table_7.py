"""Table 7: last good reply, forgetting or not, keeping replies between moves or not."""

from spielwerk.lab.goeppert import grid, table

_PRINTED = {
    "drop, remember": (72.9, 74.0, 75.1, 70.3, 74.3),
    "keep, remember": (73.2, 75.6, 77.8, 73.9, 74.6),
    "drop, forget": (52.6, 52.7, 55.0, 53.6, 52.5),
    "keep, forget": (51.1, 52.4, 55.4, 56.9, 51.4),
}
_ROWS = {
    row: f"playout=lgr,keep={'yes' if 'keep' in row else 'no'},"
    f"forget={'yes' if 'forget' in row else 'no'}"
    for row in _PRINTED
}

TABLE = table(
    7,
    "last good reply",
    "replies between moves, bad replies",
    grid(_ROWS, ("0.8", "0.9", "1.0", "1.1", "1.2"), _PRINTED),
    games=500,
)
