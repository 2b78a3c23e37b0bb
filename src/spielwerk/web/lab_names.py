"""Names that come from outside and stand for folders: they cannot lead anywhere else."""

import re
from pathlib import Path
from typing import Annotated

from fastapi import Path as InPath

from spielwerk.web.failures import Failure

PATTERN = r"^[A-Za-z0-9_-][A-Za-z0-9._-]{0,59}$"
"""60 characters at most; the first is no dot."""
_NAME = re.compile(PATTERN.removesuffix("$") + r"\Z")  # $ would allow a line break at the end

Name = Annotated[str, InPath(max_length=200, description="Letters, digits, dots, - and _.")]


def check_name(name: str) -> None:
    if not _NAME.match(name):
        raise Failure(
            422,
            "wrong-input",
            "A name has 1 to 60 letters (A to Z), digits, dots, - and _, and begins with no dot.",
        )


def folder_of(parent: Path, name: str) -> Path | None:
    """The folder of this name, if it is there, in `parent` itself and not behind a link."""
    if not _NAME.match(name):
        return None
    folder = parent / name
    return folder if folder.is_dir() and not folder.is_symlink() else None


def find_folder(parent: Path, name: str) -> Path:
    """As `folder_of`, but a Failure if there is none."""
    folder = folder_of(parent, name)
    if folder is None:
        raise Failure(404, "not-found", "There is nothing of that name.")
    return folder


def folders_in(parent: Path) -> list[Path]:
    """All of them, by name."""
    if not parent.is_dir():
        return []
    return [path for path in sorted(parent.iterdir()) if folder_of(parent, path.name)]
