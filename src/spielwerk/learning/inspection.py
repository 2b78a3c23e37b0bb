"""What a model has learned: its weights, its tuples and their tables, what they say of a position.

Nothing is printed here: the command line and the web show the same numbers.
"""

from dataclasses import dataclass

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.games.notation import describe_outcome
from spielwerk.games.rules import RUNNING, Game, State, outcome
from spielwerk.learning.config import config_from
from spielwerk.learning.training import make_run
from spielwerk.values.approximators import SigmoidNet
from spielwerk.values.column_tuples import ColumnTuples
from spielwerk.values.features import WithBias
from spielwerk.values.learned import Learned, white_reward, white_value
from spielwerk.values.model import Model
from spielwerk.values.sparse import make_sparse
from spielwerk.values.tuple_patterns import (
    TupleFacts,
    TupleFeatures,
    entry_of,
    pattern_of,
    place_of,
    tuple_facts,
)
from spielwerk.values.tuples import Tuples


@dataclass(frozen=True)
class System:
    """An n-tuple system. `dense` weights would full tables of m^N entries have."""

    weights: int
    dense: int
    used: float
    tables: int
    tuples: list[TupleFacts]


@dataclass(frozen=True)
class Entry:
    """An entry of a look-up table; a weight for each table: with two, by who is to move."""

    pattern: str
    weights: list[float]


@dataclass(frozen=True)
class Part:
    """A weight that a position addresses. `number` is None for the bias, else from 0."""

    number: int | None
    pattern: str
    weight: float


@dataclass(frozen=True)
class Contributions:
    """What is added up in a position, and V, what comes of the sum."""

    value: float
    parts: list[Part]

    @property
    def total(self) -> float:
        return sum(part.weight for part in self.parts)


def tuples_of(learned: Learned) -> TupleFeatures | None:
    """The tuples of an n-tuple system; None if it is none, or a net over tuples."""
    features = learned.features
    inner = features.others if isinstance(features, WithBias) else features
    if isinstance(inner, ColumnTuples | Tuples) and not isinstance(learned.function, SigmoidNet):
        return inner
    return None


def initial_weights(model: Model) -> np.ndarray:
    """The weights before the training, which follow from its settings; zero if they are unknown."""
    try:
        config, seed = config_from(model.origin["config"]), model.origin["seed"]
    except (KeyError, SpielwerkError):
        return np.zeros_like(model.weights)
    return make_run(model.game, config, seed).learned.function.weights


def describe_system(model: Model, learned: Learned, tuples: TupleFeatures) -> System:
    """All tuples: how many of their states can occur, how many were met, how much they weigh."""
    weights, initial = learned.function.weights, initial_weights(model)
    facts = [tuple_facts(tuples, weights, initial, number) for number in range(len(tuples.cells))]
    return System(
        weights=tuples.width,
        dense=sum(fact.possible for fact in facts) * tuples.tables,
        used=sum(fact.used * fact.entries for fact in facts) / sum(fact.entries for fact in facts),
        tables=tuples.tables,
        tuples=facts,
    )


def check_tuple(game: Game, tuples: TupleFeatures, number: int, pattern: str | None) -> None:
    """Refuse a tuple that is not there (the first is 1), and a pattern that cannot be."""
    if not 1 <= number <= len(tuples.cells):
        raise SpielwerkError(f"The model has tuples 1 to {len(tuples.cells)}, not {number}.")
    if pattern is not None:
        entry_of(tuples, game, number - 1, pattern)


def table_entries(
    game: Game,
    learned: Learned,
    tuples: TupleFeatures,
    number: int,
    pattern: str | None,
    top: int,
) -> list[Entry]:
    """The largest entries of a tuple's tables, or the one of a pattern. The first tuple is 1."""
    first, last = int(tuples.first[number - 1]), int(tuples.first[number])
    tables = learned.function.weights[: tuples.width].reshape(tuples.tables, -1)[:, first:last]
    if pattern is not None:
        entries = [entry_of(tuples, game, number - 1, pattern)]
    else:
        entries = [int(i) for i in np.argsort(-np.abs(tables).max(axis=0), kind="stable")[:top]]
    return [
        Entry(
            pattern_of(tuples, game, number - 1, entry), [float(table[entry]) for table in tables]
        )
        for entry in entries
    ]


def check_running(learned: Learned, game: Game, state: State) -> None:
    """Refuse a final position, of which V says nothing."""
    if outcome(game, state) != RUNNING:
        raise SpielwerkError(
            f"The game is over ({describe_outcome(game, state)}): the reward is "
            f"{white_reward(learned, game, state):g}, and V of a final position is 0."
        )


def tuple_contributions(
    game: Game, learned: Learned, tuples: TupleFeatures, state: State
) -> Contributions:
    """What every tuple adds in a position, on the board and on its images."""
    inputs = make_sparse(learned.room)
    value = float(white_value(learned, game, state, inputs))
    parts = []
    for place in range(int(inputs.size[0])):
        index = int(inputs.indices[place])
        weight = float(learned.function.weights[index])
        if index >= tuples.width:
            parts.append(Part(None, "bias", weight))
            continue
        number, _, entry = place_of(tuples, index)
        parts.append(Part(number, pattern_of(tuples, game, number, entry), weight))
    return Contributions(value, parts)


def feature_weights(learned: Learned) -> np.ndarray:
    """One number per feature: its weight, or for a net its influence, Σ_j |v_ji · w_j|."""
    function = learned.function
    if not isinstance(function, SigmoidNet):
        return function.weights
    inner = function.weights[: function.hidden * function.inputs].reshape(function.hidden, -1)
    return np.abs(inner * function.weights[-function.hidden :, None]).sum(axis=0)


def feature_contributions(
    learned: Learned, game: Game, state: State
) -> tuple[dict[int, float], float]:
    """Feature · weight for each active feature (a net: only the features), and V."""
    check_running(learned, game, state)
    inputs = make_sparse(learned.room)
    v = white_value(learned, game, state, inputs)
    found: dict[int, float] = {}
    for place in range(int(inputs.size[0])):
        i = int(inputs.indices[place])
        weight = 1.0
        if not isinstance(learned.function, SigmoidNet):
            weight = float(learned.function.weights[i])
        found[i] = found.get(i, 0.0) + weight * float(inputs.entries[place])
    return found, float(v)
