"""Figure 5.3: A^TD among three."""

from spielwerk.lab.jahnke import round_of_three

TABLE = round_of_three("5.3", "TD among three")
