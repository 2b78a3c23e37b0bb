"""Errors a user can mend. Their text is a whole sentence: what is wrong and what would be right."""

import difflib
from collections.abc import Iterable


class SpielwerkError(ValueError):
    """Base of all errors that come from input, not from a bug. The command line prints the text."""


class IllegalMoveError(SpielwerkError):
    """A move that the rules do not allow in this position."""


class ImpossiblePositionError(SpielwerkError):
    """A position that no sequence of legal moves leads to."""


class SpecError(SpielwerkError):
    """A spec string (`NAME:option=value,…`) that names nothing we know."""


def unknown_name(kind: str, name: str, known: Iterable[str]) -> str:
    """The sentence for a misspelt name: a suggestion where one is near, and the list.

    >>> unknown_name("agent", "rnadom", ["human", "random"])
    'No agent "rnadom". Did you mean "random"? Known: human, random.'
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    guess = f' Did you mean "{near[0]}"?' if near else ""
    return f'No {kind} "{name}".{guess} Known: {", ".join(names)}.'
