"""The inside of an office worker: LibreOffice loaded as a library, converting one file after the other."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

# Places in the tables of functions of LibreOfficeKit.h; they never change, new functions come at the end.
_GET_ERROR, _LOAD = 3, 4
_DESTROY_DOCUMENT, _SAVE_AS = 1, 2

_LIBRARIES = ("libsofficeapp.so", "libmergedlo.so")
_HIDDEN_TOO = b'{"ExportHiddenSlides":{"type":"boolean","value":"true"}}'
_WATCH_S = 0.5


class Order(NamedTuple):
    """One conversion."""

    source: str
    target: str
    with_hidden: bool
    """Whether hidden slides get pages too."""


class Answer(NamedTuple):
    """How a conversion ended; whether there is a PDF is for the other side to see."""

    is_loaded: bool
    message: str


def library_of(soffice: Path) -> Path | None:
    """Return the library beside a `soffice` program, or None where it cannot be loaded as one."""
    if sys.platform != "linux":
        return None
    folder = soffice.resolve().parent
    return next((folder / name for name in _LIBRARIES if (folder / name).is_file()), None)


def serve(connection: Connection, library: str, profile: str, temporary: str, memory_bytes: int, idle_s: float) -> None:
    """Convert what comes over the connection until it closes or nothing comes for `idle_s`; never returns.

    First says whether LibreOffice could be loaded. To be run in a process of its own: LibreOffice is
    loaded into it, and may take it down.
    """
    _prepare(temporary, memory_bytes)
    try:
        kit: _Kit | None = _Kit(Path(library), profile)
    except (OSError, AttributeError):
        kit = None
    connection.send(kit is not None)
    try:
        while kit is not None and connection.poll(idle_s):
            order: Order = connection.recv()
            connection.send(kit.convert(order))
    except (EOFError, OSError):
        pass
    # Its own way out tears LibreOffice down, which takes long and sometimes crashes.
    os._exit(0)


def _prepare(temporary: str, memory_bytes: int) -> None:
    import resource

    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    bound = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
    resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with Path(os.devnull).open("r+b") as nothing:
        for stream in (0, 1, 2):
            os.dup2(nothing.fileno(), stream)
    for name in [name for name in os.environ if name.startswith(("QT_", "LD_PRELOAD", "SAL_"))]:
        del os.environ[name]
    os.environ |= {"SAL_USE_VCLPLUGIN": "svp", "TMPDIR": temporary}
    threading.Thread(target=_leave_with, args=(os.getppid(),), daemon=True).start()


def _leave_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_WATCH_S)
    os._exit(1)


class _Kit:
    """LibreOffice in this process."""

    def __init__(self, library: Path, profile: str) -> None:
        loaded = ctypes.CDLL(str(library))
        hook = loaded.libreofficekit_hook_2
        hook.restype = ctypes.c_void_p
        hook.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
        self._office = hook(os.fsencode(library.parent), profile.encode())
        if not self._office:
            raise OSError("LibreOffice did not start")

    def convert(self, order: Order) -> Answer:
        load = _function(
            self._office, _LOAD, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p
        )  # fmt: skip
        document = load(self._office, _address(order.source), b"")
        if not document:
            return Answer(is_loaded=False, message=self._error())
        try:
            save = _function(
                document, _SAVE_AS, ctypes.c_int,
                ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p,
            )  # fmt: skip
            is_saved = save(document, _address(order.target), b"pdf", _HIDDEN_TOO if order.with_hidden else b"")
            return Answer(is_loaded=True, message="" if is_saved else self._error())
        finally:
            _function(document, _DESTROY_DOCUMENT, None, ctypes.c_void_p)(document)

    def _error(self) -> str:
        said = _function(self._office, _GET_ERROR, ctypes.c_char_p, ctypes.c_void_p)(self._office)
        with contextlib.suppress(AttributeError):
            return str(said.decode("utf-8", "replace"))
        return ""


def _address(path: str) -> bytes:
    return Path(path).as_uri().encode()


def _function(thing: int, place: int, result: Any, *arguments: Any) -> Callable[..., Any]:
    """Return a function of a LibreOfficeKit object; its first member points to the table of them."""
    table = ctypes.cast(thing, ctypes.POINTER(ctypes.c_void_p))[0]
    entry = ctypes.cast(table, ctypes.POINTER(ctypes.c_void_p))[place]
    return ctypes.CFUNCTYPE(result, *arguments)(entry)
