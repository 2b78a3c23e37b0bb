"""Who plays Skip-Bo in kernels: any mix of players at one table, in one compiled program."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spielwerk.games.rules import RUNNING, WON
from spielwerk.games.skipbo import (
    CLOSED,
    SEAT,
    SEATS,
    STOCK,
    TURN,
    SkipBo,
    deal_cards,
    legal_set,
    make_move,
    open_size,
    result_of,
    turns_of,
)
from spielwerk.kernels import interrupt
from spielwerk.kernels.bits import ONE, ZERO, lowest_bit, nth_bit, popcount, signed
from spielwerk.kernels.jit import kernel
from spielwerk.kernels.rng import below, derive, next_random, one_way, takes_place
from spielwerk.search.skipbo_rules_of_thumb import decide_basic, decide_mature
from spielwerk.search.skipbo_turn import TurnSearch, make_turn_search, search_turn
from spielwerk.values import skipbo_actions, skipbo_leaves, skipbo_states
from spielwerk.values.skipbo_actions import WIDTH as ACTION_WIDTH
from spielwerk.values.skipbo_actions import action_features
from spielwerk.values.skipbo_states import WIDTH as STATE_WIDTH
from spielwerk.values.skipbo_states import state_features
from spielwerk.values.skipbo_views import imagine

RANDOM, BASIC, BASIC_MINUS, MATURE, STATES, ACTIONS, TURNS = range(7)
WEIGHTS = {STATES: STATE_WIDTH, ACTIONS: ACTION_WIDTH, TURNS: skipbo_leaves.WIDTH}
"""How many weights the learned players have: by states after a move, by moves, by turns."""
MOST_WEIGHTS = max(WEIGHTS.values())
MOST_FEATURES = max(ACTION_WIDTH, STATE_WIDTH, skipbo_leaves.ACTIVE)


def skipbo_names(features: str) -> tuple[str, ...]:
    """What the weights of a learned player stand for; `features` is its name."""
    return {
        "skipbo-td": skipbo_states.NAMES,
        "skipbo-lea": skipbo_actions.NAMES,
        "skipbo-search": skipbo_leaves.NAMES,
    }[features]


class Policy(NamedTuple):
    """One player: its kind, how it reads the text (Mature), and what it has learned."""

    kind: int
    newly_only: bool = False
    wilds_cover: bool = False
    weights: tuple[float, ...] = ()


class Policies(NamedTuple):
    """All players, in any order."""

    kinds: np.ndarray
    readings: np.ndarray  # [player, 2]
    weights: np.ndarray  # [player, MOST_WEIGHTS]


class Thought(NamedTuple):
    """Scratch memory for a decision, and what was thought of the move that was chosen."""

    after: np.ndarray  # a table
    features: np.ndarray  # [MOST_FEATURES] of the move at hand
    indices: np.ndarray  # [MOST_FEATURES] the features of the chosen one that are not 0
    amounts: np.ndarray  # [MOST_FEATURES]
    active: np.ndarray  # [1] how many they are
    total: np.ndarray  # [1] their weighted sum
    search: TurnSearch


def make_policies(players: Sequence[Policy]) -> Policies:
    weights = np.zeros((len(players), MOST_WEIGHTS))
    for number, one in enumerate(players):
        weights[number, : len(one.weights)] = one.weights
    return Policies(
        np.array([one.kind for one in players], np.int64),
        np.array([(one.newly_only, one.wilds_cover) for one in players], np.bool_),
        weights,
    )


def make_thought(game: SkipBo) -> Thought:
    return Thought(
        np.zeros(open_size(game), np.uint8),
        np.zeros(MOST_FEATURES),
        np.zeros(MOST_FEATURES, np.int64),
        np.zeros(MOST_FEATURES),
        np.zeros(1, np.int64),
        np.zeros(1),
        make_turn_search(game),
    )


@kernel
def decide_by_features(
    game: SkipBo,
    by_states: bool,
    weights: np.ndarray,
    table: np.ndarray,
    thought: Thought,
    seed: np.uint64,
) -> tuple[int, np.uint64]:
    """The legal move with the highest weighted sum of features (Jahnke 2007, figure 4.7).

    Features of the table after the move, or of the move itself. Chance decides between equals.
    """
    moves = legal_set(game, table)
    width = STATE_WIDTH if by_states else ACTION_WIDTH
    features = thought.features
    chosen, best, equals = signed(lowest_bit(moves)), -np.inf, 0
    thought.active[0] = 0
    while moves != ZERO:
        move = signed(lowest_bit(moves))
        moves &= moves - ONE
        if by_states:
            imagine(table, move, thought.after)
            state_features(game, thought.after, features)
        else:
            action_features(game, table, move, features)
        total = 0.0
        for feature in range(width):
            total += weights[feature] * features[feature]
        better = total > best
        if better:
            equals = 1
        elif total == best:
            equals += 1
            better, seed = takes_place(equals, seed)
        if better:
            chosen, best, count = move, total, 0
            for feature in range(width):
                if features[feature] != 0.0:
                    thought.indices[count] = feature
                    thought.amounts[count] = features[feature]
                    count += 1
            thought.active[0] = count
    thought.total[0] = best
    return chosen, seed


@kernel
def decide(
    game: SkipBo,
    policies: Policies,
    player: int,
    table: np.ndarray,
    thought: Thought,
    seed: np.uint64,
) -> tuple[int, np.uint64]:
    """The next move of whoever is to move, by this player's policy; and the next seed."""
    kind = policies.kinds[player]
    if kind == BASIC:
        return decide_basic(game, table, False, seed)
    if kind == BASIC_MINUS:
        return decide_basic(game, table, True, seed)
    if kind == MATURE:
        readings = policies.readings[player]
        return decide_mature(game, table, readings[0], readings[1], seed)
    if kind == TURNS:
        search = thought.search
        move, total, seed = search_turn(game, policies.weights[player], table, search, seed)
        thought.active[0], thought.total[0] = search.counts[0], total
        for place in range(search.counts[0]):
            thought.indices[place] = search.best[place]
            thought.amounts[place] = 1.0
        return move, seed
    if kind in (STATES, ACTIONS):
        return decide_by_features(
            game, kind == STATES, policies.weights[player], table, thought, seed
        )
    moves = legal_set(game, table)
    return signed(nth_bit(moves, below(seed, popcount(moves)))), seed


