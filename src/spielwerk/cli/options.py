"""What the verbs have in common: options with several values, seeds, positions."""

import secrets
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

GameArgument = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A game, e.g. connect-four or connectx:5x4 (see: games)."),
]
SeedOption = Annotated[
    int | None, typer.Option(help="Same seed, same result. Drawn by chance and told if not given.")
]
StartOption = Annotated[
    str,
    typer.Option(
        metavar="POSITION",
        help="Begin here: moves (4453), a drawing with rows parted by /, or Kaggle's list. "
        "- reads it from standard input.",
    ),
]
ThreadsOption = Annotated[
    int | None,
    typer.Option(min=1, help="Threads; the result does not depend on it. [all cores]"),
]
OnOption = Annotated[
    str,
    typer.Option(
        metavar="WORKERS",
        help="Who does the work: threads; ray (a cluster of this machine); ray://HOST:PORT.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]


class VariadicCommand(TyperCommand):
    """Lets an option that may be repeated take all its values at once: `--players human random`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        repeatable = {
            name
            for parameter in self.params
            if getattr(parameter, "multiple", False)
            for name in parameter.opts
        }
        spread: list[str] = []
        option = None
        for arg in args:
            if arg.startswith("-") and arg != "-":
                option = arg if arg in repeatable else None
                if option is None:
                    spread.append(arg)
            elif option is not None:
                spread += [option, arg]
            else:
                spread.append(arg)
        return super().parse_args(ctx, spread)


def choose_seed(seed: int | None) -> int:
    return secrets.randbits(32) if seed is None else seed


def read_start(game: Any, text: str) -> Any:
    """The position that `--start` gives; None, for the usual beginning, if it is not given."""
    from spielwerk.games.notation import parse_position

    text = read_text(text)
    return parse_position(game, text) if text else None


def read_text(text: str) -> str:
    """What an option gives; - stands for standard input."""
    return (sys.stdin.read() if text == "-" else text).strip()


def parse_percent(text: str) -> float:
    """95% or 95 → 0.95."""
    try:
        share = float(text.strip().removesuffix("%")) / 100
    except ValueError:
        share = -1.0
    if not 0.5 <= share < 1:
        raise typer.BadParameter(f'"{text}" is no probability of 50 % to less than 100 %.')
    return share


def parse_depth(text: str) -> int | None:
    """A number of plies, or `all`."""
    if text == "all":
        return None
    if not text.isdecimal():
        raise typer.BadParameter(f'"{text}" is neither a number of plies nor "all".')
    return int(text)
