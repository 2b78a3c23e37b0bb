"""What games of the first player against perfect play do not show.

`second_side`: whether somebody who moves second takes what a first player with a weak opening gives
away. `kept_values`: how often he finds a move that keeps the value of a position, anywhere.
"""

from collections.abc import Callable
from dataclasses import dataclass

from spielwerk.agents.agent import Agent, Choice, Decision
from spielwerk.agents.perfect import Perfect
from spielwerk.arena.evaluation import check_program
from spielwerk.arena.intervals import wilson
from spielwerk.arena.match import play_match
from spielwerk.arena.random_positions import telling_positions
from spielwerk.errors import SpielwerkError
from spielwerk.games.nim import Nim
from spielwerk.games.rules import RUNNING, Game, State, initial, legal_moves, outcome, transition
from spielwerk.kernels.rng import Rng, derive_seed
from spielwerk.search.solving import plies_left, shared_solver

WEAK_MOVES = 4
"""The first player of `second_side` makes one to so many random moves before it plays perfectly."""


@dataclass(frozen=True)
class Share:
    """So many of so many, and the 95 % interval of the share behind it."""

    kept: int
    offered: int

    @property
    def share(self) -> float:
        return self.kept / self.offered if self.offered else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.kept, self.offered)


@dataclass(frozen=True)
class SecondSide:
    wins: Share
    """Games in which the random opening left a win to the second player, and those he won."""
    draws: Share
    """Games in which it left a draw, and those he did not lose."""


@dataclass(frozen=True)
class _WeakOpening:
    """Random moves, then perfect play."""

    moves: int

    def choose(self, game: Game, observation: State, rng: Rng) -> Decision:
        played = (plies_left(game, initial(game)) - plies_left(game, observation)) // 2
        if played < self.moves:
            legal = legal_moves(game, observation)
            return Choice(legal[rng.below(len(legal))])
        return Perfect().choose(game, observation, rng)


def second_side(
    game: Game,
    agent: Agent,
    games: int,
    seed: int,
    progress: Callable[[int], None] = lambda played: None,
) -> SecondSide:
    """Games as second player against a first player whose opening is random."""
    check_program(agent, game)
    if isinstance(game, Nim):
        raise SpielwerkError("second is for games in which every move places one stone.")
    solver = shared_solver(game)
    counts = {1: [0, 0], 0: [0, 0], -1: [0, 0]}
    for number in range(games):
        own = derive_seed(seed, number)
        weak = 1 + Rng(derive_seed(own, 2)).below(WEAK_MOVES)
        match = play_match(game, [_WeakOpening(weak), agent], own)
        state = match.start
        for move in match.moves[: 2 * weak - 1]:
            state = transition(game, state, move)
        if outcome(game, state) == RUNNING:
            worth = solver.sign(state)
            counts[worth][0] += match.utilities[1] >= worth
            counts[worth][1] += 1
        progress(number + 1)
    return SecondSide(Share(*counts[1]), Share(*counts[0]))


def kept_values(
    game: Game,
    agent: Agent,
    positions: int,
    seed: int,
    progress: Callable[[int], None] = lambda tried: None,
    stones: tuple[int, int] | None = None,
) -> Share:
    """In how many random positions, in which it makes a difference, the move keeps the value.

    `stones`: the least and the most moves that were made before; else any number. The positions
    depend on the seed alone, not on the agent.
    """
    check_program(agent, game)
    longest = plies_left(game, initial(game))
    least, most = (0, longest - 1) if stones is None else stones
    if most >= longest:
        raise SpielwerkError(f"With {most} stones the game is over; {longest - 1} at most.")
    kept = 0
    telling = telling_positions(game, positions, seed, least, most)
    for number, (state, signs, rng) in enumerate(telling, start=1):
        decision = agent.choose(game, state, rng)
        assert isinstance(decision, Choice)
        kept += signs[decision.move] == max(signs.values())
        progress(number)
    return Share(kept, positions)
