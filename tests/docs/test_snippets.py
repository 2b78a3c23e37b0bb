"""README and docs are true: their examples are run, literally, each page in an empty folder.

* ```python blocks are executed, one after the other, in one namespace per page.
* ```python title="FILE" blocks are saved under that name.
* ```console blocks are typed into a shell: lines after `$ ` are commands, the lines below them what
  they print, standard error included. `…` stands for anything, a line of its own for any lines.

Other blocks (sh, text) are for reading.
"""

import os
import re
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import peer

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


PEERS = {"kaggle.md": "kaggle_environments"}
"""Pages that show another project at work."""


class Block(NamedTuple):
    language: str
    title: str | None
    text: str


def blocks(page):
    pattern = r'^```(\w+)(?: title="([\w.]+)")?\n(.*?)^```$'
    found = re.findall(pattern, page.read_text(), re.MULTILINE | re.DOTALL)
    return [Block(language, title or None, text) for language, title, text in found]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_are_true(page, tmp_path):
    if page.name in PEERS:
        peer(PEERS[page.name])
    code = []
    for block, following in zip_longest(found := blocks(page), found[1:]):
        if block.title:
            (tmp_path / block.title).write_text(block.text)
        elif block.language == "python":
            code.append(block.text)
            if following is None or following.language != "python" or following.title:
                run([sys.executable, "-W", "error", "-c", "\n".join(code)], tmp_path)
        elif block.language == "console":
            for command, expected in commands(block.text):
                # An error is shown in full; what is left out must at least have succeeded.
                printed = run(["bash", "-c", command], tmp_path, check="…" in expected)
                assert matches(expected, printed), f"$ {command}\n{printed}\ninstead of\n{expected}"


def commands(text):
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        yield command, expected.strip()


def matches(expected, printed):
    """Whether the output is as shown. Every line ends with a newline: patterns that may or may not
    match one can take time without end to find that nothing fits."""
    lines = [
        r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r"[ ]*\n"
        for line in expected.split("\n")
    ]
    return re.fullmatch("".join(lines), f"{printed.strip()}\n") is not None


def run(command, folder, check=True):
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(folder),
        "COLUMNS": "200",
        "SPIELWERK_DATABASE_URL": f"sqlite:///{folder / '.store.sqlite'}",
    }
    result = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    assert not check or result.returncode == 0, result.stdout
    assert "Traceback" not in result.stdout
    # A remark of the first run only: not what a page is about.
    return re.sub(r"^Compiling for this machine.*\n", "", result.stdout, flags=re.MULTILINE)


def test_a_false_example_is_noticed():
    assert not matches("1\n…\n3", "1\n2\n4")
    assert matches("1\n…\n3", "1\n2\n2\n3")
    assert matches("a … c", "a b c")
    assert not matches("a … c", "a b\nc")


def test_links_between_pages_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} → {target}"


def test_every_page_is_in_the_contents():
    contents = (ROOT / "mkdocs.yml").read_text()
    for page in (ROOT / "docs").glob("*.md"):
        assert page.name in contents


def test_docstring_examples_are_true():
    import doctest
    import importlib
    import pkgutil

    import spielwerk

    tried = 0
    names = [module.name for module in pkgutil.walk_packages(spielwerk.__path__, "spielwerk.")]
    for name in ["spielwerk", *names]:
        result = doctest.testmod(importlib.import_module(name))
        assert result.failed == 0, name
        tried += result.attempted
    assert tried >= 5
