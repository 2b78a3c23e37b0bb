"""Who plays the games: threads of this process, or a Ray cluster. The work is the same."""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

from spielwerk.errors import SpielwerkError
from spielwerk.plugins import load_plugin, loaded_plugins
from spielwerk.threads import each_as_done

Item = TypeVar("Item")
Result = TypeVar("Result")


class Workers(Protocol):
    """`work(item)` for all items, in the order of finishing. Each item is done once; what is
    lost with a worker is done again."""

    slow_batch: int
    """How many games to hand out at once where each takes its time."""

    def each(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]: ...


class Threads:
    """On this machine; kernels release the GIL."""

    slow_batch = 1

    def __init__(self, count: int) -> None:
        self.count = count

    def each(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        return each_as_done(work, items, self.count)


class RayCluster:
    """On a Ray cluster, which is one process per core. The same code must be installed there."""

    slow_batch = 4
    AHEAD = 4
    """Tasks that wait for each core: enough to keep it busy, little to lose."""
    ATTEMPTS = 3
    STILLBORN = "Starting Ray client server failed"

    def __init__(self, address: str | None = None) -> None:
        try:
            import ray
        except ImportError:
            raise SpielwerkError(
                "Ray is not installed; `pip install 'spielwerk[cluster]'` installs it."
            ) from None
        self._ray: Any = ray
        if not ray.is_initialized():
            # Ray lets its workers give way to everything else; these are what is waited for.
            os.environ.setdefault("RAY_worker_niceness", "0")
            for attempt in range(self.ATTEMPTS):
                try:
                    ray.init(address=address, log_to_driver=False, logging_level="error")
                    break
                except (ConnectionError, ValueError, RuntimeError, ImportError) as error:
                    # A server for clients now and then dies as it is born; another one may live.
                    if self.STILLBORN in str(error) and attempt + 1 < self.ATTEMPTS:
                        continue
                    where = address or os.environ.get("RAY_ADDRESS") or "this machine"
                    raise SpielwerkError(f"There is no Ray cluster at {where}: {error}") from None

    def each(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        ray = self._ray
        # Played again as often as it takes, if a worker or its machine is lost.
        task = ray.remote(max_retries=-1, num_cpus=1)(_work)
        shared, plugins = ray.put(work), [str(path) for path in loaded_plugins()]
        waiting = iter(items)
        running: list[Any] = []
        try:
            while True:
                room = self.AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
                while len(running) < room:
                    try:
                        item = next(waiting)
                    except StopIteration:
                        break
                    running.append(task.remote(shared, plugins, item))
                if not running:
                    return
                done, running = ray.wait(running)
                for reference in done:
                    yield ray.get(reference)
        except ray.exceptions.RayTaskError as error:
            raise error.cause from None
        finally:
            for reference in running:
                ray.cancel(reference, force=True)


def _work(work: Callable[[Any], Any], plugins: list[str], item: Any) -> Any:
    """What a worker of the cluster does."""
    from pathlib import Path

    for path in plugins:
        load_plugin(Path(path))
    # Not on the main thread, where every kernel is handed to another one so that Ctrl-C works.
    return next(each_as_done(work, [item], 1))


def parse_workers(text: str, threads: int) -> Workers:
    """`threads`; `ray`: a cluster of this machine, or the one in RAY_ADDRESS; `ray://host:port`."""
    if text == "threads":
        return Threads(threads)
    if text == "ray":
        return RayCluster()
    if text.startswith("ray://"):
        return RayCluster(text)
    raise SpielwerkError(f'"{text}" is neither threads, nor ray, nor ray://HOST:PORT.')
