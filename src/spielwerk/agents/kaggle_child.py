"""The other side of `kaggle:FILE`: runs a ConnectX submission as Kaggle does, one line per move.

Started as a program by `spielwerk.agents.kaggle`, with the file and a limit of memory. Standard
input brings JSON lines with a `number`: `{"begin": seed}` before each game, `{"observation",
"configuration"}` for each move. Each is answered by a line with the same number and `{"action"}`,
or `{"error"}`. The submission itself finds nothing on its standard input, and what it prints goes
to the standard error stream.
"""

import contextlib
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
    if not isinstance(action, int) or isinstance(action, bool):
        # NumPy's numbers are no integers to the JSON schema of the environment.
        return {"error": f"{action!r} is a {type(action).__name__}, not an int."}
    return {"action": int(action)}


def end_with_the_parent() -> None:
    """A submission that never answers must not outlive the match it was started for."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def limit_memory(megabytes: float) -> None:
    if megabytes:
        most, (_, hard) = int(megabytes * 2**20), resource.getrlimit(resource.RLIMIT_AS)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def main() -> None:
    file, own = Path(sys.argv[1]), os.getpid()
    limit_memory(float(sys.argv[2]))
    threading.Thread(target=end_with_the_parent, daemon=True).start()
    questions, replies = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    loaded: list[Callable[..., Any]] = []
    for line in questions:
        asked = json.loads(line)
        answered = answer(file, loaded, asked)
        if os.getpid() != own:  # a fork of the submission's came back here: one answers
            os._exit(0)
        replies.write(json.dumps({"number": asked["number"], **answered}) + "\n")
        replies.flush()


if __name__ == "__main__":
    main()
