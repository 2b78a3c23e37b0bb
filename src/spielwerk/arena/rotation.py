"""Everyone at one table, seats rotating: who sits before whom stays, who begins changes.

So Jahnke (2007, §5) compares more than two Skip-Bo players. The winner scores 25 points and 5 for
every card left in the others' stocks (the rules in the box).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from spielwerk.agents.agent import Agent, check_agent, is_person
from spielwerk.agents.catalogue import parse_agent
from spielwerk.agents.random_agent import RandomAgent
from spielwerk.agents.skipbo import ByPolicy
from spielwerk.arena.intervals import wilson
from spielwerk.arena.match import play_match
from spielwerk.errors import SpielwerkError
from spielwerk.games.skipbo import SEAT, SEATS, STOCK, SkipBo, turns_of
from spielwerk.kernels.rng import derive_seed
from spielwerk.search.skipbo_policies import RANDOM, Ended, Policy, series
from spielwerk.threads import each_as_done

CHUNK = 250
"""Games between two looks at the clock."""
FOR_WINNING, FOR_A_CARD = 25, 5


@dataclass
class Standing:
    """What one player has done so far."""

    wins: int = 0
    points: int = 0
    left: int = 0
    """Cards that were left in its stock, all games together."""


@dataclass
class Rotation:
    """A series of games at one table, complete or stopped early."""

    game: SkipBo
    specs: tuple[str, ...]
    seed: int
    planned: int
    played: int = 0
    draws: int = 0
    turns: int = 0
    standings: list[Standing] = field(default_factory=list)
    by_seat: list[int] = field(default_factory=list)
    """Games won from each seat; the first one begins."""

    @property
    def complete(self) -> bool:
        return self.played == self.planned

    def share(self, player: int) -> float:
        """Games won, and an equal part of those that were drawn."""
        won = self.standings[player].wins + self.draws / len(self.specs)
        return won / self.played if self.played else 1 / len(self.specs)

    def interval(self, player: int) -> tuple[float, float]:
        return wilson(self.share(player) * self.played, self.played)

    def add(self, begin: int, ended: Ended) -> None:
        """Enter games, the first of which has the number `begin`."""
        many = len(self.specs)
        for number, winner in enumerate(ended.winners.tolist()):
            left, shift = ended.left[number].tolist(), begin + number
            for seat in range(many):
                self.standings[(seat + shift) % many].left += left[seat]
            if winner >= 0:
                standing = self.standings[(winner + shift) % many]
                standing.wins += 1
                standing.points += FOR_WINNING + FOR_A_CARD * sum(left)
                self.by_seat[winner] += 1
            else:
                self.draws += 1
        self.played += len(ended.winners)
        self.turns += int(ended.turns.sum())


def rotate(
    game: SkipBo,
    specs: Sequence[str],
    games: int,
    seed: int,
    threads: int = 1,
    progress: Callable[[Rotation], None] = lambda rotation: None,
) -> Rotation:
    """Play so many games. The result depends on the seed alone, not on the number of threads;
    Ctrl-C stops it, and what has been played until then is returned."""
    if len(specs) != game.players:
        raise SpielwerkError(f"This table is for {game.players} players, not {len(specs)}.")
    agents = [parse_agent(spec) for spec in specs]
    for agent in agents:
        if is_person(agent):
            raise SpielwerkError("A person cannot play a tournament; use `spielwerk play`.")
        check_agent(agent, game)
    rotation = Rotation(
        game, tuple(specs), seed, games, 0, 0, 0, [Standing() for _ in specs], [0] * len(specs)
    )
    with suppress(KeyboardInterrupt):
        for begin, ended in _play_all(game, agents, games, seed, threads):
            rotation.add(begin, ended)
            progress(rotation)
    return rotation


def _play_all(
    game: SkipBo, agents: Sequence[Agent], games: int, seed: int, threads: int
) -> Iterator[tuple[int, Ended]]:
    def work(begin: int) -> tuple[int, Ended]:
        numbers = range(begin, min(begin + CHUNK, games))
        seeds = np.array([derive_seed(seed, number) for number in numbers], np.uint64)
        seats = np.array([seating(number, len(agents)) for number in numbers], np.int64)
        return begin, play_table(game, agents, seats, seeds)

    return each_as_done(work, range(0, games, CHUNK), threads)


def seating(number: int, players: int) -> list[int]:
    """Which player sits where in a game: each begins every so many games."""
    return [(seat + number) % players for seat in range(players)]


def play_table(
    game: SkipBo, agents: Sequence[Agent], seats: np.ndarray, seeds: np.ndarray
) -> Ended:
    """A match for each seed: in one kernel if all players are policies, else one by one."""
    policies = [policy_of(agent) for agent in agents]
    known = [policy for policy in policies if policy is not None]
    if len(known) == len(agents):
        return series(game, known, seats, seeds)
    winners, left, turns = [], [], []
    for row, seed in zip(seats.tolist(), seeds.tolist(), strict=True):
        match = play_match(game, [agents[player] for player in row], int(seed))
        best = max(match.utilities)
        winners.append(match.utilities.index(best) if best > 0 else -1)
        table = np.frombuffer(match.final.open, np.uint8)
        left.append([int(table[SEATS + seat * SEAT + STOCK]) for seat in range(game.players)])
        turns.append(int(turns_of(table)))
    return Ended(np.array(winners), np.array(left), np.array(turns))


def policy_of(agent: Agent) -> Policy | None:
    """What decides for the agent in a kernel, if anything does."""
    if type(agent) is RandomAgent:
        return Policy(RANDOM)
    known = isinstance(agent, ByPolicy) and type(agent).choose is ByPolicy.choose
    return agent.policy if known else None  # type: ignore[attr-defined]
