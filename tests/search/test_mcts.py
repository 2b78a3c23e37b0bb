"""Monte-Carlo tree search: the same tree as a plain twin, and facts that must hold."""

import numpy as np
import pytest
from mcts_twin import Twin

from spielwerk.agents.mcts import best_findings
from spielwerk.errors import SpielwerkError
from spielwerk.games import rules
from spielwerk.games.catalogue import parse_game
from spielwerk.games.notation import replay
from spielwerk.games.rules import DRAWN, RUNNING, WON, initial, legal_moves, outcome, transition
from spielwerk.games.symmetry import canonical
from spielwerk.kernels.bits import U64, bit_indices
from spielwerk.kernels.rng import Rng, derive_seed
from spielwerk.search.enumeration import expand
from spielwerk.search.mcts import policies
from spielwerk.search.mcts.amaf import AlphaAmaf, LinearRave, NoAmaf, Rave
from spielwerk.search.mcts.batches import Awaited
from spielwerk.search.mcts.kernel import Parts
from spielwerk.search.mcts.policies import (
    Blend,
    Decisive,
    LastGoodReply,
    PlayoutOnly,
    RandomPlayout,
)
from spielwerk.search.mcts.search import Search, Settings
from spielwerk.search.mcts.selection import Ucd, Uct, Uct1, Uct2, Uct3
from spielwerk.search.mcts.tree import NODES
from spielwerk.search.solving import Solver
from spielwerk.values.lines import open_lines
from spielwerk.values.value import value

C4 = parse_game("connect-four")
SMALL = parse_game("connectx:4x5,k=3")
TTT = parse_game("tic-tac-toe")
NIM = parse_game("nim:n=9,k=3")


def parts(selection=None, amaf=None, policy=None, leaf=None, solver=False) -> Parts:
    return Parts(
        selection if selection is not None else Uct(0.9),
        amaf if amaf is not None else NoAmaf(),
        policy if policy is not None else RandomPlayout(),
        leaf if leaf is not None else PlayoutOnly(),
        solver,
    )


def search(game, chosen, iterations, symmetric=False, **more) -> Search:
    return Search(game, Settings(chosen, iterations=iterations, symmetric=symmetric, **more))


def assert_same_tree(tree, twin, chosen):
    """Compare edge by edge from the root; every node once."""
    waiting, seen = [(0, twin.root)], set()
    with_amaf = not isinstance(chosen.amaf, NoAmaf)
    while waiting:
        number, node = waiting.pop()
        if number in seen:
            continue
        seen.add(number)
        row = tree.nodes[number]
        assert set(bit_indices(row["moves"])) == set(node.edges)
        assert (row["visits"], row["lower"], row["upper"]) == (
            node.visits,
            node.lower,
            node.upper,
        )
        for move, edge in node.edges.items():
            ours = tree.edges[number, move]
            assert ours["visits"] == edge.visits
            assert ours["total"] == pytest.approx(edge.total, abs=1e-9)
            assert (ours["child"] != 0) == (edge.child is not None)
            if with_amaf:
                late = tree.amaf[number, move]
                assert late["visits"] == edge.late_visits
                assert late["total"] == pytest.approx(edge.late_total, abs=1e-9)
            if edge.child is not None:
                waiting.append((int(ours["child"]), edge.child))
    assert len(seen) == tree.counts[NODES]


CASES = {
    "uct": (C4, parts(), False),
    "uct, nim": (NIM, parts(), False),
    "uct, solver, small board": (SMALL, parts(solver=True), False),
    "uct1": (C4, parts(Uct1(0.9)), False),
    "uct1, symmetry, tic-tac-toe, amaf": (TTT, parts(Uct1(0.9), AlphaAmaf(0.3)), True),
    "uct2, symmetry, replies": (C4, parts(Uct2(0.9), policy=LastGoodReply(False)), True),
    "uct2, symmetry, everything": (
        SMALL,
        parts(Uct2(0.7), Rave(20.0), LastGoodReply(True), None, True),
        True,
    ),
    "uct3, symmetry": (SMALL, parts(Uct3(0.9)), True),
    "uct3, nim: ways of different length": (NIM, parts(Uct3(0.9)), False),
    "ucd": (SMALL, parts(Ucd(0.9, 2, 1, 2)), True),
    "alpha-amaf": (C4, parts(Uct(0.4), AlphaAmaf(0.5)), False),
    "rave, replies": (C4, parts(Uct(0.3), Rave(50.0), LastGoodReply(False)), False),
    "linear rave": (TTT, parts(Uct(0.3), LinearRave(30.0)), False),
    "forgetting": (C4, parts(policy=LastGoodReply(True)), False),
    "decisive": (C4, parts(policy=Decisive()), False),
    "decisive, tic-tac-toe, solver": (TTT, parts(policy=Decisive(), solver=True), False),
    "value and playout": (SMALL, parts(leaf=Blend(open_lines(SMALL), 0.5)), False),
    "value only": (TTT, parts(leaf=Blend(open_lines(TTT), 1.0), solver=True), False),
}


