"""`@kernel`: Numba's nopython mode, without the GIL, cached on disk.

Numba's own disk cache has three weaknesses that matter here, so a kernel gets another one:

* It looks only at the file a kernel stands in. Our kernels are generic: the rules they call stand
  in other files, also in the files of users who add a game. Here the key of an entry holds a hash
  of all of Spielwerk's sources and, where users' code takes part, of all their loaded modules.
* Its index is a pickle of *all* argument types a kernel was compiled for. A game defined in a
  script would make the index unreadable for every other program. Here there is no index: one file
  per kernel and argument types, named by the key.
* Two processes that compile at once can swap entries. Here files are written whole, then renamed.

Entries live in the user's cache folder (`SPIELWERK_CACHE_DIR` to move it). A folder that cannot be
written costs the time to compile, nothing else.
"""

import contextlib
import functools
import hashlib
import inspect
import os
import pickle
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import platformdirs
from numba.core.caching import _Cache
from numba.core.codegen import RuntimeLinker
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps
from numba.core.types.containers import BaseNamedTuple, BaseTuple
from numba.core.types.misc import unliteral
from numba.extending import overload

import spielwerk

JIT_OPTIONS = {"nogil": True, "error_model": "numpy"}
"""`nogil` lets threads use the cores; `numpy` spares the check for division by zero."""

ENABLED = not numba.config.DISABLE_JIT
"""False under `NUMBA_DISABLE_JIT=1`: everything runs as plain Python, with the same results."""

_KEPT_FOLDERS = 4
_ABOVE = ("cli", "store", "web")
"""Folders that no kernel stands in or leans on (tests hold them to it): to edit them costs no
compilation."""
_OURS = Path(spielwerk.__file__).parent

if not ENABLED:
    # Kernels recurse as deep as games are long; Python's own limit is meant for accidents.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))


Function = TypeVar("Function", bound=Callable[..., Any])

implementation_files: dict[type, set[str]] = {}
"""For each type that compile-time dispatch chooses by: the files its implementations stand in."""


def kernel(function: Function) -> Function:
    """Compile `function` on first use for each set of argument types; keep the code on disk."""
    return _compile(function, JIT_OPTIONS)


def inlined(function: Function) -> Function:
    """A kernel for the innermost loops: it becomes part of the kernels that call it.

    It does not count references to the arrays it uses, so it can make none. Numba counts them for
    every tuple of arrays that is handed on, with atomic instructions: a tree search ran at a third
    of its speed.
    """
    return _compile(function, JIT_OPTIONS | {"forceinline": True, "_nrt": False})


def _compile(function: Function, options: dict[str, Any]) -> Function:
    if not ENABLED:
        return function
    dispatcher = numba.njit(function, **options)
    dispatcher._cache = KernelCache(function)
    resolve = dispatcher.get_call_template

    def resolve_without_literals(arguments: Any, keywords: Any) -> Any:
        """One version for `f(x, 0)` and `f(x, n)`, where Numba would compile a second one."""
        keywords = {name: unliteral(kind) for name, kind in dict(keywords).items()}
        return resolve([unliteral(kind) for kind in arguments], keywords)

    dispatcher.get_call_template = resolve_without_literals
    return cast(Function, dispatcher)


def compile_as(function: Callable[..., Any], version: Callable[..., Any]) -> None:
    """Let kernels that call `function` use `version`, which does the same in fewer instructions."""

    def choose(*_: Any) -> Any:
        return version

    # Numba compares signatures and rejects *arguments: show it the one that is meant.
    choose.__signature__ = inspect.signature(version)  # type: ignore[attr-defined]
    overload(function, jit_options=JIT_OPTIONS)(choose)


def cache_base() -> Path:
    """The user's cache folder, with a folder for each kind of thing and version of the sources."""
    return Path(os.environ.get("SPIELWERK_CACHE_DIR") or platformdirs.user_cache_dir("spielwerk"))


def cache_folder() -> Path:
    """Where compiled kernels of exactly these sources are kept."""
    return cache_base() / f"kernels-{source_hash()[:16]}"


@functools.cache
def source_hash() -> str:
    """One hash of every source file of the package that a kernel can depend on."""
    digest = hashlib.sha256()
    for path in sorted(_OURS.rglob("*.py")):
        name = path.relative_to(_OURS)
        if name.parts[0] not in _ABOVE:
            digest.update(str(name).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


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
        if all(_OURS in Path(file).parents for file in files):
            return []
        return sorted(_hash_of(file) for file in files | _user_files())
    except (TypeError, OSError):
        return None


def _user_files() -> set[str]:
    """The sources of loaded modules that are neither ours nor installed."""
    installed = [_OURS, *map(Path, set(sysconfig.get_paths().values()))]
    files = set()
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if (
            file
            and file.endswith(".py")
            and not any(root in Path(file).parents for root in installed)
        ):
            files.add(file)
    return files


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


def forget_old_folders(current: Path) -> None:
    """Keep the folders of the last few versions; a new one has just been made."""
    kind = current.name.partition("-")[0]
    folders = sorted(current.parent.glob(f"{kind}-*"), key=lambda path: path.stat().st_mtime)
    for folder in folders[:-_KEPT_FOLDERS]:
        if folder != current:
            for file in folder.iterdir():
                file.unlink()
            folder.rmdir()
