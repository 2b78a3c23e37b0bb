"""One match. Everything that is played goes through `play_match`."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from spielwerk.agents.agent import (
    Agent,
    Choice,
    Resign,
    TakeBack,
    check_agent,
    for_match,
    is_person,
)
from spielwerk.agents.catalogue import agent_spec
from spielwerk.errors import IllegalMoveError, SpielwerkError
from spielwerk.games.notation import check_move, format_moves
from spielwerk.games.rules import (
    RUNNING,
    Game,
    State,
    deal,
    observation,
    outcome,
    player,
    player_count,
    transition,
    utility,
)
from spielwerk.kernels.dispatch import implements
from spielwerk.kernels.rng import Rng, derive_seed, seat_seed


@dataclass(frozen=True)
class Match:
    """A finished match. Equal seeds give equal matches; how long they took is not compared."""

    game: Game
    start: State
    moves: tuple[int, ...]
    final: State
    utilities: tuple[float, ...]
    resigned: int | None = None
    reason: str = ""
    """Why, if that was not of its own will."""
    seconds: tuple[float, ...] = field(default=(), compare=False)
    made: tuple[int, ...] = ()
    """Moves that each player decided on, those taken back included."""


@dataclass(frozen=True)
class Moment:
    """What an onlooker sees: at the start, after each move, after moves were taken back."""

    state: State
    moves: tuple[int, ...]
    mover: int | None = None  # who has just moved
    choice: Choice | None = None  # and why
    taken_back: int | None = None  # how many moves have just been taken back, if that was asked


def play_match(
    game: Game,
    agents: Sequence[Agent],
    seed: int,
    start: State | None = None,
    watch: Callable[[Moment], None] | None = None,
    until: Callable[[State], bool] | None = None,
) -> Match:
    """Play one game, or its beginning. `agents[i]` plays for player i; player 0 begins.

    Each agent draws its chances from a stream of its own, which depends on `seed` and on the seat
    alone. An illegal move is an error, whoever makes it. The game is broken off in a position of
    which `until` is true.
    """
    if len(agents) != player_count(game):
        raise SpielwerkError(f"This game is for {player_count(game)} players, not {len(agents)}.")
    for agent in agents:
        check_agent(agent, game)
    players = [for_match(agent) for agent in agents]
    hidden = implements(deal, game)
    rngs = [Rng(seat_seed(seed, seat, hidden)) for seat in range(len(agents))]
    seconds, made = [0.0] * len(agents), [0] * len(agents)
    begin = deal(game, derive_seed(seed, len(agents))) if start is None else start
    states, moves = [begin], list[int]()
    resigned, reason = None, ""
    _show(watch, Moment(states[-1], ()))
    while outcome(game, states[-1]) == RUNNING:
        if until is not None and until(states[-1]):
            break
        seat = player(game, states[-1])
        clock = time.perf_counter()
        decision = players[seat].choose(game, observation(game, states[-1]), rngs[seat])
        seconds[seat] += time.perf_counter() - clock
        if isinstance(decision, Resign):
            resigned, reason = seat, decision.reason
            break
        if isinstance(decision, TakeBack) and is_person(agents[seat]):
            plies = _plies_to_take_back(game, states, agents)
            del states[len(states) - plies :], moves[len(moves) - plies :]
            _show(watch, Moment(states[-1], tuple(moves), taken_back=plies))
            continue
        if not isinstance(decision, Choice):
            raise SpielwerkError(
                f"{agent_spec(agents[seat])} returned {decision!r} where a Choice was expected."
            )
        try:
            check_move(game, states[-1], decision.move, _describe_moves(moves, start))
        except IllegalMoveError as error:
            raise IllegalMoveError(
                f"{agent_spec(agents[seat])} made an illegal move. {error}"
            ) from None
        made[seat] += 1
        moves.append(int(decision.move))
        states.append(transition(game, states[-1], decision.move))
        _show(watch, Moment(states[-1], tuple(moves), seat, decision))
    return Match(
        game,
        states[0],
        tuple(moves),
        states[-1],
        _utilities(game, states[-1], resigned),
        resigned,
        reason,
        tuple(seconds),
        tuple(made),
    )


def _plies_to_take_back(game: Game, states: Sequence[State], agents: Sequence[Agent]) -> int:
    """Back to the last earlier position in which a person was to move; 0 if there is none.

    Not where cards are dealt: whoever has seen what comes must not choose again.
    """
    if implements(deal, game):
        return 0
    for plies, state in enumerate(reversed(states[:-1]), start=1):
        if is_person(agents[player(game, state)]):
            return plies
    return 0


def _describe_moves(moves: Sequence[int], start: State | None) -> str:
    """Where we are, for an error: the moves, and that they do not begin at the beginning."""
    if start is None:
        return format_moves(moves)
    return f"{format_moves(moves)} from the start position" if moves else "the start position"


def _utilities(game: Game, final: State, resigned: int | None) -> tuple[float, ...]:
    seats = range(player_count(game))
    if resigned is not None:  # with three or more nobody has won by that
        others = 1.0 if len(seats) == 2 else 0.0
        return tuple(-1.0 if seat == resigned else others for seat in seats)
    return tuple(float(utility(game, final, seat)) for seat in seats)


def _show(watch: Callable[[Moment], None] | None, moment: Moment) -> None:
    if watch is not None:
        watch(moment)
