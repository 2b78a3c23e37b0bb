"""Alpha-beta as a player."""

from dataclasses import dataclass
from typing import Annotated

from spielwerk.agents.agent import Choice, best_moves, describe_end
from spielwerk.agents.valuing import NAMES, column_slots, is_column_system, value_function
from spielwerk.errors import SpielwerkError
from spielwerk.games.rules import Game, State, legal_moves, pack, player_count
from spielwerk.kernels import interrupt
from spielwerk.kernels.dispatch import implements
from spielwerk.kernels.rng import Rng
from spielwerk.search.alphabeta import make_table, outcome_of, plies_to_end, score_moves
from spielwerk.search.tuple_search import make_tuple_search, score_moves_by_tuples
from spielwerk.spec import Option


@dataclass(frozen=True)
class AlphaBeta:
    """Looks `depth` plies ahead and plays a best move; equally good ones by chance.

    Within its depth it is exact: it wins as soon as it can and loses as late as it can.
    """

    depth: Annotated[int, Option("plies to look ahead", least=1, most=1000)] = 8
    value: Annotated[str, Option(f"of positions at the horizon: {NAMES}")] = "even"
    memory: Annotated[
        float, Option("megabytes for positions seen before", least=0.01, most=8192)
    ] = 16

    def check(self, game: Game) -> None:
        if player_count(game) != 2 or not implements(pack, game):
            raise SpielwerkError(
                f"alphabeta plays games of two with nothing hidden, not {type(game).__name__}."
            )
        value_function(self.value, game)

    def choose(self, game: Game, observation: State, rng: Rng) -> Choice:
        scores, nodes = self._scores(game, observation)
        best = best_moves(scores)
        return Choice(
            move=best[rng.below(len(best))],
            values={move: outcome_of(score) for move, score in scores.items()},
            notes={move: note for move, score in scores.items() if (note := _in_words(score))},
            statistics={"nodes": nodes, "depth": self.depth},
        )

    def candidates(self, game: Game, state: State) -> list[int]:
        """The moves that it chooses between by chance: the equally good ones."""
        return best_moves(self._scores(game, state)[0])

    def _scores(self, game: Game, state: State) -> tuple[dict[int, int], int]:
        """The score of every legal move, and how many positions were visited."""
        function = value_function(self.value, game)
        if is_column_system(function):
            slots = column_slots(self.value, game)
            search = make_tuple_search(game, function, slots, self.memory)
            found = interrupt.run(score_moves_by_tuples, search, game, state, self.depth)
            nodes = search.nodes
        else:
            table = make_table(self.memory)
            found = interrupt.run(score_moves, game, function, state, self.depth, table)
            nodes = table.counts
        return {move: int(found[move]) for move in legal_moves(game, state)}, int(nodes[0])


def _in_words(score: int) -> str | None:
    plies = plies_to_end(score)
    return None if plies is None else describe_end(score > 0, plies)
