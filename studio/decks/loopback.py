"""A folder served to one browser on this machine, and nothing but that folder."""

from __future__ import annotations

import http.cookies
import mimetypes
import secrets
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

_COOKIE = "podium"
_TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm", ".svg": "image/svg+xml"}


class ServedFolder(NamedTuple):
    """Where the folder is to be found."""

    origin: str
    """Scheme, host and port, such as ``http://127.0.0.1:40231``."""
    port: int
    entry: str
    """The address to open: it lets this browser in and goes on to the page."""


@contextmanager
def served(folder: Path, page: str) -> Iterator[ServedFolder]:
    """Serve the files of `folder` on the loopback interface until the block ends.

    Only reading, only regular files that really lie in the folder, and only for the browser that came in
    through the entry: other users of this machine do not see the deck while it is printed.

    Args:
        folder: what is served, from the root of the address on.
        page: name of the page in it that the entry leads to.
    """
    key = secrets.token_urlsafe(24)
    server = _Server(folder.resolve(), page, key)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, name="loopback", daemon=True)
    thread.start()
    origin = f"http://127.0.0.1:{server.server_port}"
    try:
        yield ServedFolder(origin, server.server_port, f"{origin}/{key}")
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # A browser that was killed may leave threads waiting; closing must not wait for them.
    block_on_close = False

    def __init__(self, root: Path, page: str, key: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.root = root
        self.page = page
        self.key = key

    def handle_error(self, *_: object) -> None:
        """Say nothing: a browser drops connections as it likes."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 30

    def do_GET(self) -> None:
        address = unquote(urlsplit(self.path).path)
        if secrets.compare_digest(address.encode(), f"/{self.server.key}".encode()):
            self.send_response(303)
            self.send_header("Set-Cookie", f"{_COOKIE}={self.server.key}; Path=/; HttpOnly; SameSite=Strict")
            self.send_header("Location", f"/{self.server.page}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        path = self._file(address) if self._is_let_in() else None
        if path is None:
            self.send_error(404)
            return
        with path.open("rb") as file:
            self.send_response(200)
            self.send_header("Content-Type", _type_of(path))
            self.send_header("Content-Length", str(path.stat().st_size))
            self.end_headers()
            with suppress(OSError):
                shutil.copyfileobj(file, self.wfile)

    def _is_let_in(self) -> bool:
        if self.headers.get("Host") != f"127.0.0.1:{self.server.server_port}":
            return False
        try:
            cookie = http.cookies.SimpleCookie(self.headers.get("Cookie", "")).get(_COOKIE)
        except http.cookies.CookieError:
            return False
        return cookie is not None and secrets.compare_digest(cookie.value.encode(), self.server.key.encode())

    def _file(self, address: str) -> Path | None:
        try:
            path = (self.server.root / address.lstrip("/")).resolve()
            is_ours = path.is_relative_to(self.server.root) and path.is_file()
        except (OSError, ValueError):
            return None
        return path if is_ours else None

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _type_of(path: Path) -> str:
    return _TYPES.get(path.suffix.lower()) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
