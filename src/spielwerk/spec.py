"""The spec language: one line of text that names a game or a player with its options.

    random
    alphabeta:depth=6,value=lines
    connectx:5x4,k=3

`NAME`, then after a colon options `name=value` parted by commas; the first may be a bare value,
which goes to the option declared as `positional`. A value with commas stands in parentheses. A spec
is parsed and checked against the
signature of what it builds, never evaluated: parameters are options, their annotations say what is
allowed.

    @dataclass(frozen=True)
    class AlphaBeta:
        depth: Annotated[int, Option("plies to look ahead", least=1)] = 8
"""

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from spielwerk.errors import SpecError, unknown_name

Built = TypeVar("Built")


@dataclass(frozen=True)
class Option:
    """What the annotation of an option says beyond its type."""

    help: str
    least: float | None = None
    most: float | None = None
    positional: bool = False
    name: str | None = None
    """As users write it, where the parameter must be called otherwise."""


@dataclass(frozen=True)
class OptionInfo:
    """An option as it is listed for users. If its type allows None, that means "not given"."""

    name: str
    parameter: str
    kind: Any
    default: Any
    option: Option

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty

    def describe_values(self) -> str:
        """What may be written behind the equals sign."""
        if self.kind is bool:
            return "yes|no"
        if typing.get_origin(self.kind) is Literal:
            return "|".join(typing.get_args(self.kind))
        name = {int: "a whole number", float: "a number", str: "text"}[self.kind]
        least, most = self.option.least, self.option.most
        if least is not None and most is not None:
            return f"{name} from {least:g} to {most:g}"
        if least is not None:
            return f"{name}, at least {least:g}"
        return name if most is None else f"{name}, at most {most:g}"


@dataclass(frozen=True)
class Entry(Generic[Built]):
    """Something that a spec can name."""

    name: str
    summary: str
    build: Callable[..., Built]

    def options(self) -> list[OptionInfo]:
        hints = self._hints()
        found: list[OptionInfo] = []
        for parameter in inspect.signature(self.build).parameters.values():
            kind, notes = hints.get(parameter.name), list[Any]()
            if typing.get_origin(kind) is typing.Annotated:
                kind, *notes = typing.get_args(kind)
            kind = _without_none(kind)
            option = next((note for note in notes if isinstance(note, Option)), None)
            if option is not None:
                name = option.name or parameter.name
                found.append(OptionInfo(name, parameter.name, kind, parameter.default, option))
        return found

    def makes(self, cls: type) -> bool:
        """Whether this entry says that it builds objects of type `cls`."""
        return self.build is cls or self._hints().get("return") is cls

    def _hints(self) -> dict[str, Any]:
        hints = typing.get_type_hints(self.build, include_extras=True)
        if inspect.isclass(self.build):  # a class that is no dataclass says it in __init__
            hints |= typing.get_type_hints(self.build.__init__, include_extras=True)
        return hints


def _without_none(kind: Any) -> Any:
    """`int` for `int | None`."""
    members = typing.get_args(kind)
    if isinstance(kind, types.UnionType) or typing.get_origin(kind) is typing.Union:
        return next(member for member in members if member is not type(None))
    return kind


def parse_spec(text: str, kind: str, catalogue: Mapping[str, Entry[Built]]) -> Built:
    """Build what `text` names. `kind` is the word for it in messages: "agent", "game"."""
    name, colon, rest = text.strip().partition(":")
    if name not in catalogue:
        raise SpecError(unknown_name(kind, name, catalogue))
    entry = catalogue[name]
    options = {option.name: option for option in entry.options()}
    given: dict[str, Any] = {}
    for place, item in enumerate(split_options(rest) if colon else []):
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals:
            value = key
            key = next((o.name for o in options.values() if o.option.positional), "")
            if place > 0 or not key:
                raise SpecError(f'"{item}" in "{text}" is not of the form option=value.')
        if key not in options:
            if not options:
                raise SpecError(f'{name} has no options, so "{item}" means nothing.')
            raise SpecError(f"{name}: {unknown_name('option', key, options)}")
        if key in given:
            raise SpecError(f'"{text}" gives {key} twice.')
        given[key] = _convert(options[key], value, name)
    lacking = [o.name for o in options.values() if o.required and o.name not in given]
    if lacking:
        raise SpecError(f"{name} needs {lacking[0]}, e.g. {name}:{lacking[0]}=….")
    return entry.build(**{options[key].parameter: value for key, value in given.items()})


def format_spec(name: str, built: object, entry: Entry[Any]) -> str:
    """The shortest spec that builds an equal object: options that differ from their default."""
    parts = []
    for option in entry.options():
        value = getattr(built, option.parameter)
        if option.required or value != option.default:
            written = {True: "yes", False: "no"}[value] if option.kind is bool else f"{value}"
            written = f"({written})" if "," in written else written
            parts.append(f"{option.name}={written}")
    return name + (":" + ",".join(parts) if parts else "")


def split_options(text: str) -> list[str]:
    """Parts between commas, but not inside parentheses: `hint=(alphabeta:depth=3,value=lines)`."""
    parts, depth = [""], 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _convert(info: OptionInfo, text: str, name: str) -> Any:
    wrong = SpecError(f'{name}: {info.name} must be {info.describe_values()}, not "{text}".')
    if info.kind is bool:
        if text not in ("yes", "no"):
            raise wrong
        return text == "yes"
    if typing.get_origin(info.kind) is Literal:
        if text not in typing.get_args(info.kind):
            raise wrong
        return text
    if info.kind is str:
        if text.startswith("(") and text.endswith(")"):
            text = text[1:-1]
        if not text:
            raise wrong
        return text
    try:
        number = info.kind(text)
    except ValueError:
        raise wrong from None
    least, most = info.option.least, info.option.most
    if (
        number != number
        or (least is not None and number < least)
        or (most is not None and number > most)
    ):
        raise wrong
    return number
