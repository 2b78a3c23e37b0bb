"""Figure 5.5: the learners and A^M, the weakest first."""

from spielwerk.lab.jahnke import round_of_three

TABLE = round_of_three("5.5", "TD, Lea, Mature")
