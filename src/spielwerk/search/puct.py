"""PUCT: a tree search led by a policy, with values instead of playouts (Silver et al. 2017).

Every edge carries a prior P(s, a) from a policy. The search takes the move with the highest

    Q(s, a) + cp · P(s, a) · √N(s) / (1 + N(s, a)),

and a move never tried counts as a little worse than its position. Many trees grow side by side in
one forest, so that their leaves can be valued together: those of one search, a batch at a time, or
those of all games of self-play. Until its value is there a leaf counts as lost for everyone who
chose the way to it. Proven results are backed up as in `mcts` (Cazenave & Saffidine 2010).
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.rules import (
    DRAWN,
    RUNNING,
    Game,
    State,
    action_count,
    actions,
    outcome,
    pack,
    transition,
    unpack,
)
from spielwerk.kernels.bits import ONE, U64, ZERO, lowest_bit, popcount, signed
from spielwerk.kernels.jit import inlined, kernel

LONGEST = 128
"""Plies of a path."""


class Puct(NamedTuple):
    """What can be set."""

    cp: float = 1.5
    fpu: float = 0.2  # so much less than its position a move never tried is worth
    solver: bool = True  # back up proven wins, losses and draws


class Forest(NamedTuple):
    """Trees side by side. Values of nodes and edges are for the player to move in the node.

    Node 0 of a tree is its root. It is nobody's child, so 0 also says that an edge has no child.
    """

    roots: np.ndarray  # uint64 [trees]: packed positions
    size: np.ndarray  # int64 [trees]: nodes in use
    moves: np.ndarray  # uint64 [trees, nodes]: edges that exist; none if the game is over
    visits: np.ndarray  # int32 [trees, nodes]
    total: np.ndarray  # float64 [trees, nodes]: sum of values
    bounds: np.ndarray  # int8 [trees, nodes, 2]: what is sure, and what is possible
    child: np.ndarray  # int32 [trees, nodes, moves]
    tried: np.ndarray  # int32 [trees, nodes, moves]: visits of edges
    reward: np.ndarray  # float64 [trees, nodes, moves]: sums of values of edges
    prior: np.ndarray  # float32 [trees, nodes, moves]


class Waiting(NamedTuple):
    """Leaves that wait for their values, and the ways to them."""

    trees: np.ndarray  # int64 [slots]
    depths: np.ndarray  # int64 [slots]
    leaves: np.ndarray  # uint64 [slots]: packed positions
    nodes: np.ndarray  # int32 [slots, LONGEST]
    edges: np.ndarray  # int32 [slots, LONGEST]


def make_forest(game: Game, trees: int, nodes: int) -> Forest:
    moves = action_count(game)
    return Forest(
        roots=np.zeros(trees, np.uint64),
        size=np.zeros(trees, np.int64),
        moves=np.zeros((trees, nodes), np.uint64),
        visits=np.zeros((trees, nodes), np.int32),
        total=np.zeros((trees, nodes)),
        bounds=np.zeros((trees, nodes, 2), np.int8),
        child=np.zeros((trees, nodes, moves), np.int32),
        tried=np.zeros((trees, nodes, moves), np.int32),
        reward=np.zeros((trees, nodes, moves)),
        prior=np.zeros((trees, nodes, moves), np.float32),
    )


def make_waiting(slots: int) -> Waiting:
    return Waiting(
        trees=np.zeros(slots, np.int64),
        depths=np.zeros(slots, np.int64),
        leaves=np.zeros(slots, np.uint64),
        nodes=np.zeros((slots, LONGEST), np.int32),
        edges=np.zeros((slots, LONGEST), np.int32),
    )


@kernel
def plant(game: Game, forest: Forest, tree: int, word: np.uint64) -> None:
    """A new tree, of its root alone."""
    forest.roots[tree], forest.size[tree] = word, 0
    add_node(game, forest, tree, unpack(game, word))


@inlined
def add_node(game: Game, forest: Forest, tree: int, state: State) -> int:
    """A node for this position; all moves are equally likely until a policy says otherwise."""
    node = signed(forest.size[tree])
    forest.size[tree] = node + 1
    end = outcome(game, state)
    moves = actions(game, state) if end == RUNNING else ZERO
    forest.moves[tree, node] = moves
    forest.visits[tree, node] = 0
    forest.total[tree, node] = 0.0
    lower = 0 if end == DRAWN else -1
    forest.bounds[tree, node, 0] = lower
    forest.bounds[tree, node, 1] = 1 if end == RUNNING else lower
    share = 1.0 / max(1, signed(popcount(moves)))
    for edge in range(forest.child.shape[2]):
        forest.child[tree, node, edge] = 0
        forest.tried[tree, node, edge] = 0
        forest.reward[tree, node, edge] = 0.0
        forest.prior[tree, node, edge] = share if (moves >> U64(edge)) & ONE != ZERO else 0.0
    return node


@kernel
def gather(
    game: Game,
    puct: Puct,
    forest: Forest,
    first: int,
    behind: int,
    each: int,
    waiting: Waiting,
    begin: int,
) -> tuple[int, int]:
    """`each` simulations in every tree from `first` up to `behind`.

    Leaves that need a value are written to `waiting` from slot `begin` on. Returns how many
    simulations were made, and the slot behind the last one written.
    """
    done, slot = 0, begin
    for tree in range(first, behind):
        for _ in range(each):
            if is_known(puct, forest, tree, 0):
                break
            leaf, depth = descend(game, puct, forest, tree, waiting, slot)
            done += 1
            node = waiting.nodes[slot, depth]
            if is_known(puct, forest, tree, node):
                back_up(
                    puct, forest, tree, waiting, slot, depth, 1.0 * forest.bounds[tree, node, 0]
                )
                continue
            waiting.trees[slot], waiting.depths[slot] = tree, depth
            waiting.leaves[slot] = pack(game, leaf)
            lose_virtually(forest, tree, waiting, slot, depth)
            slot += 1
    return done, slot


@inlined
def is_known(puct: Puct, forest: Forest, tree: int, node: int) -> bool:
    """Whether what a node is worth needs no estimate: the game is over, or it is proven."""
    if forest.moves[tree, node] == ZERO:
        return True
    return puct.solver and forest.bounds[tree, node, 0] == forest.bounds[tree, node, 1]


@inlined
def descend(
    game: Game, puct: Puct, forest: Forest, tree: int, waiting: Waiting, slot: int
) -> tuple[State, int]:
    """Follow the best moves to a position that was never valued, or need not be."""
    state, node, depth = unpack(game, forest.roots[tree]), 0, 0
    while True:
        waiting.nodes[slot, depth] = node
        if (
            forest.visits[tree, node] == 0
            or is_known(puct, forest, tree, node)
            or depth == LONGEST - 1
        ):
            return state, depth
        edge = best_edge(puct, forest, tree, node)
        follows = transition(game, state, edge)
        child = signed(forest.child[tree, node, edge])
        if child == 0:
            if forest.size[tree] == forest.moves.shape[1]:
                return state, depth  # no room: what is known is refined
            child = add_node(game, forest, tree, follows)
            forest.child[tree, node, edge] = child
        waiting.edges[slot, depth] = edge
        state, node = follows, child
        depth += 1


@inlined
def best_edge(puct: Puct, forest: Forest, tree: int, node: int) -> int:
    """The move with the highest upper bound; none that is proven to be no better than what is sure.

    If that is proven of all, any will do: the next backup proves the node.
    """
    visits = forest.visits[tree, node]
    untried = forest.total[tree, node] / visits - puct.fpu
    explore = puct.cp * np.sqrt(1.0 * visits)
    rest = forest.moves[tree, node]
    best, highest = signed(lowest_bit(rest)), -np.inf
    while rest != ZERO:
        edge = signed(lowest_bit(rest))
        rest &= rest - ONE
        child = forest.child[tree, node, edge]
        sure = signed(forest.bounds[tree, node, 0])
        if puct.solver and child != 0 and -signed(forest.bounds[tree, child, 0]) <= sure:
            continue
        tried = forest.tried[tree, node, edge]
        mean = forest.reward[tree, node, edge] / tried if tried > 0 else untried
        score = mean + explore * forest.prior[tree, node, edge] / (1.0 + tried)
        if score > highest:
            best, highest = edge, score
    return best


@inlined
def lose_virtually(forest: Forest, tree: int, waiting: Waiting, slot: int, depth: int) -> None:
    """Count the visit, as a loss for whoever chose each edge of the way."""
    for place in range(depth + 1):
        node = waiting.nodes[slot, place]
        forest.visits[tree, node] += 1
        if place < depth:
            edge = waiting.edges[slot, place]
            forest.tried[tree, node, edge] += 1
            forest.reward[tree, node, edge] -= 1.0


@inlined
def back_up(
    puct: Puct,
    forest: Forest,
    tree: int,
    waiting: Waiting,
    slot: int,
    depth: int,
    value: float,
) -> None:
    """A value for the player to move at the end of a way that was not counted yet."""
    lose_virtually(forest, tree, waiting, slot, depth)
    add_value(puct, forest, tree, waiting, slot, depth, value)


@inlined
def add_value(
    puct: Puct,
    forest: Forest,
    tree: int,
    waiting: Waiting,
    slot: int,
    depth: int,
    value: float,
) -> None:
    """Turn the virtual losses of a way into a value for the player to move at its end."""
    for place in range(depth, -1, -1):
        node = waiting.nodes[slot, place]
        if puct.solver and place < depth:
            prove(forest, tree, node)
            least, most = 1.0 * forest.bounds[tree, node, 0], 1.0 * forest.bounds[tree, node, 1]
            value = min(max(value, least), most)
        forest.total[tree, node] += value
        value = -value
        if place > 0:
            before, edge = waiting.nodes[slot, place - 1], waiting.edges[slot, place - 1]
            forest.reward[tree, before, edge] += 1.0 + value


@inlined
def prove(forest: Forest, tree: int, node: int) -> None:
    """Bring the bounds of a node up to date with those of its children."""
    lower, upper = -1, -1
    rest = forest.moves[tree, node]
    while rest != ZERO:
        edge = signed(lowest_bit(rest))
        rest &= rest - ONE
        child = forest.child[tree, node, edge]
        if child == 0:
            upper = 1
        else:
            lower = max(lower, -signed(forest.bounds[tree, child, 1]))
            upper = max(upper, -signed(forest.bounds[tree, child, 0]))
    forest.bounds[tree, node, 0], forest.bounds[tree, node, 1] = lower, upper


@kernel
def settle(
    puct: Puct, forest: Forest, waiting: Waiting, begin: int, behind: int, said: np.ndarray
) -> None:
    """Give leaves their values and priors: row by row a value and a logit for each move."""
    for slot in range(begin, behind):
        tree, depth = waiting.trees[slot], waiting.depths[slot]
        row = said[slot - begin]
        set_priors(forest, tree, waiting.nodes[slot, depth], row)
        add_value(puct, forest, tree, waiting, slot, depth, 1.0 * row[0])


@inlined
def set_priors(forest: Forest, tree: int, node: int, row: np.ndarray) -> None:
    """Softmax of the logits over the legal moves."""
    moves = forest.moves[tree, node]
    highest, total = -np.inf, 0.0
    for edge in range(row.size - 1):
        if (moves >> U64(edge)) & ONE != ZERO:
            highest = max(highest, row[1 + edge])
    for edge in range(row.size - 1):
        if (moves >> U64(edge)) & ONE != ZERO:
            total += np.exp(row[1 + edge] - highest)
    for edge in range(row.size - 1):
        if (moves >> U64(edge)) & ONE != ZERO:
            forest.prior[tree, node, edge] = np.exp(row[1 + edge] - highest) / total
