"""Table 13 once more, with the speeds that the thesis prints instead of ours.

Who makes how many iterations in the same time is a matter of the program: an option that costs a
fifth of the speed there may cost half of it here. Given the printed speeds (table 11 and the texts
beside tables 4 to 9), all that is left of table 13 is how good the agents are.
"""

from dataclasses import replace

from spielwerk.lab.goeppert import PLACE
from spielwerk.lab.goeppert_table_11 import NAME as SPEEDS
from spielwerk.lab.goeppert_table_11 import PLAIN
from spielwerk.lab.goeppert_table_13 import TABLE as AT_EQUAL_TIME
from spielwerk.lab.printed import page_of

NAME = "goeppert-table-13-printed-speeds"


def iterations_in(time: str, agent: str) -> int:
    """How many the thesis's agent makes while the plain search makes those of this column."""
    speeds = page_of(SPEEDS).numbers
    return round(int(time) * speeds[agent].middle / speeds[PLAIN].middle)


TABLE = replace(
    AT_EQUAL_TIME,
    name=NAME,
    source="Göppert 2020, table 13, printed speeds",
    shows="all agents at the time that they took in the thesis",
    cells=tuple(
        replace(
            cell,
            spec=cell.spec.replace(PLACE, str(iterations_in(cell.column, cell.row))),
            opponent=cell.opponent.replace(PLACE, cell.column),
        )
        for cell in AT_EQUAL_TIME.cells
    ),
    page=page_of(NAME),
    prepare=None,
)
