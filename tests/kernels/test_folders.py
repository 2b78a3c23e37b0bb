"""Which sources a kernel can depend on, and old folders of the cache."""

import ast
import importlib

import pytest

from spielwerk.kernels import folders

LAB = sorted((folders.OURS / "lab").glob("*.py"))
KERNEL_SOURCES = folders.kernel_sources()


def test_every_file_with_kernels_counts():
    """Whatever the import is called: a kernel is what the decorator has made."""
    with_kernels = set()
    for path in LAB:
        module = importlib.import_module(f"spielwerk.lab.{path.stem}")
        own = (one for one in vars(module).values() if hasattr(one, "py_func"))
        if any(one.py_func.__module__ == module.__name__ for one in own):
            with_kernels.add(path)
    assert with_kernels == {path for path in KERNEL_SOURCES if path.parent.name == "lab"}
    assert len(with_kernels) == 3
    assert folders.kernel_hash() != folders.source_hash()


@pytest.mark.parametrize(
    "path",
    [path for path in KERNEL_SOURCES if path.parent.name == "lab"],
    ids=lambda path: path.stem,
)
def test_kernels_of_the_lab_lean_on_nothing_else_in_the_lab(path):
    tree = ast.parse(path.read_text())
    beside = {
        name.asname or name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("spielwerk.lab")
        for name in node.names
    }
    kernels = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(one, ast.Name) and one.id == "kernel" for one in node.decorator_list)
    ]
    assert beside
    assert kernels
    for function in kernels:
        used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        assert not used & beside, function.name


def test_only_old_folders_are_forgotten_and_nothing_that_stands_in_the_way_matters(tmp_path):
    for number in range(6):
        folder = tmp_path / f"studies-{number}"
        (folder / "inside").mkdir(parents=True)
        (folder / "file").touch()
        folders.os.utime(folder, (number, number))
    (tmp_path / "kernels-0").mkdir()
    folders.forget_old_folders(tmp_path / "studies-5")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"kernels-0", *(f"studies-{number}" for number in range(2, 6))}
    folders.forget_old_folders(tmp_path / "gone" / "studies-5")
