"""The search: select, expand, play out, back up (Göppert 2020, algorithm 2), over and over.

Two players take turns. Positions are not stored: on the way down each is made from the one before.
Where symmetric positions share a node, each is turned to its smallest image, and the playout is
turned back the way the root stands, so that replies and later moves mean the same.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.rules import Game, State, image, pack, transition
from spielwerk.kernels.bits import ONE, U64, ZERO, lowest_bit, nth_bit, popcount, signed
from spielwerk.kernels.clock import ticks
from spielwerk.kernels.jit import inlined, kernel
from spielwerk.kernels.rng import below, next_random
from spielwerk.search.mcts.amaf import Amaf, is_used, weight
from spielwerk.search.mcts.policies import Leaf, Policy, leaf_value, play_out, value_weight
from spielwerk.search.mcts.selection import (
    Selection,
    child_visits,
    is_deep,
    is_graph,
    mean,
    parent_visits,
    update_deep,
)
from spielwerk.search.mcts.tree import (
    ITERATIONS,
    LINKS,
    LONGEST,
    MOVE_ROW,
    NODE_ROW,
    NODES,
    SYMMETRIES,
    SYMMETRY_ROW,
    Tree,
    add_node,
    find,
    inverse_of_root,
    link,
    orientation,
    root_of_log,
)

_LOOK_EVERY = 15
"""Iterations between two looks at the clock, as a mask."""


class Parts(NamedTuple):
    """What can be exchanged. The types choose the code when it is compiled."""

    selection: Selection
    amaf: Amaf
    policy: Policy
    leaf: Leaf
    solver: bool  # back up proven results (MCTS-Solver: Winands et al. 2008)


@inlined
def run(
    game: Game,
    parts: Parts,
    root: State,
    tree: Tree,
    iterations: int,
    deadline: np.uint64,
    stop: np.ndarray,
) -> int:
    """Search from `root`, which is node 0. Returns how many iterations were made.

    It ends after `iterations`, at the `deadline` (in ticks), when `stop` is raised, or when the
    value of the root is proven.
    """
    if tree.counts[NODES] == 0:
        add_node(game, root, tree)
    if tree.nodes[0]["moves"] == ZERO:
        return 0
    done = 0
    while done < iterations:
        if done & _LOOK_EVERY == _LOOK_EVERY and (stop[0] or ticks() >= deadline):
            break
        if parts.solver and tree.nodes[0]["lower"] == tree.nodes[0]["upper"]:
            break
        leaf, depth = descend(game, parts, root, tree)
        reward, mine, theirs = evaluate(game, parts, leaf, depth, tree)
        back_up(parts, depth, reward, tree)
        if is_used(parts.amaf):
            back_up_amaf(depth, reward, mine, theirs, tree)
        done += 1
    tree.counts[ITERATIONS] += done
    return done


@inlined
def descend(game: Game, parts: Parts, root: State, tree: Tree) -> tuple[State, int]:
    """Follow the best moves to a position that is new, over or proven, and leave the path behind.

    Returns the position and how many moves lead there.
    """
    state, node, depth = root, 0, 0
    while True:
        tree.path[NODE_ROW, depth] = node
        if is_proven(parts, node, tree) or depth == LONGEST - 1:
            return state, depth
        if tree.nodes[node]["untried"] != ZERO:
            if is_full(tree):
                return state, depth
            return expand(game, parts, state, node, depth, tree)
        edge = best_edge(parts, node, tree)
        tree.path[MOVE_ROW, depth] = edge
        state = transition(game, state, edge)
        if is_graph(parts.selection) and tree.counts[SYMMETRIES] > 1:
            turned = signed(tree.turned[node, edge])
            tree.path[SYMMETRY_ROW, depth] = turned
            if turned != 0:
                state = image(game, state, turned)
        node = signed(tree.edges[node, edge]["child"])
        depth += 1


@inlined
def is_full(tree: Tree) -> bool:
    """Whether there is no room for another node, or for the note of its parent (UCT3)."""
    links = tree.links.size
    return tree.counts[NODES] >= tree.nodes.size or (links > 1 and tree.counts[LINKS] >= links)


@inlined
def best_edge(parts: Parts, node: int, tree: Tree) -> int:
    """The move that the selection rule takes; all have been tried.

    What is proven to be no better than the player is sure of anyway needs no more visits. In a
    graph that may have been proven of all moves on other ways: then any, which proves the node.
    """
    explore = parts.selection.cp * root_of_log(tree, parent_visits(parts.selection, tree, node))
    rest = tree.nodes[node]["moves"]
    best, highest = signed(lowest_bit(rest)), -np.inf
    while rest != ZERO:
        edge = signed(lowest_bit(rest))
        rest &= rest - ONE
        if parts.solver:
            child = tree.nodes[tree.edges[node, edge]["child"]]
            if -signed(child["lower"]) <= signed(tree.nodes[node]["lower"]):
                continue
        count = child_visits(parts.selection, tree, node, edge)
        score = edge_value(parts, node, edge, tree) + explore * inverse_of_root(tree, count)
        if score > highest:
            best, highest = edge, score
    return best


@inlined
def edge_value(parts: Parts, node: int, edge: int, tree: Tree) -> float:
    """What a move that was tried is worth: what is proven, else its mean, blended with AMAF's."""
    taken = tree.edges[node, edge]
    if parts.solver:
        child = tree.nodes[taken["child"]]
        if child["upper"] == child["lower"]:
            return -1.0 * child["lower"]
    result = mean(parts.selection, tree, node, edge)
    if is_used(parts.amaf):
        late = tree.amaf[node, edge]
        if late["visits"] > 0:  # none yet for a leaf that waits for its value
            visits = signed(taken["visits"])
            beta = tree.beta[visits] if visits < tree.beta.size else weight(parts.amaf, visits)
            result = (1.0 - beta) * result + beta * (late["total"] / late["visits"])
    return result


