"""Where compiled kernels and long results are kept: the user's cache folder.

`SPIELWERK_CACHE_DIR` moves it. There is a folder for each kind of thing and version of the sources;
the last few are kept.
"""

import functools
import hashlib
import os
from pathlib import Path

OURS = Path(__file__).parents[1]
"""The folder of the package."""

_KEPT_FOLDERS = 4
_ABOVE = ("cli", "store", "web")
"""Folders that no kernel stands in or leans on (tests hold them to it): to edit them costs no
compilation."""
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
    return cache_base() / f"kernels-{source_hash()[:16]}"


@functools.cache
def source_hash() -> str:
    """One hash of every source file of the package that a kernel can depend on."""
    digest = hashlib.sha256()
    for path in sorted(OURS.rglob("*.py")):
        name = path.relative_to(OURS)
        if name.parts[0] not in _ABOVE:
            digest.update(str(name).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def forget_old_folders(current: Path) -> None:
    """Keep the folders of the last few versions; a new one has just been made."""
    kind = current.name.partition("-")[0]
    folders = sorted(current.parent.glob(f"{kind}-*"), key=lambda path: path.stat().st_mtime)
    for folder in folders[:-_KEPT_FOLDERS]:
        if folder != current:
            for file in folder.iterdir():
                file.unlink()
            folder.rmdir()
