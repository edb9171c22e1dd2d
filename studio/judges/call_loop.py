"""One thread with an event loop for the calls of a client: each can be ended from outside, at any byte."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from studio.model.judging import CallFailed, CallFault
from studio.model.protocols import CancelToken

T = TypeVar("T")

_LOOK_S = 0.4
"""How long a cancel may go unseen."""
_CLOSING_S = 10.0


class CallLoop:
    """Runs coroutines for callers in other threads, with a total time limit, until each is done or cancelled."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()

    def call(self, work: Coroutine[Any, Any, T], *, limit_s: float, cancel: CancelToken) -> T:
        """Return what the coroutine returns.

        Raises:
            CallFailed: TIMEOUT after `limit_s` seconds in all, however many bytes came; CANCELLED soon after
                `cancel` is set.
        """
        future = asyncio.run_coroutine_threadsafe(_limited(work, limit_s), self._loop)
        while True:
            try:
                return future.result(_LOOK_S)
            except TimeoutError:
                # The wait timed out, not the call: that one raises `CallFailed`.
                if future.done():
                    continue
            if cancel.is_set():
                future.cancel()
                raise CallFailed(CallFault.CANCELLED, "stopped")

    def close(self, last: Coroutine[Any, Any, object] | None = None) -> None:
        """Run a last coroutine for a few seconds at most, then end the thread. A second call does nothing."""
        if self._loop.is_closed() or not self._thread.is_alive():
            if last is not None:
                last.close()
            return
        if last is not None:
            future = asyncio.run_coroutine_threadsafe(last, self._loop)
            try:
                future.result(_CLOSING_S)
            except Exception:
                # What is not freed now is freed when the process ends, or by the server by itself.
                future.cancel()
        self._loop.call_soon_threadsafe(self._stop)
        self._thread.join(_CLOSING_S)

    def _stop(self) -> None:
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.call_soon(self._loop.stop)


async def _limited(work: Coroutine[Any, Any, T], limit_s: float) -> T:
    try:
        async with asyncio.timeout(limit_s):
            return await work
    except TimeoutError as error:
        raise CallFailed(CallFault.TIMEOUT, f"no whole reply within {limit_s:g} s") from error
