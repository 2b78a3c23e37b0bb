"""`spielwerk solve GAME [MOVES]`: the exact value of a position and of every move."""

import json as json_module
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from spielwerk.cli.options import GameArgument, JsonOption
from spielwerk.cli.terminal import announce_compilation, log, out, paint
from spielwerk.errors import SpielwerkError

EXAMPLE = "Example: `spielwerk solve connect-four 4444443555533362`"


def command(
    game: GameArgument,
    position: Annotated[
        str, typer.Argument(metavar="[MOVES]", help="Moves (4453), a drawing, or Kaggle's list.")
    ] = "",
    file: Annotated[
        Path | None,
        typer.Option(help="Solve the positions of this file, one per line (-: standard input)."),
    ] = None,
    threads: Annotated[
        int, typer.Option(min=1, max=256, help="Threads that share the work (ConnectX).")
    ] = 1,
    memory: Annotated[
        float, typer.Option(min=1, max=65536, help="Megabytes for positions seen before.")
    ] = 128,
    book: Annotated[bool, typer.Option(help="Use the opening book.")] = True,
    order: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="Try the first player's moves in the order of a model's values, up to 10 stones.",
        ),
    ] = None,
    line: Annotated[bool, typer.Option(help="Also show the best line to the end.")] = False,
    json: JsonOption = False,
) -> None:
    """Solve a position: its exact score and that of every legal move.

    Positive: the player to move wins, the more the earlier; 0: drawn. Connect Four takes about a
    second with 8 stones on the board, minutes with fewer than 4. Ctrl-C stops it and shows what is
    known. With --json: moves, score, scores, nodes, seconds; with --file one object per line.
    """
    from spielwerk.games.catalogue import parse_game
    from spielwerk.search.solving import Solver, usual_book

    announce_compilation()
    played = parse_game(game)
    known = usual_book(played) if book else None
    solver = Solver(played, memory, threads, known, _order(order, played))
    if file is None:
        _solve(solver, position, line, json, one_line=False)
        return
    if position:
        raise SpielwerkError("Give one position, or a file of positions, not both.")
    for number, text in enumerate(_lines(file), start=1):
        try:
            _solve(solver, text, line, json, one_line=True)
        except SpielwerkError as error:
            raise SpielwerkError(f"Line {number}: {error}") from None


def _order(model: str | None, game: Any) -> Any:
    from spielwerk.games.connectx import ConnectX
    from spielwerk.search.move_order import by_value
    from spielwerk.values.model import use_learned

    if model is None:
        return None
    if not isinstance(game, ConnectX):
        raise SpielwerkError("--order is for ConnectX.")
    return by_value(use_learned(model, game))


def _lines(file: Path) -> list[str]:
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise SpielwerkError(f"{file} cannot be read: {error}") from None
    return [line.strip() for line in text.splitlines()]


def _solve(solver: Any, position: str, line: bool, as_json: bool, one_line: bool) -> None:
    from spielwerk.games.notation import format_moves, parse_position
    from spielwerk.search.solving import SolvingStopped

    state = parse_position(solver.game, position)
    _warn_of_long_work(solver, state)
    nodes, begin = solver.nodes, time.perf_counter()
    try:
        scores = solver.score_moves(state)
    except SolvingStopped as stopped:
        _show_bounds(position, stopped.bounds, as_json)
        raise typer.Exit(130) from None
    score = max(scores.values()) if scores else solver.score(state)
    best = format_moves(solver.best_line(state)) if line else None
    seconds = time.perf_counter() - begin
    if as_json:
        result = {"moves": position, "score": score, "scores": _named(scores)}
        if best is not None:
            result["line"] = best
        result |= {"nodes": solver.nodes - nodes, "seconds": seconds}
        text = json_module.dumps(result)
        out.print(text, markup=False) if one_line else out.print_json(text)
    elif one_line:
        out.print(f"{position or '–'} {score}", markup=False)
    else:
        _show(solver, state, scores, score, best, solver.nodes - nodes, seconds)


def _warn_of_long_work(solver: Any, state: Any) -> None:
    from spielwerk.games.rules import legal_moves
    from spielwerk.search.solving import rough_seconds

    moves = len(legal_moves(solver.game, state))
    seconds = moves * rough_seconds(solver.game, state) / 2 / solver.threads
    if seconds < 20:
        return
    units = ((365 * 86400, "years"), (86400, "days"), (3600, "hours"), (60, "minutes"))
    size, unit = next(((n, u) for n, u in units if seconds > 2 * n), (1, "seconds"))
    log.print(
        f"This may take about {seconds / size:,.0f} {unit}, less where the book helps. "
        "Ctrl-C stops it and shows what is known.",
        style="dim",
    )


def _named(values: dict[int, Any]) -> dict[str, Any]:
    from spielwerk.games.notation import move_name

    return {move_name(move): value for move, value in values.items()}


def _show(
    solver: Any,
    state: Any,
    scores: dict[int, int],
    score: int,
    best: str | None,
    nodes: int,
    seconds: float,
) -> None:
    from spielwerk.agents.perfect import describe_score, describe_winner
    from spielwerk.games.connectx import ConnectX
    from spielwerk.games.notation import describe_outcome, draw, move_name
    from spielwerk.search.solving import plies_left

    game = solver.game
    out.print(paint(draw(game, state), falls=isinstance(game, ConnectX)))
    if not scores:
        out.print(f"The game is over: {describe_outcome(game, state)}.")
        return
    status = describe_outcome(game, state)
    out.print(f"\n{status}: {describe_winner(game, state, score)}; score {score}", style="bold")
    left = plies_left(game, state)
    for move, value in scores.items():
        mark = "*" if value == score else " "
        out.print(f" {mark} {move_name(move)}  {value:>4}  {describe_score(left, value)}")
    if best is not None:
        out.print(f"best line: {best}")
    out.print(f"{nodes} nodes, {seconds:.3f} s", style="dim")


def _show_bounds(position: str, bounds: dict[int, tuple[int, int]], as_json: bool) -> None:
    """What was known when it was stopped."""
    known = _named(bounds)
    if as_json:
        result = {"moves": position, "score": None, "bounds": known}
        out.print_json(json_module.dumps(result))
    else:
        for name, (lower, upper) in known.items():
            out.print(f"   {name}  {lower if lower == upper else f'{lower} to {upper}'}")
    log.print("Stopped; scores lie within these bounds.")
