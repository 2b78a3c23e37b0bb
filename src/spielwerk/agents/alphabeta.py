"""Alpha-beta as a player."""

from dataclasses import dataclass
from typing import Annotated, Literal

from spielwerk.agents.agent import Choice, best_moves, describe_end
from spielwerk.errors import SpielwerkError
from spielwerk.games.rules import Game, State, legal_moves, pack, player_count
from spielwerk.kernels import interrupt
from spielwerk.kernels.dispatch import implements
from spielwerk.kernels.rng import Rng
from spielwerk.search.alphabeta import make_table, outcome_of, plies_to_end, score_moves
from spielwerk.spec import Option
from spielwerk.values.lines import open_lines
from spielwerk.values.value import Even, ValueFunction


@dataclass(frozen=True)
class AlphaBeta:
    """Looks `depth` plies ahead and plays a best move; equally good ones by chance.

    Within its depth it is exact: it wins as soon as it can and loses as late as it can.
    """

    depth: Annotated[int, Option("plies to look ahead", least=1, most=1000)] = 8
    value: Annotated[
        Literal["even", "lines"],
        Option("of a position at the horizon: all the same, or by the lines still open"),
    ] = "even"
    memory: Annotated[
        float, Option("megabytes for positions seen before", least=0.01, most=8192)
    ] = 16

    def check(self, game: Game) -> None:
        if player_count(game) != 2 or not implements(pack, game):
            raise SpielwerkError(
                f"alphabeta plays games of two with nothing hidden, not {type(game).__name__}."
            )
        self._value_function(game)

    def choose(self, game: Game, observation: State, rng: Rng) -> Choice:
        table = make_table(self.memory)
        function = self._value_function(game)
        found = interrupt.run(score_moves, game, function, observation, self.depth, table)
        scores = {move: int(found[move]) for move in legal_moves(game, observation)}
        best = best_moves(scores)
        return Choice(
            move=best[rng.below(len(best))],
            values={move: outcome_of(score) for move, score in scores.items()},
            notes={move: note for move, score in scores.items() if (note := _in_words(score))},
            statistics={"nodes": int(table.counts[0]), "depth": self.depth},
        )

    def _value_function(self, game: Game) -> ValueFunction:
        return open_lines(game) if self.value == "lines" else Even()


def _in_words(score: int) -> str | None:
    plies = plies_to_end(score)
    return None if plies is None else describe_end(score > 0, plies)
