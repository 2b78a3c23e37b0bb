"""Figure 6.2: a game of her learning edition, A^TD, A^B and A^M at one table."""

from spielwerk.lab.jahnke import round_of_three

TABLE = round_of_three("6.2", "TD, Basic, Mature, in the learning edition")
