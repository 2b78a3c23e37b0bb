"""TD(λ) as on paper: dense vectors, plain Python, nothing clever. Games as lists and numbers."""

import math
from types import SimpleNamespace

import numpy as np

from spielwerk.games import rules
from spielwerk.games.tictactoe import SYMMETRIES, to_list

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def divisibility(game, state, most):
    white_moved = rules.player(game, state) == 1
    divides = [int(state.stones) % k == 0 for k in range(2, most + 1)]
    return np.array([float(g if white_moved else not g) for g in divides])


def raw(game, state):
    return np.array([{0: 0.0, 1: 1.0, 2: -1.0}[mark] for mark in to_list(game, state)])


def tuples(game, state, cells, symmetric=True):
    board = to_list(game, state)
    tables = []
    for one in cells:
        table = np.zeros(3 ** len(one))
        for symmetry in SYMMETRIES if symmetric else SYMMETRIES[:1]:
            table[sum(board[symmetry[cell]] * 3**i for i, cell in enumerate(one))] += 1
        tables.append(table)
    return np.concatenate(tables)


def line_counts(game, state):
    board = to_list(game, state)
    block = []
    for who in (1, 2):
        singles = []
        doublets = 0
        for number, line in enumerate(LINES):
            marks = [board[cell] for cell in line]
            if 3 - who not in marks:
                if marks.count(who) == 1:
                    singles.append((number, {cell for cell in line if board[cell] == 0}))
                elif marks.count(who) == 2:
                    doublets += 1
        crossings = {
            cell for i, (_, a) in enumerate(singles) for _, b in singles[:i] for cell in a & b
        }
        directions = {min(number, 6) // 3 if number < 6 else number for number, _ in singles}
        block += [len(singles), doublets, len(crossings), len(directions)]
    block.append(1)
    nothing = [0] * len(block)
    after_white = rules.player(game, state) == 1
    return np.array([*block, *nothing] if after_white else [*nothing, *block], float)


def sigmoid(y):
    return 1 / (1 + math.exp(-y))


def response(kind, w, g, slope=1.0, hidden=0):
    if kind == "linear":
        return float(w @ g)
    if kind == "sigmoid":
        return sigmoid(w @ g)
    if kind == "tanh":
        return math.tanh(slope * (w @ g))
    v = w[: hidden * len(g)].reshape(hidden, len(g))
    h = np.array([sigmoid(row @ g) for row in v])
    return sigmoid(w[hidden * len(g) :] @ h)


def gradient(kind, w, g, slope=1.0, hidden=0):
    f = response(kind, w, g, slope, hidden)
    if kind == "linear":
        return g.copy()
    if kind == "sigmoid":
        return f * (1 - f) * g
    if kind == "tanh":
        return slope * (1 - f * f) * g
    v = w[: hidden * len(g)].reshape(hidden, len(g))
    outer = w[hidden * len(g) :]
    h = np.array([sigmoid(row @ g) for row in v])
    inner = np.outer(f * (1 - f) * outer * h * (1 - h), g)
    return np.concatenate([inner.ravel(), f * (1 - f) * h])


class Twin:
    """A learner with dense traces. `features` is a function of a state."""

    def __init__(
        self,
        game,
        features,
        weights,
        kind="linear",
        slope=1.0,
        hidden=0,
        gamma=1.0,
        lam=0.0,
        replacing=False,
        resetting=False,
        step="fixed",
        alpha=0.1,
        theta=0.0,
        steepness=0.0,
        mu=0.0,
        tau=1e4,
        rewards=(1.0, 0.5, 0.0),
    ):
        self.__dict__.update({k: v for k, v in locals().items() if k != "self"})
        n = len(weights)
        self.w = np.array(weights, float)
        self.e = np.zeros(n)
        self.memory = SimpleNamespace(
            net=np.zeros(n),
            absolute=np.zeros(n),
            beta=np.full(n, math.log(alpha)),
            h=np.zeros(n),
            steps=np.full(n, alpha),
            v=np.zeros(n),
            bound=alpha,
        )

    def f(self, state):
        return response(self.kind, self.w, self.features(state), self.slope, self.hidden)

    def slope_of(self, state):
        return gradient(self.kind, self.w, self.features(state), self.slope, self.hidden)

    def reward(self, state):
        if rules.outcome(self.game, state) == rules.RUNNING:
            return 0.0
        result = rules.utility(self.game, state, 0)
        return self.rewards[0 if result > 0 else 2 if result < 0 else 1]

    def change(self, delta, alpha, before, after):
        m, e = self.memory, self.e
        on = e != 0
        if self.step == "fixed":
            self.w += alpha * delta * e
        elif self.step == "tcl":
            share = np.ones(len(e))
            seen = m.absolute > 0
            share[seen] = np.abs(m.net[seen]) / m.absolute[seen]
            if self.steepness:
                share[seen] = np.exp(self.steepness * (share[seen] - 1))
            self.w += alpha * share * delta * e
            m.net += delta * e
            m.absolute += np.abs(delta * e)
        elif self.step in ("idbd", "k1"):
            m.beta += np.clip(self.theta * delta * e * m.h, -2, 2)
            p = np.exp(m.beta)
            if self.step == "idbd":
                self.w += p * delta * e
                m.h[on] = (m.h * np.maximum(0, 1 - p * e * e) + p * delta * e)[on]
            else:
                gain = p * e / (1 + (p * e * e).sum())
                self.w += gain * delta
                m.h[on] = ((m.h + gain * delta) * np.maximum(0, 1 - gain * e))[on]
        elif self.step == "autostep":
            size = np.abs(delta * e * m.h)
            m.v = np.maximum(size, m.v + m.steps * e * e * (size - m.v) / self.tau)
            grown = m.steps * np.exp(self.mu * delta * e * m.h / np.where(m.v == 0, 1, m.v))
            m.steps = np.where(m.v == 0, m.steps, grown)
            m.steps[on] /= max((m.steps * e * e).sum(), 1)
            self.w += m.steps * delta * e
            m.h[on] = (m.h * (1 - m.steps * e * e) + m.steps * delta * e)[on]
        elif self.step == "alpha-bounds":
            ahead = 0 if after is None else self.gamma * self.slope_of(after)
            product = e @ (ahead - self.slope_of(before))
            if product < 0:
                m.bound = min(m.bound, -1 / product)
            self.w += m.bound * delta * e

    def trace(self, state, factor):
        slope = self.slope_of(state)
        if self.replacing:
            self.e = np.where(slope != 0, slope, factor * self.e)
        else:
            self.e = factor * self.e + slope

    def value_of(self, state):
        """r + γV."""
        if rules.outcome(self.game, state) != rules.RUNNING:
            return self.reward(state)
        return self.gamma * self.f(state)

    def learn_siblings(self, state, alpha):
        """All positions after `state` learn from their best reply; traces then hold it alone."""
        game = self.game
        for move in rules.legal_moves(game, state):
            after = rules.transition(game, state, move)
            if rules.outcome(game, after) == rules.RUNNING:
                replies = [
                    self.value_of(rules.transition(game, after, reply))
                    for reply in rules.legal_moves(game, after)
                ]
                best = max(replies) if rules.player(game, after) == 0 else min(replies)
                self.e = self.slope_of(after)
                self.change(best - self.f(after), alpha, after, None)
        self.e = self.slope_of(state)

    def self_play(self, rng, epsilon, alpha, starts=(), random_plies=0, siblings=0.0):
        """Algorithm 2, drawing chances in the same order as the kernel."""
        game = self.game
        state = rules.initial(game)
        if len(starts):
            state = rules.unpack(game, starts[rng.below(len(starts))])
        if random_plies:
            for _ in range(rng.below(random_plies + 1)):
                moves = rules.legal_moves(game, state)
                after = rules.transition(game, state, moves[rng.below(len(moves))])
                if rules.outcome(game, after) != rules.RUNNING:
                    break
                state = after
        self.e = self.slope_of(state)
        while rules.outcome(game, state) == rules.RUNNING:
            if siblings:
                self.learn_siblings(state, alpha * siblings)
            sign = 1 if rules.player(game, state) == 0 else -1
            old = self.f(state)
            moves = rules.legal_moves(game, state)
            explored = rng.unit() < epsilon
            if explored:
                after = rules.transition(game, state, moves[rng.below(len(moves))])
            else:
                best, equals, after = -math.inf, 0, None
                for move in moves:
                    following = rules.transition(game, state, move)
                    score = sign * self.value_of(following)
                    if score > best:
                        best, equals, after = score, 1, following
                    elif score == best:
                        equals += 1
                        if rng.below(equals) == 0:
                            after = following
            final = rules.outcome(game, after) != rules.RUNNING
            target = self.reward(after) + (0 if final else self.gamma * self.f(after))
            if final or not explored:
                self.change(target - old, alpha, state, None if final else after)
            if not final:
                if explored and self.resetting:
                    self.e = np.zeros(len(self.e))
                self.trace(after, self.gamma * self.lam)
            state = after
