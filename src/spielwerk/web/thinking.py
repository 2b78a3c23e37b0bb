"""Programs think on threads of their own, with a time budget, and stop when nobody waits."""

import asyncio
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
from numba.core import event

from spielwerk.kernels.interrupt import stoppable
from spielwerk.web.failures import Failure, GoneError

Result = TypeVar("Result")
LOOK = 0.2
"""Seconds between two looks whether somebody still waits."""
LONGEST_WAIT = 30.0
"""Seconds that somebody waits for a thread to think on."""
LONGEST_COMPILATION = 120.0
"""Seconds of compiling that are not counted against a player's time."""


class _Compilations(event.Listener):
    """Which threads are compiling a kernel: that time is not the player's."""

    def __init__(self) -> None:
        self.threads: Counter[int] = Counter()

    def on_start(self, event: Any) -> None:
        self.threads[threading.get_ident()] += 1

    def on_end(self, event: Any) -> None:
        self.threads[threading.get_ident()] -= 1


_compilations = _Compilations()
event.register("numba:compile", _compilations)


def is_compiling(thread: int | None = None) -> bool:
    """Whether this thread is compiling, or any: one does at a time, the others wait for it."""
    counts = _compilations.threads
    return any(counts.values()) if thread is None else counts[thread] > 0


class _Work:
    """What is known of a thought: the flag that stops it, and the thread that it has got."""

    def __init__(self) -> None:
        self.flag = np.zeros(1, np.uint8)
        self.thread: int | None = None


class Thinkers:
    """A few threads; whoever comes while all are busy waits in line, up to a limit."""

    def __init__(self, threads: int, queue: int, seconds: float, patient: bool = True) -> None:
        """`patient`: nobody's time runs while anybody compiles, not only one's own."""
        self.seconds, self.queue, self.patient = seconds, queue, patient
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="thinker")
        self._all: set[_Work] = set()

    async def think(
        self,
        work: Callable[[], Result],
        gone: Callable[[], Awaitable[bool]] | None = None,
        seconds: float | None = None,
    ) -> Result:
        """What `work` returns, found on another thread.

        A `Failure` if it takes longer than its time, compiling aside; `GoneError` if `gone` says
        that nobody waits. Both stop the kernels that it is in, as does a cancelled task.
        """
        if len(self._all) >= self.queue:
            raise Failure(503, "busy", "Too many players are thinking; try again in a moment.")
        thought = _Work()
        self._all.add(thought)

        def stoppably() -> Result:
            thought.thread = threading.get_ident()
            if thought.flag[0]:
                raise GoneError
            with stoppable(thought.flag):
                try:
                    return work()
                except KeyboardInterrupt:
                    raise GoneError from None

        future = asyncio.get_running_loop().run_in_executor(self._pool, stoppably)
        future.add_done_callback(lambda done: self._forget(thought, done))
        try:
            limit = self.seconds if seconds is None else seconds
            return await self._wait(thought, future, gone, limit)
        finally:
            thought.flag[0] = 1

    def _forget(self, thought: _Work, done: "asyncio.Future[Any]") -> None:
        self._all.discard(thought)
        if not done.cancelled():
            done.exception()  # looked at: whoever asked may have left

    async def _wait(
        self,
        thought: _Work,
        future: "asyncio.Future[Result]",
        gone: Callable[[], Awaitable[bool]] | None,
        seconds: float,
    ) -> Result:
        waited = compiled = spent = 0.0
        while True:
            done, _ = await asyncio.wait([future], timeout=LOOK)
            if done:
                return future.result()
            if gone is not None and await gone():
                raise GoneError
            if thought.thread is None:
                waited += LOOK
            elif is_compiling(None if self.patient else thought.thread):
                compiled += LOOK
            else:
                spent += LOOK
            if waited >= LONGEST_WAIT:
                raise Failure(503, "busy", "Too many players are thinking; try again in a moment.")
            if spent >= seconds or compiled >= LONGEST_COMPILATION:
                raise Failure(
                    504, "thought-too-long", f"The program was stopped after {seconds:g} seconds."
                )

    def stop(self) -> None:
        """Stop whatever still thinks, and begin nothing more."""
        self.queue = 0
        for thought in list(self._all):
            thought.flag[0] = 1

    def close(self) -> None:
        self.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)
