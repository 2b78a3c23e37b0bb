"""Monte-Carlo tree search written to be obvious: objects and dictionaries, each rule as printed.

It draws the same random numbers in the same order as the kernel, so that both must grow the same
tree, node for node.
"""

import math
from dataclasses import dataclass, field
from itertools import pairwise

from spielwerk.games import rules
from spielwerk.games.rules import DRAWN, RUNNING
from spielwerk.kernels.bits import bit_indices
from spielwerk.kernels.rng import Rng
from spielwerk.search.mcts import amaf, policies, selection
from spielwerk.search.mcts.tree import _inverses
from spielwerk.values.value import value


@dataclass
class Edge:
    child: "Node | None" = None
    turned: int = 0
    visits: int = 0
    total: float = 0.0
    late_visits: int = 0
    late_total: float = 0.0


@dataclass
class Node:
    state: object
    edges: dict = field(default_factory=dict)
    visits: int = 0
    total: float = 0.0
    lower: int = -1
    upper: int = 1

    @property
    def over(self):
        return not self.edges

    @property
    def untried(self):
        return [move for move, edge in self.edges.items() if edge.child is None]


class Twin:
    def __init__(self, game, parts, symmetric, root, seed):
        self.game, self.parts = game, parts
        self.symmetries = range(rules.symmetry_count(game) if symmetric else 1)
        self.inverse = _inverses(game, len(self.symmetries))
        self.rng = Rng(seed)
        self.graph = not isinstance(parts.selection, selection.Uct)
        self.known = {}
        self.replies = {}
        self.root = self.node(root)

    def node(self, state):
        end = rules.outcome(self.game, state)
        new = Node(state)
        if end == RUNNING:
            for move in rules.legal_moves(self.game, state):
                images = [
                    rules.move_image(self.game, move, s)
                    for s in self.symmetries
                    if rules.image(self.game, state, s) == state
                ]
                if min(images) == move:
                    new.edges[move] = Edge()
        else:
            new.lower = new.upper = 0 if end == DRAWN else -1
        return new

    def draw(self, items):
        return items[self.rng.below(len(items))]

    def iterate(self):
        path, node = [], self.root
        while not node.over and not self.solved(node):
            untried = node.untried
            move = self.draw(untried) if untried else self.best(node)
            edge = node.edges[move]
            if edge.child is None:
                state = rules.transition(self.game, node.state, move)
                edge.child, edge.turned = self.child(state)
                path.append((node, move))
                node = edge.child
                break
            path.append((node, move))
            node = edge.child
        reward, later = self.evaluate(path, node)
        self.back_up(path, node, reward)
        if not isinstance(self.parts.amaf, amaf.NoAmaf):
            self.back_up_amaf(path, node, reward, later)

    def solved(self, node):
        return self.parts.solver and node.lower == node.upper

    def child(self, state):
        if not self.graph:
            return self.node(state), 0
        images = [rules.image(self.game, state, s) for s in self.symmetries]
        keys = [int(rules.pack(self.game, image)) for image in images]
        turned = keys.index(min(keys))
        if keys[turned] not in self.known:
            self.known[keys[turned]] = self.node(images[turned])
        return self.known[keys[turned]], turned

    # What a move is worth

    def best(self, node):
        cp = self.parts.selection.cp
        scores = {}
        for move, edge in node.edges.items():
            if self.parts.solver and -edge.child.lower <= node.lower:
                continue
            parent, count = self.visits(node, edge)
            scores[move] = self.worth(edge) + cp * math.sqrt(math.log(parent)) * (
                1 / math.sqrt(count)
            )
        return max(scores, key=scores.get) if scores else min(node.edges)

    def visits(self, node, edge):
        rule = self.parts.selection
        if isinstance(rule, selection.Ucd):
            parent = node.visits - sum(e.visits for e in node.edges.values())
            parent += sum(self.depth_visits(e, rule.parent_depth) for e in node.edges.values())
            return parent, self.depth_visits(edge, rule.child_depth)
        return node.visits, edge.visits

    def depth_visits(self, edge, depth):
        if depth == 0 or edge.child is None:
            return edge.visits
        below = edge.child.edges.values()
        own = edge.child.visits - sum(e.visits for e in below)
        return own + sum(self.depth_visits(e, depth - 1) for e in below)

    def worth(self, edge):
        if self.parts.solver and edge.child.lower == edge.child.upper:
            return float(-edge.child.lower)
        mean, part = self.mean(edge), self.parts.amaf
        if isinstance(part, amaf.NoAmaf):
            return mean
        n = edge.visits
        if isinstance(part, amaf.AlphaAmaf):
            beta = part.alpha
        elif isinstance(part, amaf.Rave):
            beta = math.sqrt(part.k / (3 * n + part.k))
        else:
            beta = max(0.0, (part.k - n) / part.k)
        return (1 - beta) * mean + beta * (edge.late_total / edge.late_visits)

    def mean(self, edge):
        rule = self.parts.selection
        if isinstance(rule, selection.Uct2):
            return edge.child.total / edge.child.visits
        if isinstance(rule, selection.Uct3):
            return self.deep(edge.child, 1000)
        if isinstance(rule, selection.Ucd) and rule.mean_depth > 0:
            return self.deep(edge.child, rule.mean_depth - 1)
        return edge.total / edge.visits

    def deep(self, node, depth):
        """Eq. 5, by its definition, as far down as wanted."""
        if depth == 0:
            return node.total / node.visits
        tried = [edge for edge in node.edges.values() if edge.child is not None]
        total = node.total + sum(edge.total for edge in tried)
        total -= sum(edge.visits * self.deep(edge.child, depth - 1) for edge in tried)
        return total / node.visits

    # What a leaf is worth

    def evaluate(self, path, node):
        """For the player who moved there; and the playout's (player, cell)."""
        if node.over or self.solved(node):
            return float(-node.lower), []
        share = getattr(self.parts.leaf, "weight", 0.0)
        result, later = 0.0, []
        if share < 1:
            state = node.state
            for parent, move in reversed(path):
                state = rules.image(self.game, state, self.inverse[parent.edges[move].turned])
            result, later = self.play_out(state)
        if share > 0:
            said = value(self.parts.leaf.function, self.game, node.state)
            result = share * said + (1 - share) * result
        return -result, later

    def play_out(self, state):
        first, made = rules.player(self.game, state), []
        while rules.outcome(self.game, state) == RUNNING:
            move = self.policy(state, made)
            made.append((rules.player(self.game, state), rules.cell(self.game, state, move), move))
            state = rules.transition(self.game, state, move)
        if rules.outcome(self.game, state) == DRAWN:
            return 0.0, made
        winner = made[-1][0]
        for (_, before, _), (who, place, move) in pairwise(made):
            if who == winner:
                self.replies[who, before] = (place, move)
            elif getattr(self.parts.policy, "forget", False):
                self.replies.pop((who, before), None)
        return (1.0 if winner == first else -1.0), made

    def policy(self, state, made):
        legal = list(rules.legal_moves(self.game, state))
        if isinstance(self.parts.policy, policies.Decisive):
            return self.draw(list(bit_indices(policies.urgent_moves(self.game, state))))
        if isinstance(self.parts.policy, policies.LastGoodReply) and made:
            place, move = self.replies.get(
                (rules.player(self.game, state), made[-1][1]), (None, None)
            )
            if move in legal and rules.cell(self.game, state, move) == place:
                return move
        return self.draw(legal)

    # Back up

    def back_up(self, path, node, reward):
        node.visits += 1
        node.total += reward
        for parent, move in reversed(path):
            edge = parent.edges[move]
            edge.visits += 1
            edge.total += reward
            reward = -reward
            if self.parts.solver:
                bounds = [
                    (-e.child.upper, -e.child.lower) if e.child else (-1, 1)
                    for e in parent.edges.values()
                ]
                parent.lower, parent.upper = max(b[0] for b in bounds), max(b[1] for b in bounds)
                reward = min(max(reward, -parent.upper), -parent.lower)
            parent.visits += 1
            parent.total += reward

    def back_up_amaf(self, path, node, reward, later):
        """Everything in the orientation of the root."""
        made = [(who, place) for who, place, _ in later]
        steps = [*path, (node, None)]
        for index in reversed(range(len(steps))):
            here, move = steps[index]
            mover = rules.player(self.game, here.state)
            if move is not None:
                made.append((mover, self.place(path, index, here.state, move)))
            sign = -1 if (len(path) - index) % 2 == 0 else 1
            for other, edge in here.edges.items():
                if (
                    edge.child is not None
                    and (mover, self.place(path, index, here.state, other)) in made
                ):
                    edge.late_visits += 1
                    edge.late_total += sign * reward

    def place(self, path, index, state, move):
        """The cell of a move in the position before step `index`, as it lies in the root's."""
        place = rules.cell(self.game, state, move)
        for parent, step in reversed(path[:index]):
            back = self.inverse[parent.edges[step].turned]
            place = rules.cell_image(self.game, place, back)
        return place
