"""What all tests share."""

import atexit
import importlib
import importlib.util
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
from pathlib import Path
from types import ModuleType

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # `import twins` from every test

os.environ.setdefault("OMP_NUM_THREADS", "1")  # PyTorch's: a worker of pytest has a core, not all
_STORE = tempfile.mkdtemp(prefix="spielwerk-store-")
atexit.register(shutil.rmtree, _STORE, ignore_errors=True)
os.environ["SPIELWERK_DATABASE_URL"] = f"sqlite:///{_STORE}/store.sqlite"  # not the user's own

# A shell that starts the tests in the background ignores Ctrl-C for them and all that they start.
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def chance() -> random.Random:
    """Chance that is the same in every run."""
    return random.Random(2026)


def peer(name: str) -> ModuleType:
    """Another project to check against: demanded in CI, skipped with a reason elsewhere."""
    try:
        return importlib.import_module(name)
    except ImportError:
        message = f"{name} is not installed; `make peers` installs it"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)


NETS = {
    "test_architecture_search.py",
    "test_net.py",
    "test_net_cli.py",
    "test_puct_cli.py",
    "test_reinforcement.py",
    "test_supervised.py",
}
"""Tests that train nets, or make files of them."""
LACKING = [name for name in ("onnx", "optuna", "torch") if importlib.util.find_spec(name) is None]


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Without the extra `nets` these are left out, with a word at the head; in CI they fail."""
    left_out = LACKING and not os.environ.get("CI") and collection_path.name in NETS
    return True if left_out else None


def pytest_report_header() -> str | None:
    if not LACKING:
        return None
    return f"tests of nets need {', '.join(LACKING)}: pip install 'spielwerk[nets]'"
