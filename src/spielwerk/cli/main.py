"""`spielwerk VERB`. Verbs import what they need when they are called, so that `--help` is quick."""

import io
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from spielwerk import __version__
from spielwerk.cli import (
    agents,
    analyse,
    arena,
    bench,
    book,
    evaluate,
    export,
    games,
    history,
    inspect,
    ladder,
    models,
    nets,
    perft,
    play,
    positions,
    report,
    reproduce,
    serve,
    solve,
    train,
)
from spielwerk.cli.options import VariadicCommand
from spielwerk.errors import SpielwerkError
from spielwerk.plugins import load_plugin

app = typer.Typer(
    name="spielwerk",
    help="Build, train, measure and play game-learning agents.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)

VERBS = (
    games,
    agents,
    models,
    nets,
    play,
    solve,
    analyse,
    train,
    evaluate,
    inspect,
    arena,
    ladder,
    history,
    reproduce,
    report,
    serve,
    perft,
    positions,
    bench,
)
for verb in VERBS:
    name = verb.__name__.rpartition(".")[2]
    app.command(name, cls=VariadicCommand, epilog=verb.EXAMPLE)(verb.command)


app.add_typer(book.app, name="book")
app.add_typer(export.app, name="export")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"spielwerk {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Say the version and stop."
        ),
    ] = False,
    plugin: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE.py", help="Load games and agents of your own from this file."),
    ] = None,
) -> None:
    """Build, train, measure and play game-learning agents."""
    for path in plugin or ():
        load_plugin(path)


def main() -> None:
    """Run the command line. Wrong input ends with a sentence and status 2, Ctrl-C with 130."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character shows "?"
    try:
        app()
    except SpielwerkError as error:
        typer.echo(f"{error}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        # The reader has gone (`| head`): nothing is wrong, and nothing more can be written.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
