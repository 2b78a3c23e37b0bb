"""Figure 5.3: A^TD among three."""

from spielwerk.lab.jahnke import BASIC, TD, round_of_three

TABLE = round_of_three(
    "5.3",
    "TD among three",
    (
        ((BASIC, BASIC, TD), (34.25, 35.75, 30.0)),
        ((BASIC, TD, TD), (36.56, 32.53, 30.91)),
    ),
)
