"""Results that take minutes are kept in the user's cache: a study that is stopped goes on there.

They are kept for exactly these sources, plug-ins included; a change of the program computes
everything anew.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from spielwerk.errors import SpielwerkError
from spielwerk.files import make_folder, write_whole
from spielwerk.kernels.folders import cache_base, forget_old_folders, source_hash
from spielwerk.plugins import plugin_hashes


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
    told = json.dumps([key, *plugin_hashes()] if plugin_hashes() else key, sort_keys=True)
    return kept_file(f"{hashlib.sha256(told.encode()).hexdigest()[:32]}.json")
