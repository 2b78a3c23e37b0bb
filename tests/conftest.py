"""What all tests share."""

import atexit
import importlib
import os
import random
import shutil
import sys
import tempfile
from pathlib import Path
from types import ModuleType

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # `import twins` from every test

_STORE = tempfile.mkdtemp(prefix="spielwerk-store-")
atexit.register(shutil.rmtree, _STORE, ignore_errors=True)
os.environ["SPIELWERK_DATABASE_URL"] = f"sqlite:///{_STORE}/store.sqlite"  # not the user's own


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
