"""What a study has found is kept for exactly what made it."""

import importlib
import os
import site
import sys
import time
from types import ModuleType

import numpy as np
import pytest

from spielwerk.arena.workers import Threads
from spielwerk.errors import SpielwerkError
from spielwerk.kernels import folders
from spielwerk.lab.figure import Study
from spielwerk.lab.kept import keep, place_of, recall, record_of

KEY = ["walks", 8, 1]
HELPER = "helper_of_a_plugin"


@pytest.fixture
def helper(tmp_path, monkeypatch):
    """A module of the user's that a plug-in may import; `load(text)` as a new process would."""
    monkeypatch.setenv("SPIELWERK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = tmp_path / f"{HELPER}.py"

    def load(text):
        begin_anew(path, text)
        return importlib.import_module(HELPER)

    yield load
    sys.modules.pop(HELPER, None)


def remember(found):
    place = place_of(KEY)
    keep(place, record_of(found, "an item", place))


def begin_anew(path, text):
    """As if the file were written and a new process begun, which has not imported it yet."""
    path.write_text(text)
    sys.modules.pop(HELPER, None)
    importlib.invalidate_caches()


def lazily(item):
    """A plug-in's `find` that imports a module of the user's when it is called."""
    return [item, importlib.import_module(HELPER).FACTOR]


def found_by(find, items=(0,), study=None):
    return (study or Study()).found_for(items, find, lambda item: [KEY, item])


def never(item):
    raise AssertionError(f"{item} was found before")


def test_what_was_found_is_there_again_for_the_same_key_alone(helper):
    helper("FACTOR = 1")
    assert recall(place_of(KEY)) is None
    remember({"found": [1, 2.5]})
    assert recall(place_of(KEY)) == {"found": [1, 2.5]}
    assert recall(place_of(["walks", 8, 2])) is None


def test_a_module_that_a_plugin_imports_counts(helper):
    helper("FACTOR = 1")
    remember("old")
    helper("FACTOR = 100")
    assert recall(place_of(KEY)) is None
    helper("FACTOR = 1")
    assert recall(place_of(KEY)) == "old"


def test_a_file_that_is_edited_while_it_runs_is_what_it_was(helper, tmp_path):
    """What runs is the old text: nothing that it finds may be taken for the new one's."""
    module = helper("FACTOR = 1")
    assert recall(place_of(KEY)) is None
    (tmp_path / f"{HELPER}.py").write_text("FACTOR = 100")
    remember(module.FACTOR)
    assert recall(place_of(KEY)) == 1
    helper("FACTOR = 100")
    assert recall(place_of(KEY)) is None


def test_what_find_imports_itself_counts_and_is_no_reason_to_begin_anew(helper, tmp_path):
    path = tmp_path / f"{HELPER}.py"
    begin_anew(path, "FACTOR = 1")
    assert found_by(lazily, range(2)) == {0: [0, 1], 1: [1, 1]}
    begin_anew(path, "FACTOR = 1")
    assert found_by(never, range(2)) == {0: [0, 1], 1: [1, 1]}
    assert HELPER not in sys.modules
    begin_anew(path, "FACTOR = 100")
    assert found_by(lazily) == {0: [0, 100]}
    path.unlink()
    sys.modules.pop(HELPER)
    with pytest.raises(ModuleNotFoundError):
        found_by(lazily)


def test_a_study_in_two_parts_goes_on_in_the_second(helper, tmp_path):
    """The first part has loaded a module; in the run that goes on it is not asked again."""
    path = tmp_path / f"{HELPER}.py"
    begin_anew(path, "FACTOR = 1")
    found_by(lazily, ["first"])
    second = found_by(lazily, ["second"])
    begin_anew(path, "FACTOR = 1")
    found_by(never, ["first"])
    assert found_by(never, ["second"]) == second


def test_what_find_has_imported_is_not_taken_for_what_its_file_becomes(helper, tmp_path):
    path = tmp_path / f"{HELPER}.py"

    def edited_meanwhile(item):
        found = lazily(item)
        path.write_text("FACTOR = 100")
        os.utime(path, (time.time() + 9,) * 2)  # clocks of files are coarse
        return found

    begin_anew(path, "FACTOR = 1")
    assert found_by(edited_meanwhile) == {0: [0, 1]}
    begin_anew(path, "FACTOR = 100")
    assert found_by(lazily) == {0: [0, 100]}


def test_the_same_module_from_another_folder_is_another(helper, tmp_path, monkeypatch):
    """The plug-in is the same, letter by letter; what it imports is not."""
    begin_anew(tmp_path / f"{HELPER}.py", "FACTOR = 1")
    assert found_by(lazily) == {0: [0, 1]}
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.syspath_prepend(other)
    begin_anew(other / f"{HELPER}.py", "FACTOR = 100")
    assert found_by(lazily) == {0: [0, 100]}


def test_what_is_installed_is_not_the_users_own(monkeypatch, tmp_path):
    """By whatever way: `pip install --user`, and packages of Debian."""
    debian = "/usr/lib/python3/dist-packages"
    monkeypatch.setattr(site, "getsitepackages", lambda: [debian])
    monkeypatch.setattr(site, "getusersitepackages", lambda: str(tmp_path / "site"))
    places = {"by_user": tmp_path / "site", "by_debian": debian, "own": tmp_path}
    for name, folder in places.items():
        module = ModuleType(name)
        module.__file__ = f"{folder}/{name}.py"
        monkeypatch.setitem(sys.modules, name, module)
    names = {module.__name__ for module in folders.user_modules()}
    assert names & places.keys() == {"own"}


def test_the_first_run_sees_what_json_says_as_the_next_one_does(helper):
    first = found_by(lambda item: {1: (item, 2.5)})
    assert first == {0: {"1": [0, 2.5]}} == found_by(never)
    assert Study().found_for([0], lambda item: {1: (2,)}) == {0: {1: (2,)}}  # without a key


@pytest.mark.parametrize(
    ("found", "why"),
    [(np.ones(2), "type ndarray is not"), ({"a": np.int64(1)}, "int64"), ({(1, 2): 3}, "tuple")],
)
def test_what_json_cannot_say_is_refused_when_the_first_is_found(helper, found, why):
    asked = []

    def find(item):
        asked.append(item)
        return found

    study = Study(workers=Threads(1))
    with pytest.raises(SpielwerkError, match=rf"found for 0 cannot be kept: .*{why}.*\.tolist\(\)"):
        found_by(find, range(50), study)
    assert len(asked) < 50


def test_a_model_that_comes_with_the_package_counts(monkeypatch):
    """§4.6.4 of Thill orders moves by one: another model, other nodes."""
    whole = folders.source_hash()
    assert folders.source_hash.__wrapped__() == whole
    monkeypatch.setattr(folders, "_LEARNED", ("data/models",))
    assert folders.source_hash.__wrapped__() != whole
    monkeypatch.setattr(folders, "_LEARNED", ("data/nets",))
    assert folders.source_hash.__wrapped__() != whole
