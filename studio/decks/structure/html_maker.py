"""What an HTML page says about its maker, and the page without it, its scripts and styles left as they are."""

from __future__ import annotations

import re

_MAKERS = frozenset({"generator", "author", "creator", "application-name", "designer", "publisher", "copyright",
                     "owner", "dcterms.creator", "dc.creator", "og:site_name",
                     "twitter:creator", "twitter:site"})  # fmt: skip
_NOTES = (
    r"<aside\b[^>]*\bclass\s*=\s*[\"'][^\"']*\bnotes\b[^>]*>.*?</aside\s*>",
    r"<div\b[^>]*\bclass\s*=\s*[\"'][^\"']*\b(?:bespoke-marp-note|slidev-note)\b[^>]*>.*?</div\s*>",
)
_KEPT_BLOCKS = re.compile(r"(<(script|style|svg|pre)\b.*?</\2\s*>)", re.IGNORECASE | re.DOTALL)
_META = re.compile(r"<meta\b[^>]*>", re.IGNORECASE)


def html_metadata(text: str) -> tuple[list[tuple[str, str]], list[str]]:
    """Return what a page says about its maker, as names and texts, and its speaker notes."""
    told: list[tuple[str, str]] = []
    for tag in _META.findall(text):
        name = _attribute(tag, "name") or _attribute(tag, "property")
        if name.lower() in _MAKERS and (content := _attribute(tag, "content")):
            told.append((name, content))
    outside = "".join(_KEPT_BLOCKS.split(text)[::3])
    told += [("comment", words) for comment in re.findall(r"<!--(.*?)-->", outside, re.DOTALL)
             if (words := " ".join(comment.split()))]  # fmt: skip
    title = re.search(r"<title[^>]*>(.*?)</title", text, re.IGNORECASE | re.DOTALL)
    if title is not None and title.group(1).strip():
        told.append(("title", " ".join(title.group(1).split())))
    notes = [re.sub(r"<[^>]*>", " ", found) for pattern in _NOTES
             for found in re.findall(pattern, text, re.IGNORECASE | re.DOTALL)]  # fmt: skip
    notes += re.findall(r"\bdata-notes\s*=\s*[\"']([^\"']+)", text)
    return told, [" ".join(note.split()) for note in notes if note.strip()]


def without_maker(text: str) -> str:
    """Return a page without what names its maker in the head, without comments, title and speaker notes."""
    text = _META.sub(
        lambda match: "" if (_attribute(match.group(), "name") or _attribute(match.group(), "property")).lower()
        in _MAKERS else match.group(),
        text,
    )  # fmt: skip
    text = re.sub(r"(<title[^>]*>).*?(</title)", r"\1\2", text, count=1, flags=re.IGNORECASE | re.DOTALL)
    for pattern in _NOTES:
        text = re.sub(pattern, "", text, flags=re.IGNORECASE | re.DOTALL)
    text = re.sub(r"\s+data-notes\s*=\s*(\"[^\"]*\"|'[^']*')", "", text)
    # Scripts and styles keep what looks like a comment: there it may be code.
    pieces = _KEPT_BLOCKS.split(text)
    pieces[::3] = [re.sub(r"<!--(?!\[if\b).*?-->", "", piece, flags=re.DOTALL) for piece in pieces[::3]]
    return "".join(piece for index, piece in enumerate(pieces) if index % 3 != 2)


def _attribute(tag: str, name: str) -> str:
    found = re.search(rf"\b{name}\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", tag, re.IGNORECASE)
    return next((value for value in found.groups() if value), "") if found is not None else ""
