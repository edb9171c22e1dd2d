"""Summaries of sections in the sections' own sentences, and of a document in the order of its headings."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from studio.model.reflex import DocumentObject

SENTENCES = 3
_FIRST = 0.1
"""What the first sentence gains over the last, in cosine: authors say early what a section is about."""
_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n{2,}")
_WORD = r"(?u)[^\W_]{2,}"


def summary_of(text: str, *, sentences: int = SENTENCES) -> str:
    """Return the sentences nearest to the centre of a text, early ones first among equals, in the text's order.

    Args:
        text: of one section.
        sentences: at most so many; a text that has no more is returned whole.
    """
    found = [each.strip() for each in _END.split(text) if each and each.strip()]
    if len(found) <= sentences:
        return " ".join(found)
    # Imported here: it takes a second, and most who open the studio need no summaries.
    from sklearn.feature_extraction.text import TfidfVectorizer

    try:
        vectors = TfidfVectorizer(token_pattern=_WORD, sublinear_tf=True).fit_transform(found).toarray()
    except ValueError:
        # Not one word anywhere.
        return " ".join(found[:sentences])
    centre = vectors.mean(axis=0)
    near = vectors @ centre / (np.linalg.norm(centre) or 1.0) + _FIRST * np.linspace(1, 0, len(found))
    chosen = sorted(np.argsort(-near, kind="stable")[:sentences])
    return " ".join(found[each] for each in chosen)


def with_summaries(document: DocumentObject) -> DocumentObject:
    """Return a document each of whose sections has a summary; summaries that are there stay."""
    return replace(
        document,
        sections=tuple(
            section if section.summary else replace(section, summary=summary_of(section.text))
            for section in document.sections
        ),
    )


def whole_summary(document: DocumentObject) -> str:
    """Return the summaries of all sections below their headings, a section before those below it, none left out."""
    sections = with_summaries(document).sections
    return "\n\n".join(f"{'#' * max(1, section.level)} {section.title}\n{section.summary}" for section in sections)
