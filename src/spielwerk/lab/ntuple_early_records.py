"""How far our n-tuple systems get in few games: our aims, 80 and 90 % after 100,000 and 200,000.

The preset `early`, with the tuples and seeds of `ntuple_records`, on which nothing was chosen.
"""

from spielwerk.lab.figure import Figure, Point, Study
from spielwerk.lab.ntuple_records import measure, success_of_presets
from spielwerk.lab.printed import page_of
from spielwerk.lab.thill_training import OF_SELF_PLAY, SUCCESS

MARKS = (100_000, 115_000, 200_000)


def produce(study: Study) -> list[Point]:
    return success_of_presets({"early": MARKS}, study)


FIGURE = Figure(
    "ntuple-early-records",
    "Early marks",
    "n-tuple systems after few games against perfect play",
    OF_SELF_PLAY,
    SUCCESS,
    produce,
    measure,
    page_of("ntuple-early-records"),
    full_seeds=10,
    quick_seeds=0,
    seed=31,
)
