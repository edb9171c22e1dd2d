"""HTML decks read without running them: where the slides are, and what the page would load from outside."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import charset_normalizer
from lxml import etree, html

from studio.decks.content import unpacked
from studio.decks.limits import Limits
from studio.decks.sniff import main_html
from studio.errors import DeckUnreadable
from studio.model.decks import FailureKind

_META_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]+)""", re.IGNORECASE)
_URL = re.compile(r"""url\(\s*['"]?\s*((?:https?:)?//[^'")\s]+)|@import\s+['"]((?:https?:)?//[^'"]+)""")
_LOADS = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "video": "src",
    "audio": "src",
    "source": "src",
    "embed": "src",
    "object": "data",
    "link": "href",
    "image": "href",
    "use": "href",
}
_DATA_LOADS = ("data-src", "data-background", "data-background-image", "data-background-iframe", "poster")


class HtmlKind(StrEnum):
    """What made an HTML deck."""

    REVEAL = "reveal"
    IMPRESS = "impress"
    MARP = "marp"
    SLIDEV = "slidev"
    GENERIC = "generic"


class _Rule(NamedTuple):
    kind: HtmlKind
    xpath: str
    css: str
    keeps: str
    """``leaf``: elements without a match inside; ``outer``: elements not inside a match."""


def _has_class(name: str) -> str:
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"


# The same choice twice, for lxml here and for the page in the browser.
_RULES = (
    _Rule(
        HtmlKind.REVEAL,
        f"//*[{_has_class('reveal')}]//*[{_has_class('slides')}]//section",
        ".reveal .slides section",
        "leaf",
    ),
    _Rule(HtmlKind.IMPRESS, f"//*[@id='impress']//*[{_has_class('step')}]", "#impress .step", "outer"),
    _Rule(HtmlKind.MARP, "//section[@data-marpit-pagination]", "section[data-marpit-pagination]", "outer"),
    _Rule(
        HtmlKind.MARP,
        f"//*[{_has_class('marpit')}]//section",
        ".marpit section",
        "outer",
    ),
    _Rule(HtmlKind.SLIDEV, f"//*[{_has_class('slidev-page')}]", ".slidev-page", "outer"),
    _Rule(HtmlKind.SLIDEV, f"//*[{_has_class('slidev-layout')}]", ".slidev-layout", "outer"),
    _Rule(HtmlKind.GENERIC, f"//body//*[{_has_class('slide')}]", "body .slide", "outer"),
    _Rule(HtmlKind.GENERIC, "//body//section", "body section", "outer"),
)


@dataclass(frozen=True, kw_only=True)
class HtmlDeck:
    """What a page says about itself before any script ran."""

    kind: HtmlKind | None
    """None: no slides were recognised; the print layout decides."""
    selector: str
    """CSS selector of the slides; empty without slides."""
    keeps: str
    """``leaf`` or ``outer``, see the rules."""
    slides: int | None
    hidden: tuple[int, ...]
    titles: tuple[str, ...]
    """First heading of each slide."""
    texts: tuple[str, ...]
    external: tuple[str, ...]
    """Addresses that it would load, each once."""
    lacking: tuple[str, ...]
    """Relative addresses that lead to no file beside the page."""
    fonts: tuple[str, ...]


def read_html_text(path: Path) -> str:
    """Return a page as text, by byte order mark, declared charset or, failing these, detection.

    Raises:
        DeckUnreadable: kind ``too_large``.
    """
    Limits().check_html_bytes(path.stat().st_size, path.name)
    data = path.read_bytes()
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    declared = _META_CHARSET.search(data[:4096])
    if declared is not None:
        try:
            return data.decode(declared.group(1).decode("ascii"))
        except (LookupError, UnicodeDecodeError):
            pass
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        best = charset_normalizer.from_bytes(data).best()
        return str(best) if best is not None else data.decode("windows-1252", "replace")


def read_html_deck(path: Path, limits: Limits) -> HtmlDeck:
    """Return the slides of an HTML file, an HTML folder or a packed one.

    Raises:
        DeckUnreadable: if there is no page or it is too large.
    """
    with _opened_page(path, limits) as (folder, page):
        return _read(read_html_text(page), folder, page)


class PageSlides(NamedTuple):
    """The elements of a page that are its slides."""

    root: etree._Element | None
    """None for an empty page."""
    slides: list[etree._Element]
    """Empty if no slides were recognised."""
    hidden: frozenset[int]
    """Numbers of the hidden ones, from 1."""


def page_slides(path: Path, limits: Limits) -> PageSlides:
    """Return the slides of an HTML file, an HTML folder or a packed one as elements.

    Raises:
        DeckUnreadable: if there is no page or it is too large.
    """
    with _opened_page(path, limits) as (_, page):
        root = _tree(read_html_text(page))
    if root is None:
        return PageSlides(None, [], frozenset())
    _, slides = _slides(root)
    return PageSlides(root, slides, frozenset(_hidden(slides)))


@contextmanager
def _opened_page(path: Path, limits: Limits) -> Iterator[tuple[Path, Path]]:
    """Give the folder that a page is in, and the page."""
    if not path.is_dir() and not _is_zip(path):
        yield path.parent, path
        return
    with unpacked(path, limits=limits) as folder:
        page = main_html(folder)
        if page is None:
            raise DeckUnreadable(
                FailureKind.NOT_A_DECK,
                f"{path.name} has no index.html.",
                next_step="Name the page to show index.html.",
            )
        yield folder, page


