"""Figure 5.5: the learners and A^M, the weakest first."""

from spielwerk.lab.jahnke import LEA, MATURE, TD, round_of_three

TABLE = round_of_three(
    "5.5",
    "TD, Lea, Mature",
    (((TD, LEA, MATURE), (27.35, 38.58, 34.07)),),
)
