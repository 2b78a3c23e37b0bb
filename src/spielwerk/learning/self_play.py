"""Self-play, Konen's Algorithm 2 (2015, §4.3), and Thill's variations on it (2012, §4.2, §4.6)."""

from typing import NamedTuple

import numpy as np

from spielwerk.games.rules import Game, State, actions, initial, player, transition, unpack
from spielwerk.kernels.bits import ONE, U64, WORD, ZERO, lowest_bit, nth_bit, popcount, signed
from spielwerk.kernels.jit import kernel
from spielwerk.kernels.rng import below, next_random, takes_place, unit
from spielwerk.learning.averaging import Average, advance
from spielwerk.learning.referee import Referee, end_reward, has_ended
from spielwerk.learning.returns import Episode, learn_returns, learns_at_the_end, note
from spielwerk.learning.step_sizes import Signal, move_weights
from spielwerk.learning.td import NONSENSE, Learner, begin_game, learn_signal, slope_at
from spielwerk.learning.traces import add, reset
from spielwerk.values.learned import white_value


class Play(NamedTuple):
    """How training games are played and what is learned from, but for α and ε."""

    random_plies: int  # up to so many random moves first
    depth: int  # plies that greedy moves look ahead
    learn_explored: bool  # after an exploratory move learn from the greedy one beside it
    learn_search: bool  # learn from what the look ahead found, not from the next position alone
    siblings: float  # the share of α with which the positions after all moves learn; 0: they do not


class Tally(NamedTuple):
    """How far self-play has come. It goes on from here, bit for bit."""

    seed: np.ndarray  # [1] uint64: of the next random number
    games: np.ndarray  # [1] int64: games played
    plies: np.ndarray  # [1] int64: moves since the last report
    learned: np.ndarray  # [1] int64: error signals since then, not counting those set to zero
    squares: np.ndarray  # [1] float64: the sum of their squares


def make_tally(seed: int) -> Tally:
    return Tally(
        np.array([seed & WORD], np.uint64),
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
        np.zeros(1),
    )


@kernel
def looked_ahead(
    learner: Learner,
    referee: Referee,
    game: Game,
    after: State,
    depth: int,
    alpha: float,
    beta: float,
) -> float:
    """r + γV of a position after a move, by alpha-beta over `depth` further plies.

    Exact between `alpha` and `beta`, a bound beyond them.
    """
    gamma = learner.learned.gamma
    if has_ended(referee, game, after):
        return end_reward(referee, learner.learned, game, after)
    if depth == 0 or gamma == 0.0:
        return gamma * white_value(learner.learned, game, after, learner.inputs)
    white = player(game, after) == 0
    low, high = alpha / gamma, beta / gamma
    best = -np.inf if white else np.inf
    rest = actions(game, after)
    while rest != ZERO and low < high:
        move = signed(lowest_bit(rest))
        rest &= rest - ONE
        reply = transition(game, after, move)
        score = looked_ahead(learner, referee, game, reply, depth - 1, low, high)
        if white:
            best = max(best, score)
            low = max(low, score)
        else:
            best = min(best, score)
            high = min(high, score)
    return gamma * best


@kernel
def greedy_move(
    learner: Learner, referee: Referee, game: Game, state: State, depth: int, seed: np.uint64
) -> tuple[int, float, np.uint64]:
    """The move to the after-state with the best p · (r + γV), and that r + γV.

    Equally good ones by chance.
    """
    sign = 1.0 if player(game, state) == 0 else -1.0
    best, chosen, equals = -np.inf, -1, 0
    rest = actions(game, state)
    while rest != ZERO:
        move = signed(lowest_bit(rest))
        rest &= rest - ONE
        after = transition(game, state, move)
        # Equals must be told from bounds: a window open to both sides.
        score = sign * looked_ahead(learner, referee, game, after, depth - 1, -np.inf, np.inf)
        if score > best:
            best, chosen, equals = score, move, 1
        elif score == best:
            equals += 1
            instead, seed = takes_place(equals, seed)
            if instead:
                chosen = move
    if chosen < 0:  # every value is nan
        chosen = signed(lowest_bit(actions(game, state)))
    return chosen, sign * best, seed


