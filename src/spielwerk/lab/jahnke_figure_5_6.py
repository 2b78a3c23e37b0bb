"""Figure 5.6: the learners and A^M, the strongest first."""

from spielwerk.lab.jahnke import LEA, MATURE, TD, round_of_three

TABLE = round_of_three(
    "5.6",
    "Mature, Lea, TD",
    (((MATURE, LEA, TD), (49.04, 26.69, 24.27)),),
)
