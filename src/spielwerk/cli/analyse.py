"""`spielwerk analyse GAME [MOVES] --agent SPEC`: what an agent thinks, beside what is exact."""

import json as json_module
import time
from functools import partial
from typing import Annotated, Any

import typer

from spielwerk.cli.options import GameArgument, JsonOption, SeedOption, choose_seed
from spielwerk.cli.terminal import announce_compilation, log, out, paint
from spielwerk.errors import SpielwerkError

EXAMPLE = "Example: `spielwerk analyse connect-four 44455 --agent mcts:iterations=20000`"
QUICK = 3.0
"""Seconds that exact values may take unless they are asked for."""


def command(
    game: GameArgument,
    position: Annotated[
        str, typer.Argument(metavar="[MOVES]", help="Moves (4453), a drawing, or Kaggle's list.")
    ] = "",
    agent: Annotated[
        str, typer.Option(metavar="SPEC", help="Who is asked (see: agents).")
    ] = "mcts",
    exact: Annotated[
        bool | None,
        typer.Option(help="Exact values as well. [if they take a few seconds at most]"),
    ] = None,
    seed: SeedOption = None,
    json: JsonOption = False,
) -> None:
    """Show what an agent thinks of a position: the value of each move, and how it came to it.

    Values are the expected outcome for the player to move, from −1 to 1. With --json: move, values,
    notes, statistics (of a search: visits, line, iterations, nodes, …), exact, seconds, seed.
    """
    from spielwerk.agents.agent import Choice, check_agent, is_person
    from spielwerk.agents.agent import analyse as analyse_by
    from spielwerk.agents.catalogue import parse_agent
    from spielwerk.games.catalogue import parse_game
    from spielwerk.games.notation import describe_outcome, parse_position, say_move
    from spielwerk.games.rules import RUNNING, deal, observation, outcome
    from spielwerk.kernels.rng import Rng

    played, asked = parse_game(game), parse_agent(agent)
    chosen = choose_seed(seed)
    if is_person(asked):
        raise SpielwerkError("Only programs can be asked what they think.")
    check_agent(asked, played)
    # `deal`: of a card game the first turn is analysed, of the deal with this seed.
    state = parse_position(played, position) if position else deal(played, chosen)
    if outcome(played, state) != RUNNING:
        raise SpielwerkError(f"The game is over: {describe_outcome(played, state)}.")
    announce_compilation()
    begin = time.perf_counter()
    choice = analyse_by(asked, played, observation(played, state), Rng(chosen))
    seconds = time.perf_counter() - begin
    if not isinstance(choice, Choice):
        raise SpielwerkError(f"{agent} would give up here.")
    scores = _exact(played, state, exact)
    if json:
        _print_json(partial(say_move, played, state), choice, scores, chosen)
    else:
        _show(played, state, agent, choice, scores, seconds)
        log.print(f"seed {chosen}", style="dim")


def _exact(game: Any, state: Any, wanted: bool | None) -> dict[int, int] | None:
    from spielwerk.games.rules import legal_moves
    from spielwerk.search.solving import rough_seconds, shared_solver

    if wanted is False:
        return None
    moves = len(legal_moves(game, state))
    if wanted is None and moves * rough_seconds(game, state) / 2 > QUICK:
        return None
    try:
        return shared_solver(game).score_moves(state)
    except SpielwerkError:
        if wanted:
            raise
        return None


def _print_json(move_name: Any, choice: Any, scores: dict[int, int] | None, seed: int) -> None:
    statistics = dict(choice.statistics)
    for name in ("visits", "scores"):
        if name in statistics:
            statistics[name] = {move_name(m): value for m, value in statistics[name].items()}
    if "line" in statistics:
        statistics["line"] = [move_name(move) for move in statistics["line"]]
    result = {
        "move": move_name(choice.move),
        "values": {move_name(move): value for move, value in choice.values.items()},
        "notes": {move_name(move): note for move, note in choice.notes.items()},
        "statistics": statistics,
        "exact": None if scores is None else {move_name(m): s for m, s in scores.items()},
        "seconds": choice.seconds,
        "seed": seed,
    }
    out.print_json(json_module.dumps(result))


def _show(
    game: Any, state: Any, agent: str, choice: Any, scores: dict[int, int] | None, seconds: float
) -> None:
    from rich.table import Table

    from spielwerk.agents.perfect import describe_score
    from spielwerk.games.connectx import ConnectX
    from spielwerk.games.notation import describe_outcome, draw, format_moves, move_noun, say_move
    from spielwerk.games.rules import legal_moves
    from spielwerk.games.skipbo import SkipBo
    from spielwerk.search.solving import plies_left

    falls, cards = isinstance(game, ConnectX), isinstance(game, SkipBo)
    out.print(paint(draw(game, state), falls, cards))
    played = say_move(game, state, choice.move)
    out.print(f"\n{describe_outcome(game, state)}; {agent} plays {played}", markup=False)
    visits = choice.statistics.get("visits", {})
    table = Table()
    table.add_column(move_noun(game))
    table.add_column("value", justify="right")
    if visits:
        table.add_column("visits", justify="right")
    if choice.notes:
        table.add_column("says")
    if scores is not None:
        table.add_column("exact")
    for move in legal_moves(game, state):
        value = choice.values.get(move)
        cells = [say_move(game, state, move) + (" *" if move == choice.move else "")]
        cells.append("" if value is None else f"{value:+.3f}")
        if visits:
            cells.append(f"{visits.get(move, 0):,}")
        if choice.notes:
            cells.append(choice.notes.get(move, ""))
        if scores is not None:
            cells.append(describe_score(plies_left(game, state), scores[move]))
        table.add_row(*cells)
    out.print(table)
    found = choice.statistics
    if found.get("line"):
        out.print(f"line: {format_moves(found['line'])}", markup=False)
    if "iterations" in found:
        rate = found["iterations"] / max(choice.seconds or seconds, 1e-9)
        out.print(
            f"{found['iterations']:,} iterations, {rate:,.0f} per second, {found['nodes']:,} nodes",
            style="dim",
        )
    else:
        out.print(f"{seconds:.3f} s", style="dim")
