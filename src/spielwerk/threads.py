"""Many pieces of work on several threads (kernels release the GIL)."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

import numpy as np

from spielwerk.kernels.interrupt import stoppable

Item = TypeVar("Item")
Result = TypeVar("Result")


def each_as_done(
    work: Callable[[Item], Result], items: Iterable[Item], threads: int
) -> Iterator[Result]:
    """What `work` makes of the items, in the order of finishing.

    Whatever ends the iteration, Ctrl-C too, also stops the kernels that the threads are in.
    """
    flag = np.zeros(1, np.uint8)

    def stoppably(item: Item) -> Result:
        with stoppable(flag):
            return work(item)

    waiting = iter(items)
    running: set[Future[Result]] = set()
    with ThreadPoolExecutor(threads) as pool:
        try:
            while True:
                # A short queue: enough to keep the threads busy, little to wait for when stopped.
                while len(running) < 4 * threads:
                    try:
                        item = next(waiting)
                    except StopIteration:
                        break
                    running.add(pool.submit(stoppably, item))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        except BaseException:
            flag[0] = 1
            for future in running:
                future.cancel()
            raise
