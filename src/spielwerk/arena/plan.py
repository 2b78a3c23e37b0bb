"""A tournament before it is played: who meets whom, in which seats, from which seed.

Everything follows from the plan and a game's number, so that it does not matter who plays a game,
when, and after which others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from threading import Lock
from typing import Any, Protocol

from spielwerk.agents.agent import Agent, check_agent, for_match, is_person
from spielwerk.agents.catalogue import parse_agent
from spielwerk.arena.openings import Moves, Openings, parse_openings
from spielwerk.errors import SpielwerkError
from spielwerk.games.catalogue import parse_game
from spielwerk.games.notation import parse_position
from spielwerk.games.rules import Game, State, deal, initial, observation, player_count
from spielwerk.kernels.dispatch import implements
from spielwerk.kernels.rng import Rng, derive_seed

MOST_GAMES = 10_000_000
"""For every two players."""
_OPENINGS = 1 << 20
"""Told apart from the numbers of players and games in derived seeds."""


@dataclass(frozen=True)
class Fixture:
    """One game to be played. In seat i sits player `seats[i]`; seat 0 begins."""

    number: int
    seats: tuple[int, ...]
    seed: int
    opening: Moves = ()


@dataclass(frozen=True)
class Plan:
    """`games` games for every set of players that fills a table: for every two, in most games.

    Seats rotate from game to game; with openings, each is played from every seat in turn.
    """

    game: str
    specs: tuple[str, ...]
    games: int
    seed: int
    start: str = ""
    openings: str = ""
    until: float = 0.0
    """Stop when the order is certain with this probability; 0: never."""

    def __post_init__(self) -> None:
        if len(self.specs) < 2:
            raise SpielwerkError("A tournament needs at least two players.")
        if self.games < 1:
            raise SpielwerkError(f"Every two players must play at least 1 game, not {self.games}.")
        if self.games > MOST_GAMES:
            raise SpielwerkError(f"{self.games:,} games are too many; {MOST_GAMES:,} at most.")
        if not 0 <= self.until < 1:
            raise SpielwerkError(f"Certainty is less than 100 %, not {100 * self.until:g} %.")

    @cached_property
    def table(self) -> "Table":
        """The game, the agents and the openings, made once."""
        return table_of(self.game, self.specs, self.start, self.openings)

    @cached_property
    def groups(self) -> list[tuple[int, ...]]:
        """Who sits at a table together."""
        return list(combinations(range(len(self.specs)), self.table.seats))

    @property
    def cycle(self) -> int:
        """Rounds after which everyone has had every seat and every opening equally often."""
        return self.table.seats * self.table.openings.cycle

    @property
    def rounds(self) -> int:
        """Games of each group: as many as wanted, or more, so that all openings are equal."""
        return self.games if self.table.openings.cycle == 1 else self._whole_cycles

    @property
    def _whole_cycles(self) -> int:
        """The games that are wanted, rounded up to whole cycles."""
        return -(-self.games // self.cycle) * self.cycle

    @property
    def planned(self) -> int:
        return self.rounds * len(self.groups)

    def check(self) -> None:
        """Raise a SpielwerkError if it cannot be played."""
        self.table.agents  # noqa: B018 (making them finds out)

    def balanced(self) -> "Plan":
        """With a few more games, if need be: every seat and opening equally often for everyone."""
        return replace(self, games=self._whole_cycles)

    def fixture(self, number: int) -> Fixture:
        """Game `number`: round by round, every group once in each."""
        table = self.table
        turn, index = divmod(number, len(self.groups))
        group, opening = self.groups[index], turn // table.seats
        seats = tuple(group[place] for place in seating(turn, table.seats))
        # Where cards are dealt, all groups get the same cards in the same round.
        own = () if table.deals else group
        moves: Moves = ()
        if not table.deals:
            drawn = derive_seed(self.seed, _OPENINGS, *group)
            moves = table.openings.opening(table.game, table.start, opening, drawn)
        return Fixture(number, seats, derive_seed(self.seed, *own, turn), moves)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return plan_from, (asdict(self),)  # without the table


def seating(number: int, players: int) -> list[int]:
    """Which player sits where in a game: each begins every so many games; who follows whom stays.

    So Jahnke (2007, §5) compares more than two players.
    """
    return [(seat + number) % players for seat in range(players)]


def plan_from(settings: Mapping[str, Any]) -> Plan:
    """The plan of a dictionary as `asdict` makes it."""
    return Plan(**{**settings, "specs": tuple(settings["specs"])})


_ONE_AT_A_TIME = Lock()


class Fixtures(Protocol):
    """Games to be played: a plan, or a round of a ladder."""

    @property
    def table(self) -> "Table": ...

    def fixture(self, number: int) -> Fixture: ...


@dataclass(frozen=True)
class Table:
    """What a plan speaks of."""

    game: Game
    specs: tuple[str, ...]
    start: State | None  # None where cards are dealt
    openings: Openings

    @cached_property
    def agents(self) -> tuple[Agent, ...]:
        """Those who play. They are not needed to look at what was played."""
        agents = tuple(parse_agent(spec) for spec in self.specs)
        for agent in agents:
            if is_person(agent):
                raise SpielwerkError("A person cannot play a tournament; use `spielwerk play`.")
            check_agent(agent, self.game)
        return agents

    @property
    def seats(self) -> int:
        return player_count(self.game)

    @property
    def deals(self) -> bool:
        return implements(deal, self.game)

    def warm_up(self) -> None:
        """Let everyone make a move that does not count: what is compiled by it is not timed."""
        with _ONE_AT_A_TIME:
            return self._warmed_up

    @cached_property
    def _warmed_up(self) -> None:
        state = deal(self.game, 0) if self.start is None else self.start
        for agent in self.agents:
            for_match(agent).choose(self.game, observation(self.game, state), Rng(0))


@lru_cache(maxsize=16)
def table_of(game_spec: str, specs: Sequence[str], start: str, openings: str) -> Table:
    game = parse_game(game_spec)
    if player_count(game) > len(specs):
        raise SpielwerkError(f"This table is for {player_count(game)} players, not {len(specs)}.")
    begin = None
    if start.strip():
        begin = parse_position(game, start)
    elif not implements(deal, game):
        begin = initial(game)
    return Table(game, tuple(specs), begin, parse_openings(game, begin, openings))