class Ended(NamedTuple):
    """How games ended: the winning seat, −1 for a draw; cards left in each stock; turns; moves.

    The rows of `moves` are as long as was asked for; a longer game has its first moves there.
    """

    winners: np.ndarray  # [games]
    left: np.ndarray  # [games, seats]
    turns: np.ndarray  # [games]
    plies: np.ndarray  # [games]
    moves: np.ndarray  # [games, width] uint8


class Table(NamedTuple):
    """Memory for a game: the two parts of its state, a stream of chance for each seat."""

    open: np.ndarray
    closed: np.ndarray
    streams: np.ndarray


def make_table(game: SkipBo) -> Table:
    return Table(
        np.zeros(open_size(game), np.uint8),
        np.zeros(CLOSED, np.uint8),
        np.zeros(game.players, np.uint64),
    )


@kernel
def begin_game(game: SkipBo, table: Table, seed: np.uint64) -> None:
    """As `play_match` does: every seat has random numbers of its own, and so has the deal."""
    for seat in range(game.players):
        table.streams[seat] = one_way(derive(seed, seat))
    deal_cards(game, table.open, table.closed, derive(seed, game.players))


@kernel
def play_game(
    game: SkipBo,
    policies: Policies,
    seats: np.ndarray,
    seed: np.uint64,
    table: Table,
    thought: Thought,
    record: np.ndarray,
) -> tuple[int, int]:
    """A whole match as `play_match` plays it with this seed: the seat that wins, −1 if none does,
    and the number of moves.

    In seat i sits player `seats[i]`. As many moves are recorded as there is room for.
    """
    begin_game(game, table, seed)
    result, plies = RUNNING, 0
    while result == RUNNING:
        seat = int(table.open[TURN])
        bits, table.streams[seat] = next_random(table.streams[seat])
        move, _ = decide(game, policies, seats[seat], table.open, thought, bits)
        if plies < record.size:
            record[plies] = move
        plies += 1
        make_move(game, table.open, table.closed, move)
        result = result_of(game, table.open)
    return int(table.open[TURN]) if result == WON else -1, plies


@kernel
def play_series(
    game: SkipBo,
    policies: Policies,
    seats: np.ndarray,
    seeds: np.ndarray,
    ended: Ended,
    table: Table,
    thought: Thought,
    stop: np.ndarray,
) -> int:
    """A match for each seed, with the seating in the same row. Returns how many were played."""
    for number in range(seeds.size):
        if stop[0]:
            return number
        ended.winners[number], ended.plies[number] = play_game(
            game, policies, seats[number], seeds[number], table, thought, ended.moves[number]
        )
        ended.turns[number] = turns_of(table.open)
        for seat in range(game.players):
            ended.left[number, seat] = table.open[SEATS + seat * SEAT + STOCK]
    return seeds.size


def series(
    game: SkipBo, players: Sequence[Policy], seats: np.ndarray, seeds: np.ndarray, width: int = 0
) -> Ended:
    """A match for each seed; `seats[i]` says which player sits where in match i.

    The first `width` moves of each are recorded.
    """
    ended = Ended(
        np.zeros(seeds.size, np.int64),
        np.zeros((seeds.size, game.players), np.int64),
        np.zeros(seeds.size, np.int64),
        np.zeros(seeds.size, np.int64),
        np.zeros((seeds.size, width), np.uint8),
    )
    policies, table, thought = make_policies(players), make_table(game), make_thought(game)
    interrupt.run(play_series, game, policies, seats, seeds, ended, table, thought)
    return ended
