"""What an import costs, and which folder may know which."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import spielwerk

ROOT = Path(spielwerk.__file__).parent
FLOORS = [
    "errors",
    "files",
    "spec",
    "kernels",
    "threads",
    "games",
    "values",
    "search",
    "learning",
    "agents",
    "plugins",
    "arena",
    "store",
    "lab",
    "adapters",
    "bench",
    "web",
]
"""From the ground up (docs/architecture.md): each leans only on those before it."""


def loaded_by(statement):
    code = (
        f"import sys; {statement}; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    )
    return set(subprocess.check_output([sys.executable, "-c", code], text=True).split())


def test_import_spielwerk_loads_nothing_heavy():
    assert not loaded_by("import spielwerk") & {"numpy", "numba", "rich", "typer", "torch"}


def test_playing_needs_no_extra():
    loaded = loaded_by("from spielwerk import parse_agent, parse_game, play_match, round_robin")
    extras = {"torch", "onnx", "onnxruntime", "optuna", "ray", "pyspiel", "bitbully"}
    assert not loaded & (extras | {"typer", "rich", "pytest"})


def test_a_net_plays_without_pytorch():
    loaded = loaded_by(
        "import spielwerk as sw; game = sw.parse_game('connect-four'); "
        "specs = ['net', 'net:dense']; "
        "sw.play_match(game, [sw.parse_agent(spec) for spec in specs], seed=1)"
    )
    assert "onnxruntime" in loaded
    assert not loaded & {"torch", "onnx", "optuna"}


def test_help_does_not_wait_for_numba():
    assert "numba" not in loaded_by("import spielwerk.cli.main")


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: path.stem)
def test_each_folder_leans_only_on_those_below(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts[0] not in FLOORS:
        return
    allowed = FLOORS[: FLOORS.index(parts[0]) + 1]
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            if node.module == "spielwerk":
                names = [f"spielwerk.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.startswith("spielwerk."):
                assert name.split(".")[1] in allowed, f"{path} imports {name}"


def test_the_public_names_exist():
    for name in spielwerk.__all__:
        assert getattr(spielwerk, name) is not None
    assert "parse_game" in dir(spielwerk)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        spielwerk.nothing  # noqa: B018
