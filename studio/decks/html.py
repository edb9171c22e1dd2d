"""HTML decks to PDF through Chromium: out of process, without a network, one page per slide."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from studio.decks.content import unpacked
from studio.decks.limits import Limits
from studio.decks.loopback import ServedFolder, served
from studio.decks.processes import run_program
from studio.decks.scratch import scratch
from studio.decks.sniff import main_html
from studio.decks.structure.html import HtmlDeck, read_html_deck, read_html_text
from studio.errors import DeckUnreadable, ToolMissing
from studio.model.decks import FailureKind
from studio.model.protocols import CancelToken

SLIDE_PX = (1280, 720)
"""Slide size in CSS pixels where the deck states none."""

_COPY = "podium-print.html"
_SETTLE_MS = 6000
"""Virtual time given to the page's own scripts before it is printed; costs far less real time."""

# 'self' is the deck's own folder, served on the loopback interface: a page from there can show and read no
# local file, which a page from the file system could (pictures, style sheets, scripts).
_CSP = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; "
    "style-src 'self' 'unsafe-inline' data: blob:; img-src 'self' data: blob:; font-src 'self' data: blob:; "
    "media-src 'self' data: blob:; connect-src 'self' data: blob:; frame-src 'none'; object-src 'none'; "
    "worker-src 'none'; form-action 'none'; base-uri 'none'"
)

# A form that a page sends by itself is blocked by the policy, and Chromium then waits for it for ever.
_GUARD_JS = (
    "HTMLFormElement.prototype.submit = HTMLFormElement.prototype.requestSubmit = function () {};"
    "window.open = function () { return null; };"
    "window.addEventListener('submit', function (event) { event.preventDefault(); }, true);"
)

_PRINT_CSS = """
* { -webkit-print-color-adjust: exact !important; print-color-adjust: exact !important; }
"""

_PAGES_CSS = """
html, body { margin: 0 !important; padding: 0 !important; display: block !important;
  position: static !important; overflow: visible !important;
  width: auto !important; height: auto !important; min-height: 0 !important; transform: none !important;
  columns: auto !important; perspective: none !important; }
podium-page { display: block !important; position: relative !important; overflow: hidden !important;
  break-after: page; break-inside: avoid; margin: 0 !important; padding: 0 !important; contain: paint; }
podium-page:last-child { break-after: auto; }
.podium-shell { display: flow-root !important; position: static !important; transform: none !important;
  width: 100% !important; height: 100% !important; max-width: none !important; max-height: none !important;
  min-height: 0 !important; margin: 0 !important; padding: 0 !important; border: 0 !important;
  overflow: visible !important; opacity: 1 !important; visibility: visible !important; inset: auto !important;
  perspective: none !important; zoom: 1 !important; }
.podium-slide { visibility: visible !important; opacity: 1 !important; transform: none !important;
  position: relative !important; inset: auto !important; margin: 0 !important; animation: none !important;
  transition: none !important; box-sizing: border-box !important; max-width: none !important;
  max-height: none !important; }
.podium-slide .fragment { visibility: visible !important; opacity: 1 !important; }
"""

