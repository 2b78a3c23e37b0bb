"""Figure 5.4: A^Lea among three. The shares of round (1) are in the picture only, not in the text.

Of that round the text says who is ahead of whom.
"""

from collections.abc import Mapping

from spielwerk.lab.jahnke import round_of_three
from spielwerk.lab.printed import cell_name
from spielwerk.lab.verdicts import Measured, difference

FIRST = "(1) A^Lea, A^B, A^B"


def claims(cells: Mapping[str, Measured]) -> dict[str, Measured]:
    lea, following, last = (cells[cell_name(FIRST, f"player {seat}")] for seat in (1, 2, 3))
    return {
        f"{FIRST}: player 3 less player 1": difference(last, lea),
        f"{FIRST}: player 3 less player 2": difference(last, following),
    }


TABLE = round_of_three("5.4", "Lea among three", (FIRST,), claims)