def _is_zip(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"PK\x03\x04"


def _read(text: str, folder: Path, page: Path) -> HtmlDeck:
    tree = _tree(text)
    if tree is None:
        return HtmlDeck(
            kind=None, selector="", keeps="", slides=None, hidden=(), titles=(), texts=(), external=(),
            lacking=(), fonts=(),
        )  # fmt: skip
    rule, slides = _slides(tree)
    return HtmlDeck(
        kind=rule.kind if rule is not None else None,
        selector=rule.css if rule is not None else "",
        keeps=rule.keeps if rule is not None else "",
        slides=len(slides) if slides else None,
        hidden=_hidden(slides),
        titles=tuple(_title(slide) for slide in slides),
        texts=tuple(_words(slide) for slide in slides),
        external=_external(tree, text),
        lacking=_lacking(tree, folder, page),
        fonts=_fonts(text),
    )


def _tree(text: str) -> etree._Element | None:
    # As bytes: lxml refuses text that carries an encoding declaration.
    parser = html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False)
    try:
        tree: etree._Element | None = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return None
    return tree


def _slides(tree: etree._Element) -> tuple[_Rule | None, list[etree._Element]]:
    for rule in _RULES:
        found = _elements(tree, rule.xpath)
        matches = set(found)
        if rule.keeps == "leaf":
            kept = [node for node in found if not any(inner in matches for inner in node.iterdescendants())]
        else:
            kept = [node for node in found if not any(outer in matches for outer in node.iterancestors())]
        # One section of an ordinary page is no deck.
        if len(kept) >= (2 if rule.kind is HtmlKind.GENERIC else 1):
            return rule, kept
    return None, []


def _hidden(slides: Sequence[etree._Element]) -> tuple[int, ...]:
    return tuple(number for number, slide in enumerate(slides, start=1) if slide.get("data-visibility") == "hidden")


def _elements(tree: etree._Element, xpath: str) -> list[etree._Element]:
    found = tree.xpath(xpath)
    return [node for node in found if isinstance(node, etree._Element)] if isinstance(found, list) else []


def _title(slide: etree._Element) -> str:
    for node in slide.iter("h1", "h2", "h3"):
        title = " ".join("".join(str(piece) for piece in node.itertext()).split())
        if title:
            return title
    return ""


def _words(node: etree._Element) -> str:
    found = node.xpath(".//text()[not(ancestor::script) and not(ancestor::style)]")
    pieces = found if isinstance(found, list) else []
    return "\n".join(line for piece in pieces if (line := " ".join(str(piece).split())))


def _external(tree: etree._Element, text: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for node in tree.iter():
        if not isinstance(node.tag, str):
            continue
        for address in _addresses(node):
            if _is_remote(address):
                found[address] = None
    for match in _URL.finditer(text):
        found[match.group(1) or match.group(2)] = None
    return tuple(found)


def _addresses(node: etree._Element) -> list[str]:
    addresses: list[str] = []
    loads = _LOADS.get(str(node.tag))
    if loads is not None and not (node.tag == "link" and not _is_loading_link(node)):
        addresses.append(str(node.get(loads, "")).strip())
    if node.tag in {"img", "source"} and node.get("srcset"):
        addresses += [part.split()[0] for part in str(node.get("srcset")).split(",") if part.strip()]
    addresses += [str(node.get(name)).strip() for name in _DATA_LOADS if node.get(name)]
    return [address for address in addresses if address]


def _is_loading_link(node: etree._Element) -> bool:
    rel = str(node.get("rel", "")).lower().split()
    return not rel or bool({"stylesheet", "icon", "preload", "modulepreload", "import"} & set(rel))


def _is_remote(address: str) -> bool:
    return bool(re.match(r"(https?:)?//", address, re.IGNORECASE))


def _lacking(tree: etree._Element, folder: Path, page: Path) -> tuple[str, ...]:
    root = folder.resolve()
    lacking: dict[str, None] = {}
    for node in tree.iter():
        if not isinstance(node.tag, str):
            continue
        for address in _addresses(node):
            # A background attribute may also be a colour.
            if _is_remote(address) or re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|#|/?$", address):
                continue
            if node.get("data-background") == address and "." not in address:
                continue
            local = (page.parent / address.split("?")[0].split("#")[0]).resolve()
            if not local.is_relative_to(root) or not local.exists():
                lacking[address] = None
    return tuple(lacking)


def _fonts(text: str) -> tuple[str, ...]:
    generic = {
        "serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "inherit", "initial", "unset",
        "ui-sans-serif", "ui-serif", "ui-monospace", "emoji", "math", "-apple-system", "blinkmacsystemfont",
    }  # fmt: skip
    names: set[str] = set()
    for match in re.finditer(r"font-family\s*:\s*([^;}<]{1,300})", text, re.IGNORECASE):
        # Only the first choice is what the page asks for; the others are its own substitutes.
        first = match.group(1).split(",")[0].replace("&quot;", '"').strip().strip("'\"").strip()
        first = first.replace("!important", "").strip().strip("'\"")
        if first and first.lower() not in generic and "(" not in first and len(first) < 60:
            names.add(first)
    return tuple(sorted(names, key=str.casefold))