AGAIN = {
    "uct1",
    "uct1, symmetry, tic-tac-toe, amaf",
    "uct2, symmetry, replies",
    "uct3, nim: ways of different length",
    "alpha-amaf",
    "forgetting",
    "decisive, tic-tac-toe, solver",
    "value only",
}
"""Other combinations of parts that the remaining cases have too; each takes seconds to compile."""


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=[pytest.mark.thorough] if case in AGAIN else []) for case in CASES],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_same_seed_same_tree_as_the_twin(case, seed):
    game, chosen, symmetric = CASES[case]
    iterations = 250
    state = transition(game, initial(game), legal_moves(game, initial(game))[0])
    own = search(game, chosen, iterations, symmetric)
    found = own.think(state, seed)
    twin = Twin(game, chosen, symmetric, own._root, derive_seed(seed, 0))
    done = 0
    while done < iterations and not twin.solved(twin.root):
        twin.iterate()
        done += 1
    assert found.iterations == done
    assert_same_tree(own._trees[0], twin, chosen)


def test_depths_of_ucd_give_uct1_and_uct2():
    for ucd, same in (((0, 0, 0), Uct1(0.8)), ((1, 0, 0), Uct2(0.8))):
        one = search(C4, parts(Ucd(0.8, *ucd)), 2000).think(initial(C4), 5)
        other = search(C4, parts(same), 2000).think(initial(C4), 5)
        assert one.moves == other.moves
        assert one.line == other.line


def assert_equation_5(tree):
    for number in range(1, int(tree.counts[NODES])):
        node = tree.nodes[number]
        tried = [e for e in bit_indices(node["moves"]) if tree.edges[number, e]["child"]]
        own = node["total"] + sum(tree.edges[number, e]["total"] for e in tried)
        for e in tried:
            edge = tree.edges[number, e]
            own -= edge["visits"] * tree.nodes[edge["child"]]["deep"]
        assert node["deep"] == pytest.approx(own / node["visits"], abs=1e-9)


def test_equation_5_holds_in_every_node_and_after_a_move():
    own = search(C4, parts(Uct3(0.9)), 3000, symmetric=True, keep_tree=True)
    state = initial(C4)
    own.think(state, 1)
    assert_equation_5(own._trees[0])
    for move in (3, 3):
        state = transition(C4, state, move)
    own.think(state, 2)
    assert_equation_5(own._trees[0])


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("selection", [Uct(0.8), Uct2(0.8)])
def test_visits_of_the_root_add_up(selection, threads):
    symmetric = not isinstance(selection, Uct)
    own = search(C4, parts(selection), 1001, symmetric, threads=threads)
    found = own.think(initial(C4), 3)
    assert sum(finding.visits for finding in found.moves.values()) == found.iterations == 1001
    assert found.moves == own.think(initial(C4), 3).moves  # same seed, same result


def test_a_mirrored_position_gives_mirrored_statistics():
    state, _ = replay(C4, "4453321")
    mirrored = rules.image(C4, state, 1)
    chosen = parts(Uct2(0.8), Rave(50.0), LastGoodReply(False))
    one = search(C4, chosen, 2000, symmetric=True).think(state, 7)
    other = search(C4, chosen, 2000, symmetric=True).think(mirrored, 7)
    assert one.moves == {6 - move: finding for move, finding in other.moves.items()}
    assert one.line == tuple(6 - move for move in other.line)


def test_images_of_a_move_share_what_is_known_of_it():
    own = search(C4, parts(Uct1(0.8)), 5000, symmetric=True)
    found = own.think(initial(C4), 1)
    for move in range(7):
        assert found.moves[move].value == found.moves[6 - move].value
        assert abs(found.moves[move].visits - found.moves[6 - move].visits) <= 1
    assert len(found.line) > 5
    tree, node, state = own._trees[0], 0, initial(C4)
    for move in found.line:
        assert move in legal_moves(C4, state)
        state = transition(C4, state, move)
        node = tree.edges[node, tree.edges[node]["visits"].argmax()]["child"]
        assert canonical(C4, state) == tree.nodes[node]["key"]


