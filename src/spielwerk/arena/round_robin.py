"""Everyone against everyone, colours balanced, each game with a seed of its own."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations

from spielwerk.agents.agent import Agent, check_agent, is_person
from spielwerk.agents.catalogue import parse_agent
from spielwerk.arena.intervals import wilson
from spielwerk.arena.match import Match, play_match
from spielwerk.errors import SpielwerkError
from spielwerk.games.rules import Game, State, player_count
from spielwerk.kernels.rng import derive_seed
from spielwerk.threads import each_as_done


@dataclass(frozen=True)
class Score:
    """Points out of a number of games, with the 95 % interval of the share."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def share(self) -> float:
        return self.points / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.points, self.games)

    def __add__(self, other: "Score") -> "Score":
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def after(self, utility: float) -> "Score":
        return self + Score(int(utility > 0), int(utility == 0), int(utility < 0))


@dataclass(frozen=True)
class Pairing:
    """One game to be played: who begins, who follows, and with which seed."""

    first: int
    second: int
    seed: int


@dataclass
class Tournament:
    """A round robin, complete or stopped early."""

    game: Game
    specs: tuple[str, ...]
    seed: int
    planned: int
    cross: dict[tuple[int, int], Score] = field(default_factory=dict)
    """(a, b) → what a scored against b."""

    @property
    def played(self) -> int:
        return sum(score.games for score in self.cross.values()) // 2

    @property
    def complete(self) -> bool:
        return self.played == self.planned

    def total(self, index: int) -> Score:
        """What a player scored against all others."""
        mine = (score for (who, _), score in self.cross.items() if who == index)
        return sum(mine, start=Score())

    def ranking(self) -> list[int]:
        """Players from the best share of points to the worst."""
        return sorted(range(len(self.specs)), key=lambda index: -self.total(index).share)

    def add(self, pairing: Pairing, match: Match) -> None:
        for who, other, utility in (
            (pairing.first, pairing.second, match.utilities[0]),
            (pairing.second, pairing.first, match.utilities[1]),
        ):
            self.cross[who, other] = self.cross.get((who, other), Score()).after(utility)


def schedule(players: int, games: int, seed: int) -> list[Pairing]:
    """`games` games for every two players, each beginning every other one."""
    return [
        Pairing(*((a, b) if number % 2 == 0 else (b, a)), derive_seed(seed, a, b, number))
        for a, b in combinations(range(players), 2)
        for number in range(games)
    ]


def round_robin(
    game: Game,
    specs: Sequence[str],
    games: int,
    seed: int,
    start: State | None = None,
    threads: int = 1,
    progress: Callable[[Tournament], None] | None = None,
) -> Tournament:
    """Play `games` games between every two players.

    The result depends on the seed alone, not on the number of threads. Ctrl-C stops it; what has
    been played until then is returned.
    """
    if player_count(game) != 2:
        raise SpielwerkError("A round robin is for games of two players.")
    if len(specs) < 2:
        raise SpielwerkError("A round robin needs at least two players.")
    if games < 1:
        raise SpielwerkError(f"Every two players must play at least 1 game, not {games}.")
    agents = [parse_agent(spec) for spec in specs]
    for agent in agents:
        if is_person(agent):
            raise SpielwerkError("A person cannot play a tournament; use `spielwerk play`.")
        check_agent(agent, game)
    pairings = schedule(len(specs), games, seed)
    tournament = Tournament(game, tuple(specs), seed, planned=len(pairings))
    with suppress(KeyboardInterrupt):
        for pairing, match in _play_all(game, agents, pairings, start, threads):
            tournament.add(pairing, match)
            if progress is not None:
                progress(tournament)
    return tournament


def _play_all(
    game: Game,
    agents: Sequence[Agent],
    pairings: Sequence[Pairing],
    start: State | None,
    threads: int,
) -> Iterator[tuple[Pairing, Match]]:
    """The matches as they are finished."""

    def play(pairing: Pairing) -> tuple[Pairing, Match]:
        pair = (agents[pairing.first], agents[pairing.second])
        return pairing, play_match(game, pair, pairing.seed, start)

    return each_as_done(play, pairings, threads)
