"""Figure 5.2: A^M between players of A^B, and two of A^M with one of A^B."""

from spielwerk.lab.jahnke import BASIC, MATURE, round_of_three

TABLE = round_of_three(
    "5.2",
    "Mature among three",
    (
        ((MATURE, BASIC, BASIC), (40.55, 24.45, 35.0)),
        ((MATURE, MATURE, BASIC), (43.19, 30.33, 26.48)),
    ),
)
