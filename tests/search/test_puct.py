"""PUCT: the forest grows the trees of an obvious twin, and proves what the solver knows."""

import math
from dataclasses import dataclass, field

import numpy as np
import pytest

from spielwerk.games import rules
from spielwerk.games.connectx import connectx
from spielwerk.games.notation import replay
from spielwerk.games.rules import DRAWN, RUNNING, initial, legal_moves, pack, transition, unpack
from spielwerk.kernels.rng import Rng, scramble
from spielwerk.search.puct import Puct, gather, make_forest, make_waiting, plant, settle
from spielwerk.search.puct_search import PuctSearch, PuctSettings
from spielwerk.search.solving import shared_solver

SMALL = connectx(4, 4, 3)
C4 = connectx()


def opinion(game, words):
    """A value and a logit per move that depend on nothing but the position."""
    said = np.zeros((len(words), 1 + game.cols), np.float32)
    for row, word in enumerate(words):
        for column in range(1 + game.cols):
            bits = int(scramble(np.uint64((int(word) * 31 + column) % 2**64)))
            said[row, column] = (bits % 2001 - 1000) / (1000 if column == 0 else 500)
    return said


@dataclass
class Node:
    """A position in a tree of objects."""

    state: object
    moves: list
    lower: int
    upper: int
    visits: int = 0
    total: float = 0.0
    child: dict = field(default_factory=dict)
    tried: dict = field(default_factory=dict)
    reward: dict = field(default_factory=dict)
    prior: dict = field(default_factory=dict)


def node_of(game, state):
    end = rules.outcome(game, state)
    worth = 0 if end == DRAWN else -1
    if end == RUNNING:
        return Node(state, legal_moves(game, state), -1, 1)
    return Node(state, [], worth, worth)


class Twin:
    """One simulation after the other, each rule as written in the module."""

    def __init__(self, game, puct, state):
        self.game, self.puct, self.root = game, puct, node_of(game, state)

    def known(self, node):
        return not node.moves or (self.puct.solver and node.lower == node.upper)

    def simulate(self):
        if self.known(self.root):
            return False
        way, node = [], self.root
        while node.visits and not self.known(node):
            move = self.best(node)
            if move not in node.child:
                node.child[move] = node_of(self.game, transition(self.game, node.state, move))
            way.append((node, move))
            node = node.child[move]
        if self.known(node):
            value = node.lower
        else:
            said = opinion(self.game, [pack(self.game, node.state)])[0]
            weights = {
                m: math.exp(said[1 + m] - max(said[1 + o] for o in node.moves)) for m in node.moves
            }
            node.prior = {m: np.float32(w / sum(weights.values())) for m, w in weights.items()}
            value = float(said[0])
        node.visits += 1
        node.total += value
        for before, move in reversed(way):
            value = -value
            if self.puct.solver:
                worths = [before.child.get(m) for m in before.moves]
                before.lower = max(-1 if c is None else -c.upper for c in worths)
                before.upper = max(1 if c is None else -c.lower for c in worths)
            before.tried[move] = before.tried.get(move, 0) + 1
            before.reward[move] = before.reward.get(move, 0.0) + value
            if self.puct.solver:
                value = min(max(value, before.lower), before.upper)
            before.visits += 1
            before.total += value
        return True

    def best(self, node):
        scores = {}
        for move in node.moves:
            child = node.child.get(move)
            if self.puct.solver and child is not None and -child.lower <= node.lower:
                continue
            tried = node.tried.get(move, 0)
            mean = node.reward[move] / tried if tried else node.total / node.visits - self.puct.fpu
            explore = self.puct.cp * node.prior[move] * math.sqrt(node.visits) / (1 + tried)
            scores[move] = mean + explore
        if not scores:
            return node.moves[0]
        return max(scores, key=lambda move: (scores[move], -move))


def search(game, puct, iterations, batch=1, state=None):
    settings = PuctSettings(
        puct, lambda: lambda words: opinion(game, words), iterations, None, batch
    )
    own = PuctSearch(game, settings)
    return own, own.think(initial(game) if state is None else state)


