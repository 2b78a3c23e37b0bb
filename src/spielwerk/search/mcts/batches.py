"""Leaves valued many at a time, by a function outside of the kernel: a neural net, for example.

The search collects a batch of leaves before it knows their values. Until then each counts as lost
for everyone who chose the way to it (a *virtual loss*), so that the next one of the batch looks
elsewhere. When the values are there, that is taken back and the rewards are backed up as usual.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.rules import Game, State, pack
from spielwerk.kernels.bits import ZERO
from spielwerk.kernels.dispatch import implement
from spielwerk.kernels.jit import inlined
from spielwerk.search.mcts.amaf import is_used
from spielwerk.search.mcts.kernel import (
    Parts,
    back_up,
    back_up_amaf,
    descend,
    evaluate,
    is_proven,
)
from spielwerk.search.mcts.policies import leaf_value, value_weight
from spielwerk.search.mcts.selection import is_graph
from spielwerk.search.mcts.tree import (
    ITERATIONS,
    LONGEST,
    MOVE_ROW,
    NODE_ROW,
    NODES,
    Tree,
    add_node,
)


class Awaited(NamedTuple):
    """Eq. 14 with a value that comes later: r* = weight · value + (1 − weight) · playout."""

    weight: float


@implement(value_weight, Awaited)
def _(leaf: Awaited) -> float:
    return leaf.weight


@implement(leaf_value, Awaited)
def _(leaf: Awaited, game: Game, state: State) -> float:
    return 0.0


class Batch(NamedTuple):
    """Leaves that wait for their values."""

    paths: np.ndarray  # int32 [size, 3, LONGEST], as in the tree
    depths: np.ndarray  # int64 [size]
    leaves: np.ndarray  # uint64 [size]: packed positions
    rewards: np.ndarray  # float64 [size]: what the playout adds to the reward
    cells: np.ndarray  # uint64 [size, 2]: of the playout's moves


def make_batch(size: int) -> Batch:
    return Batch(
        np.zeros((size, 3, LONGEST), np.int32),
        np.zeros(size, np.int64),
        np.zeros(size, np.uint64),
        np.zeros(size),
        np.zeros((size, 2), np.uint64),
    )


@inlined
def gather(
    game: Game, parts: Parts, root: State, tree: Tree, batch: Batch, wanted: int
) -> tuple[int, int]:
    """Up to `wanted` iterations: how many were made, and how many of them wait in the batch.

    Those that end where the game is over or the value proven need no value and are done at once.
    """
    if tree.counts[NODES] == 0:
        add_node(game, root, tree)
    done, waiting = 0, 0
    if tree.nodes[0]["moves"] == ZERO:
        return 0, 0
    while done < wanted:
        if parts.solver and tree.nodes[0]["lower"] == tree.nodes[0]["upper"]:
            break
        leaf, depth = descend(game, parts, root, tree)
        reward, mine, theirs = evaluate(game, parts, leaf, depth, tree)
        done += 1
        if is_proven(parts, tree.path[NODE_ROW, depth], tree):
            back_up(parts, depth, reward, tree)
            if is_used(parts.amaf):
                back_up_amaf(depth, reward, mine, theirs, tree)
            continue
        for row in range(3):
            for place in range(depth + 1):
                batch.paths[waiting, row, place] = tree.path[row, place]
        batch.depths[waiting] = depth
        batch.leaves[waiting] = pack(game, leaf)
        batch.rewards[waiting] = reward
        batch.cells[waiting, 0], batch.cells[waiting, 1] = mine, theirs
        count_virtually(parts, depth, 1, tree)
        waiting += 1
    tree.counts[ITERATIONS] += done
    return done, waiting


@inlined
def count_virtually(parts: Parts, depth: int, visits: int, tree: Tree) -> None:
    """Add (1) or take back (−1) a virtual loss on the path."""
    for place in range(depth + 1):
        node = tree.path[NODE_ROW, place]
        tree.nodes[node]["visits"] += visits
        if is_graph(parts.selection):
            tree.nodes[node]["total"] -= visits
        if place < depth:
            taken = tree.edges[node, tree.path[MOVE_ROW, place]]
            taken["visits"] += visits
            taken["total"] -= visits


@inlined
def settle(parts: Parts, tree: Tree, batch: Batch, waiting: int, values: np.ndarray) -> None:
    """Back up the leaves of the batch; `values` are for the player to move in each."""
    for number in range(waiting):
        depth = batch.depths[number]
        for row in range(3):
            for place in range(depth + 1):
                tree.path[row, place] = batch.paths[number, row, place]
        reward = batch.rewards[number] - value_weight(parts.leaf) * values[number]
        count_virtually(parts, depth, -1, tree)
        back_up(parts, depth, reward, tree)
        if is_used(parts.amaf):
            back_up_amaf(depth, reward, batch.cells[number, 0], batch.cells[number, 1], tree)
