"""A page reaches its own folder and nothing else of the disk."""

from __future__ import annotations

import http.client

import pytest
from PIL import Image

from studio.decks.loopback import served
from studio.decks.render import find_tools, render_deck
from studio.model.decks import DeckFormat


@pytest.fixture
def tools():
    found = find_tools()
    if found.chromium is None:
        pytest.skip("Chromium is not installed")
    return found


def _has_colour(picture, colour) -> bool:
    with Image.open(picture) as opened:
        return any(all(abs(a - b) < 24 for a, b in zip(pixel, colour, strict=True)) for _, pixel in
                   opened.convert("RGB").getcolors(1 << 24))  # fmt: skip


@pytest.mark.slow
def test_that_a_page_shows_its_folders_pictures_and_no_other_file(tmp_path, tools):
    site = tmp_path / "site"
    (site / "img").mkdir(parents=True)
    Image.new("RGB", (64, 64), (0, 200, 0)).save(site / "img" / "own.png")
    secret = tmp_path / "secret.png"
    Image.new("RGB", (64, 64), (200, 0, 0)).save(secret)
    (site / "link.png").symlink_to(secret)
    (tmp_path / "secret.txt").write_text("SECRETWORDS")
    (site / "own.txt").write_text("OWNWORDS")
    (site / "index.html").write_text(
        f"""<html><body><div class="slide">one <img src="img/own.png"></div>
        <div class="slide">two <img src="{secret.as_uri()}"><img src="../secret.png"><img src="link.png">
        <img src="img/..%2f..%2fsecret.png"><div style="background:url({secret.as_uri()})">x</div>
        <p id="out">nothing</p></div>
        <script>
        var out = document.getElementById('out');
        function read(address) {{
          return fetch(address).then(function (r) {{ return r.ok ? r.text() : ''; }})
            .then(function (t) {{ out.textContent += ' ' + t; }}).catch(function () {{}});
        }}
        read('own.txt'); read('{(tmp_path / "secret.txt").as_uri()}'); read('../secret.txt');
        try {{
          var x = new XMLHttpRequest(); x.open('GET', '{(tmp_path / "secret.txt").as_uri()}', false); x.send();
          out.textContent += x.responseText;
        }} catch (error) {{}}
        </script></body></html>"""
    )
    deck = render_deck(site, tmp_path / "out", format=DeckFormat.HTML, tools=tools, timeout_s=60)
    assert deck.failure is None
    first, second = deck.pages
    assert _has_colour(first.image, (0, 200, 0))
    assert not _has_colour(second.image, (200, 0, 0))
    words = " ".join(box.text for page in deck.pages for box in page.boxes)
    assert "OWNWORDS" in words
    assert "SECRET" not in words


@pytest.mark.slow
def test_that_a_page_alone_does_not_reach_the_files_beside_it(tmp_path, tools):
    Image.new("RGB", (64, 64), (200, 0, 0)).save(tmp_path / "beside.png")
    page = tmp_path / "deck.html"
    page.write_text('<html><body><div class="slide">a<img src="beside.png"></div><div class="slide">b</div></body>')
    deck = render_deck(page, tmp_path / "out", format=DeckFormat.HTML, tools=tools, timeout_s=60)
    assert deck.failure is None
    assert not _has_colour(deck.pages[0].image, (200, 0, 0))


def _status(port: int, path: str, **headers: str) -> tuple[int, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status, dict(answer.getheaders())
    finally:
        connection.close()


def test_that_only_the_browser_with_the_key_is_served_and_only_the_folder(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    (site / "page.html").write_text("<p>hello")
    (tmp_path / "secret.txt").write_text("secret")
    (site / "out").symlink_to(tmp_path)
    with served(site, "page.html") as address:
        port = address.port
        assert _status(port, "/page.html")[0] == 404
        status, headers = _status(port, address.entry.removeprefix(address.origin))
        assert (status, headers["Location"]) == (303, "/page.html")
        cookie = headers["Set-Cookie"].split(";")[0]
        assert _status(port, "/page.html", Cookie=cookie)[0] == 200
        assert _status(port, "/page.html", Cookie=cookie, Host="evil.example")[0] == 404
        for path in ("/../secret.txt", "/%2e%2e/secret.txt", "/out/secret.txt", "//etc/hosts", "/%00", "/nothing"):
            assert _status(port, path, Cookie=cookie)[0] == 404, path
    with pytest.raises(OSError, match=r".*"):
        _status(port, "/page.html")
