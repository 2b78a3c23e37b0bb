"""Figure 5.4: A^Lea among three. Of round (1) the numbers are only in the picture.

Of that round the text says that A^B2, who sits before A^Lea, is ahead of A^Lea.
"""

from spielwerk.lab.jahnke import round_of_three

TABLE = round_of_three("5.4", "Lea among three")
