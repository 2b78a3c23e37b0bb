"""Tuples in a file: a line of cells each (`1-2-10`), or drawn.

    # anything behind a hash is a remark
    3-4-10-11

    .......
    .......
    .......
    ..xx...
    .xx....
    .......

A drawing is the board in dots with an x (or any other sign) on each cell of the tuple; an empty
line ends it.
"""

from pathlib import Path

from spielwerk.errors import SpecError
from spielwerk.spec import split_options


def read_tuples(path: Path) -> str:
    """The tuples as a spec has them: `3-4-10-11/6x7:24-25-30-31`, drawn ones with their board."""
    try:
        lines = [
            line.partition("#")[0].strip() for line in path.expanduser().read_text().split("\n")
        ]
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(f"{path} cannot be read: {error}") from None
    found: list[str] = []
    drawing: list[str] = []
    for line in [*lines, ""]:
        if line and set(line) - set("0123456789-"):
            drawing.append("".join(line.split()))
            continue
        if drawing:
            found.append(_drawn(drawing, path))
            drawing = []
        if line:
            found.append(line)
    if not found:
        raise SpecError(f"{path} holds no tuples.")
    return "/".join(found)


def _drawn(rows: list[str], path: Path) -> str:
    if len({len(row) for row in rows}) > 1:
        raise SpecError(
            f"{path}: the rows of a drawing must have the same length:\n" + "\n".join(rows)
        )
    cells = [number for number, sign in enumerate("".join(rows), start=1) if sign != "."]
    if not cells:
        raise SpecError(f"{path}: a drawing has no cells, only dots.")
    return f"{len(rows)}x{len(rows[0])}:" + "-".join(map(str, cells))


def spelled_out(features: str) -> str:
    """A spec in which a file of tuples is replaced by what it holds: models need nothing else."""
    name, _, rest = features.partition(":")
    options = split_options(rest)
    for place, option in enumerate(options):
        key, _, value = option.partition("=")
        if name.strip() == "tuples" and key.strip() == "file":
            cells = read_tuples(Path(value.strip().removeprefix("(").removesuffix(")")))
            others = options[:place] + options[place + 1 :]
            return "tuples:" + ",".join([cells, *others])
    return features
