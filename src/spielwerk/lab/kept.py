"""Results that take minutes are kept in the user's cache: a study that is stopped goes on there.

They are kept for exactly these sources; a change of the program computes everything anew.
"""

import hashlib
import json
from collections.abc import Callable
from typing import Any

from spielwerk.errors import SpielwerkError
from spielwerk.files import make_folder, write_whole
from spielwerk.kernels.jit import cache_base, forget_old_folders, source_hash


def kept(key: Any, find: Callable[[], Any]) -> Any:
    """What was found for this key before, else what `find` finds; both are what JSON can say.

    A cache that cannot be read or written costs time, nothing else.
    """
    digest = hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()
    folder = cache_base() / f"studies-{source_hash()[:16]}"
    path = folder / f"{digest[:32]}.json"
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        pass
    found = find()
    try:
        if not folder.exists():
            make_folder(folder)
            forget_old_folders(folder)
        write_whole(path, json.dumps(found))
    except SpielwerkError:
        pass
    return found