@pytest.mark.parametrize("solver", [True, False])
@pytest.mark.parametrize("cp", [0.5, 2.0])
def test_one_leaf_at_a_time_grows_the_tree_of_the_twin(solver, cp):
    puct = Puct(cp, 0.2, solver)
    for moves in ("", "12", "3321"):
        state = replay(SMALL, moves)[0]
        twin = Twin(SMALL, puct, state)
        made = sum(twin.simulate() for _ in range(400))
        own, found = search(SMALL, puct, 400, state=state)
        assert found.iterations == made
        assert {m: f.visits for m, f in found.moves.items()} == twin.root.tried
        assert (found.lower, found.upper) == (twin.root.lower, twin.root.upper)
        for move, finding in found.moves.items():
            child = twin.root.child[move]
            if finding.lower != finding.upper or not solver:
                assert finding.value == pytest.approx(
                    twin.root.reward[move] / twin.root.tried[move], abs=1e-6
                )
            assert (finding.lower, finding.upper) == (-child.upper, -child.lower)
        assert own._forest.total[0, 0] == pytest.approx(twin.root.total, abs=1e-6)


def test_batches_leave_no_virtual_loss_behind():
    own, found = search(C4, Puct(1.5, 0.2, True), 2000, batch=32)
    forest = own._forest
    assert found.iterations == 2000 == sum(f.visits for f in found.moves.values()) + 1
    for node in range(int(forest.size[0])):
        tried = forest.tried[0, node]
        assert forest.visits[0, node] >= tried.sum()
        assert (np.abs(forest.reward[0, node]) <= tried + 1e-6).all()
        assert abs(forest.total[0, node]) <= forest.visits[0, node] + 1e-6


def test_what_is_proven_is_true():
    rng, proven = Rng(5), 0
    for number in range(60):
        state = initial(SMALL)
        for _ in range(rng.below(8)):
            if rules.outcome(SMALL, state) != RUNNING:
                break
            legal = legal_moves(SMALL, state)
            state = transition(SMALL, state, legal[rng.below(len(legal))])
        if rules.outcome(SMALL, state) != RUNNING:
            continue
        _, found = search(SMALL, Puct(1.5, 0.2, True), 300, batch=1 + number % 8, state=state)
        signs = shared_solver(SMALL).sign_moves(state)
        for move, finding in found.moves.items():
            assert finding.lower <= signs[move] <= finding.upper
        if found.proven is not None:
            proven += 1
            assert found.proven == max(signs.values())
    assert proven > 20


def test_several_trees_grow_as_each_would_alone():
    puct, words = Puct(1.5, 0.2, True), []
    forest, waiting = make_forest(SMALL, 3, 200), make_waiting(3)
    states = [replay(SMALL, moves)[0] for moves in ("", "1", "23")]
    for tree, state in enumerate(states):
        plant(SMALL, forest, tree, pack(SMALL, state))
    for _ in range(100):
        _, behind = gather(SMALL, puct, forest, 0, 3, 1, waiting, 0)
        words += [unpack(SMALL, word) for word in waiting.leaves[:behind]]
        settle(puct, forest, waiting, 0, behind, opinion(SMALL, waiting.leaves[:behind]))
    for tree, state in enumerate(states):
        _, alone = search(SMALL, puct, 100, state=state)
        tried = {m: int(n) for m, n in enumerate(forest.tried[tree, 0]) if n}
        assert tried == {move: finding.visits for move, finding in alone.moves.items()}


def test_a_full_tree_goes_on_with_what_it_has():
    settings = PuctSettings(
        Puct(1.5, 0.2, False), lambda: lambda words: opinion(C4, words), 500, None, 4, 0.01
    )
    own = PuctSearch(C4, settings)
    found = own.think(initial(C4))
    assert found.nodes == own._forest.moves.shape[1] < 100
    assert found.iterations == 500


def test_a_time_is_kept():
    settings = PuctSettings(
        Puct(), lambda: lambda words: np.zeros((len(words), 8), np.float32), None, 0.05
    )
    found = PuctSearch(C4, settings).think(initial(C4))
    assert found.iterations > 10
    assert 0.05 <= found.seconds < 5
    assert found.line[0] == max(found.moves, key=lambda move: found.moves[move].visits)
