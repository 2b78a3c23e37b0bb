"""Where compiled kernels and long results are kept: the user's cache folder.

`SPIELWERK_CACHE_DIR` moves it. There is a folder for each kind of thing and version of the sources;
the last few are kept.
"""

import functools
import hashlib
import os
import shutil
import site
import sys
import sysconfig
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType

OURS = Path(__file__).parents[1]
"""The folder of the package."""

_KEPT_FOLDERS = 4
_ABOVE = ("cli", "store", "web")
"""Folders that no kernel or study stands in or leans on (results go on to the store, nothing comes
back): to edit them costs no compilation."""
_LAB = "lab"
"""Studies stand here, and a few kernels that lean on nothing beside them: of it, kernels depend on
the files that have some."""
_LEARNED = ("data/models", "data/nets")
"""Studies play with what lies here."""
_moved: list[Path] = []


def move_cache(folder: Path) -> None:
    """Keep everything of this program there, whatever the environment says."""
    _moved.append(folder)


def cache_base() -> Path:
    """The user's cache folder, with a folder for each kind of thing and version of the sources."""
    if _moved:
        return _moved[-1]
    elsewhere = os.environ.get("SPIELWERK_CACHE_DIR")
    if elsewhere:
        return Path(elsewhere)
    import platformdirs

    return Path(platformdirs.user_cache_dir("spielwerk"))


def cache_folder() -> Path:
    """Where compiled kernels of exactly these sources are kept."""
    return cache_base() / f"kernels-{kernel_hash()[:16]}"


@functools.cache
def kernel_hash() -> str:
    """One hash of every source file of the package that a kernel can depend on."""
    return _hash_of(kernel_sources())


@functools.cache
def source_hash() -> str:
    """One hash of every file of the package that a result can depend on."""
    learned = (path for folder in _LEARNED for path in sorted((OURS / folder).iterdir()))
    return _hash_of([*_sources(), *learned])


def kernel_sources() -> list[Path]:
    """Of the lab only the files that have kernels."""
    return [path for path in _sources() if path.parent.name != _LAB or has_kernels(path)]


def has_kernels(path: Path) -> bool:
    return b"kernels.jit" in path.read_bytes()


def user_modules() -> list[ModuleType]:
    """Those loaded that are neither ours nor installed, and stand in a file."""
    installed = _installed()

    def is_theirs(module: ModuleType) -> bool:
        file = getattr(module, "__file__", None) or ""
        return file.endswith(".py") and not file.startswith(installed)

    return [module for module in list(sys.modules.values()) if is_theirs(module)]


def user_folders() -> list[str]:
    """Those where Python looks for modules that are neither ours nor installed."""
    installed = _installed()
    folders = [str(Path(folder).absolute()) for folder in sys.path]
    return [folder for folder in folders if not f"{folder}{os.sep}".startswith(installed)]


def _installed() -> tuple[str, ...]:
    """What files begin with that are ours or installed."""
    sites = (*site.getsitepackages(), site.getusersitepackages())
    roots = {str(OURS), *sysconfig.get_paths().values(), *sites}
    return tuple(root + os.sep for root in roots)


def _sources() -> list[Path]:
    found = sorted(OURS.rglob("*.py"))
    return [path for path in found if path.relative_to(OURS).parts[0] not in _ABOVE]


def _hash_of(paths: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(str(path.relative_to(OURS)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def forget_old_folders(current: Path) -> None:
    """Keep the folders of the last few versions; a new one has just been made.

    Others may do the same at this moment: what cannot be removed stays.
    """
    kind = current.name.partition("-")[0]
    with suppress(OSError):
        folders = sorted(current.parent.glob(f"{kind}-*"), key=lambda path: path.stat().st_mtime)
        for folder in folders[:-_KEPT_FOLDERS]:
            if folder != current:
                shutil.rmtree(folder, ignore_errors=True)
