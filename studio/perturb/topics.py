"""Topics of a source, and which slide carries which of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.model.decks import SourceText
from studio.model.reflex import DocumentObject, Section
from studio.perturb.summaries import with_summaries

LEAST_TOPICS = 4
"""Fewer carried topics make every degree the same."""
_LEAST_WORDS = 20
_BLOCKS = 8
_NO_TOPIC = re.compile(
    r"^\W*(\d+[.\d]*\s*)?(references?|bibliography|acknowledge?ments?|appendix|table of contents|contents|"
    r"参考文献|致谢|附录|目录)\W*$",
    re.IGNORECASE,
)
_SHARED = 0.8
"""A slide carries its nearest topic, and each other that is at least this share as near."""


def document_of(texts: Sequence[SourceText], title: str = "") -> DocumentObject:
    """Return the sections of one or more sources as a document.

    Headings make the sections, references and the like are left out. A source with fewer than four headed sections
    is cut into blocks of equal length, each named by its three most telling words. Each section has a summary in its
    own sentences.
    """
    sections = [section for text in texts for section in _sections(text)]
    if len(sections) < LEAST_TOPICS:
        sections = _blocks("\n".join(page.text for text in texts for page in text.pages))
    return with_summaries(DocumentObject(title=title, sections=tuple(sections)))


def carried(slides: Sequence[str], sections: Sequence[Section]) -> list[frozenset[int]]:
    """Return for each slide the numbers of the sections that it carries, from 0; at least one each.

    By TF-IDF cosine, so that what generates decks shares no signal with the embeddings that score them.
    """
    return list(_carried(tuple(slides), tuple(sections)))


@lru_cache(maxsize=512)
def _carried(slides: tuple[str, ...], sections: tuple[Section, ...]) -> tuple[frozenset[int], ...]:
    # Kept: training asks it of the same deck for every degree and ladder.
    near = nearness(slides, [f"{section.title} {section.title} {section.text}" for section in sections])
    return tuple(
        frozenset(int(each) for each in np.flatnonzero(row >= _SHARED * row.max())) if row.max() > 0
        else frozenset({min(len(sections) - 1, number * len(sections) // len(slides))})
        for number, row in enumerate(near)
    )  # fmt: skip


def nearness(left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
    """Return TF-IDF cosines, 0 to 1, of shape (len(left), len(right)); pairs of letters stand for CJK words."""
    vectors = _vectorizer()
    try:
        found = vectors.fit_transform([*left, *right])
    except ValueError:
        # Not one word anywhere.
        return np.zeros((len(left), len(right)))
    product = found[: len(left)] @ found[len(left) :].T
    return np.asarray(product.todense(), dtype=np.float64)


def _vectorizer() -> Any:
    # Imported here: it takes a second, and most who open the studio need no topics.
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(analyzer=_words, sublinear_tf=True)


@lru_cache(maxsize=16384)
def _words(text: str) -> tuple[str, ...]:
    words = [word for word in re.findall(r"[^\W_]{2,}", text.casefold()) if not re.match(r"[぀-鿿가-힯]", word)]
    for run in re.findall(r"[぀-鿿가-힯]+", text):
        words += [run[at : at + 2] for at in range(max(1, len(run) - 1))]
    return tuple(word for word in words if word not in _STOP)


def _sections(text: SourceText) -> list[Section]:
    whole = "\n".join(page.text for page in text.pages)
    starts: list[tuple[int, int, str, int]] = []
    at = 0
    for heading in text.headings:
        found = whole.find(heading.text, at)
        if found < 0:
            continue
        at = found + len(heading.text)
        starts.append((found, at, heading.text.strip(), heading.level))
    sections = []
    for number, (_, begin, name, level) in enumerate(starts):
        end = starts[number + 1][0] if number + 1 < len(starts) else len(whole)
        body = whole[begin:end].strip()
        if not _NO_TOPIC.match(name) and len(_words(body)) >= _LEAST_WORDS:
            sections.append(Section(title=name, text=body, level=level))
    return sections


def _blocks(text: str) -> list[Section]:
    sentences = [each.strip() for each in re.split(r"(?<=[.!?。！？])\s*|\n{2,}", text) if each.strip()]
    n_blocks = min(_BLOCKS, len(sentences) // 2)
    if n_blocks < LEAST_TOPICS:
        return []
    bodies = [" ".join(block) for block in np.array_split(np.array(sentences, dtype=object), n_blocks)]
    vectors = _vectorizer()
    weights = vectors.fit_transform(bodies).toarray()
    names = vectors.get_feature_names_out()
    return [
        Section(title=", ".join(str(names[each]) for each in np.argsort(-row, kind="stable")[:3]), text=body)
        for row, body in zip(weights, bodies, strict=True)
    ]


_STOP = frozenset(
    re.findall(
        r"\w+",
        "the of and to in is are was were be been for with that this these those on as by an at from or it its we our "
        "they their which can has have had not also such may into than then there here where when how what will would",
    )
)
