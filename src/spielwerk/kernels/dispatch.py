"""Functions whose code is chosen by the type of their first argument.

In a kernel the choice is made when it is compiled, so it costs nothing; in plain Python it is one
look-up. The first argument is a NamedTuple: a game, or a part of a search or a learner together
with its parameters.

    @generic
    def transition(game, state, move): ...

    @implement(transition, Nim)
    def take_stones(game, state, move): ...
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from spielwerk.errors import SpielwerkError
from spielwerk.kernels.jit import compile_by, depends_on

Function = TypeVar("Function", bound=Callable[..., Any])


def generic(stub: Function) -> Function:
    """Make `stub` a function that `implement` gives a version of for each type.

    The body of `stub` is never run; its signature is that of all versions.
    """
    versions: dict[type, Callable[..., Any]] = {}

    @functools.wraps(stub)
    def choose(subject: Any, *arguments: Any) -> Any:
        version = versions.get(type(subject))
        if version is None:
            raise missing(stub.__name__, type(subject))
        return version(subject, *arguments)

    choose.versions = versions  # type: ignore[attr-defined]
    return choose  # type: ignore[return-value]


def generic_with_default(default: Function) -> Function:
    """Like `generic`, with a body that serves every type that has no version of its own."""
    versions: dict[type, Callable[..., Any]] = {}

    @functools.wraps(default)
    def choose(subject: Any, *arguments: Any) -> Any:
        return versions.get(type(subject), default)(subject, *arguments)

    def fall_back(subject: Any, *arguments: Any) -> Any:
        cls = getattr(subject, "instance_class", None)
        return default if cls is not None and cls not in versions else None

    choose.versions = versions  # type: ignore[attr-defined]
    compile_by(choose, fall_back, like=default)
    return choose  # type: ignore[return-value]


def implement(function: Callable[..., Any], cls: type) -> Callable[[Function], Function]:
    """Register the decorated function as the version of the generic `function` for `cls`."""

    def register(version: Function) -> Function:
        wanted, given = inspect.signature(function), inspect.signature(version)
        if list(wanted.parameters) != list(given.parameters):
            raise TypeError(
                f"{version.__qualname__}{given} must have the parameters of "
                f"{function.__name__}{wanted}."
            )

        if cls in function.versions:  # type: ignore[attr-defined]
            raise TypeError(f"{cls.__name__} already has a version of {function.__name__}.")

        def match(subject: Any, *arguments: Any) -> Any:
            return version if getattr(subject, "instance_class", None) is cls else None

        compile_by(function, match, like=version)
        function.versions[cls] = version  # type: ignore[attr-defined]
        depends_on(cls, version)
        return version

    return register


def implements(function: Callable[..., Any], subject: object) -> bool:
    """Whether the generic `function` has a version for this game or part."""
    return type(subject) in function.versions  # type: ignore[attr-defined]


def missing(rule: str, cls: type) -> SpielwerkError:
    return SpielwerkError(f"{cls.__name__} has no version of {rule}.")
