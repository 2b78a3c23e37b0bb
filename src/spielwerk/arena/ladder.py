"""A standing ladder as on Kaggle (Göppert 2020, §1.3): neighbours meet, points move.

Everyone starts with 600 points. In a round each member plays at most once, against somebody with
about as many points; the winner gains, and the loser loses, the more the less it was expected
(Elo's rule). A round's games do not depend on each other, so they can be played anywhere at once,
and points move when all are over: the ladder depends on its seed alone, not on who plays when.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spielwerk.arena.batch import Batch
from spielwerk.arena.plan import Fixture, Table, table_of
from spielwerk.kernels.rng import Rng, derive_seed

BEGIN = 600.0
STEP = 32.0
"""Points that move at most between two players in a game (Elo's K)."""
NEAR = 50.0
"""Points by which the order is shaken before neighbours are paired, so that they vary."""
SCALE = 400.0


@dataclass(frozen=True)
class Member:
    """Somebody on the ladder."""

    player: int
    spec: str
    points: float = BEGIN
    games: int = 0


@dataclass(frozen=True)
class Round:
    """Games to be played at once."""

    game: str
    specs: tuple[str, ...]
    fixtures: tuple[Fixture, ...]

    @cached_property
    def table(self) -> Table:
        return table_of(self.game, self.specs, "", "")

    def fixture(self, number: int) -> Fixture:
        return self.fixtures[number - self.fixtures[0].number]

    @property
    def numbers(self) -> list[int]:
        return [fixture.number for fixture in self.fixtures]

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return Round, (self.game, self.specs, self.fixtures)  # without the table


def pair(members: Sequence[Member], seats: int, seed: int, first: int) -> tuple[Fixture, ...]:
    """A round: neighbours by points, shaken a little, sit down together; `first` numbers it.

    Where not all find a place, those who have played most sit out. The seats of a fixture are
    places in the list of members.
    """
    rng = Rng(derive_seed(seed, first))
    shaken = [
        (member.points + NEAR * _normal(rng), rng.bits(), place)
        for place, member in enumerate(members)
    ]
    playing = sorted(shaken, key=lambda one: (members[one[2]].games, one[1]))
    playing = playing[: len(members) // seats * seats]
    ordered = [place for _, _, place in sorted(playing, key=lambda one: (one[0], one[1]))]
    fixtures: list[Fixture] = []
    for place in range(0, len(ordered), seats):
        group = ordered[place : place + seats]
        for last in range(len(group) - 1, 0, -1):  # who begins is chance
            other = rng.below(last + 1)
            group[last], group[other] = group[other], group[last]
        number = first + len(fixtures)
        fixtures.append(Fixture(number, tuple(group), derive_seed(seed, first, place + 1)))
    return tuple(fixtures)


def move_points(points: Mapping[int, float], batch: Batch) -> dict[int, float]:
    """The points after a round. What one gains, others lose.

    With more than two at a table everybody is compared with everybody else there.
    """
    moved = dict(points)
    for seats, utilities in zip(batch.seats.tolist(), batch.utilities.tolist(), strict=True):
        weight = STEP / (len(seats) - 1)
        for one, mine in zip(seats, utilities, strict=True):
            for other, theirs in zip(seats, utilities, strict=True):
                if one != other:
                    score = 0.5 + 0.5 * float(np.sign(mine - theirs))
                    expected = 1 / (1 + 10 ** ((points[other] - points[one]) / SCALE))
                    moved[one] += weight * (score - expected)
    return moved


def _normal(rng: Rng) -> float:
    """A normal variable (Box & Muller)."""
    return math.sqrt(-2 * math.log(1 - rng.unit())) * math.cos(2 * math.pi * rng.unit())
