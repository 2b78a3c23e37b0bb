"""Which move to follow down the tree: UCT and its versions for graphs.

All rules are of the form  mean + C_p · sqrt(ln(parent's visits) / visits)  and take the move with
the highest sum, the first of equal ones. They differ in what they take for the three numbers, that
is in how much they make of what was learned on other ways to the same position.
"""

from typing import Any, NamedTuple, TypeAlias

from spielwerk.kernels.bits import ONE, ZERO, lowest_bit, signed
from spielwerk.kernels.dispatch import generic, generic_with_default, implement
from spielwerk.kernels.jit import inlined
from spielwerk.search.mcts.tree import Tree

Selection: TypeAlias = Any


class Uct(NamedTuple):
    """Eq. 2 without the 2√2: every way to a position has a node of its own."""

    cp: float


class Uct1(NamedTuple):
    """Eq. 3: positions share a node, moves keep what was learned through them, Q(v, a)."""

    cp: float


class Uct2(NamedTuple):
    """Eq. 4: the mean of the position that follows, Q(v′), whichever way led there."""

    cp: float


class Uct3(NamedTuple):
    """Eq. 5: the mean of what follows, all the way down, weighted by the visits from here."""

    cp: float


class Ucd(NamedTuple):
    """Cazenave, Méhat & Saffidine (2012): each of the three numbers looks its own depth down.

    Depth 0 is the edge's own number; (0, 0, 0) is UCT1 and (1, 0, 0) is UCT2. Playouts that began
    in a node count for the node here, not for the edge by which it was reached.
    """

    cp: float
    mean_depth: int
    parent_depth: int
    child_depth: int


@generic_with_default
def is_graph(rule: Selection) -> bool:
    """Whether equal positions share a node."""
    return True


@implement(is_graph, Uct)
def _(rule: Uct) -> bool:
    return False


@generic_with_default
def is_deep(rule: Selection) -> bool:
    """Whether Q of eq. 5 is kept up to date."""
    return False


@implement(is_deep, Uct3)
def _(rule: Uct3) -> bool:
    return True


@generic
def mean(rule: Selection, tree: Tree, node: int, edge: int) -> float:
    """What the move is worth to the player who takes it."""


@implement(mean, Uct)
def _(rule: Uct, tree: Tree, node: int, edge: int) -> float:
    taken = tree.edges[node, edge]
    return taken["total"] / taken["visits"]


@implement(mean, Uct1)
def _(rule: Uct1, tree: Tree, node: int, edge: int) -> float:
    taken = tree.edges[node, edge]
    return taken["total"] / taken["visits"]


@implement(mean, Uct2)
def _(rule: Uct2, tree: Tree, node: int, edge: int) -> float:
    child = tree.nodes[tree.edges[node, edge]["child"]]
    return child["total"] / child["visits"]


@implement(mean, Uct3)
def _(rule: Uct3, tree: Tree, node: int, edge: int) -> float:
    return tree.nodes[tree.edges[node, edge]["child"]]["deep"]


@implement(mean, Ucd)
def _(rule: Ucd, tree: Tree, node: int, edge: int) -> float:
    if rule.mean_depth == 0:
        taken = tree.edges[node, edge]
        return taken["total"] / taken["visits"]
    return node_mean(tree, signed(tree.edges[node, edge]["child"]), rule.mean_depth - 1)


@generic_with_default
def child_visits(rule: Selection, tree: Tree, node: int, edge: int) -> int:
    return tree.edges[node, edge]["visits"]


@implement(child_visits, Ucd)
def _(rule: Ucd, tree: Tree, node: int, edge: int) -> int:
    return edge_visits(tree, node, edge, rule.child_depth)


@generic_with_default
def parent_visits(rule: Selection, tree: Tree, node: int) -> int:
    return tree.nodes[node]["visits"]


@implement(parent_visits, Ucd)
def _(rule: Ucd, tree: Tree, node: int) -> int:
    """Playouts that began here, and those of all moves, each looking `parent_depth` down."""
    total = signed(tree.nodes[node]["visits"])
    rest = tree.nodes[node]["moves"]
    while rest != ZERO and rule.parent_depth > 0:
        edge = signed(lowest_bit(rest))
        rest &= rest - ONE
        total += edge_visits(tree, node, edge, rule.parent_depth)
        total -= tree.edges[node, edge]["visits"]
    return total


@inlined
def edge_visits(tree: Tree, node: int, edge: int, depth: int) -> int:
    """n_d of UCD: visits of an edge; from depth 1 on, those of the position behind it."""
    taken = tree.edges[node, edge]
    if depth == 0 or taken["child"] == 0:
        return taken["visits"]
    child = signed(taken["child"])
    if depth == 1:
        return tree.nodes[child]["visits"]
    count = tree.nodes[child]["visits"]
    rest = tree.nodes[child]["moves"]
    while rest != ZERO:
        other = signed(lowest_bit(rest))
        rest &= rest - ONE
        count += edge_visits(tree, child, other, depth - 1) - tree.edges[child, other]["visits"]
    return count


@inlined
def node_mean(tree: Tree, node: int, depth: int) -> float:
    """μ of UCD for a position: of its own playouts and of its moves, each looking `depth` down."""
    here = tree.nodes[node]
    if depth == 0:
        return here["total"] / here["visits"]
    total = own_total(tree, node)
    rest = here["moves"]
    while rest != ZERO:
        edge = signed(lowest_bit(rest))
        rest &= rest - ONE
        taken = tree.edges[node, edge]
        if taken["child"] != 0:
            child = signed(taken["child"])
            total -= taken["visits"] * node_mean(tree, child, depth - 1)
    return total / here["visits"]


@inlined
def own_total(tree: Tree, node: int) -> float:
    """The rewards of playouts that began in this node."""
    total = tree.nodes[node]["total"]
    rest = tree.nodes[node]["moves"]
    while rest != ZERO:
        edge = signed(lowest_bit(rest))
        rest &= rest - ONE
        total += tree.edges[node, edge]["total"]
    return total


@inlined
def update_deep(tree: Tree, leaf: int) -> None:
    """Make eq. 5 hold again for `leaf` and for all positions that lead to it.

        Q(v) = (own rewards − Σ_a N(v, a) · Q(v′)) / N(v)

    Layer by layer upwards. Where ways of different length lead to a position, it is updated more
    than once, the last time after everything below it.
    """
    tree.queue[0, 0] = leaf
    count, row = 1, 0
    while count > 0:
        following = 0
        for place in range(count):
            node = tree.queue[row, place]
            tree.queue[2, node] = 0
            tree.nodes[node]["deep"] = _deep(tree, node)
            entry = tree.nodes[node]["parents"]
            while entry != 0:
                parent = tree.links[entry]["parent"]
                entry = tree.links[entry]["next"]
                if tree.queue[2, parent] != row + 1:
                    tree.queue[2, parent] = row + 1
                    tree.queue[1 - row, following] = parent
                    following += 1
        count, row = following, 1 - row


@inlined
def _deep(tree: Tree, node: int) -> float:
    here = tree.nodes[node]
    total = own_total(tree, node)
    rest = here["moves"]
    while rest != ZERO:
        edge = signed(lowest_bit(rest))
        rest &= rest - ONE
        taken = tree.edges[node, edge]
        if taken["child"] != 0:
            total -= taken["visits"] * tree.nodes[taken["child"]]["deep"]
    return total / here["visits"]