# Rebuilds the body as one page per slide. Each slide keeps copies of the elements around it, so that
# style sheets still match; what positions slides on a stage (transforms, absolute places) is undone.
_PAGES_JS = """
(function () {
  var deck = %(deck)s, done = false;
  function arrange() {
    if (done || !document.body) { return; }
    done = true;
    var found = Array.prototype.slice.call(document.querySelectorAll(deck.selector));
    var slides = found.filter(function (one) {
      return !found.some(function (other) {
        return other !== one && (deck.keeps === 'leaf' ? one.contains(other) : other.contains(one));
      });
    });
    if (!slides.length) { return; }
    var hidden = deck.kind === 'reveal';
    if (hidden) {
      slides = slides.filter(function (one) { return one.dataset.visibility !== 'hidden'; });
    }
    var width = deck.width, height = deck.height;
    slides.some(function (one) {
      var w = one.offsetWidth, h = one.offsetHeight;
      // A slide as large as the window fills whatever it is shown on.
      if (Math.abs(w - innerWidth) <= 20 && Math.abs(h - innerHeight) <= 2) { return true; }
      if (deck.measure && w >= 400 && w <= 4000 && h >= 300 && w / h > 1 && w / h < 2.4) {
        width = w; height = h; return true;
      }
      return false;
    });
    var size = document.createElement('style');
    size.textContent = '@page { size: ' + width + 'px ' + height + 'px; margin: 0; }' + deck.css +
      'podium-page { width: ' + width + 'px !important; height: ' + height + 'px !important; }';
    var pages = slides.map(function (slide) {
      var page = document.createElement('podium-page');
      var chain = [], inner = page;
      for (var at = slide.parentElement; at && at !== document.body; at = at.parentElement) {
        chain.unshift(at);
      }
      chain.forEach(function (around) {
        var shell = around.cloneNode(false);
        shell.removeAttribute('hidden');
        shell.removeAttribute('style');
        shell.classList.add('podium-shell');
        inner.appendChild(shell);
        inner = shell;
      });
      return { page: page, inner: inner, slide: slide };
    });
    pages.forEach(function (one) {
      var slide = one.slide;
      slide.removeAttribute('hidden');
      slide.removeAttribute('aria-hidden');
      ['past', 'future', 'hidden', 'inactive'].forEach(function (name) { slide.classList.remove(name); });
      ['present', 'active', 'current', 'visible'].forEach(function (name) { slide.classList.add(name); });
      slide.classList.add('podium-slide');
      ['left', 'top', 'right', 'bottom', 'transform', 'position', 'opacity', 'visibility', 'display',
        'zIndex', 'transition'].forEach(function (name) { slide.style[name] = ''; });
      one.inner.appendChild(slide);
    });
    while (document.body.firstChild) { document.body.removeChild(document.body.firstChild); }
    document.head.appendChild(size);
    pages.forEach(function (one) { document.body.appendChild(one.page); });
    pages.forEach(function (one) {
      var slide = one.slide;
      // Flow-root: the margin of a first heading would push the whole slide down.
      if (['none', 'block'].indexOf(getComputedStyle(slide).display) >= 0) {
        slide.style.setProperty('display', 'flow-root', 'important');
      }
      // A slide that states its own size keeps it; others fill the page.
      slide.style.setProperty('width', width + 'px', 'important');
      slide.style.setProperty('min-height', height + 'px', 'important');
      slide.style.setProperty('height', 'auto', 'important');
      var need = Math.max(slide.scrollHeight, slide.offsetHeight), wide = slide.scrollWidth;
      if (need <= height * 1.01) {
        slide.style.setProperty('height', height + 'px', 'important');
      }
      var scale = Math.min(1, height / need, width / wide);
      if (scale < 0.99) {
        slide.style.setProperty('zoom', String(Math.max(0.2, scale)), 'important');
        slide.style.setProperty('width', (width / scale) + 'px', 'important');
        slide.style.setProperty('min-height', (height / scale) + 'px', 'important');
      }
    });
  }
  function later() { setTimeout(arrange, %(wait)d); }
  if (document.readyState === 'complete') { later(); } else { window.addEventListener('load', later); }
  window.addEventListener('beforeprint', arrange);
})();
"""


@dataclass(frozen=True, kw_only=True)
class PrintedHtml:
    """An HTML deck as PDF."""

    pdf: Path
    deck: HtmlDeck
    """What static reading says about the page."""


def html_to_pdf(
    path: Path,
    out_dir: Path,
    *,
    chromium: Path | None,
    timeout_s: float,
    cancel: CancelToken | None = None,
    limits: Limits | None = None,
) -> PrintedHtml:
    """Print an HTML file, folder or packed folder to ``out_dir/deck.pdf``.

    Recognised slides (reveal, impress, Marp, Slidev, one ``section`` or ``.slide`` per slide) give one
    page each; another page prints as its own print layout says. Nothing outside of the file is fetched.

    Raises:
        ToolMissing: without Chromium.
        DeckUnreadable: kind ``render_failed``, ``timed_out``, or one of `read_html_deck`.
        Cancelled: the token was set.
    """
    if chromium is None:
        raise ToolMissing(
            "Chromium was not found.", next_step="Install Chromium or Chrome, or set its path in Settings."
        )
    limits = limits or Limits()
    deck = read_html_deck(path, limits)
    with (
        scratch("print") as work,
        _folder_and_page(path, limits) as (folder, page),
    ):
        site = work / "site"
        if folder is None:
            site.mkdir()
        else:
            shutil.copytree(folder, site, symlinks=False, ignore=_links)
        (site / _COPY).write_text(prepared(read_html_text(page), deck), "utf-8-sig")
        pdf = work / "deck.pdf"
        with served(site, _COPY) as address:
            ended = run_program(
                _command(chromium, work / "profile", pdf, address),
                name=f"Chromium ({path.name})",
                log=work / "log.txt",
                timeout_s=timeout_s,
                memory_bytes=limits.worker_memory_bytes,
                cancel=cancel,
                env=_environment(work),
            )
        if not pdf.is_file() or pdf.stat().st_size == 0:
            raise DeckUnreadable(
                FailureKind.RENDER_FAILED,
                f"Chromium made no PDF of {path.name} (ended with {ended.returncode}).",
                next_step="Open the page in a browser and print it to PDF.",
            )
        target = out_dir / "deck.pdf"
        shutil.copyfile(pdf, target)
        return PrintedHtml(pdf=target, deck=deck)


