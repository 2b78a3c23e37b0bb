"""`spielwerk export kaggle SPEC`: an agent as a file that plays elsewhere."""

import json as json_module
import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from spielwerk.cli.options import JsonOption, VariadicCommand
from spielwerk.cli.terminal import log, out, progress_bar

app = typer.Typer(help="Write an agent as a file that plays elsewhere.", no_args_is_help=True)


@app.callback()
def exporting() -> None:
    """Write an agent as a file that plays elsewhere."""


@app.command(
    "kaggle",
    cls=VariadicCommand,
    epilog="Example: `spielwerk export kaggle ntuple:depth=8 -o submission.py`",
)
def kaggle(
    spec: Annotated[
        str | None,
        typer.Argument(
            metavar="[SPEC]", help="Who plays (see: agents). Without it, --check an old file."
        ),
    ] = None,
    file: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The submission.")
    ] = Path("submission.py"),
    otherwise: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC", help="Who plays on boards that SPEC cannot play. [a strong mcts]"
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Same seed, same chances. [others in every game]")
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Play it in the real kaggle-environments (see make peers)."),
    ] = False,
    games: Annotated[
        int | None, typer.Option(min=1, help="--check: games for each board and opponent. [10]")
    ] = None,
    boards: Annotated[
        list[str] | None,
        typer.Option("--board", metavar="6x7/4", help="--check: rows x columns / in a row."),
    ] = None,
    opponents: Annotated[
        list[str] | None,
        typer.Option(
            "--against", help="--check: random, negamax, itself, or a file. [the first three]"
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--timeout", min=0.01, help="--check: seconds for a move. [2]")
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, help="--check: boards and opponents at once. [all cores]")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Write one self-contained Python file for Kaggle's ConnectX competition.

    It needs NumPy, uses Numba where it is, keeps the time limit either way, and plays any rows,
    columns and inarow. With --check it then plays in the real environment, seats alternating;
    timeouts, invalid moves and errors end with status 1. With --json: file, bytes, spec, models,
    and checks (opponent, board, games, won, drawn, lost, timeouts, invalid, errors; gifts: games in
    which the opponent failed; stand_ins: moves of the plain player's, because the agent was late or
    failed; first, longest: seconds of moves; bank: seconds left).
    """
    if spec is None and not check:
        raise typer.BadParameter("Say who is to play, e.g. ntuple:depth=8; or --check a file.")
    if not check and any((games, boards, opponents, seconds, processes)):
        raise typer.BadParameter(
            "--games, --board, --against, --timeout and --processes mean nothing without --check."
        )
    if spec is None and (otherwise is not None or seed is not None):
        raise typer.BadParameter("--otherwise and --seed mean nothing without a SPEC.")
    found: dict[str, Any] = {"file": str(file)}
    if spec is not None:
        found |= _write(spec, otherwise, seed, file)
    summaries = []
    if check:
        summaries = _check(file, boards, opponents, games or 10, seconds or 2.0, processes)
    found["checks"] = [asdict(summary) for summary in summaries]
    if json:
        out.print_json(json_module.dumps(found))
    else:
        _show(found, summaries)
    if not all(summary.sound for summary in summaries):
        raise typer.Exit(1)


def _write(spec: str, otherwise: str | None, seed: int | None, file: Path) -> dict[str, Any]:
    from spielwerk.adapters.kaggle.export import make_submission
    from spielwerk.adapters.kaggle.player import OTHERWISE
    from spielwerk.files import make_folder, write_whole

    submission = make_submission(spec, otherwise or OTHERWISE, seed)
    make_folder(file.parent)
    write_whole(file, submission.text)
    return {"spec": spec, "bytes": submission.size, "models": list(submission.models)}


def _check(
    file: Path,
    boards: list[str] | None,
    opponents: list[str] | None,
    games: int,
    seconds: float,
    processes: int | None,
) -> Any:
    from spielwerk.adapters.kaggle.check import (
        ITSELF,
        OPPONENTS,
        Board,
        check_submission,
        parse_board,
        summarise,
    )
    from spielwerk.errors import SpielwerkError

    shapes = [parse_board(text) for text in boards or [str(Board())]]
    others = opponents or list(OPPONENTS)
    for other in others:
        if other not in OPPONENTS and not Path(other).is_file():
            raise SpielwerkError(
                f'"{other}" is neither {", ".join(OPPONENTS[:-1])} or {ITSELF} nor a file.'
            )
    total = sum(games * (2 if other == ITSELF else 1) for other in others) * len(shapes)
    with progress_bar("games", total) as bar:
        played = check_submission(
            file, shapes, others, games, seconds, processes or os.cpu_count() or 1, bar
        )
    for games_of_one in played:
        for game in games_of_one:
            if game.complaint:
                log.print(game.complaint.strip(), markup=False)
    return [summarise(games_of_one) for games_of_one in played]


def _show(found: dict[str, Any], summaries: Any) -> None:
    if "bytes" in found:
        out.print(f"{found['file']}: {found['spec']}, {found['bytes'] / 1e6:.2f} MB", markup=False)
    for summary in summaries:
        gifts = f"{summary.gifts} times the opponent failed; " if summary.gifts else ""
        if summary.stand_ins:
            gifts += f"{summary.stand_ins} moves by the plain player (see the log); "
        out.print(
            f"{summary.board} against {summary.opponent}: {summary.won} won, {summary.drawn} "
            f"drawn, {summary.lost} lost of {summary.games}; {summary.timeouts} timeouts, "
            f"{summary.invalid} invalid moves, {summary.errors} errors; "
            f"{gifts}first move at most "
            f"{summary.first:.1f} s, others {summary.longest:.1f} s, {summary.bank:.0f} s left in "
            "the bank",
            markup=False,
        )
