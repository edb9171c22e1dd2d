"""The pages of one file as a PDF, for rules that look at them; no pictures are made."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from studio.decks.html import html_to_pdf
from studio.decks.libreoffice import to_pdf
from studio.decks.limits import Limits
from studio.decks.passwords import decrypted, is_encrypted_office
from studio.decks.tools import RenderTools
from studio.errors import Cancelled, StudioError
from studio.model.decks import DeckFormat
from studio.model.protocols import CancelToken

_TIMEOUT_S = 300.0
DRAWS_ITSELF = frozenset({DeckFormat.PDF, DeckFormat.IMAGES})
"""Formats whose pages need no program to be drawn."""


class DrawnPdf(NamedTuple):
    """A deck's pages, or why there are none."""

    pdf: Path | None
    reason: str


def drawn_pdf(
    path: Path, out_dir: Path, *, format: DeckFormat, tools: RenderTools, password: str | None = None,
    cancel: CancelToken | None = None, limits: Limits | None = None,
) -> DrawnPdf:  # fmt: skip
    """Write ``out_dir/deck.pdf`` with LibreOffice or Chromium and return it.

    Args:
        path: the deck.
        out_dir: an existing folder.
        format: what sniffing said it is; PDFs and pictures have no PDF made.
        tools: the programs.
        password: for a protected Office file.
        cancel: takes effect within two seconds.
        limits: bounds on what is read.

    Raises:
        Cancelled: the token was set.
    """
    if format in DRAWS_ITSELF:
        return DrawnPdf(None, "")
    if path.is_file() and is_encrypted_office(path):
        with decrypted(path, password) as plain:
            return drawn_pdf(plain, out_dir, format=format, tools=tools, cancel=cancel, limits=limits)
    try:
        if format is DeckFormat.HTML:
            printed = html_to_pdf(
                path, out_dir, chromium=tools.chromium, timeout_s=_TIMEOUT_S, cancel=cancel, limits=limits
            )
            return DrawnPdf(printed.pdf, "")
        pdf = to_pdf(path, out_dir, soffice=tools.libreoffice, timeout_s=_TIMEOUT_S, cancel=cancel, suffix=f".{format}")
    except Cancelled:
        raise
    except StudioError as error:
        return DrawnPdf(None, f"the pages could not be drawn: {error.message.rstrip('.')}")
    return DrawnPdf(pdf, "" if pdf is not None else "LibreOffice made no pages of the deck")