@inlined
def expand(
    game: Game, parts: Parts, state: State, node: int, depth: int, tree: Tree
) -> tuple[State, int]:
    """Take a move that has not been tried, by chance."""
    untried = tree.nodes[node]["untried"]
    bits, tree.seed[0] = next_random(tree.seed[0])
    edge = signed(nth_bit(untried, below(bits, popcount(untried))))
    tree.nodes[node]["untried"] = untried & ~(ONE << U64(edge))
    state = transition(game, state, edge)
    turned = 0
    if is_graph(parts.selection):
        key = pack(game, state)
        if tree.counts[SYMMETRIES] > 1:
            key, turned = orientation(game, state, tree)
            if turned != 0:
                state = image(game, state, turned)
        tree.turned[node, edge] = turned
        tree.path[SYMMETRY_ROW, depth] = turned
        child = find(tree, key)
        if child < 0:
            slot = -1 - child
            child = add_node(game, state, tree)
            tree.nodes[child]["key"] = key
            tree.table[slot] = child
        if is_deep(parts.selection):
            link(tree, child, node)
    else:
        child = add_node(game, state, tree)
    tree.edges[node, edge]["child"] = child
    tree.path[MOVE_ROW, depth] = edge
    tree.path[NODE_ROW, depth + 1] = child
    return state, depth + 1


@inlined
def is_proven(parts: Parts, node: int, tree: Tree) -> bool:
    """Whether the value of a node is known for sure: the game is over, or it was proven."""
    here = tree.nodes[node]
    return here["moves"] == ZERO or (parts.solver and here["lower"] == here["upper"])


@inlined
def evaluate(
    game: Game, parts: Parts, leaf: State, depth: int, tree: Tree
) -> tuple[float, np.uint64, np.uint64]:
    """What the leaf is worth to the player who moved there.

    Also the cells of the playout's moves, of the player to move and of the other one, as seen from
    the root (if AMAF needs them).
    """
    node = tree.path[NODE_ROW, depth]
    if is_proven(parts, node, tree):
        return -1.0 * tree.nodes[node]["lower"], ZERO, ZERO
    share = value_weight(parts.leaf)
    result, mine, theirs = 0.0, ZERO, ZERO
    if share < 1.0:
        start = leaf
        if is_graph(parts.selection) and tree.counts[SYMMETRIES] > 1:
            for place in range(depth - 1, -1, -1):
                turned = tree.path[SYMMETRY_ROW, place]
                if turned != 0:
                    start = image(game, start, tree.inverse[turned])
        result, tree.seed[0], mine, theirs = play_out(
            parts.policy, game, start, tree.seed[0], tree, is_used(parts.amaf)
        )
    if share > 0.0:
        result = share * leaf_value(parts.leaf, game, leaf) + (1.0 - share) * result
    return -result, mine, theirs


