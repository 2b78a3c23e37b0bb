"""Results that take minutes are kept in the user's cache: a study that is stopped goes on there.

They are kept for exactly these sources, models and versions of libraries, and for exactly those
modules of the user's (plug-ins, and what they import, also while they look for something) that are
loaded, where they lie; a change of any of them computes everything anew.
"""

import hashlib
import json
import math
import time
from collections.abc import Collection
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from uuid import uuid4
from weakref import WeakKeyDictionary, WeakSet

from spielwerk.errors import SpielwerkError
from spielwerk.files import make_folder, write_whole
from spielwerk.kernels.folders import (
    cache_base,
    forget_old_folders,
    source_hash,
    user_folders,
    user_modules,
)

source_hash()  # now, before anybody edits what has just been imported

_LIBRARIES = ("numpy", "numba", "torch", "onnxruntime")
_SEEN: WeakKeyDictionary[ModuleType, str] = WeakKeyDictionary()
"""What stood in the files of the user's modules when they were first seen: who edits a file while
it runs gets nothing from the old text under the new one."""
_LATE: WeakSet[ModuleType] = WeakSet()
"""Modules that were imported while something was looked for. Who goes on has not loaded them yet:
no place depends on them."""


class Place(NamedTuple):
    """Where what is found for a key is kept, and when nobody had looked for it yet."""

    path: Path
    made: float


def place_of(key: Any) -> Place:
    """The place for this key and the user's modules that are loaded by now. It is made before
    anything is looked for.

    Where there are such modules, the folders count from which they import others.
    """
    made = time.time()
    modules = _files([module for module in user_modules() if module not in _LATE])
    folders = user_folders() if modules else []
    told = json.dumps([key, _versions(), modules, folders], sort_keys=True)
    return Place(kept_file(f"{hashlib.sha256(told.encode()).hexdigest()[:32]}.json"), made)


def recall(place: Place) -> Any:
    """What was found before, if all modules that were loaded then are what they were; otherwise
    None. A cache that cannot be read costs time, nothing else."""
    try:
        kept = json.loads(place.path.read_text())
        found, modules = kept["found"], kept["modules"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    loaded = _files(user_modules())
    same = all(said == (loaded.get(file) or _stands_in(file)) for file, said in modules.items())
    return found if same else None


def record_of(found: Any, item: Any, place: Place) -> dict[str, Any]:
    """What is kept of what was found for this item: what JSON makes of it, and the user's modules
    that are loaded here, where it was found. A SpielwerkError if JSON cannot say it."""
    modules = user_modules()
    for module in modules:
        if module not in _SEEN:
            _LATE.add(module)
            _SEEN[module] = _stands_in(_file(module), place.made)
    try:
        return {"found": json.loads(json.dumps(found)), "modules": _files(modules)}
    except (TypeError, ValueError) as error:
        raise SpielwerkError(
            f"What was found for {item!r} cannot be kept: {error}. With a key it must be what JSON "
            "can say: numbers of Python, text, lists, dicts; an array says it by .tolist()."
        ) from None


def keep(place: Place, record: dict[str, Any]) -> None:
    """For the next time, if the cache can be written."""
    try:
        if not place.path.parent.exists():
            make_folder(place.path.parent)
            forget_old_folders(place.path.parent)
        write_whole(place.path, json.dumps(record))
    except SpielwerkError:
        pass


def kept_file(name: str) -> Path:
    """Where a file of this name is kept, beside what was found; it need not be there yet."""
    return cache_base() / f"studies-{source_hash()[:16]}" / name


@cache
def _versions() -> list[str]:
    """Of the libraries that compute, used or not: what is imported later changes no key."""

    def told(library: str) -> str:
        try:
            return version(library)
        except PackageNotFoundError:
            return ""

    return [told(library) for library in _LIBRARIES]


def _files(modules: Collection[ModuleType]) -> dict[str, str]:
    """Of each the file, and what stood in it."""
    for module in modules:
        if module not in _SEEN:
            _SEEN[module] = _stands_in(_file(module))
    return {_file(module): _SEEN[module] for module in modules}


def _file(module: ModuleType) -> str:
    return str(module.__file__)


def _stands_in(file: str, imported_after: float = math.inf) -> str:
    """A hash of the file. Of one that cannot be read, or has changed since somebody may have
    imported it, something that nothing else has."""
    path = Path(file)
    try:
        about = path.stat()
        if max(about.st_mtime, about.st_ctime) <= imported_after:
            return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        pass
    return uuid4().hex
