"""Stopping a kernel from outside.

A kernel knows nothing of Ctrl-C. Long ones take a flag, an array of one byte, and look at it as
they go. `run` calls such a kernel on another thread, so that Ctrl-C reaches Python here, raises the
flag and waits for the kernel to come back.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

import numpy as np

_flag: ContextVar[np.ndarray | None] = ContextVar("stop flag", default=None)


def stop_flag() -> np.ndarray:
    """The flag that kernels called here and now should look at."""
    flag = _flag.get()
    return np.zeros(1, np.uint8) if flag is None else flag


@contextmanager
def stoppable(flag: np.ndarray) -> Iterator[None]:
    """Let whoever holds `flag` stop the kernels that are called inside, on this thread."""
    token = _flag.set(flag)
    try:
        yield
    finally:
        _flag.reset(token)


def run(kernel: Callable[..., Any], *arguments: Any) -> Any:
    """`kernel(*arguments, flag)`; KeyboardInterrupt if it was stopped by its flag or by Ctrl-C."""
    flag = stop_flag()
    if threading.current_thread() is not threading.main_thread():
        result = kernel(*arguments, flag)
    else:
        result = _run_on_a_thread(kernel, arguments, flag)
    if flag[0]:
        raise KeyboardInterrupt
    return result


def _run_on_a_thread(
    kernel: Callable[..., Any], arguments: tuple[Any, ...], flag: np.ndarray
) -> Any:
    results: list[Any] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            results.append(kernel(*arguments, flag))
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        thread.join()
    except KeyboardInterrupt:
        flag[0] = 1
        while thread.is_alive():  # also if Ctrl-C is pressed again: it still works on our arrays
            with suppress(KeyboardInterrupt):
                thread.join()
        raise
    if errors:
        raise errors[0]
    return results[0]
