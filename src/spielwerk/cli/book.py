"""`spielwerk book build`, `spielwerk book info`: the opening book of the solver."""

import os
from pathlib import Path
from typing import Annotated

import typer

from spielwerk.cli.options import GameArgument
from spielwerk.cli.terminal import announce_compilation, log, out, progress_bar
from spielwerk.errors import SpielwerkError

app = typer.Typer(
    help="Build an opening book for the solver, or look at one.", no_args_is_help=True
)

PathOption = Annotated[
    Path | None, typer.Option("--path", help="The file; by default the one the package uses.")
]


@app.command(
    "build", epilog="Example: `spielwerk book build connectx:4x5 --stones 4 --path b.book`"
)
def build(
    game: GameArgument,
    stones: Annotated[int, typer.Option(min=1, max=12, help="Stones on the board.")] = 8,
    path: PathOption = None,
    minutes: Annotated[
        float | None, typer.Option(min=0, help="Stop after so long; a later call goes on.")
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads. [all cores]")] = None,
    memory: Annotated[float, typer.Option(min=1, help="Megabytes for the table.")] = 512,
) -> None:
    """Solve the positions that a book lacks, the most likely ones first.

    It can be stopped at any time and goes on where it stopped; the file is always whole.
    """
    from spielwerk.games.catalogue import parse_game
    from spielwerk.games.connectx import ConnectX
    from spielwerk.search.book import shipped_path
    from spielwerk.search.book_building import BookBuilder

    announce_compilation()
    played = parse_game(game)
    if not isinstance(played, ConnectX):
        raise SpielwerkError("Books are for ConnectX games.")
    file = path or shipped_path(played)
    builder = BookBuilder(played, stones, file)
    seconds = None if minutes is None else 60 * minutes
    stopped = False
    with progress_bar("positions", builder.aim) as done:
        try:
            builder.run(
                seconds, threads or os.cpu_count() or 1, memory, lambda known, _: done(known)
            )
        except KeyboardInterrupt:
            stopped = True
    _report(builder.book(), file)
    if stopped:
        log.print("Stopped; call it again to go on.")
        raise typer.Exit(130)


@app.command("info", epilog="Example: `spielwerk book info connect-four`")
def info(game: GameArgument, path: PathOption = None) -> None:
    """Say what a book holds, and whether it is whole."""
    from spielwerk.games.catalogue import parse_game
    from spielwerk.games.connectx import ConnectX
    from spielwerk.search.book import read_book, shipped_path

    played = parse_game(game)
    if not isinstance(played, ConnectX):
        raise SpielwerkError("Books are for ConnectX games.")
    file = path or shipped_path(played)
    if not file.exists():
        raise SpielwerkError(
            f"There is no book for {game}; `spielwerk book build {game}` makes one."
        )
    _report(read_book(file), file)


def _report(book: object, file: Path) -> None:
    from spielwerk.search.book import Book

    assert isinstance(book, Book)
    out.print(
        f"{file.name}: {book.game}, {book.stones} stones, "
        f"{len(book.keys)} of {book.aim} positions ({book.coverage:.1%})"
    )
