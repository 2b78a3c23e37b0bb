"""What surrounds the kernel: budgets, threads, what is kept between moves, and what was found."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.games.rules import (
    Game,
    State,
    image,
    move_image,
    pack,
    symmetry_count,
    transition,
)
from spielwerk.kernels import interrupt
from spielwerk.kernels.bits import U64, bit_indices
from spielwerk.kernels.clock import read_ticks, ticks_per_second
from spielwerk.kernels.rng import derive_seed
from spielwerk.search.mcts import amaf as amaf_parts
from spielwerk.search.mcts.batches import Awaited, gather, make_batch, settle
from spielwerk.search.mcts.kernel import Parts, most_visited, run, summarise
from spielwerk.search.mcts.selection import is_deep, is_graph
from spielwerk.search.mcts.tree import (
    LONGEST,
    NODES,
    TABULATED,
    Tree,
    clear,
    extract,
    find,
    make_tree,
    node_bytes,
    orientation,
)

MEGABYTES = 256.0
Evaluator: TypeAlias = Callable[[np.ndarray], np.ndarray]
"""Of many packed positions at once: a row each, whose first number is the value for the player to
move, −1 … 1."""

_NEVER = U64(2**63)
_ENDLESS = 10**9
"""Iterations without a limit: what a count of 32 bits holds, with room for what is kept."""


@dataclass(frozen=True)
class Settings:
    """A search in full: its parts and its budget."""

    parts: Parts
    iterations: int | None = None
    seconds: float | None = None
    symmetric: bool = False
    keep_tree: bool = False
    keep_replies: bool = False
    megabytes: float = MEGABYTES
    threads: int = 1
    batch: int = 64
    """Leaves that are valued at once, if `parts.leaf` is `Awaited`; fewer in a small tree."""
    evaluator: Callable[[], Evaluator] | None = None
    """Makes one for each tree."""


@dataclass(frozen=True)
class Finding:
    """What was found out about one move, for the player who makes it."""

    visits: int
    value: float  # as the selection sees it: a mean reward, with AMAF's share if it is used
    lower: int = -1  # what is proven: −1, 0, 1
    upper: int = 1


@dataclass(frozen=True)
class Findings:
    moves: dict[int, Finding]
    iterations: int
    seconds: float
    nodes: int
    line: tuple[int, ...]  # the moves that were visited most, one after the other
    lower: int
    upper: int

    @property
    def proven(self) -> int | None:
        """The value of the position for the player to move, if it is proven."""
        return self.lower if self.lower == self.upper else None


@dataclass
class Search:
    """A search that may go on from move to move of one game. Threads have trees of their own.

    Independent trees whose counts are added up at the root (root parallelisation) need no locks,
    scale with the cores, and give the same result every time for the same number of iterations.
    """

    game: Game
    settings: Settings
    _trees: list[Tree] = field(default_factory=list)
    _evaluators: list[Evaluator] = field(default_factory=list)
    _root: State | None = None
    _compiled: bool = False

    def __post_init__(self) -> None:
        parts = self.settings.parts
        self._graph = bool(is_graph(parts.selection))
        self._symmetric = self.settings.symmetric and symmetry_count(self.game) > 1
        self._deep = bool(is_deep(parts.selection))
        self._amaf = bool(amaf_parts.is_used(parts.amaf))
        if isinstance(parts.leaf, Awaited):
            if self.settings.evaluator is None:
                raise SpielwerkError("A search that waits for values needs somebody to give them.")
            self._evaluators = [self.settings.evaluator() for _ in range(self.settings.threads)]

    def think(self, state: State, seed: int) -> Findings:
        """Search a position in which the game goes on."""
        began = time.perf_counter()
        root, turned = self._turn(state)
        self._prepare(root, seed)
        if not self._compiled:  # the time that takes is not the player's
            self._run_all(root, 0, None)
            self._findings(root, turned, 0, 0.0)
            ticks_per_second()
            self._compiled, began = True, time.perf_counter()
        seconds = self.settings.seconds
        done = self._run_all(
            root,
            self.settings.iterations if self.settings.iterations is not None else _ENDLESS,
            None if seconds is None else began + seconds,
        )
        taken = time.perf_counter() - began
        return self._findings(root, turned, done, taken)

    def _turn(self, state: State) -> tuple[State, int]:
        """The position the way the search sees it, and the symmetry that makes it so."""
        if not self._symmetric:
            return state, 0
        if not self._trees:
            self._trees = [self._new_tree(self._capacity(2))]
        _, turned = orientation(self.game, state, self._trees[0])
        return image(self.game, state, turned), turned

    def _capacity(self, wanted: int) -> int:
        """So many nodes, or as many as the memory allows."""
        each = node_bytes(self.game, self._graph, self._amaf, self._deep)
        most = int(self.settings.megabytes * 2**20 / self.settings.threads / each)
        return max(2, min(wanted, most))

    def _new_tree(self, capacity: int) -> Tree:
        tree = make_tree(
            self.game,
            capacity,
            self._graph,
            self._symmetric,
            self._amaf,
            self._deep,
        )
        tree.beta[:] = _beta_table(self.settings.parts.amaf)
        return tree

    def _prepare(self, root: State, seed: int) -> None:
        """Empty trees, or what the last search knows of this position; and fresh seeds."""
        share = -(-(self.settings.iterations or _ENDLESS) // self.settings.threads)
        old, self._trees = self._trees, []
        for number in range(self.settings.threads):
            before = old[number] if number < len(old) else None
            kept = -1
            if before is not None and self.settings.keep_tree:
                kept = self._find_node(before, root)
            if before is not None and kept >= 0:
                size = int(before.counts[NODES])
                tree = self._new_tree(self._capacity(share + 2 + size))
                extract(before, kept, tree, np.zeros(size, np.int32), np.zeros(size, np.int32))
            elif before is not None and before.nodes.size >= self._capacity(share + 2):
                tree = before
                clear(tree)
            else:
                tree = self._new_tree(self._capacity(share + 2))
            if before is not None and self.settings.keep_replies:
                tree.replies[:] = before.replies
            else:
                tree.replies[:] = -1
            tree.seed[0] = U64(derive_seed(seed, number))
            self._trees.append(tree)
        self._root = root

    def _find_node(self, tree: Tree, state: State) -> int:
        """The node of a position one or two plies after the last root; −1 if there is none."""
        if self._root is None or tree.counts[NODES] == 0:
            return -1
        if self._graph:
            key, _ = orientation(self.game, state, tree)
            return int(find(tree, U64(key)))
        for first in bit_indices(tree.nodes[0]["moves"]):
            node = int(tree.edges[0, first]["child"])
            after = transition(self.game, self._root, first)
            if node == 0:
                continue
            if after == state:
                return node
            for second in bit_indices(tree.nodes[node]["moves"]):
                child = int(tree.edges[node, second]["child"])
                if child and transition(self.game, after, second) == state:
                    return child
        return -1

    def _run_all(self, root: State, iterations: int, until: float | None) -> int:
        threads = self.settings.threads
        shares = [iterations // threads + (n < iterations % threads) for n in range(threads)]
        parts, done = self.settings.parts, [0] * threads
        deadline = _NEVER
        if until is not None:
            left = max(0.0, until - time.perf_counter())
            deadline = U64(int(read_ticks()) + int(left * ticks_per_second()))

        def work(number: int, flag: np.ndarray) -> None:
            one = self._run_in_batches if isinstance(parts.leaf, Awaited) else self._run_kernel
            done[number] = one(root, number, shares[number], deadline, flag)

        def team(flag: np.ndarray) -> None:
            others = [
                threading.Thread(target=work, args=(number, flag), daemon=True)
                for number in range(1, threads)
            ]
            for thread in others:
                thread.start()
            work(0, flag)
            for thread in others:
                thread.join()

        interrupt.run(team)
        return sum(done)

    def _run_kernel(
        self, root: State, number: int, iterations: int, deadline: np.uint64, flag: np.ndarray
    ) -> int:
        tree = self._trees[number]
        return run(self.game, self.settings.parts, root, tree, iterations, deadline, flag)

    def _run_in_batches(
        self, root: State, number: int, iterations: int, deadline: np.uint64, flag: np.ndarray
    ) -> int:
        """The same with leaves that are valued from outside, a batch at a time."""
        parts, batch = self.settings.parts, make_batch(self.settings.batch)
        tree, evaluate = self._trees[number], self._evaluators[number]
        done = 0
        if not self._compiled:
            evaluate(np.array([pack(self.game, root)], np.uint64))
            settle(parts, tree, batch, 0, np.zeros(1))
        while True:
            # No more leaves than there are nodes: a small tree has few that are worth a look.
            size = max(1, min(self.settings.batch, int(tree.counts[NODES])))
            wanted = min(size, iterations - done)
            if flag[0] or (done and read_ticks() >= deadline):
                return done
            made, waiting = gather(self.game, parts, root, tree, batch, wanted)
            done += made
            if made == 0:
                return done
            if waiting:
                values = evaluate(batch.leaves[:waiting])[:, 0].astype(np.float64)
                settle(parts, tree, batch, waiting, values)

    def _findings(self, root: State, turned: int, done: int, seconds: float) -> Findings:
        edges = self._merge()
        if self._symmetric:
            edges = self._spread(edges, root, int(self._trees[0].inverse[turned]))
        bounds = [tree.nodes[0] for tree in self._trees]
        return Findings(
            moves=edges,
            iterations=done,
            seconds=seconds,
            nodes=sum(int(tree.counts[NODES]) for tree in self._trees),
            line=self._line(turned),
            lower=max(int(node["lower"]) for node in bounds),
            upper=min(int(node["upper"]) for node in bounds),
        )

    def _merge(self) -> dict[int, Finding]:
        """What all trees together say of each edge of the root that was tried."""
        rows = [summarise(self.settings.parts, tree) for tree in self._trees]
        visits = sum(row[0] for row in rows)
        totals = sum(row[0] * row[1] for row in rows)
        lower = np.max([row[2] for row in rows], axis=0)
        upper = np.min([row[3] for row in rows], axis=0)
        with np.errstate(invalid="ignore"):
            values = np.where(lower == upper, lower, totals / visits)
        columns = (visits.tolist(), values.tolist(), lower.tolist(), upper.tolist())
        return {
            edge: Finding(int(count), value, int(least), int(most))
            for edge, (count, value, least, most) in enumerate(zip(*columns, strict=True))
            if count > 0
        }

    def _spread(self, edges: dict[int, Finding], root: State, back: int) -> dict[int, Finding]:
        """From the way the search saw the position to the way it stands.

        Moves that are each other's image were one edge: they share its visits.
        """
        moves: dict[int, Finding] = {}
        for edge, finding in edges.items():
            alike = sorted({move_image(self.game, move, back) for move in self._alike(root, edge)})
            for place, move in enumerate(alike):
                visits = finding.visits // len(alike) + (place < finding.visits % len(alike))
                moves[int(move)] = replace(finding, visits=visits)
        return dict(sorted(moves.items()))

    def _alike(self, root: State, edge: int) -> set[int]:
        """The move and its images, where a symmetry leaves the position as it is."""
        symmetries = range(symmetry_count(self.game) if self._symmetric else 1)
        return {
            int(move_image(self.game, edge, symmetry))
            for symmetry in symmetries
            if image(self.game, root, symmetry) == root
        }

    def _line(self, turned: int) -> tuple[int, ...]:
        """The most visited moves one after the other, as far as there are any."""
        tree = self._trees[0]
        edges = most_visited(tree, np.zeros(LONGEST, np.int64)).tolist()
        if not self._symmetric:
            return tuple(edges)
        line, node, back = list[int](), 0, [int(tree.inverse[turned])]
        for edge in edges:
            move = edge  # seen through all symmetries on the way, back to how the position stands
            for symmetry in reversed(back):
                move = int(move_image(self.game, move, symmetry))
            line.append(move)
            back.append(int(tree.inverse[tree.turned[node, edge]]))
            node = int(tree.edges[node, edge]["child"])
        return tuple(line)


@lru_cache(maxsize=64)
def _beta_table(amaf: amaf_parts.Amaf) -> np.ndarray:
    """AMAF's share after n visits."""
    return np.array([amaf_parts.weight(amaf, visits) for visits in range(TABULATED)])
