"""Results that take minutes are kept in the user's cache: a study that is stopped goes on there.

They are kept for exactly these sources, models and versions of libraries, and for exactly those
modules of the user's (plug-ins, and what they import) that are loaded; a change of any of them
computes everything anew.
"""

import hashlib
import json
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any
from uuid import uuid4
from weakref import WeakKeyDictionary

from spielwerk.errors import SpielwerkError
from spielwerk.files import make_folder, write_whole
from spielwerk.kernels.folders import cache_base, forget_old_folders, source_hash, user_modules

source_hash()  # now, before anybody edits what has just been imported

_LIBRARIES = ("numpy", "numba", "torch", "onnxruntime")
_SEEN: WeakKeyDictionary[ModuleType, str] = WeakKeyDictionary()
"""What stood in the files of the user's modules when they were first seen: who edits a file while
it runs gets nothing from the old text under the new one."""


def recall(key: Any) -> Any:
    """What was found for this key before; None if nothing was. A cache that cannot be read costs
    time, nothing else."""
    try:
        return json.loads(_path(key).read_text())
    except (OSError, ValueError):
        return None


def keep(key: Any, found: Any) -> None:
    """For the next time, if the cache can be written."""
    path = _path(key)
    try:
        if not path.parent.exists():
            make_folder(path.parent)
            forget_old_folders(path.parent)
        write_whole(path, json.dumps(found))
    except SpielwerkError:
        pass


def kept_file(name: str) -> Path:
    """Where a file of this name is kept, beside what was found; it need not be there yet."""
    return cache_base() / f"studies-{source_hash()[:16]}" / name


def _path(key: Any) -> Path:
    told = json.dumps([key, _versions(), _user_sources()], sort_keys=True)
    return kept_file(f"{hashlib.sha256(told.encode()).hexdigest()[:32]}.json")


@cache
def _versions() -> list[str]:
    """Of the libraries that compute, used or not: what is imported later changes no key."""

    def told(library: str) -> str:
        try:
            return version(library)
        except PackageNotFoundError:
            return ""

    return [told(library) for library in _LIBRARIES]


def _user_sources() -> list[str]:
    modules = user_modules()
    for module in modules:
        if module not in _SEEN:
            _SEEN[module] = _stands_in(Path(str(module.__file__)))
    return sorted(_SEEN[module] for module in modules)


def _stands_in(path: Path) -> str:
    """A hash of the file; of one that cannot be read, something that nothing else has."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return uuid4().hex
