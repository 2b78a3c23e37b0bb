"""What can be trained, by which settings: the same for the command line and the web."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from spielwerk.arena.evaluation import training_measure
from spielwerk.arena.net_training import measure_of_net
from spielwerk.arena.puct_training import measure_of_puct
from spielwerk.arena.skipbo_learning import begin_skipbo_run, skipbo_measure
from spielwerk.errors import SpielwerkError, unknown_name
from spielwerk.games.catalogue import parse_game
from spielwerk.games.connectx import ConnectX
from spielwerk.games.skipbo import SkipBo
from spielwerk.kernels.rng import derive_seed
from spielwerk.learning.config import TdConfig, config_from
from spielwerk.learning.nets.config import KIND as NET_KIND
from spielwerk.learning.nets.puct_config import KIND as PUCT_KIND
from spielwerk.learning.runs import Measure, Run, Training
from spielwerk.learning.settings import gathered, presets, read_config
from spielwerk.learning.skipbo_config import SkipBoConfig, skipbo_config_from
from spielwerk.learning.skipbo_training import SkipBoRun
from spielwerk.learning.training import make_run

KINDS = ("td", "ntuple")
SKIPBO_KINDS = ("td", "lea", "search")
TUPLES = ("tuples", "walk", "points", "windows")
"""Features that make a value function an n-tuple system."""


@dataclass(frozen=True)
class Preset:
    """Settings that have a name. The first line of their file says what they are."""

    name: str
    remark: str
    games: int
    counted: str = "games"
    """What `games` counts."""


def is_skipbo(game: str) -> bool:
    return isinstance(parse_game(game), SkipBo)


def kinds_of(game: str) -> tuple[str, ...]:
    """What can learn this game by playing it."""
    return SKIPBO_KINDS if is_skipbo(game) else KINDS


def all_kinds_of(game: str) -> tuple[str, ...]:
    """The same, and the nets, which pages on the web do not offer."""
    nets = (NET_KIND, PUCT_KIND) if isinstance(parse_game(game), ConnectX) else ()
    return kinds_of(game) + nets


def check_kind(game: str, kind: str) -> None:
    if kind not in all_kinds_of(game):
        raise SpielwerkError(unknown_name("kind of training", kind, all_kinds_of(game)))


def known_presets(game: str, kind: str) -> list[Preset]:
    parse_game(game)
    found = []
    for name, path in presets(game, kind).items():
        settings, _, _ = read_config(path)
        remark = path.read_text().splitlines()[0].removeprefix("#").strip()
        counted = "epochs" if kind == NET_KIND else "games"
        found.append(Preset(name, remark, settings[counted], counted))
    return found


def settings_of(
    game: str, kind: str, preset: str | None, file: Path | None, changes: Sequence[str]
) -> tuple[TdConfig | SkipBoConfig, int | None]:
    """As `gathered`, made into a configuration."""
    if kind not in kinds_of(game):
        raise SpielwerkError(unknown_name("kind of training", kind, kinds_of(game)))
    cards = is_skipbo(game)
    config = SkipBoConfig if cards else TdConfig
    settings, seed = gathered(game, kind, preset, file, changes, config)
    if cards:
        if settings.setdefault("learner", kind) != kind:
            raise SpielwerkError(f"These are settings for {settings['learner']}, not for {kind}.")
        return skipbo_config_from(settings), seed
    features = str(settings.get("features", ""))
    if kind == "ntuple" and features and features.partition(":")[0] not in TUPLES:
        raise SpielwerkError(
            f"{features} are no tuples ({', '.join(TUPLES)}); train with `td` instead."
        )
    return config_from(settings), seed


def begin_run(game: str, settings: TdConfig | SkipBoConfig, seed: int, command: str) -> Run:
    """A run that has not begun; `command` is kept with what it learns."""
    if isinstance(settings, SkipBoConfig):
        return begin_skipbo_run(game, settings, seed, command)
    return make_run(game, settings, seed, command)


def measure_of(run: Training) -> Measure:
    """How good a run is, as it goes: always in the same games, or on the same positions."""
    if run.KIND == NET_KIND:
        return measure_of_net(run)
    if run.KIND == PUCT_KIND:
        return measure_of_puct(run)
    seed = derive_seed(run.seed, 2)
    if isinstance(run, SkipBoRun):
        return skipbo_measure(run.game, run.config, seed)
    return training_measure(run.game, run.config, seed)


def agent_name(features: str) -> str:
    """The agent that plays by a model with these features."""
    if features.startswith("skipbo-"):
        return features
    return "ntuple" if features.partition(":")[0] in TUPLES else "td"


def run_name(game: str, kind: str, seed: int) -> str:
    """What a run is called if nobody says otherwise."""
    slug = "".join(letter if letter.isalnum() else "-" for letter in game)
    return f"{slug}-{kind}-{seed}"
