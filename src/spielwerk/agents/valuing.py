"""Value functions by name, for searches: `even`, `lines`, or a model."""

from spielwerk.games.rules import Game
from spielwerk.values.lines import open_lines
from spielwerk.values.model import use_learned
from spielwerk.values.value import Even, ValueFunction

NAMES = "even (all the same), lines (by the lines still open), or a model"


def value_function(text: str, game: Game) -> ValueFunction:
    """What `text` names, for this game; a SpielwerkError if it is nothing, or not for this game."""
    if text == "even":
        return Even()
    if text == "lines":
        return open_lines(game)
    return use_learned(text, game)
