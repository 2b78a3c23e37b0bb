"""Figure 5.6: the learners and A^M, the strongest first."""

from spielwerk.lab.jahnke import round_of_three

TABLE = round_of_three("5.6", "Mature, Lea, TD")
