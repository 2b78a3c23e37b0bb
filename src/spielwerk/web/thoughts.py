"""What a program thinks, as the browser gets it: moves by name, values as numbers."""

from typing import Any, Literal

from pydantic import BaseModel, Field

from spielwerk.agents.agent import Agent, Choice, analyse
from spielwerk.games.connectx import ConnectX
from spielwerk.games.notation import move_name
from spielwerk.games.rules import Game, State
from spielwerk.kernels.rng import Rng
from spielwerk.search.solving import MEGABYTES, Solver, plies_left, plies_of, shared_solver
from spielwerk.web.failures import Failure

SMALL_MEGABYTES = 1.0
"""Room for every position of Tic-Tac-Toe and Nim."""


class Thought(BaseModel):
    """A move and the opinion behind it. Values are for the player to move, from −1 to 1."""

    move: str
    values: dict[str, float] = {}
    visits: dict[str, int] = {}
    line: list[str] = []
    iterations: int | None = None
    nodes: int | None = None
    proven: bool = Field(False, description="The search has proven what the position is worth.")
    seconds: float | None = None


class Exact(BaseModel):
    """What a move is worth by perfect play of both."""

    result: Literal["win", "draw", "loss"]
    plies: int | None = Field(description="Until the end of the game, this move among them.")
    score: int = Field(description="The sooner a win, the higher; of losses the lower.")


def think(agent: Agent, game: Game, state: State, seed: int, thorough: bool = False) -> Thought:
    """What the agent does here; `thorough`: with an opinion of every move."""
    choice = (analyse if thorough else type(agent).choose)(agent, game, state, Rng(seed))
    if not isinstance(choice, Choice):
        raise Failure(422, "wrong-input", "This program would give up here.")
    return thought_of(choice)


def thought_of(choice: Choice) -> Thought:
    found: dict[str, Any] = dict(choice.statistics)
    return Thought(
        move=move_name(choice.move),
        values={move_name(move): float(value) for move, value in choice.values.items()},
        visits={move_name(move): int(count) for move, count in found.get("visits", {}).items()},
        line=[move_name(move) for move in found.get("line", ())],
        iterations=found.get("iterations"),
        nodes=found.get("nodes"),
        proven=found.get("proven") is not None,
        seconds=choice.seconds,
    )


def exact_values(game: Game, state: State) -> dict[str, Exact]:
    """Of every legal move, by the solver. A SpielwerkError for games that it does not know."""
    left = plies_left(game, state)
    scores = _solver(game).score_moves(state)
    return {move_name(move): exact_value(left, score) for move, score in scores.items()}


def _solver(game: Game) -> Solver:
    """Small games need a small table; that of ConnectX is kept for the next position."""
    return shared_solver(game, MEGABYTES if isinstance(game, ConnectX) else SMALL_MEGABYTES)


def exact_value(left: int, score: int) -> Exact:
    """A score in words and plies; `left` moves has the longest game from here."""
    result: Literal["win", "draw", "loss"] = "win" if score > 0 else "loss" if score else "draw"
    return Exact(result=result, plies=plies_of(left, score), score=score)


def best_of(exact: dict[str, Exact]) -> Exact:
    """What a position is worth to the player to move: as much as its best move."""
    return max(exact.values(), key=lambda value: value.score)