@contextmanager
def _folder_and_page(path: Path, limits: Limits) -> Iterator[tuple[Path | None, Path]]:
    """Give the folder that goes with the page (None: the page stands alone) and the page."""
    with path.open("rb") if path.is_file() else open(os.devnull, "rb") as file:
        is_single = path.is_file() and file.read(4) != b"PK\x03\x04"
    if is_single:
        yield None, path
        return
    with unpacked(path, limits=limits) as folder:
        page = main_html(folder)
        if page is None:
            raise DeckUnreadable(FailureKind.NOT_A_DECK, f"{path.name} has no index.html.")
        # Pages are printed from the top of the folder, so relative addresses stay right.
        yield folder, page


def _links(folder: str, names: list[str]) -> set[str]:
    return {name for name in names if (Path(folder) / name).is_symlink()}


def prepared(text: str, deck: HtmlDeck) -> str:
    """Return the page with a policy against all loading from outside and with one page per slide."""
    inserted = (
        f'<meta http-equiv="Content-Security-Policy" content="{_CSP}">'
        f"<script>{_GUARD_JS}</script><style>{_PRINT_CSS}</style>"
    )
    if deck.slides is not None:
        job = {
            "selector": deck.selector,
            "keeps": deck.keeps,
            "kind": str(deck.kind),
            "width": SLIDE_PX[0],
            "height": SLIDE_PX[1],
            # Stages of reveal and impress scale their slides: what is measured there is not the slide's size.
            "measure": str(deck.kind) not in {"reveal", "impress"},
            "css": _PAGES_CSS,
        }
        script = _PAGES_JS % {"deck": json.dumps(job).replace("</", "<\\/"), "wait": 500}
        inserted += f"<script>{script}</script>"
    elif "@page" not in text:
        inserted += f"<style>@page {{ size: {SLIDE_PX[0]}px {SLIDE_PX[1]}px; margin: 0; }}</style>"
    # First in the head: the policy holds only for what comes after it.
    for pattern in (r"<head(\s[^>]*)?>", r"<html(\s[^>]*)?>", r"<!doctype[^>]*>"):
        match = re.search(pattern, text, re.IGNORECASE)
        if match is not None:
            return text[: match.end()] + inserted + text[match.end() :]
    return inserted + text


def _command(chromium: Path, profile: Path, pdf: Path, address: ServedFolder) -> list[str]:
    command = [
        str(chromium),
        "--headless",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-extensions",
        "--disable-breakpad",
        "--disable-crash-reporter",
        "--disable-dev-shm-usage",
        "--disable-domain-reliability",
        "--dns-prefetch-disable",
        "--mute-audio",
        "--hide-scrollbars",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        # A dead address: whatever gets past the resolver rules ends here.
        "--proxy-server=127.0.0.1:9",
        f"--proxy-bypass-list=<-loopback>;127.0.0.1:{address.port}",
        f"--user-data-dir={profile}",
        f"--window-size={SLIDE_PX[0]},{SLIDE_PX[1]}",
        f"--virtual-time-budget={_SETTLE_MS}",
        "--no-pdf-header-footer",
        f"--print-to-pdf={pdf}",
        address.entry,
    ]
    # Chromium refuses its sandbox to root (containers); everybody else keeps it.
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.insert(1, "--no-sandbox")
    return command


def _environment(work: Path) -> dict[str, str]:
    keep = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "FONTCONFIG_FILE", "FONTCONFIG_PATH", "SYSTEMROOT")
    env = {name: os.environ[name] for name in keep if name in os.environ}
    env["TMPDIR"] = str(work)
    env["TZ"] = "UTC"
    return env