@inlined
def back_up(parts: Parts, depth: int, reward: float, tree: Tree) -> None:
    """Add the reward to all nodes and edges of the path, from the leaf upwards.

    With proofs, a node gets no less than what its player is sure of, and no more than is possible.
    """
    below_node = -1
    for place in range(depth, -1, -1):
        node = tree.path[NODE_ROW, place]
        if parts.solver and below_node >= 0:
            prove(tree, node, below_node)
            least, most = -1.0 * tree.nodes[node]["upper"], -1.0 * tree.nodes[node]["lower"]
            reward = min(max(reward, least), most)
        tree.nodes[node]["visits"] += 1
        if is_graph(parts.selection):
            tree.nodes[node]["total"] += reward
        if place > 0:
            taken = tree.edges[tree.path[NODE_ROW, place - 1], tree.path[MOVE_ROW, place - 1]]
            taken["visits"] += 1
            taken["total"] += reward
        reward = -reward
        below_node = node
    if is_deep(parts.selection):
        update_deep(tree, tree.path[NODE_ROW, depth])


@inlined
def prove(tree: Tree, node: int, child: int) -> None:
    """Bring the bounds of a node up to date after those of a child (Cazenave & Saffidine 2010)."""
    here, changed = tree.nodes[node], tree.nodes[child]
    if changed["lower"] == -1 and changed["upper"] == 1:
        return
    lower, upper = -1, -1
    rest = here["moves"]
    while rest != ZERO:
        edge = signed(lowest_bit(rest))
        rest &= rest - ONE
        name = tree.edges[node, edge]["child"]
        if name == 0:
            upper = 1
        else:
            lower = max(lower, -signed(tree.nodes[name]["upper"]))
            upper = max(upper, -signed(tree.nodes[name]["lower"]))
    here["lower"], here["upper"] = lower, upper


@inlined
def back_up_amaf(depth: int, reward: float, mine: np.uint64, theirs: np.uint64, tree: Tree) -> None:
    """Credit the moves that were made later, wherever the path could have made them first.

    Those of the playout, and those of the path itself: a move that was made at once counts as well,
    so that every move that has been tried has an AMAF mean. `mine` are the playout's cells of the
    player to move at the leaf, seen from the root.
    """
    turning = tree.counts[SYMMETRIES] > 1
    if turning:
        for place in range(depth):
            mine = turn(tree, mine, tree.path[SYMMETRY_ROW, place])
            theirs = turn(tree, theirs, tree.path[SYMMETRY_ROW, place])
    for place in range(depth, -1, -1):
        node = tree.path[NODE_ROW, place]
        leaf_player = (depth - place) & 1 == 0  # whether the player of the leaf is to move here
        if place < depth:
            if turning:
                back = tree.inverse[tree.path[SYMMETRY_ROW, place]]
                mine, theirs = turn(tree, mine, back), turn(tree, theirs, back)
            made = ONE << U64(tree.amaf[node, tree.path[MOVE_ROW, place]]["cell"])
            if leaf_player:
                mine |= made
            else:
                theirs |= made
        cells = mine if leaf_player else theirs
        gain = -reward if leaf_player else reward
        rest = tree.nodes[node]["moves"] & ~tree.nodes[node]["untried"]
        while rest != ZERO:
            late = tree.amaf[node, signed(lowest_bit(rest))]
            rest &= rest - ONE
            if (cells >> U64(late["cell"])) & ONE != ZERO:
                late["visits"] += 1
                late["total"] += gain


@inlined
def turn(tree: Tree, cells: np.uint64, symmetry: int) -> np.uint64:
    """The cells seen through a symmetry."""
    if symmetry == 0:
        return cells
    turned = ZERO
    while cells != ZERO:
        turned |= ONE << U64(tree.images[symmetry, signed(lowest_bit(cells))])
        cells &= cells - ONE
    return turned


@kernel
def summarise(parts: Parts, tree: Tree) -> np.ndarray:
    """Of every edge of the root: visits, value, and what is proven at least and at most."""
    rows = np.zeros((4, tree.edges.shape[1]))
    for edge in range(tree.edges.shape[1]):
        taken = tree.edges[0, edge]
        rows[2, edge], rows[3, edge] = -1.0, 1.0
        if taken["visits"] > 0:
            rows[0, edge] = taken["visits"]
            rows[1, edge] = edge_value(parts, 0, edge, tree)
            rows[2, edge] = -signed(tree.nodes[taken["child"]]["upper"])
            rows[3, edge] = -signed(tree.nodes[taken["child"]]["lower"])
    return rows


@kernel
def most_visited(tree: Tree, line: np.ndarray) -> np.ndarray:
    """The most visited edge of the root, of the node behind it, and so on."""
    node, length = 0, 0
    while length < line.size:
        best, most = 0, 0
        for edge in range(tree.edges.shape[1]):
            if tree.edges[node, edge]["visits"] > most:
                best, most = edge, tree.edges[node, edge]["visits"]
        if most == 0:
            break
        line[length] = best
        length += 1
        node = signed(tree.edges[node, best]["child"])
    return line[:length]