@pytest.mark.parametrize("solver", [False, True])
@pytest.mark.parametrize("moves", ["121212", "44526355", "4444435", "444444222266", "1234567123"])
def test_with_enough_iterations_the_move_is_the_solvers(moves, solver):
    """Decided positions: the move chosen keeps the win, or the draw."""
    state, _ = replay(C4, moves)
    scores = Solver(C4).score_moves(state)
    found = search(C4, parts(solver=solver), 300_000).think(state, 1)
    for by in ("value", "visits"):
        for move in best_findings(found, by):
            assert np.sign(scores[move]) == np.sign(max(scores.values()))


@pytest.mark.thorough
def test_the_solver_proves_every_tic_tac_toe_state():
    layer, states = np.array([rules.pack(TTT, initial(TTT))], np.uint64), []
    while layer.size:
        states += [rules.unpack(TTT, word) for word in layer]
        layer = np.unique(expand(TTT, layer, False)[0])
    running = [state for state in states if outcome(TTT, state) == RUNNING]
    assert len(running) == 4520
    exact = Solver(TTT)
    own = search(TTT, parts(Uct1(0.8), solver=True), 200_000, symmetric=True, megabytes=8)
    for state in running:
        found = own.think(state, 1)
        assert found.proven == np.sign(exact.score(state))


def test_proven_moves_are_what_the_solver_says():
    state, _ = replay(SMALL, "33")
    found = search(SMALL, parts(solver=True), 500_000).think(state, 1)
    scores = Solver(SMALL).score_moves(state)
    assert found.proven == np.sign(max(scores.values()))
    for move, finding in found.moves.items():
        assert finding.lower <= np.sign(scores[move]) <= finding.upper


@pytest.mark.parametrize("selection", [Uct(0.8), Uct1(0.8)])
def test_a_kept_tree_goes_on_where_it_was(selection):
    symmetric = not isinstance(selection, Uct)
    own = search(C4, parts(selection, Rave(50.0)), 3000, symmetric, keep_tree=True)
    first = own.think(initial(C4), 1)
    known = sum(
        own._trees[0].edges[own._find_node(own._trees[0], after)]["visits"].sum()
        for after in [replay(C4, "44")[0]]
    )
    assert known > 50
    found = own.think(replay(C4, "44")[0], 2)
    assert sum(finding.visits for finding in found.moves.values()) == 3000 + known
    assert found.nodes < first.nodes + 3001
    forgetful = search(C4, parts(selection, Rave(50.0)), 3000, symmetric)
    forgetful.think(initial(C4), 1)
    dropped = forgetful.think(replay(C4, "44")[0], 2)
    assert sum(finding.visits for finding in dropped.moves.values()) == 3000


def test_a_kept_tree_is_begun_anew_where_it_knows_nothing():
    own = search(C4, parts(), 500, keep_tree=True)
    own.think(initial(C4), 1)
    found = own.think(replay(C4, "4455")[0], 2)
    assert sum(finding.visits for finding in found.moves.values()) == 500


@pytest.mark.parametrize("selection", [Uct(0.8), Uct3(0.8)])
def test_memory_is_bounded_and_the_search_goes_on(selection):
    own = search(C4, parts(selection), 20_000, megabytes=0.1)
    found = own.think(initial(C4), 1)
    assert found.nodes < 1000
    assert found.iterations == 20_000
    assert sum(finding.visits for finding in found.moves.values()) == 20_000


def test_a_time_limit_is_kept():
    own = Search(C4, Settings(parts(), seconds=0.05))
    own.think(initial(C4), 1)
    found = own.think(initial(C4), 1)
    assert 0.05 <= found.seconds < 0.5
    assert found.iterations > 1000
    both = Search(C4, Settings(parts(), iterations=10, seconds=5.0)).think(initial(C4), 1)
    assert both.iterations == 10


def test_replies_are_kept_between_moves_or_not():
    for keep in (False, True):
        own = search(C4, parts(policy=LastGoodReply(False)), 300, keep_replies=keep)
        own.think(initial(C4), 1)
        learned = own._trees[0].replies.copy()
        assert (learned >= 0).sum() > 10
        own._prepare(initial(C4), 1)
        assert ((own._trees[0].replies == learned).all()) == keep


def test_replies_lead_to_cells_and_are_answers():
    own = search(C4, parts(policy=LastGoodReply(False)), 2000)
    own.think(initial(C4), 1)
    for who in (0, 1):
        for reply in own._trees[0].replies[who]:
            if reply >= 0:
                move, place = int(reply) >> 6, int(reply) & 63
                assert place // 7 == move
                assert place % 7 < 6


