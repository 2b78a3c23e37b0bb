"""The command line as users call it: a process, its output, its exit status."""

import subprocess
import sys
from pathlib import Path

SPIELWERK = Path(sys.executable).with_name("spielwerk")


def spielwerk(*words, stdin="", status=0):
    """What it prints; if it is to fail, what it complains of. Never a traceback."""
    result = subprocess.run(
        [SPIELWERK, *words], input=stdin, capture_output=True, text=True, timeout=120
    )
    assert result.returncode == status, result.stdout + result.stderr
    assert "Traceback" not in result.stderr
    return result.stdout if status == 0 else result.stderr
