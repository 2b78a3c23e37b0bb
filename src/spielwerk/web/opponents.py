"""The menu: programs in order of strength, by a word that says what to expect."""

from typing import Any

from pydantic import BaseModel, Field

from spielwerk.games.connectx import ConnectX
from spielwerk.games.nim import Nim
from spielwerk.games.rules import Game
from spielwerk.games.skipbo import SkipBo
from spielwerk.games.tictactoe import TicTacToe


class Opponent(BaseModel):
    """A program of the menu. Its words stand in the texts under `opponents.LEVEL`."""

    level: str
    spec: str
    hints: bool = Field(False, description="The one to ask for a hint: strong, and soon done.")


CONNECT_FOUR = (
    ("chance", "random"),
    ("beginner", "alphabeta:depth=1"),
    ("casual", "mcts:iterations=100"),
    ("club", "mcts:iterations=2000,solver=yes"),
    ("learned", "ntuple:connect-four"),
    ("strong", "mcts:iterations=20000,select=uct2,amaf=rave,playout=lgr,solver=yes"),
    ("neural", "puct:connect-four,iterations=400"),
    ("unbeatable", "ntuple:connect-four,depth=8,endgame=34"),
    ("perfect", "perfect"),
)
CONNECTX = (
    ("chance", "random"),
    ("beginner", "alphabeta:depth=1"),
    ("casual", "mcts:iterations=100"),
    ("club", "mcts:iterations=2000,solver=yes"),
    ("strong", "mcts:iterations=20000,select=uct2,amaf=rave,playout=lgr,solver=yes"),
)
SMALL = (
    ("chance", "random"),
    ("beginner", "alphabeta:depth=1"),
    ("casual", "mcts:iterations=50"),
    ("learned", "td:{model}"),
    ("perfect", "perfect"),
)
SKIP_BO = (
    ("chance", "random"),
    ("beginner", "skipbo-basic-minus"),
    ("casual", "skipbo-basic"),
    ("club", "skipbo-mature"),
    ("learned", "skipbo-lea"),
    ("strong", "skipbo-search"),
)
HINTS = ("unbeatable", "strong", "perfect", "casual")
"""Who gives hints: the first of these in the menu."""
SOLVABLE_CELLS = 30
"""ConnectX boards up to this size are solved from the empty board in seconds."""


def opponents(game: Game) -> list[Opponent]:
    """Who can be played at this game, the weakest first."""
    rows: Any = ()
    if isinstance(game, ConnectX) and (game.rows, game.cols, game.k) == (6, 7, 4):
        rows = CONNECT_FOUR
    elif isinstance(game, ConnectX):
        rows = CONNECTX
        if game.rows * game.cols <= SOLVABLE_CELLS:
            rows = (*CONNECTX, ("perfect", "perfect"))
    elif isinstance(game, TicTacToe):
        rows = [(level, spec.format(model="tic-tac-toe")) for level, spec in SMALL]
    elif isinstance(game, Nim):
        model = "nim" if game.k == 3 and game.n <= 50 else None
        rows = [
            (level, spec.format(model=model))
            for level, spec in SMALL
            if model or level != "learned"
        ]
    elif isinstance(game, SkipBo):
        rows = SKIP_BO
    levels = [level for level, _ in rows]
    adviser = next((level for level in HINTS if level in levels), None)
    return [Opponent(level=level, spec=spec, hints=level == adviser) for level, spec in rows]