def wins(game, state, move):
    return outcome(game, transition(game, state, move)) == WON


@pytest.mark.parametrize("spec", ["connect-four", "connectx:4x5,k=3", "tic-tac-toe", "nim:n=9,k=3"])
def test_urgent_moves_win_or_prevent(spec, chance):
    game = parse_game(spec)
    for _ in range(150):
        state = initial(game)
        while outcome(game, state) == RUNNING:
            legal = legal_moves(game, state)
            urgent = set(bit_indices(policies.urgent_moves(game, state)))
            winning = {move for move in legal if wins(game, state, move)}
            assert urgent <= set(legal)
            assert urgent
            if winning:
                assert urgent == winning
            elif spec.startswith("connect"):
                theirs = type(state)(state.mine ^ state.filled, state.filled)
                threats = {move for move in legal if wins(game, theirs, move)}
                assert urgent == (threats or set(legal))
            else:
                safe = {
                    move
                    for move in legal
                    if not any(
                        wins(game, transition(game, state, move), reply)
                        for reply in legal_moves(game, transition(game, state, move))
                    )
                }
                assert urgent == (safe or set(legal))
            state = transition(game, state, chance.choice(legal))


def test_a_playout_is_worth_what_its_end_says():
    """Rewards of playouts from a position equal those of games played move by move."""
    own = search(C4, parts(), 1)
    own._prepare(initial(C4), 1)
    tree = own._trees[0]
    for seed in range(50):
        state, rng = replay(C4, "4435")[0], Rng(seed)
        result, *_ = policies.play_out(RandomPlayout(), C4, state, U64(seed), tree, False)
        first = rules.player(C4, state)
        while outcome(C4, state) == RUNNING:
            legal = legal_moves(C4, state)
            state = transition(C4, state, legal[rng.below(len(legal))])
        expected = 0 if outcome(C4, state) == DRAWN else rules.utility(C4, state, first)
        assert result == expected


def lines_in_batches(sizes):
    function = open_lines(SMALL)

    def evaluate(words):
        sizes.append(len(words))
        return np.array([[value(function, SMALL, rules.unpack(SMALL, word))] for word in words])

    return lambda: evaluate


@pytest.mark.parametrize("solver", [False, True])
@pytest.mark.parametrize("weight", [0.5, 1.0])
def test_leaves_valued_one_at_a_time_from_outside_grow_the_same_tree(weight, solver):
    inside = parts(Uct(0.8), leaf=Blend(open_lines(SMALL), weight), solver=solver)
    outside = inside._replace(leaf=Awaited(weight))
    evaluator = lines_in_batches([])
    one = search(SMALL, inside, 500).think(initial(SMALL), 3)
    other = search(SMALL, outside, 500, batch=1, evaluator=evaluator).think(initial(SMALL), 3)
    assert one.line == other.line
    for move, finding in one.moves.items():
        assert other.moves[move].visits == finding.visits
        assert other.moves[move].value == pytest.approx(finding.value, abs=1e-9)


@pytest.mark.parametrize("selection", [Uct(0.8), Uct2(0.8), Uct3(0.8)])
def test_batches_of_leaves_leave_no_virtual_loss_behind(selection):
    """Every node's visits and rewards are those of its edges, and of the playouts it began."""
    sizes = []
    chosen = parts(selection, Rave(50.0), LastGoodReply(False), Awaited(0.5), True)
    own = search(
        SMALL,
        chosen,
        1000,
        symmetric=not isinstance(selection, Uct),
        batch=16,
        evaluator=lines_in_batches(sizes),
    )
    found = own.think(initial(SMALL), 3)
    assert max(sizes) > 8
    assert found.iterations > 500  # then the position may be proven
    assert sum(finding.visits for finding in found.moves.values()) == found.iterations
    tree = own._trees[0]
    assert tree.nodes[0]["visits"] == found.iterations
    for number in range(1, int(tree.counts[NODES])):
        out = tree.edges[number]["visits"].sum()
        assert tree.nodes[number]["visits"] > out
        assert (np.abs(tree.edges[number]["total"]) <= tree.edges[number]["visits"] + 1e-9).all()
    if isinstance(selection, Uct3):
        assert_equation_5(tree)


def test_waiting_for_values_that_nobody_gives_is_an_error():
    with pytest.raises(SpielwerkError, match="needs somebody"):
        search(SMALL, parts(leaf=Awaited(0.5)), 10).think(initial(SMALL), 1)
