"""The memory of a search: flat arrays of nodes and edges, and a table of positions.

A node is a position, an edge a move in it. Edges carry the statistics N(v, a) and Q(v, a), nodes
N(v) and Q(v) (Göppert 2020, §3.4.1, after Childs et al. 2008): in a tree they say the same, in a
graph, where several moves lead to one node, they do not. Row v of `edges` holds the edges of node
v, by move. Sums are kept instead of means; Q is their quotient. All values of a node are those of
the player who moved *into* it, all values of an edge those of the player who takes it.

Node 0 is the root. It is nobody's child, so 0 also says that an edge has no child yet.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.games.rules import (
    DRAWN,
    RUNNING,
    Game,
    State,
    action_count,
    actions,
    cell,
    cell_image,
    image,
    move_image,
    outcome,
    pack,
    symmetry_count,
)
from spielwerk.kernels.bits import ONE, U64, ZERO, lowest_bit, multiply, signed
from spielwerk.kernels.jit import inlined

NODE = np.dtype(
    [
        ("moves", np.uint64),  # edges that exist; none if the game is over
        ("untried", np.uint64),  # those that were never taken
        ("total", np.float64),  # sum of rewards (graphs only; in a tree the edge has it)
        ("deep", np.float64),  # Q of UCT3 (eq. 5)
        ("key", np.uint64),  # the position (graphs only)
        ("visits", np.int32),
        ("parents", np.int32),  # first entry of its list in `links`; 0: none (UCT3 only)
        ("lower", np.int8),  # what the player to move is sure of: −1, 0, 1
        ("upper", np.int8),  # and what is still possible
    ],
    align=True,
)
EDGE = np.dtype([("total", np.float64), ("visits", np.int32), ("child", np.int32)])
AMAF = np.dtype([("total", np.float64), ("visits", np.int32), ("cell", np.int32)])
LINK = np.dtype([("parent", np.int32), ("next", np.int32)])

LONGEST = 2048
"""Plies of a path or a playout that are remembered."""
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
TABULATED = 1024
"""Functions of a number of visits are looked up below this one."""


class Tree(NamedTuple):
    """One thread's memory."""

    nodes: np.ndarray  # NODE [capacity]
    edges: np.ndarray  # EDGE [capacity, moves]
    turned: np.ndarray  # uint8 [capacity, moves]: the symmetry on the way to the child (graphs)
    amaf: np.ndarray  # AMAF [capacity, moves], or nothing
    table: np.ndarray  # int32 [a power of two]: positions → nodes (graphs only)
    links: np.ndarray  # LINK: lists of parents (UCT3 only)
    replies: np.ndarray  # int16 [2, 64]: last good replies, cell and move in one number, −1: none
    images: np.ndarray  # int64 [symmetries, 64]: where a symmetry takes a cell
    inverse: np.ndarray  # int64 [symmetries]
    counts: np.ndarray  # int64 [4]: nodes, links, symmetries in use, iterations of all searches
    seed: np.ndarray  # uint64 [1]
    path: np.ndarray  # int32 [3, LONGEST]: nodes, moves and symmetries
    queue: np.ndarray  # int32 [3, capacity]: nodes to be updated, twice, and marks (UCT3 only)
    played: np.ndarray  # int16 [LONGEST]: the playout's moves, cell and move in one number
    root_log: np.ndarray  # float64: sqrt(ln n), as far as tabulated
    inverse_root: np.ndarray  # float64: 1 / sqrt(n)
    beta: np.ndarray  # float64: AMAF's share after n visits


NODES, LINKS, SYMMETRIES, ITERATIONS = 0, 1, 2, 3
"""Columns of `Tree.counts`."""
NODE_ROW, MOVE_ROW, SYMMETRY_ROW = 0, 1, 2
"""Rows of `Tree.path`."""


def node_bytes(game: Game, graph: bool, amaf: bool, deep: bool) -> int:
    """What one more node costs."""
    per_edge = EDGE.itemsize + graph + AMAF.itemsize * amaf
    per_node = NODE.itemsize + 16 * graph + (12 + 2 * LINK.itemsize) * deep
    return per_node + action_count(game) * per_edge


