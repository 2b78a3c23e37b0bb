"""Going on with a training run of any kind."""

from pathlib import Path

from spielwerk.arena.net_training import remake_net_run
from spielwerk.arena.puct_training import remake_puct_run
from spielwerk.arena.skipbo_learning import remake_skipbo_run
from spielwerk.learning.nets.config import KIND as NET_KIND
from spielwerk.learning.nets.puct_config import KIND as PUCT_KIND
from spielwerk.learning.runs import Maker, Training, resume_run
from spielwerk.learning.skipbo_training import SkipBoRun
from spielwerk.learning.training import TdRun, remake_run

MAKERS: dict[str, Maker] = {
    TdRun.KIND: remake_run,
    SkipBoRun.KIND: remake_skipbo_run,
    NET_KIND: remake_net_run,
    PUCT_KIND: remake_puct_run,
}


def resume(folder: Path) -> Training:
    """The run as its last checkpoint left it; the curve loses what came after that."""
    return resume_run(folder, MAKERS)
