"""The other side of `kaggle:FILE`: runs a ConnectX submission as Kaggle does, one line per move.

Started as a program by `spielwerk.agents.kaggle`, with the file and a limit of memory. Standard
input brings JSON lines, `{"begin": seed}` before each game and `{"observation", "configuration"}`
for each move; each is answered by `{}`, by `{"action"}` or by `{"error"}`. What the submission
prints goes to the standard error stream.
"""

import contextlib
import io
import json
import os
import random
import resource
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Struct(dict[str, Any]):
    """A dictionary whose entries are attributes as well, as Kaggle's are."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def load(file: Path) -> Callable[..., Any]:
    """The last callable that the file defines. It runs without `__file__`, as at Kaggle."""
    names: dict[str, Any] = {}
    sys.path.append(str(file.parent))
    try:
        exec(compile(file.read_text(), str(file), "exec"), names)
    finally:
        sys.path.pop()
    callables = [value for value in names.values() if callable(value)]
    if not callables:
        raise TypeError("It defines no function.")
    return callables[-1]


def ask(agent: Callable[..., Any], observation: Any, configuration: Any) -> Any:
    """Its answer; a function that takes less than two arguments gets as many as it takes."""
    arguments = [Struct(observation), Struct(configuration)]
    code = getattr(agent, "__code__", None)
    return agent(*(arguments if code is None else arguments[: code.co_argcount]))


def seed_chances(seed: int) -> None:
    random.seed(seed)
    with contextlib.suppress(ImportError):
        import numpy as np

        np.random.seed(seed % 2**32)


def answer(file: Path, loaded: list[Callable[..., Any]], asked: dict[str, Any]) -> dict[str, Any]:
    try:
        if "begin" in asked:
            loaded.clear()
            seed_chances(asked["begin"])
            return {}
        if not loaded:
            loaded.append(load(file))
        action = ask(loaded[0], asked["observation"], asked["configuration"])
    except Exception as error:
        traceback.print_exc()
        return {"error": f"{type(error).__name__}: {error}"}
    if type(action) is not int:  # NumPy's numbers are no integers to JSON schema
        return {"error": f"{action!r} is a {type(action).__name__}, not an int."}
    return {"action": action}


def end_with_the_parent() -> None:
    """A submission that never answers must not outlive the match it was started for."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def main() -> None:
    file, megabytes = Path(sys.argv[1]), float(sys.argv[2])
    if megabytes:
        most = int(megabytes * 2**20)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    threading.Thread(target=end_with_the_parent, daemon=True).start()
    replies = io.TextIOWrapper(os.fdopen(os.dup(1), "wb"), line_buffering=True)
    os.dup2(2, 1)
    loaded: list[Callable[..., Any]] = []
    for line in sys.stdin:
        replies.write(json.dumps(answer(file, loaded, json.loads(line))) + "\n")


if __name__ == "__main__":
    main()
