"""What a study has found is kept for exactly what made it."""

import importlib
import sys

import pytest

from spielwerk.kernels import folders
from spielwerk.lab.kept import keep, recall

KEY = ["walks", 8, 1]


@pytest.fixture
def helper(tmp_path, monkeypatch):
    """A module of the user's that a plug-in may import; `load(text)` as a new process would."""
    monkeypatch.setenv("SPIELWERK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = tmp_path / "helper_of_a_plugin.py"

    def load(text):
        path.write_text(text)
        sys.modules.pop(path.stem, None)
        importlib.invalidate_caches()
        return importlib.import_module(path.stem)

    yield load
    sys.modules.pop(path.stem, None)


def test_what_was_found_is_there_again_for_the_same_key_alone(helper):
    helper("FACTOR = 1")
    assert recall(KEY) is None
    keep(KEY, {"found": [1, 2.5]})
    assert recall(KEY) == {"found": [1, 2.5]}
    assert recall(["walks", 8, 2]) is None


def test_a_module_that_a_plugin_imports_counts(helper):
    helper("FACTOR = 1")
    keep(KEY, "old")
    helper("FACTOR = 100")
    assert recall(KEY) is None
    helper("FACTOR = 1")
    assert recall(KEY) == "old"


def test_a_file_that_is_edited_while_it_runs_is_what_it_was(helper, tmp_path):
    """What runs is the old text: nothing that it finds may be taken for the new one's."""
    module = helper("FACTOR = 1")
    assert recall(KEY) is None
    (tmp_path / "helper_of_a_plugin.py").write_text("FACTOR = 100")
    keep(KEY, module.FACTOR)
    assert recall(KEY) == 1
    helper("FACTOR = 100")
    assert recall(KEY) is None


def test_a_model_that_comes_with_the_package_counts(monkeypatch):
    """§4.6.4 of Thill orders moves by one: another model, other nodes."""
    whole = folders.source_hash()
    assert folders.source_hash.__wrapped__() == whole
    monkeypatch.setattr(folders, "_LEARNED", ("data/models",))
    assert folders.source_hash.__wrapped__() != whole
    monkeypatch.setattr(folders, "_LEARNED", ("data/nets",))
    assert folders.source_hash.__wrapped__() != whole
