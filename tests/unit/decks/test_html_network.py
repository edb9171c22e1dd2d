"""A page that tries everything to reach a server gets nothing through."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from studio.decks.render import find_tools, render_deck
from studio.model.decks import DeckFormat

pytestmark = pytest.mark.slow


@pytest.fixture
def server():
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        do_POST = do_CONNECT = do_GET

        def log_message(self, *_):
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    yield f"127.0.0.1:{httpd.server_address[1]}", asked
    httpd.shutdown()
    httpd.server_close()
    thread.join()


@pytest.mark.parametrize("navigates", [False, True])
def test_that_no_way_out_reaches_a_server(tmp_path, server, navigates):
    tools = find_tools()
    if tools.chromium is None:
        pytest.skip("Chromium is not installed")
    host, asked = server
    leave = f'<meta http-equiv="refresh" content="0;url=http://{host}/refresh">' if navigates else ""
    path = tmp_path / "deck.html"
    path.write_text(
        f"""<html><head>{leave}<link rel="stylesheet" href="http://{host}/css"><link rel="prefetch"
        href="http://{host}/prefetch"><link rel="preconnect" href="http://{host}">
        <script src="http://{host}/script"></script><style>@import "http://{host}/import";
        .slide {{ background: url(http://{host}/background) }}</style></head><body>
        <div class="slide">One</div><div class="slide">Two</div><img src="http://{host}/img">
        <iframe src="http://{host}/frame"></iframe><object data="http://{host}/object"></object>
        <video src="http://{host}/video" autoplay></video><form id="f" action="http://{host}/form"></form>
        <script>
        fetch('http://{host}/fetch', {{mode: 'no-cors'}}).catch(function () {{}});
        navigator.sendBeacon('http://{host}/beacon', 'x');
        new Image().src = 'http://{host}/image';
        try {{ new WebSocket('ws://{host}/socket'); }} catch (error) {{}}
        try {{ document.getElementById('f').submit(); }} catch (error) {{}}
        try {{ window.open('http://{host}/window'); }} catch (error) {{}}
        </script></body></html>"""
    )
    deck = render_deck(path, tmp_path / "out", format=DeckFormat.HTML, tools=tools, timeout_s=60)
    assert asked == []
    if not navigates:
        assert deck.failure is None
        assert [page.text for page in deck.pages] == ["One", "Two"]
