"""A pool of processes in which a worker's death is always told to the one who waits for its work."""

from __future__ import annotations

from collections import deque
from multiprocessing.context import BaseContext
from typing import Any

from pebble import ProcessPool
from pebble.pool.process import PoolManager


class WatchfulPool(ProcessPool):
    """A `ProcessPool` whose tasks fail as soon as their worker has died.

    WORKAROUND(pebble<=5.2.3): a worker says that it took a task, and one thread reads that while another looks for
    workers that died. If the death is seen first, nobody is told of it: the task ends as timed out when its limit
    has passed, or the whole pool counts as broken. Here a death waits until everything in the pipe was read.
    """

    def __init__(self, *, context: BaseContext, **how: Any) -> None:
        super().__init__(context=context, **how)
        self._pool_manager = _WatchfulManager(self._context, context)


class _WatchfulManager(PoolManager):
    def __init__(self, context: Any, mp_context: Any) -> None:
        super().__init__(context, mp_context)
        self._deaths: deque[tuple[int, int]] = deque()

    def update_workers(self) -> None:
        """Note who died and start others in their place; the thread that looks after workers calls this."""
        self._deaths.extend(self.worker_manager.inspect_workers())
        self.worker_manager.create_workers()  # type: ignore[no-untyped-call]

    def process_next_message(self, timeout: float) -> None:
        """Read what a worker says; the deaths noted before are dealt with once the pipe is empty.

        What a worker said is in the pipe before it dies, so that an empty pipe means that all of it was read.
        """
        deaths = len(self._deaths)
        super().process_next_message(timeout)
        channel = self.worker_manager.pool_channel
        if not deaths or channel is None or channel.poll(0):
            return
        for _ in range(deaths):
            self.handle_worker_expiration(self._deaths.popleft())
