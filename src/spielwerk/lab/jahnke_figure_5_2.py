"""Figure 5.2: A^M between players of A^B, and two of A^M with one of A^B."""

from spielwerk.lab.jahnke import round_of_three

TABLE = round_of_three("5.2", "Mature among three")
