"""Value functions by name, for searches: `even`, `lines`, or a model."""

from functools import lru_cache
from pathlib import Path

from spielwerk.errors import SpielwerkError
from spielwerk.games.rules import Game
from spielwerk.values.approximators import Linear, LinearSigmoid, LinearTanh
from spielwerk.values.column_slots import Slots, make_slots
from spielwerk.values.column_tuples import ColumnTuples
from spielwerk.values.learned import Learned
from spielwerk.values.lines import open_lines
from spielwerk.values.model import find_model, use_learned
from spielwerk.values.value import Even, ValueFunction

NET_PREFIX = "net:"
NAMES = "even (all the same), lines (by the lines still open), or a model"


def value_function(text: str, game: Game) -> ValueFunction:
    """What `text` names, for this game; a SpielwerkError if it is nothing, or not for this game."""
    if text == "even":
        return Even()
    if text == "lines":
        return open_lines(game)
    if text.startswith(NET_PREFIX):
        raise SpielwerkError("Neural nets value leaves in batches: that is for mcts, not here.")
    return use_learned(text, game)


def is_column_system(function: ValueFunction) -> bool:
    """Whether it is a function of one sum over column tuples, which can be searched faster."""
    return (
        isinstance(function, Learned)
        and isinstance(function.features, ColumnTuples)
        and isinstance(function.function, Linear | LinearSigmoid | LinearTanh)
    )


def column_slots(text: str, game: Game) -> Slots:
    """The slots of a model that is made of column tuples; made once."""
    path = find_model(text).resolve()
    return _slots(path, path.stat().st_mtime_ns, game)


@lru_cache(maxsize=16)
def _slots(path: Path, changed: int, game: Game) -> Slots:
    return make_slots(game, use_learned(str(path), game).features)