def make_tree(
    game: Game, capacity: int, graph: bool, symmetric: bool, amaf: bool, deep: bool
) -> Tree:
    """Room for `capacity` nodes. Pages are taken from the machine only when they are used."""
    moves = action_count(game)
    symmetries = symmetry_count(game) if symmetric else 1
    numbers = np.arange(TABULATED)
    numbers[0] = 1
    slots = 1 << max(1, (2 * capacity - 1).bit_length()) if graph else 1
    return Tree(
        nodes=np.empty(capacity, NODE),
        edges=np.empty((capacity, moves), EDGE),
        turned=np.empty((capacity if graph else 1, moves), np.uint8),
        amaf=np.empty((capacity if amaf else 1, moves), AMAF),
        table=np.zeros(slots, np.int32),
        links=np.empty(2 * capacity + 2 if deep else 1, LINK),
        replies=np.full((2, 64), -1, np.int16),
        images=_cell_images(game, symmetries),
        inverse=_inverses(game, symmetries),
        counts=np.array([0, 1, symmetries, 0]),
        seed=np.zeros(1, np.uint64),
        path=np.zeros((3, LONGEST), np.int32),
        queue=np.zeros((3, capacity if deep else 1), np.int32),
        played=np.zeros(LONGEST, np.int16),
        root_log=np.sqrt(np.log(numbers)),
        inverse_root=1.0 / np.sqrt(numbers),
        beta=np.zeros(TABULATED),
    )


def _inverses(game: Game, symmetries: int) -> np.ndarray:
    moves = range(action_count(game))
    inverse = np.zeros(symmetries, np.int64)
    for one in range(symmetries):
        fitting = [
            other
            for other in range(symmetries)
            if all(move_image(game, move_image(game, move, one), other) == move for move in moves)
        ]
        if not fitting:
            raise SpielwerkError(f"A symmetry of {type(game).__name__} has no inverse.")
        inverse[one] = fitting[0]
    return inverse


def _cell_images(game: Game, symmetries: int) -> np.ndarray:
    """Numbers that are no cell of this game are taken nowhere."""
    images = np.tile(np.arange(64), (symmetries, 1))
    for symmetry in range(1, symmetries):
        for place in range(64):
            try:
                target = int(cell_image(game, place, symmetry))
            except IndexError:
                continue
            images[symmetry, place] = target if 0 <= target < 64 else place
    return images


@inlined
def clear(tree: Tree) -> None:
    """Forget all nodes, not the replies."""
    tree.counts[NODES], tree.counts[LINKS] = 0, 1
    if tree.table.size > 1:
        tree.table[:] = 0


@inlined
def add_node(game: Game, state: State, tree: Tree) -> int:
    """A node for this position, without looking whether there is one."""
    node = tree.counts[NODES]
    tree.counts[NODES] = node + 1
    new = tree.nodes[node]
    end = outcome(game, state)
    new["moves"] = actions(game, state) if end == RUNNING else ZERO
    if end == RUNNING and tree.counts[SYMMETRIES] > 1:
        new["moves"] = distinct_moves(game, state, new["moves"], tree.counts[SYMMETRIES])
    new["untried"] = new["moves"]
    new["total"] = 0.0
    new["deep"] = 0.0
    new["key"] = ZERO
    new["visits"] = 0
    new["parents"] = 0
    new["lower"] = -1 if end != DRAWN else 0
    new["upper"] = 1
    if end != RUNNING:
        new["upper"] = new["lower"]
    edges = tree.edges[node]
    for edge in range(edges.size):
        edges[edge]["total"] = 0.0
        edges[edge]["visits"] = 0
        edges[edge]["child"] = 0
    if tree.amaf.shape[0] > 1:
        for edge in range(edges.size):
            tree.amaf[node, edge]["total"] = 0.0
            tree.amaf[node, edge]["visits"] = 0
            if (new["moves"] >> U64(edge)) & ONE != ZERO:
                tree.amaf[node, edge]["cell"] = cell(game, state, edge)
    return node


