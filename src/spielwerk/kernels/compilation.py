"""What touches Numba: compiling a kernel, keeping its code on disk, serving calls from kernels.

Numba's own disk cache has three weaknesses that matter here, so a kernel gets another one:

* It looks only at the file a kernel stands in. Our kernels are generic: the rules they call stand
  in other files, also in the files of users who add a game. Here the key of an entry holds a hash
  of all of Spielwerk's sources and, where users' code takes part, of all their loaded modules.
* Its index is a pickle of *all* argument types a kernel was compiled for. A game defined in a
  script would make the index unreadable for every other program. Here there is no index: one file
  per kernel and argument types, named by the key.
* Two processes that compile at once can swap entries. Here files are written whole, then renamed.

A folder that cannot be written costs the time to compile, nothing else.
"""

import contextlib
import hashlib
import inspect
import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import _Cache
from numba.core.codegen import RuntimeLinker
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps
from numba.core.types.containers import BaseNamedTuple, BaseTuple
from numba.core.types.misc import unliteral
from numba.extending import overload

from spielwerk.kernels.folders import OURS, cache_folder, forget_old_folders, user_modules

JIT_OPTIONS = {"nogil": True, "error_model": "numpy"}
"""`nogil` lets threads use the cores; `numpy` spares the check for division by zero."""

implementation_files: dict[type, set[str]] = {}
"""For each type that compile-time dispatch chooses by: the files its implementations stand in."""


def compile_function(function: Callable[..., Any], **options: Any) -> Any:
    """Numba's dispatcher for `function`, with our cache."""
    dispatcher = numba.njit(function, **JIT_OPTIONS, **options)
    dispatcher._cache = KernelCache(function)
    resolve = dispatcher.get_call_template

    def resolve_without_literals(arguments: Any, keywords: Any) -> Any:
        """One version for `f(x, 0)` and `f(x, n)`, where Numba would compile a second one."""
        keywords = {name: unliteral(kind) for name, kind in dict(keywords).items()}
        return resolve([unliteral(kind) for kind in arguments], keywords)

    dispatcher.get_call_template = resolve_without_literals
    return dispatcher


def serve(
    function: Callable[..., Any], choose: Callable[..., Any], like: Callable[..., Any]
) -> None:
    """Let kernels that call `function` use what `choose` returns for the types of the arguments.

    Numba compares signatures and rejects *arguments: it is shown the signature of `like`.
    """
    choose.__signature__ = inspect.signature(like)  # type: ignore[attr-defined]
    overload(function, jit_options=JIT_OPTIONS)(choose)


class KernelCache(_Cache):
    """Numba's cache interface over one file per kernel and argument types."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def load_overload(self, signature: Any, target: Any) -> Any:
        # Running code needs Numba's runtime. The registries, which Numba's own cache loads here as
        # well (half a second, with SciPy installed), are needed to compile and loaded then.
        rtsys.initialize(target)
        codegen = target.codegen()
        path = self._path(signature, codegen)
        if path is None:
            return None
        try:
            payload = pickle.loads(path.read_bytes())
            result = CompileResult._rebuild(target, *payload)
        except FileNotFoundError:
            return None
        except Exception:
            # A truncated or foreign file: what it holds can always be compiled again.
            with contextlib.suppress(OSError):
                path.unlink()
            return None
        # A recursion that changes its argument types calls this version by name; Numba looks for
        # the name among compiled ones only.
        codegen._rtlinker.scan_defined_symbols(result.library._shared_module)
        return result

    def save_overload(self, signature: Any, result: Any) -> None:
        path = self._path(signature, result.codegen)
        if path is None or result.lifted or not _stands_alone(result.library):
            return
        with contextlib.suppress(OSError):
            if not path.parent.exists():
                path.parent.mkdir(parents=True)
                forget_old_folders(path.parent)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix="tmp-")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(dumps(result._reduce()))
                Path(name).replace(path)
            except BaseException:
                Path(name).unlink()
                raise

    def enable(self) -> None:
        """Always on."""

    def disable(self) -> None:
        """Always on."""

    def flush(self) -> None:
        """Nothing is buffered."""

    def _path(self, signature: Any, codegen: Any) -> Path | None:
        stamps = _foreign_sources(self._function, signature)
        if stamps is None:
            return None
        name = f"{self._function.__module__}.{self._function.__qualname__}"
        line = self._function.__code__.co_firstlineno
        kinds = [f"{cls.__module__}.{cls.__qualname__}" for cls in _named_tuples(signature)]
        machine = (codegen.magic_tuple(), numba.__version__)
        key = (name, line, str(signature), kinds, stamps, machine)
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:24]
        python = f"py{sys.version_info.major}{sys.version_info.minor}"
        return cache_folder() / f"{self._function.__name__}-{python}-{digest}.kernel"


def _stands_alone(library: Any) -> bool:
    """Whether compiled code can be loaded by another process.

    Not if it holds addresses of this one: of objects, or of the same kernel for *other* argument
    types in a recursion that changes them.
    """
    variables = library._final_module.global_variables
    recursive = any(variable.name.startswith(RuntimeLinker.PREFIX) for variable in variables)
    return not (recursive or library.has_dynamic_globals)


def _foreign_sources(function: Callable[..., Any], signature: Any) -> list[str] | None:
    """Hashes of the users' sources that the code may depend on; None if there is no telling.

    A kernel of ours for types of ours depends on our sources alone. Otherwise it may depend on
    anything that the user's files import: all loaded modules count that are neither ours nor
    installed. A kernel or type without a file (typed at a prompt), and a kernel that closes over
    values, cannot be told from the next version: what is compiled for it is not kept.
    """
    if function.__closure__:
        return None
    files = {function.__code__.co_filename}
    try:
        for cls in _named_tuples(signature):
            files |= {inspect.getfile(cls), *implementation_files.get(cls, ())}
        if all(OURS in Path(file).parents for file in files):
            return []
        files |= {str(module.__file__) for module in user_modules()}
        return sorted(map(_hash_of, files))
    except (TypeError, OSError):
        return None


def _hash_of(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def _named_tuples(signature: Any) -> Iterator[type]:
    """The classes of all named tuples in a signature, nested ones too."""
    pending = list(signature)
    while pending:
        numba_type = pending.pop()
        if isinstance(numba_type, BaseNamedTuple):
            yield numba_type.instance_class
        if isinstance(numba_type, BaseTuple):
            pending.extend(numba_type)
