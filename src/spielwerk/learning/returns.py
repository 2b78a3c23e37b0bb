"""λ-returns: the forward view of TD(λ), at the end of each game (Konen 2015, §4.2, offline).

While a game lasts the weights stay as they are, and only the error signals are noted. At its end
each position learns once from all that came later:

    E_t = δ_t + γλ E_{t+1},  w ← w + α E_t ∇f(s_t)

which is what accumulating traces add up to if their changes are made at the end; a trace is reset
where E_{t+1} is left out. A game of n moves costs n steps where traces cost n²/2.

Where a position learns from what a search found, x_t, instead of the value of the next position,
the λ-return is G_t = (1 − λ) x_t + λγ G_{t+1}, so that

    E_t = x_t − V_t + λ (γV_{t+1} − x_t + γE_{t+1}):

the gap between both is noted, and is 0 otherwise.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.kernels.dispatch import generic_with_default, implement
from spielwerk.kernels.jit import kernel
from spielwerk.learning.step_sizes import Signal, move_weights
from spielwerk.learning.td import Learner
from spielwerk.learning.traces import Returns, TraceRule, add, reset
from spielwerk.values.sparse import Sparse, append, clear


class Episode(NamedTuple):
    """What a game leaves behind, a row per position."""

    indices: np.ndarray  # [plies, room] of ∇f(s_t)
    entries: np.ndarray  # [plies, room]
    sizes: np.ndarray  # [plies]
    errors: np.ndarray  # [plies] δ_t
    gaps: np.ndarray  # [plies] γV_{t+1} − x_t
    broken: np.ndarray  # [plies] bool: E_{t+1} is left out
    length: np.ndarray  # [1]


def make_episode(plies: int, room: int) -> Episode:
    return Episode(
        np.zeros((plies, room), np.int64),
        np.zeros((plies, room)),
        np.zeros(plies, np.int64),
        np.zeros(plies),
        np.zeros(plies),
        np.zeros(plies, np.bool_),
        np.zeros(1, np.int64),
    )


@generic_with_default
def learns_at_the_end(rule: TraceRule) -> bool:
    return False


@implement(learns_at_the_end, Returns)
def _(rule: Returns) -> bool:
    return True


@kernel
def note(episode: Episode, slope: Sparse, delta: float, broken: bool) -> None:
    """Add a position and its error signal."""
    t = episode.length[0]
    size = slope.size[0]
    for place in range(size):
        episode.indices[t, place] = slope.indices[place]
        episode.entries[t, place] = slope.entries[place]
    episode.sizes[t] = size
    episode.errors[t] = delta
    episode.gaps[t] = 0.0
    episode.broken[t] = broken
    episode.length[0] = t + 1


@kernel
def learn_returns(learner: Learner, episode: Episode, alpha: float) -> None:
    """Learn from the whole game, from its end to its beginning; forget it."""
    gamma, lam = learner.learned.gamma, learner.lam
    total = 0.0
    for back in range(episode.length[0]):
        t = episode.length[0] - 1 - back
        later = 0.0 if episode.broken[t] else lam * (episode.gaps[t] + gamma * total)
        total = episode.errors[t] + later
        clear(learner.here)
        clear(learner.there)
        for place in range(episode.sizes[t]):
            append(learner.here, episode.indices[t, place], episode.entries[t, place])
        reset(learner.traces)
        add(learner.traces, learner.here)
        signal = Signal(total, alpha, gamma, learner.here, learner.there)
        move_weights(learner.step_rule, learner.learned.function.weights, learner.traces, signal)
    reset(learner.traces)
    episode.length[0] = 0
