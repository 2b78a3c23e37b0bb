"""The player that makes no mistakes: the measuring stick for all others (Thill 2012, §4.1.3)."""

from dataclasses import dataclass
from typing import Annotated, Literal

from spielwerk.agents.agent import Choice, best_moves, describe_end
from spielwerk.agents.alphabeta import AlphaBeta
from spielwerk.errors import SpecError, SpielwerkError
from spielwerk.games.nim import Nim
from spielwerk.games.notation import player_names
from spielwerk.games.rules import Game, State, initial, player
from spielwerk.kernels.rng import Rng
from spielwerk.search.solving import MEGABYTES, plies_left, plies_of, shared_solver
from spielwerk.spec import Option


@dataclass(frozen=True)
class Perfect:
    """Makes the best move by exact scores; among equally good ones it draws by chance."""

    lose: Annotated[
        Literal["late", "any"],
        Option("of lost positions: fight on as long as possible, or play any move"),
    ] = "late"
    win: Annotated[
        Literal["soon", "any"], Option("of won positions: win as soon as possible, or somehow")
    ] = "soon"
    vary: Annotated[
        int,
        Option("with fewer stones than this: any move of equal outcome, soon or late", least=0),
    ] = 0
    depth: Annotated[
        int, Option("see only so many plies ahead, 0: everything", least=0, most=1000)
    ] = 0
    memory: Annotated[float, Option("megabytes for positions seen before", least=1, most=8192)] = (
        MEGABYTES
    )
    threads: Annotated[int, Option("threads that share the work (ConnectX)", least=1, most=256)] = 1

    def __post_init__(self) -> None:
        exact = (self.lose, self.win, self.vary, self.threads)
        if self.depth and exact != ("late", "soon", 0, 1):
            raise SpecError("perfect: with a depth, lose, win, vary and threads have no meaning.")

    def check(self, game: Game) -> None:
        plies_left(game, initial(game))
        if self.vary and isinstance(game, Nim):
            raise SpielwerkError("perfect: vary is for games in which every move places a stone.")

    def choose(self, game: Game, observation: State, rng: Rng) -> Choice:
        if self.depth:
            return AlphaBeta(self.depth, memory=self.memory).choose(game, observation, rng)
        solver = shared_solver(game, self.memory, self.threads)
        before = solver.nodes
        content = "any" in (self.win, self.lose) and self._is_content_with(solver.sign(observation))
        if content or self._varies(game, observation):
            return self._vary(solver.best_moves(observation, signs=True), rng)
        found = solver.best_moves(observation)
        best, left = sorted(found), plies_left(game, observation)
        return Choice(
            move=best[rng.below(len(best))],
            values={move: float((score > 0) - (score < 0)) for move, score in found.items()},
            notes={move: describe_score(left, score) for move, score in found.items()},
            statistics={"nodes": solver.nodes - before},
        )

    def analyse(self, game: Game, observation: State, rng: Rng) -> Choice:
        """The same move, with the exact scores of all."""
        if self.depth:
            return self.choose(game, observation, rng)
        solver = shared_solver(game, self.memory, self.threads)
        before = solver.nodes
        if self._varies(game, observation):
            return self._vary(solver.sign_moves(observation), rng)
        scores = solver.score_moves(observation)
        best = best_moves({move: self._rank(score) for move, score in scores.items()})
        left = plies_left(game, observation)
        return Choice(
            move=best[rng.below(len(best))],
            values={move: float((score > 0) - (score < 0)) for move, score in scores.items()},
            notes={move: describe_score(left, score) for move, score in scores.items()},
            statistics={"scores": scores, "nodes": solver.nodes - before},
        )

    def _varies(self, game: Game, state: State) -> bool:
        return self.vary > plies_left(game, initial(game)) - plies_left(game, state)

    def _is_content_with(self, sign: int) -> bool:
        """Whether any move that keeps this outcome will do."""
        return (sign > 0 and self.win == "any") or (sign < 0 and self.lose == "any")

    def _vary(self, signs: dict[int, int], rng: Rng) -> Choice:
        best = best_moves(signs)
        words = {1: "won", 0: "drawn", -1: "lost"}
        return Choice(
            move=best[rng.below(len(best))],
            values={move: float(sign) for move, sign in signs.items()},
            notes={move: words[sign] for move, sign in signs.items()},
        )

    def _rank(self, score: int) -> int:
        """Scores that this player treats alike become equal."""
        sign = (score > 0) - (score < 0)
        return sign if self._is_content_with(sign) else score


def describe_score(left: int, score: int) -> str:
    """A score in words, for the player to move."""
    plies = plies_of(left, score)
    return "drawn" if plies is None else describe_end(score > 0, plies)


def describe_winner(game: Game, state: State, score: int) -> str:
    """A score in words, by the names of the players: "yellow wins in 9 moves (17 plies)"."""
    plies = plies_of(plies_left(game, state), score)
    if plies is None:
        return "drawn with best play"
    mover = player(game, state)
    winner = player_names(game)[mover if score > 0 else 1 - mover]
    moves = (plies + 1) // 2
    return f"{winner} wins in {moves} move{'' if moves == 1 else 's'} ({plies} plies)"
