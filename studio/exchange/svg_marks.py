"""The marks that pictures drawn without a window are made of: lines, words and bars as SVG."""

from __future__ import annotations

from markupsafe import Markup

_WIDE_FROM = 0x2E80
"""Letters from here on (CJK) are as wide as two others."""


def line(x1: float, y1: float, x2: float, y2: float, colour: str, *, width: float = 1, dash: str = "") -> Markup:
    """Return a straight line; lengths in units of the picture, the dash as `stroke-dasharray` takes it."""
    return Markup(
        '<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="{}" stroke-width="{}" stroke-dasharray="{}"/>'
    ).format(x1, y1, x2, y2, colour, width, dash)


def text(x: float, y: float, words: str, anchor: str = "start", **style: str | float) -> Markup:
    """Return words on a base line.

    Args:
        x: where the anchor is.
        y: of the base line.
        words: shown as they stand.
        anchor: ``start``, ``middle`` or ``end`` of the words.
        style: attributes such as ``fill`` or ``font_size``; those left out are the surrounding group's.
    """
    more = Markup("").join(
        Markup(' {}="{}"').format(name.replace("_", "-"), value) for name, value in style.items()
    )  # fmt: skip
    return Markup('<text x="{:.1f}" y="{:.1f}" text-anchor="{}"{}>{}</text>').format(x, y, anchor, more, words)


def rect(x: float, y: float, width: float, height: float, colour: str, *, opacity: float = 1.0) -> Markup:
    """Return a filled rectangle; opacity 0 to 1."""
    return Markup('<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}" fill-opacity="{}"/>').format(
        x, y, width, height, colour, opacity
    )


def letters(words: str) -> int:
    """Return how wide words are, about, in letters of usual width."""
    return sum(2 if ord(letter) >= _WIDE_FROM else 1 for letter in words)


def fitted(words: str, most: float) -> str:
    """Return as many of the words as fit into so many letters of usual width, with "…" where some do not."""
    used, kept = 0, ""
    for letter in words:
        used += letters(letter)
        if used > most:
            return kept[:-1] + "…"
        kept += letter
    return kept