@inlined
def distinct_moves(game: Game, state: State, moves: np.uint64, symmetries: int) -> np.uint64:
    """Of moves that a symmetry of this very position takes into each other, the first."""
    key = pack(game, state)
    for symmetry in range(1, symmetries):
        if pack(game, image(game, state, symmetry)) != key:
            continue
        rest = moves
        while rest != ZERO:
            move = signed(lowest_bit(rest))
            rest &= rest - ONE
            if move_image(game, move, symmetry) < move:
                moves &= ~(ONE << U64(move))
    return moves


@inlined
def orientation(game: Game, state: State, tree: Tree) -> tuple[np.uint64, int]:
    """The smallest packed image of a position, and the symmetry that leads there."""
    key, best = pack(game, state), 0
    for symmetry in range(1, tree.counts[SYMMETRIES]):
        other = pack(game, image(game, state, symmetry))
        if other < key:
            key, best = other, symmetry
    return key, best


@inlined
def find(tree: Tree, key: np.uint64) -> int:
    """The node of a position; −1 − slot, with the slot where it belongs, if there is none."""
    mask = U64(tree.table.size - 1)
    slot = (multiply(key, _FACTOR) >> U64(20)) & mask
    while True:
        node = tree.table[slot]
        if node == 0:
            return -1 - signed(slot)
        if tree.nodes[node]["key"] == key:
            return node
        slot = (slot + ONE) & mask


@inlined
def extract(tree: Tree, root: int, fresh: Tree, renamed: np.ndarray, waiting: np.ndarray) -> None:
    """Copy what can be reached from node `root` into an empty tree, `root` becoming its root.

    `renamed` (zeros) and `waiting` have room for as many numbers as the tree has nodes.
    """
    renamed[root] = 1  # new names, plus one
    waiting[0] = root
    copied, found = 0, 1
    graph, amaf = tree.table.size > 1, tree.amaf.shape[0] > 1
    while copied < found:
        old = waiting[copied]
        fresh.nodes[copied] = tree.nodes[old]
        fresh.nodes[copied]["parents"] = 0
        for edge in range(tree.edges.shape[1]):
            fresh.edges[copied, edge] = tree.edges[old, edge]
            if amaf:
                fresh.amaf[copied, edge] = tree.amaf[old, edge]
            child = tree.edges[old, edge]["child"]
            if child == 0:
                continue
            if renamed[child] == 0:
                waiting[found] = child
                found += 1
                renamed[child] = found
            fresh.edges[copied, edge]["child"] = renamed[child] - 1
            if graph:
                fresh.turned[copied, edge] = tree.turned[old, edge]
        if graph and copied > 0:
            slot = -1 - find(fresh, fresh.nodes[copied]["key"])
            fresh.table[slot] = copied
        copied += 1
    fresh.counts[NODES], fresh.counts[LINKS] = copied, 1
    if fresh.links.size > 1:
        for node in range(copied):
            for edge in range(fresh.edges.shape[1]):
                child = fresh.edges[node, edge]["child"]
                if child != 0:
                    link(fresh, child, node)


@inlined
def link(tree: Tree, child: int, parent: int) -> None:
    """Note that `parent` has an edge to `child`."""
    entry = tree.counts[LINKS]
    if entry < tree.links.size:
        tree.links[entry]["parent"] = parent
        tree.links[entry]["next"] = tree.nodes[child]["parents"]
        tree.nodes[child]["parents"] = entry
        tree.counts[LINKS] = entry + 1


@inlined
def root_of_log(tree: Tree, visits: int) -> float:
    """sqrt(ln visits)"""
    if visits < tree.root_log.size:
        return tree.root_log[visits]
    return np.sqrt(np.log(visits))


@inlined
def inverse_of_root(tree: Tree, visits: int) -> float:
    """1 / sqrt(visits)"""
    if visits < tree.inverse_root.size:
        return tree.inverse_root[visits]
    return 1.0 / np.sqrt(visits)