@kernel
def learn_siblings(
    learner: Learner, referee: Referee, game: Game, state: State, alpha: float
) -> None:
    """The position after each move learns from the best reply: δ = max p · (r + γV) − V.

    A look of two plies at every position, kept in the weights as a search keeps it in a tree
    (RootStrap; Veness et al. 2009), so that a game teaches what would have happened beside it. One
    after the other, in the order of the moves; what ends the game has no value to learn.
    """
    learned = learner.learned
    rest = actions(game, state)
    while rest != ZERO:
        move = signed(lowest_bit(rest))
        rest &= rest - ONE
        after = transition(game, state, move)
        if not has_ended(referee, game, after):
            _, best, _ = greedy_move(learner, referee, game, after, 1, ZERO)
            delta = best - white_value(learned, game, after, learner.inputs)
            slope_at(learner, game, after, learner.here)
            reset(learner.traces)
            add(learner.traces, learner.here)
            signal = Signal(delta, alpha, learned.gamma, learner.here, learner.there)
            move_weights(learner.step_rule, learned.function.weights, learner.traces, signal)
    begin_game(learner, game, state)  # where there are traces, this position is all they hold


@kernel
def any_move(game: Game, state: State, seed: np.uint64) -> tuple[int, np.uint64]:
    moves = actions(game, state)
    bits, seed = next_random(seed)
    return signed(nth_bit(moves, below(bits, popcount(moves)))), seed


@kernel
def start_position(
    referee: Referee, game: Game, starts: np.ndarray, random_plies: int, seed: np.uint64
) -> tuple[State, np.uint64]:
    """One of the packed `starts` (the initial position if there are none), then up to
    `random_plies` random moves that do not end the game."""
    state = initial(game)
    if starts.size > 0:
        bits, seed = next_random(seed)
        state = unpack(game, starts[below(bits, U64(starts.size))])
    if random_plies > 0:
        bits, seed = next_random(seed)
        for _ in range(signed(below(bits, U64(random_plies + 1)))):
            move, seed = any_move(game, state, seed)
            after = transition(game, state, move)
            if has_ended(referee, game, after):
                break
            state = after
    return state, seed


@kernel
def self_play(
    learner: Learner,
    game: Game,
    starts: np.ndarray,
    play: Play,
    referee: Referee,
    episode: Episode,
    average: Average,
    epsilons: np.ndarray,
    alphas: np.ndarray,
    tally: Tally,
    stop: np.ndarray,
) -> bool:
    """A game for each α and each row of ε, White's and Black's, until `stop` is raised between two.

    Returns False, in the middle of a game, if the weights run away.
    """
    learned = learner.learned
    weights = learned.function.weights
    at_the_end = learns_at_the_end(learner.trace_rule)
    searches = play.learn_search and play.depth > 1
    seed = tally.seed[0]
    for number in range(alphas.size):
        if stop[0]:
            break
        state, seed = start_position(referee, game, starts, play.random_plies, seed)
        begin_game(learner, game, state)
        episode.length[0] = 0
        final, found = False, 0.0
        while not final:
            if play.siblings > 0.0:
                learn_siblings(learner, referee, game, state, alphas[number] * play.siblings)
            bits, seed = next_random(seed)
            explored = unit(bits) < epsilons[number, player(game, state)]
            beside = 0.0
            if explored:
                if play.learn_explored:
                    _, beside, seed = greedy_move(learner, referee, game, state, play.depth, seed)
                move, seed = any_move(game, state, seed)
            else:
                move, beside, seed = greedy_move(learner, referee, game, state, play.depth, seed)
            after = transition(game, state, move)
            final = has_ended(referee, game, after)
            # Anew in each pass: the weights have changed.
            v_old = white_value(learned, game, state, learner.inputs)
            if play.learn_explored if explored else play.learn_search:
                target = beside
            elif final:
                target = end_reward(referee, learned, game, after)
            else:
                target = learned.gamma * white_value(learned, game, after, learner.inputs)
            # A random move alone says nothing of how good the position before it was.
            teaches = final or not explored or play.learn_explored
            delta = target - v_old if teaches else 0.0
            if at_the_end:
                if searches and episode.length[0] > 0:
                    episode.gaps[episode.length[0] - 1] = learned.gamma * v_old - found
                found = target
                slope_at(learner, game, state, learner.here)
                note(episode, learner.here, delta, explored and learner.trace_rule.resetting)
            else:
                learn_signal(
                    learner,
                    weights,
                    game,
                    state,
                    after,
                    delta,
                    teaches,
                    final,
                    explored,
                    alphas[number],
                )
            tally.plies[0] += 1
            if teaches:
                tally.learned[0] += 1
                tally.squares[0] += delta * delta
            if not abs(delta) <= NONSENSE:
                return False
            state = after
        if at_the_end:
            learn_returns(learner, episode, alphas[number])
        tally.games[0] += 1
        tally.seed[0] = seed
        advance(average, weights, tally.games[0])
    return True
