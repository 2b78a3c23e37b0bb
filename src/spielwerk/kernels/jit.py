"""`@kernel`: Numba's nopython mode, without the GIL, cached on disk; plain Python without Numba.

Everything also runs uncompiled, with the same results: under `NUMBA_DISABLE_JIT=1`, for debugging,
and where there is no Numba at all, as in a submission that another house runs.
"""

import sys
from collections.abc import Callable
from typing import Any, TypeVar, cast

try:
    import numba
except ImportError:  # not there, or not for the NumPy that is
    ENABLED = False
else:
    ENABLED = not numba.config.DISABLE_JIT  # False under NUMBA_DISABLE_JIT=1


if ENABLED:
    from spielwerk.kernels import compilation
else:
    # Kernels recurse as deep as games are long; Python's own limit is meant for accidents.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile `function` on first use for each set of argument types; keep the code on disk."""
    return cast(Function, compilation.compile_function(function)) if ENABLED else function


def inlined(function: Function) -> Function:
    """A kernel for the innermost loops: it becomes part of the kernels that call it.

    It does not count references to the arrays it uses, so it can make none. Numba counts them for
    every tuple of arrays that is handed on, with atomic instructions: a tree search ran at a third
    of its speed.
    """
    if not ENABLED:
        return function
    return cast(Function, compilation.compile_function(function, forceinline=True, _nrt=False))


def compile_as(function: Callable[..., Any], version: Callable[..., Any]) -> None:
    """Let kernels that call `function` use `version`, which does the same in fewer instructions."""
    compile_by(function, lambda *_: version, like=version)


def compile_by(
    function: Callable[..., Any], choose: Callable[..., Any], like: Callable[..., Any]
) -> None:
    """Let kernels that call `function` use what `choose` returns for the types of the arguments;
    its parameters are those of `like`."""
    if ENABLED:
        compilation.serve(function, choose, like)


def depends_on(cls: type, version: Callable[..., Any]) -> None:
    """Kernels for arguments of type `cls` hold code of `version`: they go stale with its file."""
    if ENABLED:
        files = compilation.implementation_files.setdefault(cls, set())
        files.add(version.__code__.co_filename)
